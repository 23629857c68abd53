"""The limits that a statement names, as small tags."""

from ghost.types import Scopes
from ghost.ui.shared import theme
from ghost.ui.shared.text import plain, shorten

_KINDS = (
    ("jurisdiction", "location_on"),
    ("time", "schedule"),
    ("population", "groups"),
    ("method", "science"),
)
MOST = 8


def scope_tags(*scopes: Scopes) -> str:
    """Where, when, of whom and measured how statements hold (hostile), as Markdown; empty where they name nothing."""
    found = list(dict.fromkeys((word, icon) for kind, icon in _KINDS for s in scopes for word in getattr(s, kind)))
    return " ".join(theme.badge(plain(shorten(word, 40)), icon, "gray") for word, icon in found[:MOST])
