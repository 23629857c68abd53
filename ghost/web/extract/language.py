"""The language of a text, checked against what its page says."""

import re
from functools import cache
from threading import Lock
from typing import Any

_TAG = re.compile(r"[A-Za-z]{2,3}(?=$|[-_])")
_CHARS = 2_000
_ENOUGH = 40
"""Letters below which the page is believed more than the text."""
_CONFIDENT = 0.6
_lock = Lock()


def declared_language(tag: str) -> str:
    """The language of a tag such as ``en-GB``, without its country; empty when it is none."""
    found = _TAG.match(tag.strip())
    return found[0].lower() if found else ""


def language_of(text: str, declared: str = "") -> str:
    """ISO code of the language a text is in; the declared one where the text is too short to decide, else empty.

    Pages of every language are declared English by the template they were made with, so the text decides.
    """
    sample = text[:_CHARS]
    if sum(c.isalpha() for c in sample) < _ENOUGH:
        return declared
    language, confidence = next(iter(probabilities(sample).items()))
    return language if confidence >= _CONFIDENT or not declared else declared


def probabilities(text: str) -> dict[str, float]:
    """How likely a text is in each language that is known, by ISO code, the most likely first."""
    with _lock:  # loading it twice at once would cost its second twice
        identifier = _identifier()
    return {str(code): float(value) for code, value in identifier.rank(text[:_CHARS])}


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
