"""Parts of a line: quotation marks, elements that no extraction may drop or part, and raised and lowered signs.

Joined to the number before it a sign makes another number: "3¹ million" is not 31 million, nor is 10⁶ 106. So notes go,
and powers and formulas are written as plain text can say them.
"""

import re
from collections.abc import Iterator
from itertools import islice

from ghost.web.extract.html import INLINE, NEAR_CHARS, Node, after, attribute, before, elements, empty, text_within
from ghost.web.extract.vocabulary import words

_AS_THEY_ARE = frozenset({"a", "b", "strong", "i", "em", "sup", "sub", "br", "img", "wbr"})
"""These the extraction keeps; only names that it could take for something else than text go."""
_CONTROLS = frozenset({"button", "label", "summary"})
"""They belong to a sentence only where it goes on behind them; elsewhere they are controls of the page."""
_FIGURES = frozenset({"td", "th", "dd", "dt", "caption"})
"""In these a day or a number that stands alone is what they have to say."""
_OPENING = "\"'“”„‚‘’«»‹›「『"
MARK_CHARS = 24
_ONE = r"(?:\d{1,3}|[a-z]|[ivx]{2,5}|[*†‡§¶‖#]{1,4})"
_LIST = rf"{_ONE}(?:\s*[,;–-]\s*{_ONE})*"
_MARK = re.compile(
    rf"(?:{_LIST}|[\[(]\s*(?:(?:notes?|nb|fn|refs?|anm)\.?\s*)?{_LIST}\s*[\])]|notes?\s{_LIST})[,;.]?", re.I
)
_BRACKETED = re.compile(r"[\[(].*[\])]|[*†‡§¶‖#]{1,4}")
_NOTE_NAMES = words("hidden", "notes")
_NOTE_ROLES = frozenset({"doc-noteref", "noteref", "doc-biblioref"})
_TO_NOTE = re.compile(
    r"#_?(?:fn|ftn|edn|en\d|sdfootnote|sdendnote|foot|end_?note|note|cite|citation|ref|bib|cr\d|r\d|b\d)", re.I
)
_NUMBER = re.compile(r"[+−–-]?\d+(?:\.\d+)?|[+−-]\d+,\d+")
_DIGITS = re.compile(r"\d+")
_CHARGE = re.compile(r"\d?[+−–-]")
_STROKES = ("/", "⁄", "∕")
_COUNTS_ON = re.compile(
    r"\s*(?:%|‰|(?:per\s?cent|prozent|pour\s?cent|por\s?cien|hundred|thousand|[mb]illions?|trillions?|millionen|"
    r"milliards?|milliarden|mrd|mio|mil|millones|milhões|milioni|tausend|dozen|[mb]n)\b)",
    re.I,
)
"""What follows a number that is written in words: a sign before it is no power."""
_OPERATOR = re.compile(r"\s*[=×·⋅÷≈≤≥<>*+]")
_BASE = re.compile(r"(?:(?P<factor>[×x·⋅*=+÷^]\s?)|(?P<money>[$€£¥]\s?)|(?:^|[^\d.,]))(?P<number>\d{1,12})$")
_WORD = re.compile(r"[^\W\d_]+$")
_SURE_UNITS = frozenset("km cm mm dm nm µm μm hm".split())
_UNITS = frozenset("m s h g kg ft in yd mi l mol hz w j k".split()) | _SURE_UNITS
_OF_UNIT = re.compile(r"(?:\d|/|\bper|[·⋅]|[a-zA-Zµμ][²³⁻¹]*)\s?$")
_FORMULAS = frozenset("H O N C CO NO SO CH NH PO CN OH HCO ClO Ca Na Fe Cu Mg Zn Al K".split())
_ELEMENT = re.compile(r"[A-Z][a-z]?(?![a-z])")
_DEGREE = re.compile(r"\s?[CF]\b")
_VARIABLES = frozenset("nxykzmt")
_NO_VARIABLES = frozenset("aIo")
_RAISED = dict(zip("0123456789+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻", strict=True))
_LOWERED = "₀₁₂₃₄₅₆₇₈₉"
_AS_DIGITS = {ord(high): low for low, high in list(_RAISED.items())[:12]} | {
    ord(low): str(n) for n, low in enumerate(_LOWERED)
}
_SIGNS = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+|[₀₁₂₃₄₅₆₇₈₉]+")


