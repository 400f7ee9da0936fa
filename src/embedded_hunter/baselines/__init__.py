"""The baselines SOO, RESOO, SRESOO and random search, in the style of hunter.py."""
