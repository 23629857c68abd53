"""A page of the demo web, read from a small text file.

A head of ``key: value`` lines between two lines ``---``, then blocks with empty lines between them. A block is a
paragraph; or ``## `` and a heading; or a table of lines that begin with ``|``; or, where it begins with ``<``, HTML
that goes out as it stands.
"""

import html
import re
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ghost.errors import GhostError

_SEEN = ('class="notice', 'class="correction')
"""Of the HTML blocks only these count as text that a reader sees; the others carry what is hidden."""
_LISTS = ("replace", "drop")
_TAG = re.compile(r"<[^>]+>")
_RULE = re.compile(r"[|\s:-]+")


class DemoError(GhostError):
    """A file of the demo web cannot be used; the message names it."""


class Head(BaseModel):
    """What the head of a page's file may say."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str = Field(min_length=1)
    kind: str = Field(min_length=1)
    """What the page is an example of: ``agency report``, ``wire copy``, ``slow`` ..."""
    event: str = ""
    published: date | None = None
    modified: date | None = None
    author: str = ""
    language: str = ""
    description: str = ""
    credit: str = ""
    copy_of: str = ""
    """``host/path`` of the page whose text this one repeats."""
    replace: tuple[str, ...] = ()
    """``old => new``: light edits of a copy."""
    drop: tuple[str, ...] = ()
    """A sentence that a copy leaves out; or the beginning of an HTML block."""
    review_claim: str = ""
    review_rating: str = ""
    review_value: int = Field(default=0, ge=0, le=5)
    """1 (false) to 5 (true)."""
    claimant: str = ""
    serve: str = ""
    """How the page misbehaves, such as ``slow 6``; see ``behaviours.py``."""
    snippet: str = ""
    search: bool = True


@dataclass(frozen=True)
class Page:
    """A page: where it is, what its head says, and its blocks."""

    host: str
    path: str
    head: Head
    blocks: tuple[str, ...]

    @property
    def name(self) -> str:
        """``host/path``."""
        return f"{self.host}/{self.path}"

    @property
    def url(self) -> str:
        """As the labelled claims name it; ``DemoWeb.at`` says where it is fetched."""
        return f"http://{self.name}"

    @cached_property
    def text(self) -> str:
        """What a reader sees of the body, paragraph by paragraph; a table row is one line."""
        return "\n\n".join(filter(None, map(_seen, self.blocks)))


def read_page(path: Path, root: Path) -> Page:
    """The page in a file below ``root``; copies still lack their text. Raises DemoError."""
    host, _, rest = path.relative_to(root).with_suffix("").as_posix().partition("/")
    fence, _, text = path.read_text(encoding="utf-8").partition("---\n")
    lines, closed, body = text.partition("\n---\n")
    if fence or not closed:
        raise DemoError(f"{path} does not begin with a head between two lines ---.")
    try:
        head = Head.model_validate(_head(lines))
    except (ValueError, ValidationError) as error:
        raise DemoError(f"The head of {path} cannot be used: {error}") from error
    blocks = tuple(block.strip("\n") for block in re.split(r"\n\s*\n", body.strip("\n")) if block.strip())
    return Page(host, rest, head, blocks)


def copied(page: Page, original: Page) -> Page:
    """A wire copy with the text of its original, its edits made. Raises DemoError on an edit that changes nothing."""
    blocks = list(original.blocks)
    for edit in page.head.replace:
        old, arrow, new = (part.strip(" ") for part in edit.partition("=>"))
        if not arrow or not any(old in block for block in blocks):
            raise DemoError(f"{page.name} replaces {old!r}, which {original.name} does not say.")
        # The blank after a removed beginning is the reader's, not the file's.
        blocks = [block.replace(old, new).strip() for block in blocks]
    for text in page.head.drop:
        if not any(text in block for block in blocks):
            raise DemoError(f"{page.name} drops {text!r}, which {original.name} does not say.")
        blocks = [b.replace(text, "").strip() for b in blocks if not (text.startswith("<") and b.startswith(text))]
    return replace(page, blocks=tuple(re.sub(r" {2,}", " ", b) for b in blocks if b))


def is_table(block: str) -> bool:
    """Whether a block is a table."""
    return all(line.startswith("|") for line in block.splitlines())


def rows(block: str) -> list[list[str]]:
    """The cells of a table, its head first."""
    lines = [line for line in block.splitlines() if not _RULE.fullmatch(line)]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def _head(lines: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for line in lines.splitlines():
        key, colon, value = line.partition(":")
        key, value = key.strip(), value.strip()
        if not colon:
            raise ValueError(f"{line!r} is no line `key: value`")
        if key in _LISTS:
            earlier = found.get(key, ())
            found[key] = (*earlier, value) if isinstance(earlier, tuple) else (value,)
        elif key in found:
            raise ValueError(f"{key} is said twice")
        else:
            found[key] = value
    return found


def _seen(block: str) -> str:
    if block.startswith("<"):
        return html.unescape(_TAG.sub("", block)).strip() if any(sign in block for sign in _SEEN) else ""
    if is_table(block):
        return "\n".join(" ".join(cells) for cells in rows(block))
    return " ".join(block.removeprefix("## ").split())
