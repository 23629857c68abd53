"""Kept until the providers import it from ``extract``."""

from ghost.web.extract.dates import day_in as day_in
