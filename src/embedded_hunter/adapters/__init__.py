"""The searches of this project inside Optuna; docs/platforms.md has recipes for other platforms."""
