"""Test problems: the functions, and how they are hidden among n coordinates."""
