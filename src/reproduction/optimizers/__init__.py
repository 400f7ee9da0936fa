"""Minimisers of a black box in the experiments: this project's methods, and other libraries."""
