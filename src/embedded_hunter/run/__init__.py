"""How a search is run: the box, evaluators, checkpoints, ask/tell, `drive` and `minimize`."""
