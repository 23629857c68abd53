"""The text of a PDF."""

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pydantic import BaseModel, ValidationError

from ghost.text import normalise, spans, unbroken, word_counts
from ghost.web.extract.blocks import Block
from ghost.web.extract.dates import day_in
from ghost.web.extract.page import Unreadable, WhyUnreadable

MAX_PAGES = 60
MAX_CHARS = 400_000
MAX_BYTES = 20_000_000
MAX_MEMORY = 1_500_000_000
SECONDS = 10.0
_EDGE_LINES = 2
_WORKER = Path(__file__).with_name("pdf_worker.py")
_NUMBER = r"(?P<number>\d{1,4})(?: ?(?:/|of|von|de) ?\d{1,4})?"
_CALLED_PAGE = re.compile(rf"(?:page |seite |p\. ?){_NUMBER}", re.I)
_LONE = re.compile(rf"(?:[-–—|] ?)?{_NUMBER}(?: ?[-–—|])?", re.I)
_NAMED = r"(?:/(?:[gGcC]|gid|glyph|index|cid)\d{1,5}|/[A-Z]\d{2,4}\b)"
_NUMBERED = r"(?:/uni[0-9A-F]{4}|\(cid:\d+\)|[\ue000-\uf8ff\ufffd])"
_GLYPHS = re.compile(rf"{_NAMED}|{_NUMBERED}")
"""What a font without a table of its letters leaves of them."""
_SURE_GLYPHS = re.compile(rf"{_NAMED}{{2}}|(?<=[a-z]){_NAMED}|{_NUMBERED}")
"""A text may speak of one: "the font calls its first letter /g01"."""
_MARK = re.compile(
    r"^[ \t]*(?:\(cid:\d+\)(?=[ \t])|[\ue000-\uf8ff](?=[ \t]|[A-Z]))|(?<=[ \t])[\ue000-\uf8ff](?=[ \t]|$)", re.M
)
"""A mark before an item, or a picture in the line."""
_ADDRESS = re.compile(r"://|www\.|[a-z]\.[a-z]{2,}/")
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\xad": "-"})
_ERRORS = {
    "encrypted": (WhyUnreadable.ENCRYPTED, "The PDF is encrypted and asks for a password."),
    "cipher": (
        WhyUnreadable.ENCRYPTED,
        "The PDF is encrypted in a way that cannot be undone here, even where it asks for no password.",
    ),
    "damaged": (WhyUnreadable.DAMAGED, "The PDF is damaged."),
    "too large": (WhyUnreadable.TOO_LARGE, "The PDF needs more memory than it may have."),
}


@dataclass(frozen=True, slots=True)
class Pdf:
    """A PDF that could be read."""

    blocks: Sequence[Block]
    title: str
    author: str
    created: date | None
    modified: date | None
    language: str
    notes: tuple[str, ...] = ()


class _Answer(BaseModel):
    error: str = ""
    pages: list[str] = []
    count: int = 0
    skipped: int = 0
    title: str = ""
    author: str = ""
    created: str = ""
    modified: str = ""
    language: str = ""


def read_pdf(body: bytes, url: str, latest: date, seconds: float = SECONDS) -> Pdf | Unreadable:
    """The text of a PDF, taken apart in a process of its own that is ended after ``seconds``."""
    if len(body) > MAX_BYTES:
        return Unreadable(url, WhyUnreadable.TOO_LARGE, f"The PDF is larger than {MAX_BYTES // 1_000_000} MB.")
    # Isolated (-I): nothing in the folder of this file or of the user is imported in place of a library.
    command = [sys.executable, "-I", str(_WORKER), str(MAX_PAGES), str(MAX_CHARS), str(MAX_MEMORY)]
    # What the process needs to start, and none of the keys that are kept in the environment.
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH") if name in os.environ}
    try:
        done = subprocess.run(command, input=body, capture_output=True, timeout=seconds, check=False, env=kept)
        answer = _Answer.model_validate_json(done.stdout)
    except subprocess.TimeoutExpired:
        return Unreadable(url, WhyUnreadable.TIMEOUT, f"The PDF could not be read within {seconds:g} seconds.")
    except ValidationError:  # the process was ended from outside, by the limit of memory for one
        return Unreadable(url, *_ERRORS["too large"])
    if answer.error:
        return Unreadable(url, *_ERRORS.get(answer.error, _ERRORS["damaged"]))
    if answer.skipped and answer.skipped == len(answer.pages):
        return Unreadable(url, WhyUnreadable.DAMAGED, "The PDF is damaged: none of its pages could be read.")
    readable = ["" if _is_garbled(page) else _MARK.sub("", page.translate(_LIGATURES)) for page in answer.pages]
    garbled = sum(
        bool(page) and (not text or _has_glyphs(text)) for page, text in zip(answer.pages, readable, strict=True)
    )
    blocks = _blocks(readable)
    if not blocks and garbled:
        why = "The PDF does not say which letters its characters stand for, so its text cannot be read."
        return Unreadable(url, WhyUnreadable.NOT_TEXT, why)
    if not blocks:
        return Unreadable(url, WhyUnreadable.EMPTY, "The PDF has no text: its pages may be pictures.")
    created, modified = (day_in(day.removeprefix("D:")[:8], latest) for day in (answer.created, answer.modified))
    title, author = normalise(answer.title), normalise(answer.author)
    return Pdf(blocks, title, author, created, modified, answer.language, tuple(_notes(answer, garbled)))


