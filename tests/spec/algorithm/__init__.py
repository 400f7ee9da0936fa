"""The core, the forest and the baselines, with the brute forces."""
