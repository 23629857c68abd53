"""Making any text one that a tokeniser can take."""

MAX_CHARS = 20_000
"""A text is cut here before it is tokenised. No real text fills 512 tokens with that many characters."""


def readable(text: str) -> str:
    """``text`` without lone surrogates (they become ``?``), runs of blanks and what is beyond MAX_CHARS."""
    return " ".join(text.split())[:MAX_CHARS].encode("utf-8", "replace").decode("utf-8")
