"""Costs of a run, measured by ``python -m reproduction bench``; `benches` lists it all."""
