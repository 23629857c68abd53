"""What stands in quotation marks in a sentence of a judge, whatever marks it uses."""

import re

_PAIRS = (
    *(("“‟", "”"), ("„", '“”‟"'), ("«", "»"), ("»", "«"), ("‹", "›"), ("›", "‹")),
    *(("「", "」"), ("『", "』"), ("｢", "｣"), ("〝", "〞〟"), ("＂", "＂")),
)
"""What opens a quotation and what closes it."""
_WORD = r"(?:[^\s'‘’‚´]|(?<=\w)['’](?=\w))+"
_QUOTED = re.compile(
    "|".join([
        *(f"[{a}][^{z}]*[{z}]" for a, z in _PAIRS),
        r'(?<!\d)"[^"]*"',  # after a digit it is inches
        r"(?<![^\s(\[])”(?=\w)[^”]*”",  # as in Swedish; elsewhere it closes
        r"`+[^`]+?(?:`+|'')",
        # From two words on, and at the ends of words: anything less may be apostrophes.
        rf"(?<!\w)['‘‚´](?=\w){_WORD}(?:\s+{_WORD})+['’‘´](?!\w)",
    ])
)  # fmt: skip
_OPEN = re.compile(r'(?<!\w)(?:[“‟„«「『｢〝](?=\s?\w)|"(?=\w)).*$', re.DOTALL)
_MARKS = "“”‟„«»‹›「」『』｢｣〝〞〟＂\"`'‘’‚´ "


def spans(text: str) -> list[tuple[int, int]]:
    """Where quotations stand, with their marks."""
    return [m.span() for m in _QUOTED.finditer(text)]


def quotations(text: str) -> list[str]:
    """The words of each quotation; one that nobody closes goes on to the end."""
    found = [text[start:end].strip(_MARKS) for start, end in spans(text)]
    rest = _OPEN.search(unquoted(text))
    return [*found, rest.group().strip(_MARKS)] if rest else found


def unquoted(text: str) -> str:
    """The text without its quotations: what the judge says itself."""
    return _QUOTED.sub(" ", text)
