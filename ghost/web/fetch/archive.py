"""Archived copies: looking one up in the Internet Archive, or suggesting a link without any request.

A look-up goes through the fetcher, with its limits and checks. The archive learns which page it is about:
https://archive.org/help/wayback_api.php
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from urllib.parse import urlencode

from pydantic import BaseModel, ValidationError

from ghost.types import canonical, host_of, original, same_page
from ghost.web.fetch.fetcher import Fetcher
from ghost.web.fetch.outcome import NotFetched

API_URL = "https://archive.org/wayback/available"
HOST = "web.archive.org"
_JSON = frozenset({"application/json", "text/plain"})


class Closest(BaseModel):
    """The copy nearest to the time that was asked for."""

    available: bool = False
    url: str = ""
    timestamp: str = ""
    status: str = ""


class Availability(BaseModel):
    """An answer of the API."""

    archived_snapshots: dict[str, Closest] = {}
    """At most one, under ``closest``."""


@dataclass(frozen=True, slots=True)
class Copy:
    """An archived copy that exists."""

    url: str
    taken_at: datetime


@dataclass(frozen=True, slots=True)
class NoCopy:
    """No copy is known."""

    why: str
    asked: bool
    """Whether the archive answered that it has none. False when it could not be asked."""
    sent: bool = True
    """Whether a request went out, or may have."""


class Archive:
    """Looks for archived copies."""

    def __init__(self, fetcher: Fetcher, api_url: str = API_URL) -> None:
        self._fetcher = fetcher
        self._api_url = api_url

    def copy_of(self, url: str, seconds: float, check: Callable[[], None], near: date | None = None) -> Copy | NoCopy:
        """The copy of a page taken nearest to ``near``, or to now. Raises only what ``check`` raises."""
        page = canonical(original(url))
        if not page:
            return NoCopy("It is no address of a web page.", asked=False, sent=False)
        asked = {"url": page} | ({"timestamp": f"{near:%Y%m%d}"} if near else {})
        answer = self._fetcher.fetch(f"{self._api_url}?{urlencode(asked)}", seconds, check, _JSON, one_site=True)
        if isinstance(answer, NotFetched):
            return NoCopy(f"The Internet Archive could not be asked: {answer.why}", asked=False)
        try:
            closest = Availability.model_validate_json(answer.body).archived_snapshots.get("closest")
        except ValidationError:
            return NoCopy("The answer of the Internet Archive could not be read.", asked=False)
        copy = _copy(closest, page) if closest else None
        return copy or NoCopy("The Internet Archive has no copy of it.", asked=True)


def suggested(url: str, near: date | None = None) -> str:
    """A link to the archive's copy nearest to a day, or to all copies. Makes no request.

    Empty when ``url`` cannot be archived.
    """
    page = canonical(original(url))
    return f"https://{HOST}/web/{f'{near:%Y%m%d}' if near else '*'}/{page}" if page else ""


def _copy(closest: Closest, page: str) -> Copy | None:
    """The copy, if it is one of this page and the archive holds a page and not an error of it."""
    link = canonical(closest.url.replace(f"http://{HOST}", f"https://{HOST}", 1))
    if not closest.available or closest.status[:1] not in ("", "2") or host_of(link) != HOST:
        return None
    if original(link) == link or not same_page(link, page):
        return None
    try:
        taken = datetime.strptime(closest.timestamp, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None
    return Copy(link, taken)
