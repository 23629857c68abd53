"""The text of a page that a judge may see: screened, sentence by sentence, and in chunks for a language model."""

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import cached_property

from ghost.judges import content
from ghost.knowledge import (
    MAX_CHARS,
    QUARANTINED,
    admit,
    own_verdict_reason,
    sentences,
    suspicious,
    suspicious_passage,
    unreadable,
)
from ghost.steps.gate.citations import contains_whole_words, fold_typography
from ghost.steps.investigate.hits import OwnTextFinder, SourceRatings, no_own_text, to_passage, too_short
from ghost.steps.rerank.exclusions import disowning, why_disowned
from ghost.text import text_hash
from ghost.types import Frame, FrameKind, Intake, NewPassage, Origin, Passage, Statement, Status
from ghost.web import PagePassage, ReadPage, frame_of, rated

CHUNK_CHARS = 4_000
"""About 1,000 tokens: what a language model reads of a page at a time."""
MAX_CHUNKS = 4
"""The most chunks of one page that a language model reads: those that share most words with the statements."""
QUOTED_SENTENCES = 3
"""Longer quotes are not quotes but the page."""
PARAGRAPH_CHARS = 3_000
"""A longer paragraph is screened passage by passage, so that one sentence does not cost all of it."""
MAX_DOUBTFUL = 3
"""The most passages of one page that go to quarantine: enough to show what kind of page it is."""
CONTEXT_CHARS = 600
"""Up to this length a sentence is read together with the previous one."""
KNOWN_SITE = 0.6
"""From this credibility on a site's own name is believed; anyone can call a page Reuters."""
_LISTED = frozenset({FrameKind.MYTH, FrameKind.QUIZ, FrameKind.REFERENCE})
"""What stands in such a list has nothing to do with what stands before it."""
_LEANS = re.compile(
    r"(?:it|its|he|his|she|her|they|their|this|that|these|those|there|such|both|but|and|so|then|also|however|instead|"
    r"according to (?:him|her|them))\b",
    re.IGNORECASE,
)
"""How a sentence begins that means little without the previous one."""
_ENDED = re.compile(r"[.!?…:;。！？।॥؟۔։።][\"'”’»)\]』」]*+$")
"""How a sentence ends, or an introduction to the next one."""


