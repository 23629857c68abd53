"""Outside text in Streamlit's Markdown: shown as it is, never interpreted.

Claims, passages, titles, addresses and model text are hostile until drawn. A backslash before each punctuation
character is not enough: after parsing, Streamlit goes through the finished text once more and turns ``:smile:``,
``:material_home:``, ``www.example.org``, ``a@b.org`` and ``->`` into something else. An empty ``:small[]`` between
the characters of such a pattern stops that. Unlike an invisible character, it is not in the text a reader copies.
"""

import re
import unicodedata
from urllib.parse import quote, urlsplit

from ghost.reports import quote_spans
from ghost.text import ascii_host
from ghost.types import host_of

_GAP = ":small[]"
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_REWRITTEN = re.compile(r"(?<=[:@])(?=\S)|(?<=[wW]{3})(?=\.)|(?<=[<>=~-])(?=[<>=~-])")
_HIDDEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")
"""Zero-width, direction-changing and tag characters: they make a text read differently from what it says."""
_HOST = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?")
_DIRECTIVE_MAX = 950
"""Markdown does not parse ``:colour[...]`` with more than 999 characters between the brackets."""
_TOKEN = re.compile(r"\S{1,80} ?")
"""A word, or a part of a long one; 80 characters can grow tenfold when they are escaped."""
_MARK = re.compile(r"\[(\d{1,6})\]")


def clean(text: str) -> str:
    """One line of visible characters: white space collapsed, control and direction-changing characters dropped."""
    kept = "".join(c if c.isspace() or unicodedata.category(c) not in ("Cc", "Cs", "Co") else "" for c in text)
    return " ".join(_HIDDEN.sub("", kept).split())


def plain(text: str) -> str:
    """Markdown that shows ``text`` literally, on one line, in every place where Streamlit takes Markdown."""
    return _GAP.join(_PUNCTUATION.sub(r"\\\1", part) for part in _REWRITTEN.split(clean(text)))


def shorten(text: str, limit: int) -> str:
    """At most ``limit`` characters, cut at a word, with an ellipsis where something is missing."""
    text = clean(text)
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut[limit // 2 :] else cut).rstrip(" ,;:.") + "…"


def count(number: int, word: str, plural: str = "") -> str:
    """``1 passage``, ``1,200 passages``; ``plural`` where it is not the word with an s."""
    return f"{number:,} {word if number == 1 else plural or f'{word}s'}"


def capitalized(text: str) -> str:
    """``text`` with its first letter in upper case; the rest, such as “AI”, stays as it is."""
    return text[:1].upper() + text[1:]


def coloured(colour: str, text: str) -> str:
    """``text`` (hostile) in a theme colour or on a theme background (``yellow-background``)."""
    pieces = [""]
    for token in _TOKEN.findall(clean(text)):
        if pieces[-1] and len(plain(pieces[-1] + token)) > _DIRECTIVE_MAX:
            pieces.append("")
        pieces[-1] += token
    return "".join(f":{colour}[{plain(piece)}]" + " " * piece.endswith(" ") for piece in pieces if piece)


def safe_url(url: str) -> str:
    """The address when it is a plain http or https link, made safe for Markdown; else an empty string.

    Addresses with a user name are refused: ``https://nasa.gov@evil.example`` does not lead to NASA.
    """
    try:
        parts = urlsplit(clean(url))
        host, port = ascii_host(parts.hostname or ""), parts.port
    except (ValueError, UnicodeError):
        return ""
    if parts.scheme not in ("http", "https") or "@" in parts.netloc or not _HOST.fullmatch(host):
        return ""
    path = quote(parts.path, safe="/%-._~,;=+!")
    query = "?" + quote(parts.query, safe="/%-._~,;=+!?&").replace("&", "&amp;") if parts.query else ""
    fragment = "#" + quote(parts.fragment, safe="/%-._~,;=+!?") if parts.fragment else ""
    return f"{parts.scheme}://{host}{f':{port}' if port else ''}{path}{query}{fragment}"


def link(label: str, url: str) -> str:
    """``label`` (hostile) leading to ``url`` (hostile); only the label when the address is not safe to offer."""
    address = safe_url(url)
    return f"[{plain(label)}](<{address}>)" if address else plain(label)


def host_link(url: str, before: str = "") -> str:
    """The host of an address (hostile), leading to it, after ``before``; empty when it is not safe to offer."""
    host = host_of(url) if safe_url(url) else ""
    return f"{before}{link(host, url)}" if host else ""


def cited(text: str, numbers: frozenset[int], anchor: str = "evidence") -> str:
    """An explanation (hostile) in which ``[n]`` leads to the card n, whose anchor is ``evidence-n``.

    Other brackets stay text.
    """
    text = clean(text)
    pieces, at = [], 0
    for mark in _MARK.finditer(text):
        number = int(mark[1])
        if number in numbers:
            pieces += [_keep_edges(text[at : mark.start()]), f"[\\[{number}\\]](#{anchor}-{number})"]
            at = mark.end()
    return "".join([*pieces, _keep_edges(text[at:])])


def _keep_edges(text: str) -> str:
    return " " * text.startswith(" ") + plain(text) + " " * (text.endswith(" ") and text != " ")


def highlighted(text: str, quotes: tuple[str, ...]) -> str:
    """A passage (hostile) with each verbatim quote marked; a quote that is not in it changes nothing."""
    text = clean(text)
    pieces, at = [], 0
    for start, end in quote_spans(text, [clean(each) for each in quotes]):
        pieces += [_keep_edges(text[at:start]), coloured("yellow-background", text[start:end])]
        at = end
    return "".join([*pieces, _keep_edges(text[at:])])
