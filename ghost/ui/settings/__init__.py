"""The Settings page: what this workbench is set up to do."""

from ghost.ui.settings.models import stance_warning
from ghost.ui.settings.page import SECTIONS, settings_page

__all__ = ["SECTIONS", "settings_page", "stance_warning"]
