"""Recreating the empirical section of the paper (Table 1, Figure 1)."""
