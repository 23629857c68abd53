"""The sentences of one article that a visitor has selected, with the words to check."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import streamlit as st

from ghost.records import Article, Sentence

Order = Literal["Most worth checking first", "As in the article"]
BY_WORTH: Order = "Most worth checking first"
IN_ORDER: Order = "As in the article"


@dataclass
class Selection:
    """The state of a list; it outlives its widgets, which vanish with the page they are on."""

    article: str
    chosen: set[int] = field(default_factory=set)
    """Positions."""
    words: dict[int, str] = field(default_factory=dict)
    """Position -> what the analyst wrote in place of the statement."""
    editing: set[int] = field(default_factory=set)
    threshold: float = 0.5
    order: Order = BY_WORTH
    page: int = 1

    def key(self, what: str, position: int = 0) -> str:
        """Key of a widget of this article."""
        return f"verify_article_{what}_{self.article[:12]}_{position}"

    def statement(self, sentence: Sentence) -> str:
        """The words to check."""
        return self.words.get(sentence.position, "").strip() or sentence.statement

    def toggle(self, position: int) -> None:
        """Select or deselect a sentence, as its box now says."""
        if st.session_state.get(self.key("pick", position)):
            self.chosen.add(position)
        else:
            self.chosen.discard(position)

    def select(self, positions: Sequence[int]) -> None:
        """These and no others."""
        self.chosen = set(positions)

    def deselect(self, positions: Iterable[int]) -> None:
        """These are being checked: they are no longer selected, and their fields are closed."""
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

    def reset(self, position: int) -> None:
        """The words as they were listed."""
        self.words.pop(position, None)
        self.editing.discard(position)
        st.session_state.pop(self.key("words", position), None)

    def listed(self, article: Article) -> list[Sentence]:
        """The sentences at or above the threshold, in the chosen order."""
        found = [s for s in article.checkable if s.worth >= self.threshold - 1e-9]
        return sorted(found, key=lambda s: -s.worth) if self.order == BY_WORTH else found


def selection_of(article: Article) -> Selection:
    """This visitor's selection in this article."""
    found: Selection = st.session_state.setdefault(f"verify_selection_{article.id}", Selection(article.id))
    return found
