"""Compare regret bounds with runs, and constants of the theory with measurements."""
