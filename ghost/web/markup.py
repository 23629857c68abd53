"""Kept until the providers import it from ``extract``."""

from ghost.web.extract.html import text_of as text_of
