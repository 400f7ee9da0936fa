"""The algorithms that the paper compares with, in the style of hunter.py."""
