"""What the page says around a passage that changes how it counts."""

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Self

from ghost.text import normalise

WORDS_CHARS = 200
MAX_HEADINGS = 6


class FrameKind(StrEnum):
    """Why the words of a passage may not be what its page says."""

    NONE = ""
    MYTH = "myth"
    QUIZ = "quiz"
    CLAIM = "claim"
    """A claim that the page checks."""
    MARK = "mark"
    DISPUTED = "disputed page"
    REFERENCE = "reference"
    PICTURE = "picture"
    FICTION = "fiction"
    ANSWER = "user's answer"
    LETTER = "letter"
    SPEAKER = "speaker"
    QUOTE = "quotation"
    TEASER = "teaser"
    TAKEN_BACK = "taken back"


_LINES: dict[FrameKind, tuple[str, str]] = {
    FrameKind.MYTH: ("is listed as a myth", "stands under “{}”"),
    FrameKind.QUIZ: ("is a statement in a quiz", "is a quiz statement under “{}”"),
    FrameKind.CLAIM: ("is a claim that the page checks", "is a claim that the page rates “{}”"),
    FrameKind.MARK: ("is marked as doubtful by the page", "is marked “{}” by the page"),
    FrameKind.DISPUTED: ("is from a page that doubts itself", "is from a page that says of itself: “{}”"),
    FrameKind.REFERENCE: ("is a title in a list", "is a title under “{}”"),
    FrameKind.PICTURE: ("describes something made up or staged", "describes something made up or staged: “{}”"),
    FrameKind.FICTION: ("tells the plot of a work", "tells the plot of a work: “{}”"),
    FrameKind.ANSWER: ("is what a user wrote", "is what a user wrote: “{}”"),
    FrameKind.LETTER: ("is a reader’s letter", "is a reader’s letter under “{}”"),
    FrameKind.SPEAKER: ("is what a speaker said", "is what “{}” said"),
    FrameKind.QUOTE: ("is a quotation", "is a quotation: “{}”"),
    FrameKind.TEASER: ("is the beginning of a text for subscribers",) * 2,
    FrameKind.TAKEN_BACK: ("is taken back by the next sentence", "is taken back by the next sentence: “{}”"),
}


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around a passage on its page. All words are outside text."""

    kind: FrameKind = FrameKind.NONE
    """What changes how it counts; NONE where nothing does."""
    words: str = ""
    """The words that say so: a heading, a speaker, a mark, the rating of a claim."""
    headings: tuple[str, ...] = ()
    """The headings above it, outermost first."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", self.words[:WORDS_CHARS])
        object.__setattr__(self, "headings", tuple(text[:WORDS_CHARS] for text in self.headings[-MAX_HEADINGS:]))

    @property
    def why(self) -> str:
        """What kind it is, in words of ours only: "is listed as a myth"; empty for no frame."""
        return _LINES[self.kind][0] if self.kind else ""

    @property
    def line(self) -> str:
        """The same with the words of the page: "stands under “Myths”"."""
        return _LINES[self.kind][1].format(self.words) if self.kind and self.words else self.why

    def __bool__(self) -> bool:
        return bool(self.kind or self.headings)

    def __str__(self) -> str:
        """As JSON, in the form that ``load`` reads; empty where there is nothing to say."""
        kept = {name: value for name, value in asdict(self).items() if value}
        return json.dumps(kept, ensure_ascii=False) if kept else ""

    @classmethod
    def load(cls, written: str) -> Self:
        """From JSON, which may be from outside. Raises ValueError for what is no frame."""
        if not written:
            return cls()
        try:
            found: Any = json.loads(written)
        except RecursionError:
            raise ValueError("is nested too deeply") from None
        headings = found.get("headings", []) if isinstance(found, dict) else None
        if not isinstance(headings, list):
            raise ValueError("is no frame")
        words, *above = (normalise(str(part)) for part in (found.get("words", ""), *headings))
        return cls(FrameKind(str(found.get("kind", ""))), words, tuple(above))


NO_FRAME = Frame()
