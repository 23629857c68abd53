"""Run by pdf.py in a process of its own: a PDF on standard input, its text as JSON on standard output.

A PDF is a program that a stranger wrote. Taking it apart may take minutes or gigabytes; a process can be ended, a
thread cannot. This file imports nothing of Ghost, so that the process starts fast.
"""

import contextlib
import io
import json
import logging
import sys
from itertools import groupby
from typing import Any

MAX_LAID_OUT = 20_000
MIN_LINES = 4
MIN_WORDS = 3.0
"""Words in a line, on average, of a column of prose."""
MAX_CONTENT = 3_000_000
"""Bytes of drawing commands of one page; a page of text has some thousand."""


def main(max_pages: int, max_chars: int, max_memory: int) -> None:
    """Write ``{"pages": [...], "count": n, "title": …}`` or ``{"error": kind}``."""
    logging.disable(logging.CRITICAL)
    _bound(max_memory)
    try:
        answer = _read(sys.stdin.buffer.read(), max_pages, max_chars)
    except (MemoryError, RecursionError):
        answer = {"error": "too large"}
    except Exception:  # a damaged file may make the parser fail in any way
        answer = {"error": "damaged"}
    sys.stdout.write(json.dumps(answer))


def _bound(max_memory: int) -> None:
    try:
        import resource
    except ImportError:  # not on Windows; there the limits of time, pages and characters remain
        return
    with contextlib.suppress(ValueError, OSError):  # systems that do not let it be set
        resource.setrlimit(resource.RLIMIT_AS, (max_memory, max_memory))


def _read(body: bytes, max_pages: int, max_chars: int) -> dict[str, Any]:
    from pypdf import PdfReader
    from pypdf.errors import DependencyError

    try:
        reader = PdfReader(io.BytesIO(body))
        # Many files are encrypted with no password, to forbid printing.
        if reader.is_encrypted and not reader.decrypt(""):
            return {"error": "encrypted"}
        return _text(reader, max_pages, max_chars)
    except DependencyError:  # encrypted by AES, which pypdf does not undo by itself
        return {"error": "cipher"}


def _text(reader: Any, max_pages: int, max_chars: int) -> dict[str, Any]:
    from pypdf.errors import DependencyError

    pages: list[str] = []
    left, skipped = max_chars, 0
    count = len(reader.pages)
    for page in reader.pages[:max_pages]:
        try:
            text = _page(page)
        except MemoryError:
            raise
        except Exception as error:  # one damaged page does not make the others unreadable
            if reader.is_encrypted and isinstance(error, DependencyError):  # which each of them runs into
                raise
            text, skipped = "", skipped + 1
        pages.append(text[:left])
        left -= len(pages[-1])
        if left <= 0:
            break
    info = reader.metadata
    return {
        "pages": pages,
        "count": count,
        "skipped": skipped,
        "title": _sound((info and info.title) or "")[:500],
        "author": _sound((info and info.author) or "")[:200],
        "created": _sound((info and info.get("/CreationDate")) or "")[:40],
        "modified": _sound((info and info.get("/ModDate")) or "")[:40],
        "language": _sound(reader.root_object.get("/Lang") or "")[:20],
    }


def _page(page: Any) -> str:
    contents = page.get_contents()
    if contents is not None and len(contents.get_data()) > MAX_CONTENT:
        raise ValueError("a page of too many drawing commands")
    plain = page.extract_text()
    columns = ""
    if len(plain) < MAX_LAID_OUT:
        with contextlib.suppress(Exception):  # the plain text is there
            columns = in_columns(page.extract_text(extraction_mode="layout", layout_mode_space_vertically=False))
    return _sound(columns or plain)


def in_columns(laid_out: str, deeper: int = 1) -> str:
    """The lines of a page set in columns, from left to right; empty for any other page.

    ``laid_out`` has blanks where the page has room. A table has such a gap too, but its cells are short: in columns of
    prose, the lines on both sides have several words.
    """
    lines = laid_out.splitlines()
    widest = max(map(len, lines), default=0)
    at = max(range(20, widest - 20), key=lambda at: sum(_beside(line, at) for line in lines), default=0)
    parts: list[str] = []
    found = False
    for gap, band in groupby(lines, key=lambda line: at > 0 and not line[at - 1 : at + 2].strip()):
        block = list(band)
        sides = [[line[:at] for line in block], [line[at:] for line in block]] if gap else [block]
        in_two = gap and sum(_beside(line, at) for line in block) >= MIN_LINES and min(map(_words, sides)) >= MIN_WORDS
        found = found or in_two
        for side in sides if in_two else [block]:
            halved = in_columns("\n".join(side), deeper - 1) if in_two and deeper else ""
            parts.append(halved or "\n".join(" ".join(line.split()) for line in side))
    return "\n\n".join(part.strip() for part in parts if part.strip()) if found else ""


def _beside(line: str, at: int) -> bool:
    """Whether a line has text on both sides of a gap."""
    return bool(line[:at].strip()) and bool(line[at:].strip()) and not line[at - 1 : at + 2].strip()


def _words(lines: list[str]) -> float:
    counts = [len(line.split()) for line in lines if line.strip()]
    return sum(counts) / max(1, len(counts))


def _sound(value: object) -> str:
    """Without half characters, which the reader of the JSON would refuse."""
    return str(value).encode("utf-8", "replace").decode("utf-8")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
