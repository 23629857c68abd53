"""``python -m ghost``."""

import sys

from ghost.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
