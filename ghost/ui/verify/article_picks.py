"""What one visitor has picked in one article: which sentences, in which words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import streamlit as st

from ghost.records import Article, Sentence

Order = Literal["Most worth checking first", "As in the article"]
BY_WORTH: Order = "Most worth checking first"
IN_ORDER: Order = "As in the article"
THRESHOLD = 0.5


@dataclass
class Picks:
    """The state of a list; it outlives its widgets, which vanish with the page they are on."""

    article: str
    chosen: set[int] = field(default_factory=set)
    """Positions."""
    words: dict[int, str] = field(default_factory=dict)
    """Position -> what the analyst wrote in place of the statement."""
    editing: set[int] = field(default_factory=set)
    threshold: float = THRESHOLD
    order: Order = BY_WORTH
    page: int = 1

    def key(self, what: str, position: int = 0) -> str:
        """Key of a widget of this article."""
        return f"verify_article_{what}_{self.article[:12]}_{position}"

    def statement(self, sentence: Sentence) -> str:
        """The words to check."""
        return self.words.get(sentence.position, "").strip() or sentence.statement

    def toggle(self, position: int) -> None:
        """Take or leave a sentence, as its box now says."""
        if st.session_state.get(self.key("pick", position)):
            self.chosen.add(position)
        else:
            self.chosen.discard(position)

    def take(self, positions: Sequence[int]) -> None:
        """These and no others."""
        self.chosen = set(positions)

    def begun(self, positions: Iterable[int]) -> None:
        """These are being checked: they are picked no more, and their fields are closed."""
        for position in positions:
            self.chosen.discard(position)
            self.editing.discard(position)

    def edit(self, position: int) -> None:
        """Open the field for the words; a sentence whose words are changed is meant to be checked."""
        self.editing.add(position)
        self.chosen.add(position)

    def reword(self, position: int) -> None:
        """Keep what is in the field."""
        self.words[position] = str(st.session_state.get(self.key("words", position), ""))

    def original(self, position: int) -> None:
        """The words as they were listed."""
        self.words.pop(position, None)
        self.editing.discard(position)

    def above(self, article: Article) -> list[Sentence]:
        """The sentences from the threshold on, in the order that was asked for."""
        listed = [s for s in article.checkable if s.worth >= self.threshold - 1e-9]
        return sorted(listed, key=lambda s: -s.worth) if self.order == BY_WORTH else listed


def picks_of(article: Article) -> Picks:
    """This visitor's picks in this article."""
    key = f"verify_picks_{article.id}"
    if key not in st.session_state:
        st.session_state[key] = Picks(article.id)
    found: Picks = st.session_state[key]
    return found
