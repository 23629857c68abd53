"""A run in each form in which it can be taken away."""

from dataclasses import dataclass
from enum import StrEnum

from ghost.reports.bundle import as_json, bundle
from ghost.reports.claim_review import Publisher, claim_review, json_ld
from ghost.reports.html import html
from ghost.reports.markdown import markdown
from ghost.reports.result import result
from ghost.types import Run


class Format(StrEnum):
    """The forms; the value is what is typed on the command line."""

    MARKDOWN = "markdown"
    HTML = "html"
    JSON = "json"
    CLAIMREVIEW = "claimreview"
    BUNDLE = "bundle"


@dataclass(frozen=True, slots=True)
class Kind:
    """What a form is as a file."""

    ending: str
    mime: str


KINDS: dict[Format, Kind] = {
    Format.MARKDOWN: Kind("md", "text/markdown"),
    Format.HTML: Kind("html", "text/html"),
    Format.JSON: Kind("json", "application/json"),
    Format.CLAIMREVIEW: Kind("claimreview.json", "application/ld+json"),
    Format.BUNDLE: Kind("zip", "application/zip"),
}


def export(run: Run, form: Format, publisher: Publisher) -> bytes:
    """The run as the bytes of a file. Raises ExportError when the form is not possible for this run."""
    match form:
        case Format.MARKDOWN:
            return _encoded(markdown(run))
        case Format.HTML:
            return _encoded(html(run))
        case Format.JSON:
            return as_json(result(run))
        case Format.CLAIMREVIEW:
            return _encoded(json_ld(claim_review(run, publisher)))
        case Format.BUNDLE:
            return bundle(run, publisher)


def name_of(run: Run, form: Format) -> str:
    """A file name for it."""
    return f"ghost-{run.id[:8]}.{KINDS[form].ending}"


def _encoded(text: str) -> bytes:
    """As UTF-8; a lone surrogate, which no file can hold, becomes a question mark."""
    return text.encode("utf-8", "replace")