def _notes(answer: _Answer, garbled: int) -> list[str]:
    notes = []
    if answer.count > len(answer.pages):
        notes.append(f"Only {len(answer.pages)} of {answer.count} pages of the PDF were read.")
    if answer.skipped:
        notes.append(f"{answer.skipped} pages of the PDF could not be read.")
    if garbled:
        pages = "A page of the PDF does" if garbled == 1 else f"{garbled} pages of the PDF do"
        notes.append(f"{pages} not say which letters all characters stand for; what could not be read was left out.")
    return notes


def _is_garbled(page: str) -> bool:
    return sum(map(len, _GLYPHS.findall(page))) > 0.2 * len(page)


def _has_glyphs(text: str) -> bool:
    return any(_SURE_GLYPHS.search(word) and not _ADDRESS.search(word) for word in text.split())


def _without_glyphs(paragraph: str) -> str:
    """The sentences of which every letter can be read: the lost ones may be figures, or a "not"."""
    if not _has_glyphs(paragraph):
        return paragraph
    said = (paragraph[start:end] for start, end in spans(paragraph))
    return " ".join(sentence for sentence in said if not _has_glyphs(sentence))


def _blocks(pages: Sequence[str]) -> list[Block]:
    """Paragraphs of all pages; one that goes on over the end of its page is one."""
    paragraphs: list[str] = []
    known = word_counts("\n".join(pages))
    for page in _without_edges(pages):
        for number, paragraph in enumerate(_paragraphs(page, known)):
            before = paragraphs[-1] if paragraphs and number == 0 else ""
            if before and before[-1] not in '.!?:”"' and paragraph[:1].islower():
                paragraphs[-1] = f"{before} {paragraph}"
            else:
                paragraphs.append(paragraph)
    legible = filter(None, map(_without_glyphs, paragraphs))
    return [Block(text, group=number) for number, text in enumerate(legible)]


def _without_edges(pages: Sequence[str]) -> list[list[str]]:
    """The lines of each page without page numbers and without what stands at the edge of most pages."""
    lines = [page.splitlines() for page in pages]
    edges = Counter(line for page in lines for line in {_bare(x) for x in (*page[:_EDGE_LINES], *page[-_EDGE_LINES:])})
    repeated = {line for line, count in edges.items() if line and count >= max(3, len(pages) * 0.6)}
    first = _first_number(lines)
    kept = []
    for place, page in enumerate(lines):
        last = len(page) - _EDGE_LINES
        number = None if first is None else first + place
        kept.append(
            [line for n, line in enumerate(page) if _EDGE_LINES <= n < last or not _is_edge(line, repeated, number)]
        )
    return kept


def _first_number(pages: Sequence[Sequence[str]]) -> int | None:
    """The number that the first page has, or would have; None where most pages have none that counts them.

    A lone number at the edge of a page may as well be a figure: "Turnout in percent" and below it "61".
    """
    firsts: Counter[int] = Counter()
    for place, page in enumerate(pages):
        numbers = {_number(line) for line in (*page[:_EDGE_LINES], *page[-_EDGE_LINES:])}
        firsts.update(number - place for number in numbers if number is not None)
    first, count = max(firsts.items(), key=lambda found: found[1], default=(0, 0))
    return first if len(pages) > 1 and count > len(pages) / 2 else None


def _number(line: str) -> int | None:
    found = _LONE.fullmatch(line.strip())
    return int(found["number"]) if found else None


def _is_edge(line: str, repeated: set[str], number: int | None) -> bool:
    if _bare(line) in repeated or _CALLED_PAGE.fullmatch(line.strip()):
        return True
    return number is not None and _number(line) == number


def _bare(line: str) -> str:
    """A line as it can be on all pages: with another number on each, unless it is nothing but numbers."""
    text = " ".join(line.split())
    return re.sub(r"\d+", "#", text) if any(c.isalpha() for c in text) else text


def _paragraphs(lines: Sequence[str], known: Counter[str]) -> list[str]:
    """Lines of a page joined; a paragraph ends at an empty line, or at a short line that ends a sentence.

    A heading is a paragraph of its own.
    """
    width = sorted(map(len, lines))[int(len(lines) * 0.8)] if lines else 0
    parts: list[str] = [""]
    for line, following in zip(lines, [*lines, ""][1:], strict=True):
        text = line.rstrip()
        if not text.strip():
            parts.append("")
            continue
        parts[-1] += ("\n" if parts[-1] else "") + text.strip()
        ends = text[-1] in '.!?:”"' and len(text) < width * 0.75
        if ends or (parts[-1] == text.strip() and _is_heading(text.strip(), following.strip(), width)):
            parts.append("")
    return [joined for part in parts if (joined := normalise(unbroken(part, known)))]


def _is_heading(line: str, following: str, width: int) -> bool:
    """Whether the first line of a paragraph is none of it: short, though the next one is full and begins anew."""
    short = len(line) < width * 0.6 and line[-1] not in '.,;-–—“"('
    return short and len(following) >= width * 0.75 and following[:1].isupper() and line[:1].isupper()
