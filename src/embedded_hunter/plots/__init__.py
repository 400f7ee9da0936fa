"""Pictures of trees, partitions and runs."""