def write_quotation_marks(tree: Node) -> None:
    """Put the quotation marks that browsers draw around ``q`` into the text."""
    for node in list(elements(tree, "q")):
        said = "".join(node.itertext()).strip() if len(node) else (node.text or "").strip()
        node.tag = "span"
        node.attrib.clear()
        if not said or said[0] in _OPENING:
            continue
        node.text = f"“{node.text or ''}"
        if len(node):
            node[-1].tail = f"{node[-1].tail or ''}”"
        else:
            node.text = f"{node.text}”"


def unite_sentences(tree: Node) -> None:
    """Make plain spans of all inline elements that stand in running text.

    The extraction drops some for their tag (``time``, ``label``, ``output``), and others for their class, wherever they
    stand: "was closed on <time>4 May</time>" would be left without its day.
    """
    for node in list(elements(tree, "rt", "rtc")):  # how a word is pronounced stands above it, not in the sentence
        empty(node, node.tag)
    for node in list(elements(tree)):
        tag = node.tag
        if (tag in INLINE or "-" in tag) and _stands_in_text(node, tag):
            if tag not in _AS_THEY_ARE:
                node.tag = "span"
            for name in set(node.attrib) - {"href", "rend"}:
                del node.attrib[name]


def _stands_in_text(node: Node, tag: str) -> bool:
    left, right = (any(c.isalnum() for c in text) for text in (before(node), after(node)))
    if tag in _CONTROLS:
        return left and right
    parent = node.getparent()
    return left or right or (parent is not None and parent.tag in _FIGURES and tag not in _AS_THEY_ARE)


def settle_marks(tree: Node) -> None:
    """Put every raised or lowered sign of a page into plain text."""
    done: set[Node] = set()
    for node in list(elements(tree, "sup", "sub", "a", "span", "small", "label", "cite")):
        if node in done or not (text := _short_text(node)):
            continue
        noted, placed = _is_note(node), node.tag in ("sup", "sub")
        if not placed and not (noted and _MARK.fullmatch(text) and (noted == "named" or _glued(node, text))):
            continue
        sign = _plain_sign(before(node), text, after(node), raised=node.tag != "sub", note=bool(noted))
        done.update(node.iterdescendants())
        empty(node, "span")
        node.text = sign  # not joined with the text around: that would take the square of their number


def settle_signs(text: str) -> str:
    """A text with the raised and lowered characters of Unicode read as the same signs in markup are."""
    if text.isascii():
        return text

    def plain(found: re.Match[str]) -> str:
        start, end = found.span()
        left, right = text[max(0, start - NEAR_CHARS) : start], text[end : end + NEAR_CHARS]
        raised = found[0][0] not in _LOWERED
        if not raised and not left[-1:].isdigit():
            return found[0]
        return _plain_sign(left, found[0].translate(_AS_DIGITS), right, raised)

    return _SIGNS.sub(plain, text)


def _plain_sign(left: str, sign: str, right: str, raised: bool, note: bool = False) -> str:
    """What a raised or lowered sign is in plain text between what stands before and after it; empty for a note mark."""
    if note and _MARK.fullmatch(sign):
        return ""
    if raised and _BRACKETED.fullmatch(sign):
        return "" if _MARK.fullmatch(sign) else sign
    last = left[-1:]
    if right.startswith(_STROKES) or any(stroke in sign for stroke in _STROKES):  # the upper half of a fraction
        return f" {sign}" if last.isdigit() else sign
    if last and last in _STROKES:
        return sign
    if _NUMBER.fullmatch(sign):
        if raised:
            return _number(left, sign, right)
        return sign if not last.isdigit() else "" if _COUNTS_ON.match(right) else f"_{sign}"
    if _CHARGE.fullmatch(sign):
        return f"^{sign}" if last.isdigit() else sign
    if raised and _MARK.fullmatch(sign):
        return _letter(left, sign, right)
    return sign


