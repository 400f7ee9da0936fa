"""Runs as events: written, read, replayed, and checked."""
