"""Files, claims, pages and distribution."""
