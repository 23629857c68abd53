"""Research a topic: questions, what memory has for each, answers with their sources. The address holds it."""

from ghost.ui.research import research_page
from ghost.ui.shared import resources, sharing, theme

opened = resources.ready()

with theme.page():
    sharing.worker_note(opened.workbench)
    research_page(opened.workbench, opened.research)
