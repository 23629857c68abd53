"""Every run step by step: find one, look into it, compare it, and see what its verdict depends on."""

from ghost.ui.shared import resources, theme
from ghost.ui.trace import trace_page

opened = resources.ready()

with theme.page():
    trace_page(opened.workbench)
