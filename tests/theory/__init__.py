"""Formulas, bounds and probabilistic claims."""