def _number(left: str, sign: str, right: str) -> str:
    last = left[-1:]
    if last.isdigit():
        return _power(left, sign, right)
    plain = _DIGITS.fullmatch(sign)
    if last.isalpha():
        word = _WORD.search(left)
        return _after_word(left, word[0] if word else last, sign, right)
    if last in ")]" and last and (not plain or _OPERATOR.match(right)):
        return f"^{sign}"
    if len(sign) > 1 and not last.strip() and _ELEMENT.match(right):  # the mass of an isotope
        return sign
    return "" if plain and len(sign) <= 3 else sign


def _power(left: str, sign: str, right: str) -> str:
    base = _BASE.search(left)
    if sign == "0" and _DEGREE.match(right):
        return "°"
    if base and base["factor"]:
        return f"^{sign}"
    if _COUNTS_ON.match(right):
        return ""
    if base and base["money"] and len(sign) == 2:
        return f".{sign}"
    power = not sign[0].isdigit() or _OPERATOR.match(right) or (base and base["number"] in ("10", "2"))
    return f"^{sign}" if power else ""


def _after_word(left: str, word: str, sign: str, right: str) -> str:
    if word in _FORMULAS:
        return sign
    rest = left[: len(left) - len(word)]
    low = word.lower()
    unit = low in _SURE_UNITS or (low in _UNITS and _OF_UNIT.search(rest))
    variable = (len(word) == 1 and word not in _NO_VARIABLES) or word == "mc"
    if unit or variable or not sign[0].isdigit():
        return "".join(_RAISED.get(c, c) for c in sign)
    return "" if len(sign) <= 3 and not right[:1].isalpha() else sign


def _letter(left: str, sign: str, right: str) -> str:
    """A letter, a sign or a list: an ordinal, a degree, a power or a note."""
    last = left[-1:]
    if len(sign) == 1 and sign.isalpha():
        if last.isdigit():
            if sign == "o" and _DEGREE.match(right):
                return "°"
            if sign in _VARIABLES:
                return f"^{sign}"
            return "" if _COUNTS_ON.match(right) else sign
        word = _WORD.search(left)
        if word and len(word[0]) == 1 and sign in _VARIABLES and word[0] not in _NO_VARIABLES:
            return f"^{sign}"
        # From four letters on a word is no unit, variable or formula.
        long = word is not None and len(word[0]) >= 4 and not word[0].isupper()
        return "" if long or (last and last in ".,;:!?”\"'’)") else sign
    if sign.isalpha():
        return sign  # roman figures, or the end of an ordinal
    return ""


def _short_text(node: Node) -> str:
    text = text_within(node, MARK_CHARS + 1)
    return text if len(text) <= MARK_CHARS else ""


def _glued(node: Node, text: str) -> bool:
    """Whether a mark hangs on a word, as in "61²"; "see Table 2" leads to something else than a note."""
    return bool(before(node)[-1:].strip()) or bool(_BRACKETED.fullmatch(text))


def _is_note(node: Node) -> str:
    """Whether an element leads to a note: ``named`` so by role or class, or by its ``link``; else empty."""
    found = ""
    for part in _around(node):
        names = set(attribute(part, "class", 300).lower().replace("_", "-").split())
        kinds = {attribute(part, "role", 40).lower(), *attribute(part, "epub:type", 60).lower().split()}
        if names & _NOTE_NAMES or kinds & _NOTE_ROLES:
            return "named"
        if part.tag == "a" and (target := attribute(part, "href", 300)):
            found = "link" if (node.tag == "sup" and "#" in target) or _TO_NOTE.search(target) else found
    return found


def _around(node: Node) -> Iterator[Node]:
    """The element, the link that it is in, and the first elements that are in it."""
    yield node
    parent = node.getparent()
    if parent is not None and parent.tag in ("a", "sup") and len(parent) == 1 and not (parent.text or "").strip():
        yield parent
    yield from islice(node.iterdescendants(), 4)
