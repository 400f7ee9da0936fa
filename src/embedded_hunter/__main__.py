"""``python -m embedded_hunter``: the command ``embedded-hunter``."""

import sys

from embedded_hunter.cli import main

if __name__ == "__main__":
    sys.exit(main())
