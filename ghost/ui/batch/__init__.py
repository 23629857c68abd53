"""The Batch page: many claims at once."""

from ghost.ui.batch.form import UPLOAD, claim_list, forget
from ghost.ui.batch.page import batch_page

__all__ = ["UPLOAD", "batch_page", "claim_list", "forget"]
