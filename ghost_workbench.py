"""The command ``ghost`` of an installed Ghost; in the wheel this file is ``ghost_workbench/__init__.py``.

The wheel holds everything in this one package, so that names such as ``config`` and ``pages`` are not in the way of
others. The modules still find each other by those names: this puts their folder first on the path.
"""

import sys
from pathlib import Path
from typing import NoReturn

FOLDER = str(Path(__file__).resolve().parent)


def main() -> NoReturn:
    """Run the command line; see ``ghost.cli.main``."""
    sys.path[:] = [FOLDER, *(entry for entry in sys.path if entry != FOLDER)]
    from ghost.cli.main import run

    run()
