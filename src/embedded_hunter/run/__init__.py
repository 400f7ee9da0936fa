"""Driving a search: box, evaluators, checkpoint, ask/tell, `minimize`."""
