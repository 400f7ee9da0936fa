"""Beyond the paper: one forest over several embeddings, and local search."""
