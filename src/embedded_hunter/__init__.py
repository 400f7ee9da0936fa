"""EmbeddedHunter, executable and machine-checked."""
