"""What every room may use: checks of arguments and exact numbers, and optional packages."""
