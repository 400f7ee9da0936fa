"""What `minimize`, the run, the forest, the commands and the pictures promise."""
