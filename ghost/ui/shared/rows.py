"""A list of texts that a visitor edits: each row can be changed, moved and removed, and rows can be added."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from ghost.ui.shared.parts import button


@dataclass
class TextRows:
    """The rows of one visitor's list, kept in the session."""

    prefix: str
    """Of the keys of its fields."""
    keys: list[str] | None = None
    """Keys of the fields, in order; None until there is a list."""

    def reset(self, texts: Sequence[str]) -> None:
        """Replace the list with these texts."""
        self.keys = []
        for text in texts:
            self.add(text)

    def add(self, text: str = "") -> None:
        """Add a row at the end."""
        # No number twice in a visit: the fields of an earlier list are kept under theirs, and would come back here.
        given = f"{self.prefix}_rows_given"
        number = st.session_state[given] = st.session_state.get(given, 0) + 1
        key = f"{self.prefix}_{number}"
        st.session_state[key] = text
        self.keys = [*(self.keys or []), key]

    def read(self) -> tuple[str, ...]:
        """The texts in the fields now, without empty ones."""
        texts = (st.session_state.get(key, "") for key in self.keys or [])
        return tuple(text for text in texts if text.strip())

    def remove(self, key: str) -> None:
        """Remove this row."""
        self.keys = [other for other in self.keys or [] if other != key]

    def move(self, key: str, by: int) -> None:
        """Move a row down by so many places, or up by a negative number."""
        keys = list(self.keys or [])
        position = keys.index(key)
        keys.insert(max(0, position + by), keys.pop(position))
        self.keys = keys

    def draw(self, key: str, position: int, word: str, max_chars: int) -> None:
        """The field of a row with its buttons; ``word`` names a row: ``Question``."""
        name, last = f"{word.lower()} {position}", len(self.keys or [])
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.text_area(f"{word} {position}", key=key, max_chars=max_chars, height="content", persist_state="session")
            with st.container(horizontal=True, width="content", gap="small"):
                for way, by, end in (("up", -1, 1), ("down", 1, last)):
                    button(
                        "", f"{key}_{way}", f"arrow_{way}ward", self.move, key, by, type="tertiary",
                        disabled=position == end, help=f"Move {name} {way}",
                    )  # fmt: skip
                button("", f"{key}_remove", "close", self.remove, key, type="tertiary", help=f"Remove {name}")
