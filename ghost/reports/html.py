"""A run as one HTML page to read, to print and to keep: no script, nothing fetched, outside text only ever text.

The page is made from ``templates/report.html``, where everything is escaped. The verdict, the evidence for and against,
and what decides fit two screens; the rest is folded away.
"""

from functools import cache
from typing import TYPE_CHECKING, Any

from ghost.reports.formatting import web_address
from ghost.reports.report import environment, report_values
from ghost.text import one_line
from ghost.types import Label, Run

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


def html(run: Run) -> str:
    """The report on a run, complete or as far as it got, as a page of its own."""
    return _environment().get_template("report.html").render(report_values(run))


@cache
def _environment() -> "Environment":
    made = environment(_shown, autoescape=True)
    made.globals |= {"signs": _SIGNS, "is_link": _is_link}
    return made


def _shown(value: Any) -> Any:
    """What a template prints: text on one line and without tricks. A blank at either end keeps words apart."""
    if not isinstance(value, str) or hasattr(value, "__html__"):
        return value
    line = one_line(value)
    return " " * value[:1].isspace() + line + " " * (bool(line) and value[-1:].isspace())


def _is_link(url: str) -> bool:
    """Whether an address may be a link. With a user name before its host it looks like the address of another site."""
    return bool(web_address(url)) and "@" not in url.split("//", 1)[1].split("/", 1)[0]
