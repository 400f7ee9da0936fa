"""The specification: one file per source module, read in the order node, tree, hunter, ..."""
