"""Kept until the providers import it from ``extract``."""

from ghost.web.extract.claim_review import ClaimReview as ClaimReview
