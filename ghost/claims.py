"""What an analyst may hand in as a claim, and how it is tidied before anything looks at it."""

import unicodedata
from dataclasses import replace
from urllib.parse import urlsplit

from ghost.errors import ClaimError
from ghost.types import Claim

MAX_URL_CHARS = 2000


def tidy_claim(claim: Claim, max_chars: int) -> Claim:
    """The claim without control characters and surplus white space; raises ClaimError with what to change."""
    text, context = tidy_text(claim.text), tidy_text(claim.context)
    if not text:
        raise ClaimError("There is no claim to check. Enter a sentence that says something about the world.")
    for name, value in (("claim", text), ("context", context)):
        if len(value) > max_chars:
            raise ClaimError(
                f"The {name} has {len(value):,} characters; at most {max_chars:,} can be checked at once. "
                "Paste the sentences that matter, one claim at a time."
            )
    found_at = (claim.found_at or "").strip() or None
    if found_at and not _is_web_address(found_at):
        raise ClaimError("“Found at” must be a web address that starts with http:// or https://.")
    return replace(claim, text=text, context=context, found_at=found_at)


def tidy_text(text: str) -> str:
    """Normal form C, one space between words; control, zero-width and unpaired surrogate characters removed."""
    folded = " ".join(unicodedata.normalize("NFC", text).split())
    return "".join(c for c in folded if unicodedata.category(c) not in ("Cc", "Cf", "Cs") or c == "\u200d").strip()


def _is_web_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and len(text) <= MAX_URL_CHARS
