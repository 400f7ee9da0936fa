"""``python -m reproduction``: see `reproduction.cli`."""

import sys

from reproduction.cli import main

if __name__ == "__main__":
    sys.exit(main())
