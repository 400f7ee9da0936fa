"""Driving a run, problems, commands, pictures, claims."""
