"""An article taken apart: its sentences in order, what could be checked of each, and how much that is worth."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from ghost.judges.embedded.claims.classify import classify
from ghost.judges.embedded.claims.clauses import subject_of, with_antecedent
from ghost.judges.embedded.claims.framing import unframe
from ghost.judges.embedded.claims.sentences import trim
from ghost.judges.embedded.claims.typed import ReadsClaims
from ghost.judges.embedded.claims.words import first_verb
from ghost.records import Sentence
from ghost.text import bare, normalise, pieces, spans, unbroken
from ghost.types import Classification, ReasonCode

MAX_CHARS = 200_000
MAX_SENTENCES = 800
SENTENCE_CHARS = 600
"""What has no full stop for so long is a table or a list; it is cut at a pause."""
SHORT = 3
"""A line with fewer words is a heading, a name or a button."""
_DATELINE = re.compile(r"^[A-Z][A-Z .,'’-]{2,40}(?:\([^)]{1,30}\)\s*)?\s*(?:—|–|--?)\s+(?=\S)")
"""``PORT ANSEL (Reuters) — `` at the beginning of a report."""
_BYLINE = re.compile(r"^(?:by|from|photo|image|source|credit|published|updated)\b[^.!?]{0,80}$", re.IGNORECASE)
"""A line that only says who wrote it, and when."""
_BLOCKS = re.compile(r"\n[ \t]*\n\s*")
_CLOSED = (".", "!", "?", "…", ":", ";", '"', "”", "’", ")", "。", "！", "？")
_WRAPPED = range(40, 121)
"""Characters of a line that a mail program or a PDF has broken: a heading or an item of a list is mostly shorter."""
_ITEM = re.compile(r"^(?:[-–—*•‣◦·>]|\(?(?:\d{1,3}|[a-z])[.)])\s+")
"""How an item of a list begins."""
_TOGETHER = 16
"""Sentences between two looks at the wish to stop."""

Told = Callable[[int, int], None]
"""Called with how many sentences are done, of how many; may raise to stop."""
Parts = tuple[tuple[Sentence, ...], tuple[str, ...]]
"""Sentences, and what was left out."""


def taken_apart(text: str, reader: ReadsClaims | None, told: Told = lambda *_: None) -> Parts:
    """The sentences of an article, each with what could be checked of it.

    "It" and "they" at the beginning of a sentence become what the sentence before was about, where that is safe, since
    a statement is checked without its article. Raises ModelError, and what ``told`` raises.
    """
    notes = []
    if len(text) > MAX_CHARS:
        notes.append(f"Only the first {MAX_CHARS:,} of {len(text):,} characters were read.")
        text = text[:MAX_CHARS].rsplit(" ", 1)[0]
    paragraphs = [list(_sentences(_ITEM.sub("", line, count=1))) for line in _lines(unbroken(text))]
    total = sum(map(len, paragraphs))
    if total > MAX_SENTENCES:
        notes.append(f"Only the first {MAX_SENTENCES:,} of {total:,} sentences were read.")
        total = MAX_SENTENCES
    made: list[Sentence] = []
    said: set[str] = set()
    for paragraph in paragraphs:
        antecedent = ""
        for sentence in paragraph[: MAX_SENTENCES - len(made)]:
            if len(made) % _TOGETHER == 0:
                told(len(made), total)
            plain = unframe(trim(_DATELINE.sub("", sentence)))
            if antecedent:
                plain = with_antecedent(plain, antecedent)
            made.append(_sentence(len(made) + 1, sentence, plain, reader, said))
            antecedent = subject_of(plain) or antecedent
    told(total, total)
    return tuple(made), tuple(notes)


def _lines(text: str) -> Iterator[str]:
    """Paragraphs, headings and items, each as one line, also where lines were broken at a margin."""
    for block in _BLOCKS.split(text):
        lines = [line.strip() for line in block.split("\n") if line.strip()]
        if _broken(lines):
            yield " ".join(lines)
            continue
        whole = ""
        for line in lines:
            if len(whole) >= _WRAPPED.start and line[0].islower() and not whole.endswith(_CLOSED):
                whole += f" {line}"
                continue
            if whole:
                yield whole
            whole = line
        if whole:
            yield whole


def _broken(lines: list[str]) -> bool:
    """Whether a block is one text broken at a margin: each line ends where the next word no longer fitted."""
    if len(lines) < 3 or any(_ITEM.match(line) for line in lines):
        return False
    margin = max(map(len, lines))
    full = all(len(line) + 1 + len(after.split()[0]) > margin for line, after in pairwise(lines))
    return full and margin in _WRAPPED and not all(line.endswith(_CLOSED) for line in lines[:-1])


def _sentences(line: str) -> Iterator[str]:
    line = normalise(line)
    for start, end in spans(line):
        for at, until in pieces(line, start, end, SENTENCE_CHARS):
            yield line[at:until]


def _sentence(position: int, text: str, plain: str, reader: ReadsClaims | None, said: set[str]) -> Sentence:
    if plain.isascii() and len(plain.split()) < SHORT:
        return Sentence(position, text, why="It is too short to say something.")
    if _BYLINE.match(text) and first_verb([bare(w) for w in text.split()]) is None:
        return Sentence(position, text, why="It says who wrote it or where it is from.")
    found = classify(plain, "", reader)
    # Listed all the same: a language model can check it, where one judges.
    statement = plain if found.code is ReasonCode.UNSUPPORTED_LANGUAGE else _statement(found)
    if not statement:
        return Sentence(position, text, why=found.reason)
    if statement.casefold() in said:
        return Sentence(position, text, why="The article has said it before.")
    said.add(statement.casefold())
    return Sentence(position, text, statement, found.check_worthiness or 0.0)


def _statement(found: Classification) -> str:
    """The statements of one sentence as one claim; step 1 takes it apart again when it is checked."""
    texts = [s.text.strip() for s in found.statements]
    return " ".join(text if text.endswith((".", "!", "?", "。", "…")) else f"{text}." for text in texts if text)
