"""The one way into the knowledge base: text is cut into passages, and every passage goes through ``admit``."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from ghost.knowledge.credibility import CredibilityBook
from ghost.knowledge.injection import suspicious_passage
from ghost.text import Period, normalise, pieces, spans, unbroken, without_secrets
from ghost.types import Intake, Kind, NewPassage, Origin, Status, canonical

MIN_CHARS = 10
MAX_CHARS = 2_000
_LIMITS = {"source_url": 2_000, "title": 500, "publisher": 300, "topic": 80, "language": 16, "note": 1_000}
"""Longer values of these fields are cut; they describe the passage, they are not the passage."""
OUTSIDE = (Origin.WEB, Origin.FACT_CHECK)
"""Origins of passages that a run has fetched on its own."""
QUARANTINED = "quarantined: "
"""Stands in the note of a passage before the reason why it waits."""
_GARBLED = re.compile("\ufffd|Ã[\x80-\xbf]|â€.?|Â[\xa0-\xbf]")
"""What a text turns into that is read in the wrong encoding."""
_LONGEST_WORD = 60
_READABLE = 0.6
"""Share of the characters of a text that are letters; a table of figures has fewer, and is read elsewhere."""
_ADDRESS = re.compile(
    r"(?:\b[a-z][a-z+.-]{0,30}://|\bwww\.)\S+|\b[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/\S*", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"(?<!\w)[$€£¥]?\d+(?:[.,:/–-]\d+)*(?:st|nd|rd|th)?(?:\s?%)?(?!\w)")
"""A number as a sentence has it: an amount, a share, a day, a time, a score."""


@dataclass(frozen=True, slots=True)
class Admission:
    """The decision about one passage."""

    passage: NewPassage | None
    """In normal form and with the status it gets; None when it is refused."""
    reason: str = ""
    """Why it is refused or quarantined. Empty when it is admitted."""
    notice: str = ""
    """A remark for the person who added it. It is admitted all the same."""


def admit(new: NewPassage) -> Admission:
    """Bring a passage into normal form, and refuse or quarantine it when there is a reason to.

    Text that gives orders to an AI is kept for the analyst to see but quarantined, so that no run finds it.
    Duplicates are not known here: they merge when the passage is written.
    """
    passage = normal_form(new)
    refusal = _refusal(new.text, passage.text)
    if refusal:
        return Admission(None, refusal)
    reason = suspicious_passage(new)
    if passage.status is Status.ACTIVE:
        return _quarantined(passage, reason)
    return Admission(passage, reason if passage.status is Status.QUARANTINED else "")


def normal_form(new: NewPassage) -> NewPassage:
    """A passage as it would be written if it comes in: what tells whether two are the same."""
    fields: dict[str, Any] = {name: normalise(getattr(new, name))[:limit] for name, limit in _LIMITS.items()}
    fields["source_url"] = without_secrets(fields["source_url"])
    fields["language"] = fields["language"].lower() or "en"
    fields["as_of"] = _period(new.as_of)
    if new.kind is Kind.NOTE or not fields["source_url"]:  # without an address nothing can be an excerpt
        fields |= {"kind": Kind.NOTE, "intake": Intake.ENTERED, "text_hash": ""}
    elif new.origin in OUTSIDE and new.intake is Intake.ENTERED:  # nobody typed it in, and nobody kept the hash
        fields["intake"] = Intake.READ_EARLIER
    return replace(new, text=normalise(unbroken(new.text)), **fields)


def _period(as_of: str) -> str:
    """A period, or nothing: what is none could not be compared with any day."""
    try:
        return str(Period.parse(as_of)) if as_of else ""
    except ValueError:
        return ""


def admit_from_outside(new: NewPassage, book: CredibilityBook, min_credibility: float = 0.0) -> Admission:
    """``admit``, and for what a run has fetched also: where is it from, can it be read, is the source to be believed?

    Without an address or the time of fetching it is refused, as nobody could look it up. What cannot be read, and what
    is from a source below ``min_credibility``, waits in quarantine with the reason.
    """
    if new.origin is Origin.IMPORT:  # its rows were chosen but not read one by one: the source is trusted
        admission = admit(new)
        passage = admission.passage
        return _quarantined(passage, unreadable(new.text)) if passage and passage.status is Status.ACTIVE else admission
    if new.origin not in OUTSIDE:
        return admit(new)
    if not canonical(new.source_url):
        return Admission(None, "it comes from the web without an address that could be looked up")
    if new.retrieved_at is None:
        return Admission(None, "it comes from the web and nobody noted when it was fetched")
    broken = unreadable(new.text)
    # What is left of a broken text once its worst characters are gone: something to show with the reason.
    admission = admit(replace(new, text=new.text.translate(_CONTROLS)) if broken else new)
    if admission.passage is None or admission.passage.status is Status.RETIRED:
        return admission
    if admission.passage.status is Status.QUARANTINED:
        return _quarantined(admission.passage, broken) if broken else admission
    rating = book.credibility(admission.passage.source_url)
    low = (
        f"its source has a credibility of {rating:.2f}, below {min_credibility:.2f}" if rating < min_credibility else ""
    )
    return _quarantined(admission.passage, "; ".join(why for why in (broken, low) if why))


def unreadable(text: str) -> str:
    """Why a reader could make nothing of a text; empty when it can be read."""
    plain = "".join(text.split())
    if not plain:
        return ""
    wrong = sum(len(found) for found in _GARBLED.findall(text)) + _controls(text)
    if wrong > len(plain) / 50:
        return "it is hardly readable: many of its characters were lost or are in the wrong encoding"
    words = _ADDRESS.sub(" ", text).split() or text.split()
    if max(map(len, words)) > _LONGEST_WORD and plain.isascii():
        return "it is hardly readable: it has no spaces where words should end"
    if not _lettered(plain) and not _sentence_of_figures(" ".join(words)):
        return "it is hardly readable: it has more figures and signs than letters"
    return ""


def _controls(text: str) -> int:
    return sum(c < " " and c not in "\n\r\t\f\v" for c in text)


def _lettered(plain: str) -> bool:
    # Marks above and below letters are part of the spelling in many scripts.
    return sum(c.isalpha() or not c.isascii() for c in plain) >= _READABLE * len(plain)


def _sentence_of_figures(text: str) -> bool:
    """Whether words stand between the numbers of a text, as in "9.1% in June 2022, 6.5% in December": no table row."""
    rest, numbers = _NUMBER.subn(" ", text)
    return numbers <= len(_WORD.findall(rest)) and _lettered("".join(rest.split()))


def refuse_own_verdict(admission: Admission, run_id: str) -> Admission:
    """The decision about a passage that repeats the explanation of a run of ours.

    What the analyst enters by hand is never refused for that. A notice says so instead.
    """
    passage = admission.passage
    if passage is None or not run_id:
        return admission
    if passage.origin in (Origin.CURATED, Origin.SEED):
        return replace(
            admission,
            notice=f"it repeats what run {run_id} concluded: a verdict of Ghost is no evidence for the next one",
        )
    return Admission(None, own_verdict_reason(run_id))


def own_verdict_reason(run_id: str) -> str:
    """Why a text from outside that repeats the explanation of a run of ours is left out."""
    return f"it repeats what run {run_id} concluded; verdicts of Ghost never become evidence"


_CONTROLS = dict.fromkeys((*range(9), *range(14, 32), 0xFFFD), " ")


def _quarantined(passage: NewPassage, reason: str) -> Admission:
    if not reason:
        return Admission(passage)
    note = "; ".join(part for part in (passage.note, f"{QUARANTINED}{reason}") if part)
    return Admission(replace(passage, status=Status.QUARANTINED, note=note), reason)


def _refusal(raw: str, text: str) -> str:
    if not text:
        return "it is empty"
    if raw.count("\ufffd") + _controls(raw) > len(raw) / 20:
        return "it is not text but binary data"
    if not any(c.isalpha() for c in text):
        return "it has no words"
    if len(text) < MIN_CHARS:
        return f"it is too short: {len(text)} characters, at least {MIN_CHARS} are needed"
    if len(text) > MAX_CHARS:
        return f"it is too long for a passage: {len(text):,} characters, at most {MAX_CHARS:,}; cut it into sentences"
    return ""


SENTENCES_PER_PASSAGE = 3
PASSAGE_CHARS = 700
"""A passage grows up to so many characters; a longer sentence is cut at a pause."""

_PARAGRAPH = re.compile(r"\n\s*\n")


def cut(text: str) -> list[str]:
    """Passages of one to three whole sentences, in order; paragraphs are never joined."""
    return [
        passage
        for paragraph in _PARAGRAPH.split(unbroken(text))
        for passage in group_sentences(sentences(normalise(paragraph)))
    ]


def group_sentences(sentences: Iterable[str]) -> list[str]:
    """Normalised sentences that belong together as passages of one to three of them, in order."""
    passages: list[str] = []
    current: list[str] = []
    for sentence in sentences:
        for start, end in pieces(sentence, 0, len(sentence), PASSAGE_CHARS):
            piece = sentence[start:end]
            full = len(current) == SENTENCES_PER_PASSAGE
            if current and (full or len(" ".join([*current, piece])) > PASSAGE_CHARS):
                passages.append(" ".join(current))
                current = []
            current.append(piece)
    if current:
        passages.append(" ".join(current))
    return passages


def sentences(text: str) -> list[str]:
    """The sentences of a normalised text."""
    return [text[start:end] for start, end in spans(text)]
