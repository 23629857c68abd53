"""The one place where things are wired together."""

from ghost.workbench.building import build, open_frozen
from ghost.workbench.note_checks import CheckedNotes
from ghost.workbench.parts import MODELS, make_judges
from ghost.workbench.workbench import Workbench, new_run_id

__all__ = ["MODELS", "CheckedNotes", "Workbench", "build", "make_judges", "new_run_id", "open_frozen"]
