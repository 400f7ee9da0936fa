"""The theory as numbers, and the statistics."""
