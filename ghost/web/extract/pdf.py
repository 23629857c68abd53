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

from ghost.text import normalise
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
_HYPHEN = re.compile(r"([^\W\d_]+)-\n([a-zß-öø-ÿ]+)")
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
_GLYPHS = re.compile(r"(?:/g\d+|/[A-Z]\d{2,4}\b|\(cid:\d+\)|/uni[0-9A-F]{4}|[\ue000-\uf8ff\ufffd])")
"""What a font without a table of its letters leaves of them."""
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
    readable = ["" if _is_garbled(page) else page.translate(_LIGATURES) for page in answer.pages]
    garbled = sum(bool(page) and not text for page, text in zip(answer.pages, readable, strict=True))
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
        notes.append(f"{garbled} pages of the PDF do not say which letters their characters stand for.")
    return notes


def _is_garbled(page: str) -> bool:
    return sum(map(len, _GLYPHS.findall(page))) > 0.2 * len(page)


def _blocks(pages: Sequence[str]) -> list[Block]:
    """Paragraphs of all pages; one that goes on over the end of its page is one."""
    paragraphs: list[str] = []
    known = Counter(word.lower() for page in pages for word in _WORD.findall(page))
    for page in _without_edges(pages):
        for number, paragraph in enumerate(_paragraphs(page, known)):
            before = paragraphs[-1] if paragraphs and number == 0 else ""
            if before and before[-1] not in '.!?:”"' and paragraph[:1].islower():
                paragraphs[-1] = f"{before} {paragraph}"
            else:
                paragraphs.append(paragraph)
    return [Block(text, group=number) for number, text in enumerate(paragraphs)]


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
    return [joined for part in parts if (joined := normalise(_HYPHEN.sub(lambda m: _rejoined(m, known), part)))]


def _is_heading(line: str, following: str, width: int) -> bool:
    """Whether the first line of a paragraph is none of it: short, though the next one is full and begins anew."""
    short = len(line) < width * 0.6 and line[-1] not in '.,;-–—“"('
    return short and len(following) >= width * 0.75 and following[:1].isupper() and line[:1].isupper()


def _rejoined(found: re.Match[str], known: Counter[str]) -> str:
    """A word that was parted at the end of a line: written as elsewhere in the file, or by what its first half is."""
    first, second = found[1], found[2]
    whole, compound = f"{first}{second}", f"{first}-{second}"
    if known[whole.lower()] != known[compound.lower()]:
        return whole if known[whole.lower()] > known[compound.lower()] else compound
    start = first.lower()
    doubled = start[-1] == second[0] and start[-1] in "aeiou"  # "anti-inflationary", "co-operate"
    short = start in ("anti", "co", "re", "pre", "pro", "semi", "multi", "post", "over", "under")
    return compound if start in _COMPOUND_STARTS and (doubled or not short) else whole
