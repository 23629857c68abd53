"""Run by pdf.py in a process of its own: a PDF on standard input, its text as JSON on standard output.

A PDF is a program that a stranger wrote. Taking it apart may take minutes or gigabytes; a process can be ended, a
thread cannot. This file imports nothing of Ghost, so that the process starts fast.
"""

import contextlib
import io
import json
import logging
import sys
from typing import Any

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
    return _sound(page.extract_text())


def _sound(value: object) -> str:
    """Without half characters, which the reader of the JSON would refuse."""
    return str(value).encode("utf-8", "replace").decode("utf-8")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
