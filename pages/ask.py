"""Questions in a conversation: answered from claim cards, or checked."""

from ghost.ui.ask import ask_box, ask_page
from ghost.ui.shared import resources, sharing, theme

opened = resources.ready()

with theme.page():
    sharing.worker_note(opened.workbench)
    ask_page(opened.workbench, opened.asker)
ask_box(opened.workbench, opened.asker)
