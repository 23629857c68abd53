"""The Ask page: a conversation whose questions are answered from cards, or by a new check."""

from ghost.ui.ask.page import EXAMPLES, ask_box, ask_page

__all__ = ["EXAMPLES", "ask_box", "ask_page"]