class PageText:
    """What of a page a judge may see, and how much was left out, by reason."""

    def __init__(
        self,
        page: ReadPage,
        title: str,
        day: date | None,
        retrieved_at: datetime | None,
        sources: SourceRatings,
        as_late_as: date | None = None,
        find_own_text: OwnTextFinder = no_own_text,
    ) -> None:
        """``day`` is the publication date of its passages, ``as_late_as`` the latest day they may be from.

        ``find_own_text`` recognizes what Ghost itself has written.
        """
        self._late = as_late_as
        self._page, self._title, self._day, self._at, self._sources = page, title, day, retrieved_at, sources
        self._hash = text_hash(page.text)
        self._believed = sources.credibility(page.url) >= KNOWN_SITE
        self.disowned = disowning(page)
        """The notices by which it supports nothing: it was retracted, or is satire."""
        self.screened: dict[str, int] = {}
        self.doubtful: list[NewPassage] = []
        """The first passages that look like an instruction or are garbled: for the analyst, never evidence."""
        self._sentences: list[str] = []
        """In order. An empty one marks a gap or an unfinished sentence: nothing is joined across it."""
        self._last = ""
        """The previous sentence, where the next one may be read with it; else empty."""
        self._frame, self._frames = Frame(), list[Frame]()
        """What the page says around the passage that is being taken apart, and around each sentence."""
        made: dict[str, tuple[Passage, NewPassage]] = {}
        section = ""
        frames = _paragraphs(page)
        paragraphs = [(p[0], [_lines(piece.text) for piece in p]) for p in frames]
        self._ours = _repeating([pieces for _, pieces in paragraphs], find_own_text)
        """Text -> why it is no evidence, for text that repeats an explanation of ours."""
        self.ours = self._ours.get(_whole(pieces for _, pieces in paragraphs), "")
        """Why nothing of the page counts, where all of it is a verdict of ours; else empty."""
        for (first, pieces), framed in zip(paragraphs, frames, strict=True):
            if not first.prose or first.heading != section:
                self._last = ""
            section = first.heading
            for row in self._paragraph(pieces, [piece.frame for piece in framed]):
                made.setdefault(row[0].id, row)
            if not first.prose:
                self._last = ""
        self.passages = list(made.values())
        """Its sentences, each with the previous one, in the order of the page."""

    def chunks(self, statements: Sequence[Statement], most: int = MAX_CHUNKS) -> list[str]:
        """The text in chunks, in order; of a long page the ``most`` that share most words with the statements.

        Empty where no passage of the page may be shown, because what is left says nothing.
        """
        if not self.passages:
            return []
        parts: list[str] = []
        between = " "
        for sentence in self._sentences:
            if not sentence:
                between = "\n"
            elif parts and len(parts[-1]) + len(sentence) < CHUNK_CHARS:
                parts[-1] += f"{between}{sentence}"
                between = " "
            else:
                parts.append(sentence)
                between = " "
        about = content(" ".join(s.text for s in statements))
        order = sorted(range(len(parts)), key=lambda i: (-len(content(parts[i]) & about), i))
        return [parts[i] for i in sorted(order[:most])]

    def quoted(self, quote: str) -> tuple[Passage, NewPassage] | None:
        """The sentences that contain a quote verbatim, with the sentence they refer to; None when there are none.

        White space and typographic quotes do not matter, as for citations.
        """
        wanted = fold_typography(quote).strip()
        if too_short(wanted) or wanted not in " ".join(self._folded):
            return None
        for length in range(1, QUOTED_SENTENCES + 1):
            for at in range(len(self._folded) - length + 1):
                run = self._folded[at : at + length]
                if all(run) and wanted in (text := " ".join(run)) and contains_whole_words(wanted, text):
                    run = self._sentences[at : at + length]
                    around = next((frame for frame in self._frames[at : at + length] if frame.kind), Frame())
                    return self._made(" ".join([*self._before(at, run[0]), *run]), frame=around)
        return None

    @cached_property
    def _folded(self) -> list[str]:
        """The sentences as quotes are looked for in them. A model may name many that are in none."""
        return [fold_typography(sentence) for sentence in self._sentences]

    def _before(self, at: int, sentence: str) -> Iterable[str]:
        """The sentence that the one at ``at`` refers back to."""
        return self._sentences[at - 1 : at] if at and leans(sentence) and self._sentences[at - 1] else ()

    def _paragraph(self, pieces: Sequence[str], frames: Sequence[Frame]) -> Iterator[tuple[Passage, NewPassage]]:
        # As a whole, because an injected order may be spread over its sentences.
        whole = " ".join(pieces)
        order = suspicious(whole) if len(pieces) > 1 and len(whole) <= PARAGRAPH_CHARS else ""
        for piece, frame in () if self._is_left_out(whole, order) else zip(pieces, frames, strict=True):
            if frame != self._frame and self._frame.kind is not FrameKind.TAKEN_BACK:
                self._last = ""  # nothing is read together that does not stand under the same
            self._frame = frame
            yield from self._piece(piece)

    def _piece(self, text: str) -> Iterator[tuple[Passage, NewPassage]]:
        for sentence in () if self._is_left_out(text, suspicious(text)) else _sentences(text):
            if self._is_left_out(sentence):
                continue
            short = too_short(sentence)
            # By itself first, because a bad sentence could pass beside a good one.
            alone = None if short else self._made(sentence, count=True)
            fit = not self._unfit(sentence) if short else alone is not None
            scraps = (short and too_short(self._last)) or self._frame.kind in _LISTED
            window = in_context(sentence, self._last) if fit and not scraps else sentence
            row = alone if window == sentence else self._made(window, count=True)
            self._next(sentence if fit and (row or short) else "")
            if row:
                yield row

    def _is_left_out(self, text: str, order: str = "") -> bool:
        """Whether a text gives orders or repeats an explanation of ours. If so, nothing is joined across it."""
        why = order or self._ours.get(text, "")
        if order:
            self._doubt(text, order)
        if why:
            self._leave(why)
            self._next("")
        return bool(why)

    def _next(self, sentence: str) -> None:
        self._sentences.append(sentence)
        self._last = sentence if _ENDED.search(sentence) else ""
        if sentence and not self._last:  # a heading or a list item: no quote continues from it into a sentence
            self._sentences.append("")
        self._frames += [self._frame] * (len(self._sentences) - len(self._frames))

    def _unfit(self, text: str) -> str:
        """Why a text too short for a passage may not be shown beside the passages either. Counts it."""
        why = suspicious_passage(self._new(text)) or self._taken_back(text)
        if why:
            self._leave(why)
        return why

    def _made(self, text: str, count: bool = False, frame: Frame | None = None) -> tuple[Passage, NewPassage] | None:
        """A text of the page as a passage of the run and as a new passage; None when it may not be shown."""
        admission = admit(self._new(text, frame))
        found, doubt = admission.passage, admission.reason
        if found is not None and found.status is Status.ACTIVE:
            doubt = unreadable(text)  # it would go to quarantine, so it is no evidence in this run either
            if not (why := doubt or self._taken_back(found.text)):
                return to_passage(found, self._sources), found
        else:
            why = doubt
        if count:
            self._leave(why)
            if found is not None and doubt:
                self._doubt(text, doubt)
        return None

    def _new(self, text: str, frame: Frame | None = None) -> NewPassage:
        frame = frame or self._frame
        if not frame.kind:  # what its own words say of it, such as "That is a lie"
            frame = replace(frame_of(text), headings=frame.headings)
        return NewPassage(
            text, self._page.url, self._title, Origin.WEB, language=self._page.language,
            publisher=self._page.site if self._believed else "", published_at=self._day, retrieved_at=self._at,
            as_late_as=self._late, intake=Intake.READ, text_hash=self._hash, frame=frame,
        )  # fmt: skip

    def _taken_back(self, text: str) -> str:
        return why_disowned(text, self._title, self.disowned)

    def _doubt(self, text: str, why: str) -> None:
        """Keep a passage for quarantine, with the reason."""
        if len(self.doubtful) < MAX_DOUBTFUL:
            new = replace(self._new(text[:MAX_CHARS]), status=Status.QUARANTINED, note=f"{QUARANTINED}{why}")
            self.doubtful.append(new)

    def _leave(self, why: str) -> None:
        self.screened[why] = self.screened.get(why, 0) + 1


