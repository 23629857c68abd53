"""A list that is shown a page at a time. The page stays while another one is looked at and while the list grows."""

from dataclasses import dataclass

import streamlit as st


@dataclass(frozen=True, slots=True)
class Paging:
    """Which part of a list is shown."""

    key: str
    page: int
    """From 1."""
    pages: int
    at_once: int

    @property
    def offset(self) -> int:
        """Entries before the first that is shown."""
        return (self.page - 1) * self.at_once

    def numbers(self) -> None:
        """Numbers to turn the pages by; nothing where all fits on one."""
        if self.pages > 1:
            st.pagination(self.pages, default=self.page, key=self.key, persist_state="session", max_visible_pages=5)


def paging(key: str, total: int, at_once: int) -> Paging:
    """Where the visitor is in a list of so many; ``key`` is that of the numbers below it."""
    pages = max(1, -(-total // at_once))
    return Paging(key, min(max(1, int(st.session_state.get(key) or 1)), pages), pages, at_once)
