"""Research a topic: questions, what memory has for each, answers with their sources. The address holds it."""

from ghost.ui.research import research_page
from ghost.ui.shared import resources, theme
from ghost.ui.shared.sharing import worker_note

opened = resources.ready()

with theme.page():
    worker_note(opened.workbench)
    research_page(opened.workbench, opened.research)
