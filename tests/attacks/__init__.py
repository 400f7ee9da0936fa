"""Attacks on the claims: each statement as a predicate, and the search for counterexamples."""
