"""What an analyst may hand in as a claim, and how it is tidied before anything looks at it."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace

from ghost.errors import ClaimError
from ghost.text import ascii_host, stream_safe, unbroken, without_secrets
from ghost.types.claim import Claim
from ghost.types.url import canonical, with_scheme

MAX_URL_CHARS = 2000
MAX_STATEMENTS = 8
"""As many as step 1 extracts at most."""
MAX_STATEMENT_CHARS = 600
MAX_SITES = 100
_BETWEEN_SITES = re.compile(r"[\s,;]+")
_SCHEME = re.compile(r"^https?://(?:www\.)?|^www\.", re.IGNORECASE)
_LONE_ADDRESS = re.compile(r"(?i:https?://|www\.)\S+|[^\W_][\w-]*(?:\.[\w-]+)*\.[^\W\d_]{2,}(?::\d+)?/\S*")
"""With a scheme, or beginning with ``www.``, or a host with a path: "24/7" and "example.org" alone are none."""
_HOST = re.compile(r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*")


def tidy_claim(claim: Claim, max_chars: int) -> Claim:
    """The claim without control characters and surplus white space; raises ClaimError with what to change."""
    text, context = tidy_text(claim.text), tidy_text(claim.context)
    if not text:
        raise ClaimError("There is no claim to check. Enter a sentence that says something about the world.")
    if lone_address(text):
        raise ClaimError(
            "That is the address of a page, not a claim. Enter the sentence of that page that you want checked, and "
            "the address as where it was found (“Found at”, or --found-at). To list all that the page says, choose "
            "“An article” on the Verify page."
        )
    for name, value in (("claim", text), ("context", context)):
        if len(value) > max_chars:
            raise ClaimError(
                f"The {name} has {len(value):,} characters; at most {max_chars:,} can be checked at once. "
                "Paste the sentences that matter, one claim at a time."
            )
    found_at = without_secrets((claim.found_at or "").strip()) or None
    if found_at and not canonical(found_at):
        raise ClaimError("“Found at” must be a web address that starts with http:// or https://.")
    return replace(claim, text=text, context=context, found_at=found_at, statements=_statements(claim.statements))


def lone_address(text: str) -> str:
    """The address that a text is, with a scheme and without passwords; empty when the text is something else."""
    typed = text.strip().strip("<>\"'“”‘’.,;")
    if len(typed) > MAX_URL_CHARS or not _LONE_ADDRESS.fullmatch(typed):
        return ""
    url = without_secrets(with_scheme(typed))
    return url if canonical(url) else ""


def _statements(texts: Iterable[str]) -> tuple[str, ...]:
    """The analyst's statements, each once; raises ClaimError."""
    kept = tuple(dict.fromkeys(text for text in map(tidy_text, texts) if text))
    if len(kept) > MAX_STATEMENTS:
        raise ClaimError(
            f"There are {len(kept)} statements; at most {MAX_STATEMENTS} can be checked at once. Check the rest as "
            "another claim."
        )
    for number, text in enumerate(kept, start=1):
        if len(text) > MAX_STATEMENT_CHARS:
            raise ClaimError(
                f"Statement {number} has {len(text):,} characters; at most {MAX_STATEMENT_CHARS} make one statement. "
                "Split it."
            )
    return kept


def site_list(text: str) -> tuple[str, ...]:
    """What an analyst typed into a field for sites: host suffixes with an optional path, each once.

    Commas, semicolons and white space divide them. A pasted address counts as its site. Raises ClaimError naming the
    entry that is no site.
    """
    sites = dict.fromkeys(_site(entry) for entry in _BETWEEN_SITES.split(text) if entry)
    if len(sites) > MAX_SITES:
        raise ClaimError(f"There are {len(sites)} sites; at most {MAX_SITES} can be named for one check.")
    return tuple(sites)


def _site(entry: str) -> str:
    entry = without_secrets(entry) if "://" in entry else entry
    host, slash, path = _SCHEME.sub("", entry).partition("/")
    try:
        name = ascii_host(host.strip("."))
    except UnicodeError:
        name = ""
    if not _HOST.fullmatch(name):
        shown = tidy_text(without_secrets(entry))[:80]
        raise ClaimError(
            f"“{shown}” is not a site. Write a host such as example.org, or with a path: example.org/news."
        )
    return name + (slash + path).partition("?")[0].partition("#")[0].rstrip("/")


def tidy_text(text: str) -> str:
    """Normal form C, one space between words; control, zero-width and unpaired surrogate characters removed.

    Words that were parted at the ends of lines, as in text from a PDF, are whole again.
    """
    folded = " ".join(unicodedata.normalize("NFC", stream_safe(unbroken(text))).split())
    return "".join(c for c in folded if unicodedata.category(c) not in ("Cc", "Cf", "Cs") or c == "\u200d").strip()
