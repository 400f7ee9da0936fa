"""The specification of Algorithm 1, and the brute force that it is held against."""
