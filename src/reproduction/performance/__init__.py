"""What a run costs, measured by ``python -m reproduction bench``; `benches` lists it all."""
