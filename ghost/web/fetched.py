"""What comes of asking for a page: the page, or why there is none. Both are values; neither is a verdict."""

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
    """No connection came about."""
    CERTIFICATE = "certificate"
    """The server could not prove to be who it should be."""
    ROBOTS = "robots.txt"
    """The site asks programs not to read this page, or did not let them know whether they may."""
    REDIRECTS = "redirects"
    """Too many of them, or a circle."""
    HTTP = "http error"
    """The server answered that it has or gives no such page; ``status`` has the number."""
    NOT_A_PAGE = "not a page"
    """A picture, a film, a program: anything but HTML, plain text or PDF."""
    TOO_LARGE = "too large"
    TIMEOUT = "timeout"
    BROKEN = "broken"
    """The answer was cut off or is not what the protocol asks for."""


class NoPage(ProviderError):
    """Ends the work on a page inside ``ghost.web``; it becomes a NotFetched there and goes no further."""

    def __init__(self, problem: Problem, why: str, status: int = 0) -> None:
        self.problem = problem
        self.status = status
        super().__init__(why)


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page as it came. Body, type and addresses are outside text: hostile until they are read and escaped."""

    url: str
    """What was asked for, in canonical form."""
    final_url: str
    """Where it led."""
    status: int
    content_type: str
    """Declared and looked at: ``text/html``, ``application/xhtml+xml``, ``text/plain`` or ``application/pdf``."""
    charset: str
    """As declared by the server, in lower case; empty when it did not say. A page may say something else itself."""
    body: bytes
    """Without compression."""
    received: int
    """Bytes that came over the wire for it, headers, redirects and robots.txt included; 0 from the cache."""
    seconds: float
    retrieved_at: datetime
    """When the server last said that this is the page, in UTC."""
    redirects: tuple[str, ...] = ()
    """The addresses on the way, without the last one."""
    downgraded: bool = False
    """Whether a redirect led from https to http, where anyone on the way can change the text."""
    from_cache: bool = False
    """Whether the body was kept from earlier; after a conditional request too."""


@dataclass(frozen=True, slots=True)
class Seen:
    """That there is a page at an address; it was not read."""

    url: str
    """What was asked for, in canonical form."""
    final_url: str
    """Where it led."""
    status: int


@dataclass(frozen=True, slots=True)
class NotFetched:
    """No page, and why."""

    url: str
    """What was asked for; as it was given when it is no address at all."""
    kind: Problem
    why: str
    """One plain sentence, fit to be shown."""
    seconds: float
    received: int
    status: int = 0
    """The HTTP status for ``Problem.HTTP``; 0 otherwise."""
    redirects: tuple[str, ...] = ()
    """The addresses on the way, the last one that was asked included where there were any."""
