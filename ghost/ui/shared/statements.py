"""Statements with their verdicts, and their scopes as small tags."""

from collections.abc import Sequence

import streamlit as st

from ghost.reports import confidence, leaning
from ghost.types import Scopes, Statement, StatementVerdict
from ghost.ui.shared import theme
from ghost.ui.shared.text import plain, shorten

_KINDS = (
    ("jurisdiction", "location_on"),
    ("time", "schedule"),
    ("population", "groups"),
    ("method", "science"),
)
MOST = 8


def scope_tags(*scopes: Scopes) -> str:
    """The scopes of statements (hostile) as Markdown badges; empty if there are none."""
    found = list(dict.fromkeys((word, icon) for kind, icon in _KINDS for s in scopes for word in getattr(s, kind)))
    return " ".join(theme.badge(plain(shorten(word, 40)), icon, "gray") for word, icon in found[:MOST])


def statements_section(
    statements: Sequence[Statement], decided: Sequence[StatementVerdict], leanings: bool = True
) -> None:
    """What was checked, one line per statement, with its verdict, and the leaning of an open one."""
    found = {d.statement: d for d in decided}
    for statement in statements:
        line = f"**{statement.number}** · {plain(statement.text)}"
        if tags := scope_tags(statement.scopes):
            line += f"  \n{tags}"
        if verdict := found.get(statement.number):
            line += f"  \n{theme.VERDICTS[verdict.label].badge}"
            if verdict.contested:
                line += " " + theme.badge("Contested", "balance", "orange")
            first = confidence(verdict) or (leaning(verdict.leaning) if leanings else "")
            strengths = f"supporting strength {verdict.support:.2f}", f"contradicting strength {verdict.refute:.2f}"
            line += f" :gray[:small[{' · '.join(filter(None, (first, *strengths)))}]]"
        st.markdown(line)
