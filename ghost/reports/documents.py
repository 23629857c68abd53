"""A run as one HTML page or one Markdown text to read, to print and to keep. Outside text is only ever text.

The page has no script and fetches nothing. The verdict, the evidence for and against, and what decides come first; the
rest is folded away, or below. Templates say how the parts of ``report.py`` are laid out. All they print is escaped.
"""

import re
from collections.abc import Callable
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ghost.reports import formatting
from ghost.reports.formatting import iso, web_address
from ghost.reports.report import report_values
from ghost.text import one_line
from ghost.types import Citation, Kind, Label, Passage, Run, StanceLabel

if TYPE_CHECKING:
    from jinja2 import Environment

_SIGNS: dict[Label, tuple[str, str]] = {
    Label.TRUE: ("✔", "green"),
    Label.FALSE: ("✘", "red"),
    Label.PARTIALLY_TRUE: ("◐", "orange"),
    Label.MISLEADING: ("⚠", "orange"),
    Label.NOT_ENOUGH_EVIDENCE: ("?", "gray"),
    Label.NOT_VERIFIABLE: ("⊘", "violet"),
}
"""Sign and colour of a verdict. The word is always beside them."""
_STANCES = {
    StanceLabel.SUPPORTS: ("supports", "green"),
    StanceLabel.REFUTES: ("contradicts", "red"),
    StanceLabel.NEUTRAL: ("related, not decisive", "gray"),
}
_WORDS = (
    *("counted", "credibility", "dated", "day", "heading", "intake", "iso", "percent", "published", "remark", "source"),
)
_INLINE = re.compile(r"([\\`*_\[\]<>&|~$@^]|:(?=\S))")
"""What starts markup inside a line: in CommonMark, in GitHub's dialect, and Streamlit's directives and formulas."""
_LEADING = re.compile(r"^(?:([-+#=])|(\d+)([.)])(?=\s|$))")
"""What starts a list, a heading or an underline at the beginning of a line."""
_BARE_LINK = re.compile(r"\b(www)\.", re.IGNORECASE)
"""GitHub's dialect turns this into a link without any markup."""


def html(run: Run) -> str:
    """The report on a run, complete or as far as it got, as a page of its own."""
    return page("report.html", **report_values(run))


def markdown(run: Run) -> str:
    """The report on a run, complete or as far as it got."""
    return render("report.md", **report_values(run))


def page(template: str, **values: Any) -> str:
    """An HTML template with these values, everything escaped that is printed."""
    return _for_html().get_template(template).render(values)


def render(template: str, **values: Any) -> str:
    """A Markdown template with these values, everything escaped that is printed."""
    text = _for_markdown().get_template(template).render(values)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


@cache
def _for_html() -> "Environment":
    made = _environment(_in_html, autoescape=True)
    made.globals |= {"signs": _SIGNS, "is_link": _is_link}
    return made


@cache
def _for_markdown() -> "Environment":
    made = _environment(_in_markdown, autoescape=False)
    made.filters |= {"link": _link, "stamp": _stamp, "fixed": _fixed}
    made.globals |= {"quote_mark": _quote_mark}
    return made


def _environment(shown: Callable[[Any], Any], autoescape: bool) -> "Environment":
    """The templates; ``shown`` turns each value into what is printed of it."""
    # Here, because it takes a while, and most commands make no report.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"), autoescape=autoescape, finalize=shown,
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, auto_reload=False,
    )  # fmt: skip
    made.globals |= {name: getattr(formatting, name) for name in _WORDS} | {"stances": _STANCES}
    return made


def _in_html(value: Any) -> Any:
    """Text on one line and without tricks. A blank at either end keeps words apart."""
    if not isinstance(value, str) or hasattr(value, "__html__"):
        return value
    line = one_line(value)
    return " " * value[:1].isspace() + line + " " * (bool(line) and value[-1:].isspace())


def _is_link(url: str) -> bool:
    """Whether an address may be a link. With a user name before its host it looks like the address of another site."""
    return bool(web_address(url)) and "@" not in url.split("//", 1)[1].split("/", 1)[0]


class Markdown(str):
    """Text that is Markdown already, and is not escaped again."""

    __slots__ = ()


def _in_markdown(value: Any) -> Any:
    return _escaped(value) if isinstance(value, str) and not isinstance(value, Markdown) else value


def _escaped(text: str) -> str:
    """Text from outside as one line of Markdown that renders as exactly that text."""
    safe = _INLINE.sub(r"\\\1", one_line(text))
    safe = _BARE_LINK.sub(r"\1\\.", safe)
    return _LEADING.sub(lambda m: f"\\{m[1]}" if m[1] else f"{m[2]}\\{m[3]}", safe)


def _quote_mark(of: Passage | Citation) -> Markdown:
    """What begins a quotation; a note is none."""
    return Markdown("" if of.kind is Kind.NOTE else "> ")


def _link(url: str) -> Markdown:
    """An address as a link when it is a plain one, else as text."""
    plain = web_address(url) and not re.search(r"[<>\\]", url)
    return Markdown(f"<{url}>" if plain else _escaped(url))


def _stamp(moment: datetime) -> Markdown:
    return Markdown(iso(moment) or "")


def _fixed(number: float, digits: int = 2) -> Markdown:
    return Markdown(f"{number:.{digits}f}")
