"""A run as a Markdown report, and a case as a summary. Text from outside is escaped, so it can only ever be text.

The verdict and what decides it come first; all that can be looked up comes below.
"""

import re
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from ghost.reports.formatting import iso, web_address
from ghost.reports.report import environment, report_values
from ghost.text import one_line
from ghost.types import Run

if TYPE_CHECKING:
    from jinja2 import Environment

_INLINE = re.compile(r"([\\`*_\[\]<>&|~$@^]|:(?=\S))")
"""What starts markup inside a line: in CommonMark, in GitHub's dialect, and Streamlit's directives and formulas."""
_LEADING = re.compile(r"^(?:([-+#=])|(\d+)([.)])(?=\s|$))")
"""What starts a list, a heading or an underline at the beginning of a line."""
_BARE_LINK = re.compile(r"\b(www)\.", re.IGNORECASE)
"""GitHub's dialect turns this into a link without any markup."""


class Markdown(str):
    """Text that is Markdown already, and is not escaped again."""

    __slots__ = ()


def escape(text: str) -> str:
    """Text from outside as one line of Markdown that renders as exactly that text."""
    safe = _INLINE.sub(r"\\\1", one_line(text))
    safe = _BARE_LINK.sub(r"\1\\.", safe)
    return _LEADING.sub(lambda m: f"\\{m[1]}" if m[1] else f"{m[2]}\\{m[3]}", safe)


def markdown(run: Run) -> str:
    """The report on a run, complete or as far as it got."""
    return render("report.md", **report_values(run))


def render(template: str, **values: Any) -> str:
    """A Markdown template with these values, everything escaped that is printed."""
    text = _environment().get_template(template).render(values)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


@cache
def _environment() -> "Environment":
    made = environment(_shown, autoescape=False)
    made.filters |= {"link": _link, "stamp": _stamp, "fixed": _fixed}
    return made


def _shown(value: Any) -> Any:
    return escape(value) if isinstance(value, str) and not isinstance(value, Markdown) else value


def _link(url: str) -> Markdown:
    """An address as a link when it is a plain one, else as text."""
    plain = web_address(url) and not re.search(r"[<>\\]", url)
    return Markdown(f"<{url}>" if plain else escape(url))


def _stamp(moment: datetime) -> Markdown:
    return Markdown(iso(moment) or "")


def _fixed(number: float, digits: int = 2) -> Markdown:
    return Markdown(f"{number:.{digits}f}")
