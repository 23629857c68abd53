"""``python -m ghost``."""

from ghost.cli.main import run

if __name__ == "__main__":
    run()
