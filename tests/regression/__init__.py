"""Experiments, baselines, stored results; hostile input."""