def leans(sentence: str) -> bool:
    """Whether a sentence begins with a word that means little without what was said before."""
    return _LEANS.match(sentence) is not None


def _paragraphs(page: ReadPage) -> list[list[PagePassage]]:
    """The passages of a page, grouped by paragraph or list."""
    ends = [m.start() for m in re.finditer("\n\n", page.text)]
    found: dict[int, list[PagePassage]] = {}
    for piece in page.passages:
        found.setdefault(bisect(ends, piece.start), []).append(piece)
    return list(found.values())


def _lines(text: str) -> str:
    """A passage with its items on lines of their own."""
    return "\n".join(" ".join(line.split()) for line in text.split("\n"))


def _sentences(piece: str) -> list[str]:
    return [sentence for line in piece.split("\n") for sentence in sentences(line)]


def _whole(paragraphs: Iterable[Sequence[str]]) -> str:
    return " ".join(piece for pieces in paragraphs for piece in pieces)


def _repeating(paragraphs: Sequence[Sequence[str]], find_own_text: OwnTextFinder) -> dict[str, str]:
    """Text -> why it is left out, for the page and each part of it that repeats an explanation of ours."""
    texts = [_whole(paragraphs), *(" ".join(pieces) for pieces in paragraphs)]
    for piece in (piece for pieces in paragraphs for piece in pieces):
        texts += (piece, *_sentences(piece))
    asked = list(dict.fromkeys(texts))
    return {text: own_verdict_reason(run) for text, run in zip(asked, find_own_text(asked), strict=True) if run}


def in_context(sentence: str, last: str) -> str:
    """A sentence as small models read it: after the previous one in the text.

    Alone it often says neither who nor where: "Two people were injured." Two sentences are what such a model still
    reads well. A sentence that rates a claim stands alone, and what follows it need not belong to it.
    """
    if not last or len(last) + len(sentence) >= CONTEXT_CHARS or rated(sentence):
        return sentence
    if rated(last) and not leans(sentence):
        return sentence
    return f"{last} {sentence}"
