"""Words that were parted at the end of a line, as text from a PDF, a scan or a narrow column has them."""

import re
from collections import Counter
from collections.abc import Mapping

_BROKEN = re.compile(r"(?<!\w)(\w++)([-\u2010\xad])[ \t]*\r?\n[ \t]*(\w+)(\S*)[ \t]*(?:\r?\n)?")
_MOST_PARTS = 4
"""A long word in a narrow column has so many."""
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_COMPOUND_STARTS = frozenset(
    """
long short high low well ill self non anti pro ex multi mid semi quasi cross full half part all over under low large
small wide deep hard soft fast slow open closed free low new old far near early late so co re pre post user
year month week day hour one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty
seventy eighty ninety first second third fourth fifth north south east west english french german state government
world market tax carbon climate decision policy law peer time cost risk evidence
""".split()
)
"""Words that end in a hyphen in English compounds; at the end of a line it is then no sign of a word that goes on."""
_PREFIXES = frozenset("anti co re pre pro semi multi post over under".split())
"""Of these, the ones that are as often the beginning of a plain word."""
_BETWEEN_PARTS = frozenset("and or nor to und oder bis et ou y o e ed of och og eller lub".split())
"""Behind a hyphen that stands for the rest of a word: "short- and long-term"."""


def word_counts(text: str) -> Counter[str]:
    """How often each word of a text is there, compounds as one."""
    return Counter(word.lower() for word in _WORD.findall(text))


def unbroken(text: str, known: Mapping[str, int] | None = None) -> str:
    """The text with the words whole that were parted at the ends of its lines; the line ends behind them.

    A word is written as elsewhere in the file, whose words may be ``known``, or by what its first half is.
    """
    if not _BROKEN.search(text):
        return text
    counts = word_counts(text) if known is None else known
    for _ in range(_MOST_PARTS):
        text = _BROKEN.sub(lambda found: f"{_rejoined(found, counts)}{found[4]}\n", text)
    return text


def _rejoined(found: re.Match[str], known: Mapping[str, int]) -> str:
    first, hyphen, second = found[1], found[2], found[3]
    whole, compound = f"{first}{second}", f"{first}-{second}"
    if hyphen == "\xad":  # a soft hyphen is seen at the end of a line only
        return whole
    if second in _BETWEEN_PARTS:
        return f"{first}- {second}"
    if not (second.islower() and compound.replace("-", "").isalpha()):  # "Jean-Luc", "COVID-19", "1990-1995"
        return compound
    if (counted := known.get(whole.lower(), 0)) != (parted := known.get(compound.lower(), 0)):
        return whole if counted > parted else compound
    start = first.lower()
    doubled = start[-1] == second[0] and start[-1] in "aeiou"  # "anti-inflationary", "co-operate"
    return compound if start in _COMPOUND_STARTS and (doubled or start not in _PREFIXES) else whole
