"""What comes of asking for a page: the page, or why there is none. Both are values. Neither is a verdict."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ghost.errors import ProviderError


class Problem(StrEnum):
    """Why a page was not fetched."""

    ADDRESS = "forbidden address"
    """The address, or what its name stands for, is not of the public web. Nothing was connected to."""
    HOST = "unknown host"
    """The name stands for nothing, or could not be looked up."""
    UNREACHABLE = "unreachable"
    CERTIFICATE = "certificate"
    ROBOTS = "robots.txt"
    """The site asks programs not to read this page, or gave no readable answer to the question."""
    REDIRECTS = "redirects"
    HTTP = "http error"
    """The server answered that it has no such page or does not show it. ``status`` has the number."""
    NOT_A_PAGE = "not a page"
    """A picture, a film, a program: anything but HTML, plain text or PDF."""
    TOO_LARGE = "too large"
    TIMEOUT = "timeout"
    BROKEN = "broken"


class FetchError(ProviderError):
    """Ends the work on a page inside ``ghost.web.fetch``, where it becomes a NotFetched."""

    def __init__(self, problem: Problem, why: str, status: int = 0) -> None:
        self.problem = problem
        self.status = status
        super().__init__(why)


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page as it came. Body, type and addresses are outside text: hostile until they are read and escaped."""

    url: str
    final_url: str
    """The address that answered, after redirects."""
    status: int
    content_type: str
    """From the header and the body: ``text/html``, ``application/xhtml+xml``, ``text/plain`` or ``application/pdf``."""
    charset: str
    """As the server declared it, in lower case. Empty where it did not. The page may declare another one."""
    body: bytes
    received: int
    """Bytes on the wire, with headers, redirects and robots.txt. 0 from the cache."""
    seconds: float
    retrieved_at: datetime
    """When the server last confirmed this version, in UTC."""
    redirects: tuple[str, ...] = ()
    """The addresses on the way, without the last one."""
    downgraded: bool = False
    """Whether a redirect led from https to http, where anyone on the way can change the text."""
    from_cache: bool = False
    """Whether the body was kept from earlier, also after a conditional request."""
    hosts: tuple[str, ...] = ()
    """All that were connected to, also for redirects and robots.txt."""


@dataclass(frozen=True, slots=True)
class Seen:
    """That there is a page at an address. It was not read."""

    url: str
    final_url: str
    status: int


@dataclass(frozen=True, slots=True)
class NotFetched:
    """No page, and why."""

    url: str
    """The address in canonical form, or as it was given when it is none."""
    kind: Problem
    why: str
    """One plain sentence, fit to be shown."""
    seconds: float
    received: int
    status: int = 0
    """The HTTP status for ``Problem.HTTP``, otherwise 0."""
    redirects: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
