"""Making any text one that a tokeniser can take."""

import re
import unicodedata

MAX_CHARS = 20_000
"""A text is cut here before it is tokenised. No real text fills 512 tokens with that many characters."""
_FORMS = re.compile("(?![0-9])\\d|[\ufb00-\ufb06\uff01-\uff5e]")
"""Digits of any script, ligatures and full-width forms: the same signs to a reader, and unknown to a vocabulary."""


def readable(text: str) -> str:
    """``text`` as a model knows it: without runs of blanks and what is beyond MAX_CHARS.

    Lone surrogates become ``?``, digits of other scripts 0 to 9, and ligatures and full-width forms plain letters. A
    raised or lowered digit stays: 10⁶ is not 106.
    """
    plain = " ".join(text.split())[:MAX_CHARS].encode("utf-8", "replace").decode("utf-8")
    return plain if plain.isascii() else _FORMS.sub(_plain, plain)


def _plain(found: re.Match[str]) -> str:
    sign = found[0]
    return str(unicodedata.decimal(sign)) if sign.isdecimal() else unicodedata.normalize("NFKC", sign)
