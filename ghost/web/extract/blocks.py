"""The text of a tree as blocks: paragraphs, headings, items of lists and rows of tables."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from ghost.text import normalise
from ghost.types import Frame
from ghost.web.extract.html import MAX_DEPTH, Node, attribute, text_within
from ghost.web.extract.tables import table_rows
from ghost.web.extract.vocabulary import words


class BlockKind(StrEnum):
    """What a block is on its page."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    ITEM = "item"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Block:
    """One line of text that belongs together."""

    text: str
    kind: BlockKind = BlockKind.PARAGRAPH
    group: int = 0
    """Blocks that follow one another and have one group (a list, a table, lines of an address) are read together."""
    level: int = 0
    """Of a heading, 1 to 6, or CAPTION; 0 for everything else."""
    frames: tuple[tuple[int, Frame], ...] = ()
    """Where each of its sentences begins, and what the page says around it; empty before ``frame_blocks``."""


CAPTION = 9
"""The level of a caption, which no text stands below."""


MAX_BLOCKS = 20_000
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6 head title caption figcaption".split())
_ITEMS = frozenset("li item dt dd".split())
_LISTS = frozenset("ul ol dl list table".split())
_BREAKING = frozenset(
    "address article aside blockquote body center details dialog div fieldset figure footer form header hr html legend "
    "main menu nav noframes option p pre quote row section select summary tbody td th thead tr cell".split()
)
_OPENING = _HEADINGS | _ITEMS | _LISTS | _BREAKING
_NEVER = frozenset("script style template noscript iframe object embed svg math canvas audio video input".split())
_BOX_TAGS = frozenset("nav footer aside form button select dialog menu".split())
_BOX_ROLES, _BOX_NAMES = words("boilerplate", "roles"), words("boilerplate", "names")
_KEEP = frozenset("article main content story body".split())
PAGE_SHARE = 0.4
"""With more of the page's text than this, an element is the page itself, whatever its name ("with-sidebar")."""
LINK_SHARE = 0.7
LINK_CHARS = 160


def blocks_of(root: Node, drop_boilerplate: bool = False) -> list[Block]:
    """The blocks of a page's body or of what was extracted of it; without navigation, advertising and such if asked.

    Walks without recursion, so that no nesting of a page is too deep for it.
    """
    reader = _Reader(drop_boilerplate)
    page_chars = sum(map(len, root.itertext())) if drop_boilerplate else 0
    reader.open(root.tag, CAPTION)
    reader.say(root.text)
    stack: list[tuple[Node, Iterator[Node]]] = [(root, iter(root))]
    while stack and len(reader.blocks) < MAX_BLOCKS:
        node, children = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            reader.close(node.tag)
            reader.say(node.tail if stack else None)
            continue
        if isinstance(child.tag, str) and child.tag not in _NEVER:
            if child.tag in ("br", "lb"):
                reader.line_break()
            elif (drop_boilerplate and _is_boilerplate(child, page_chars)) or len(stack) > MAX_DEPTH:
                reader.flush()
            elif child.tag == "table" and (lines := table_rows(child)):
                reader.rows(lines)
            else:
                reader.open(_role(child), _level(child))
                reader.say(child.text)
                stack.append((child, iter(child)))
                continue
        reader.say(child.tail)
    reader.flush()
    return reader.blocks


def _is_boilerplate(node: Node, page_chars: int) -> bool:
    """Whether an element is not part of the text of a page of that many characters, judged by tag, role and names."""
    if node.tag in _BOX_TAGS or attribute(node, "role", 40).lower() in _BOX_ROLES:
        return True
    if node.tag in ("html", "body", "main", "article"):
        return False
    if node.tag == "header" and not any(above.tag in ("article", "main") for above in node.iterancestors()):
        return True
    names = re.findall(r"[a-z]+", f"{attribute(node, 'class', 300)} {attribute(node, 'id', 100)}".lower())
    if _BOX_NAMES.isdisjoint(names) or _KEEP.intersection(names):
        return False
    most = int(page_chars * PAGE_SHARE) + 1
    return len(text_within(node, most)) < most


def _role(node: Node) -> str:
    """The tag; ``dt`` and ``dd`` also by the names that trafilatura gives them."""
    rend = node.get("rend") or "" if node.tag == "item" else ""
    return rend[:2] if rend.startswith(("dt", "dd")) else str(node.tag)


def _level(node: Node) -> int:
    """The level of a heading; trafilatura calls all of them ``head``."""
    name = str(node.get("rend") or "" if node.tag == "head" else node.tag)
    return int(name[1]) if re.fullmatch("h[1-6]", name) else CAPTION


class _Reader:
    """Gathers text until its block ends."""

    def __init__(self, drop_links: bool) -> None:
        self.blocks: list[Block] = []
        self._drop_links = drop_links
        self._parts: list[str] = []
        self._linked = self._links = self._lists = self._group = self._level = 0
        self._kinds = [BlockKind.PARAGRAPH]
        self._soft = False
        self._role = ""
        self._term = False

    def say(self, text: str | None) -> None:
        if text:
            self._parts.append(text)
            self._linked += len(text.strip()) if self._links else 0

    def open(self, tag: str, level: int) -> None:
        self._links += tag == "a"
        if tag not in _OPENING:
            return
        self.flush()
        self._role = tag if tag in _ITEMS or tag in _LISTS else self._role
        kind = BlockKind.HEADING if tag in _HEADINGS else BlockKind.ITEM if tag in _ITEMS else self._kinds[-1]
        self._level = level if tag in _HEADINGS else self._level
        self._kinds.append(BlockKind.PARAGRAPH if tag in ("td", "th", "cell") else kind)
        if tag in _LISTS:
            self._group += self._lists == 0
            self._lists += 1

    def close(self, tag: str) -> None:
        self._links -= tag == "a"
        if tag in _OPENING:
            self.flush()
            self._kinds.pop()
        if tag in _LISTS:
            self._lists -= 1
            self._group += self._lists == 0

    def line_break(self) -> None:
        """Two breaks end a paragraph, one ends a line, unless the line goes on in the middle of its sentence."""
        if self._soft and not "".join(self._parts).strip():
            self._group += self._lists == 0
            return
        self.flush(soft=True)
        self._soft = True

    def rows(self, lines: Iterable[str]) -> None:
        self.flush()
        self._group += 1
        self.blocks += [Block(text, BlockKind.ROW, self._group) for line in lines if (text := normalise(line))]
        self._group += 1

    def flush(self, soft: bool = False) -> None:
        text, linked = normalise("".join(self._parts)), self._linked
        self._parts.clear()
        self._linked = 0
        if not text or (self._drop_links and _mostly_links(text, linked)):
            return
        kind, last = self._kinds[-1], self.blocks[-1] if self.blocks else None
        if self._term and last and self._role == "dd":
            kind, text = BlockKind.ROW, f"{last.text.removesuffix(':')}: {text}"
            self.blocks.pop()
        self._term = self._role == "dt"
        goes_on = last and last.text[-1] not in ".!?:;…。！？" and text[:1].islower()
        if self._soft and last and last.group == self._group and goes_on:
            self.blocks[-1] = Block(f"{last.text} {text}", last.kind, last.group)
        else:
            level = self._level if kind is BlockKind.HEADING else 0
            self.blocks.append(Block(text, kind, self._group, level))
        self._soft = soft
        self._group += not soft and not self._lists


def _mostly_links(text: str, linked: int) -> bool:
    """Whether a block is a list of links in one line; a long text full of links is still a text."""
    return len(text) < LINK_CHARS and linked > len(text) * LINK_SHARE and not text.endswith((".", "!", "?", "。"))
