"""The Quality page: what the benchmark measured, and how often the analyst agrees."""

from ghost.ui.quality.page import quality_page

__all__ = ["quality_page"]
