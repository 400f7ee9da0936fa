"""Regret bounds held against runs, and the constants of the theory."""
