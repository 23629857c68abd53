"""The Verify page: a claim is entered, watched and read as a report."""

from ghost.ui.verify.form import EXAMPLES
from ghost.ui.verify.page import verify_page
from ghost.ui.verify.verdict import stored_results, track_record

__all__ = ["EXAMPLES", "stored_results", "track_record", "verify_page"]
