"""The Verify page: a claim is entered, watched and read as a report."""

from ghost.ui.verify.form import EXAMPLES
from ghost.ui.verify.page import verify_page

__all__ = ["EXAMPLES", "verify_page"]
