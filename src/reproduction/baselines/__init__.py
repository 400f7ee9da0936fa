"""The baselines SOO, RESOO, SRESOO and random search; `reproduction.methods` runs them."""
