"""Pages that the analyst asks a run to read: before it begins and while it goes on, until the judge decides."""

import threading
from collections.abc import Iterable

from ghost.errors import ClaimError
from ghost.text import without_secrets
from ghost.types import canonical, original, same_page, with_scheme

MAX_LINKS = 10
"""For one run. Each counts as a page of its limit."""


def usable(text: str) -> str:
    """A typed address in canonical form, with https where the scheme is missing. Raises ClaimError."""
    typed = without_secrets(text.strip())
    url = canonical(with_scheme(typed))
    if not typed or not url or "." not in url.partition("://")[2].partition("/")[0]:
        raise ClaimError(
            f"“{typed[:80]}” is no address of a web page. Enter one such as https://example.org/page."
            if typed
            else "There is no address. Enter one such as https://example.org/page."
        )
    return url


class Links:
    """A queue of addresses. Any thread may add one while a run goes on. The run takes them between its rounds."""

    def __init__(self, urls: Iterable[str] = ()) -> None:
        """Raises ClaimError for what is no address, and for too many of them."""
        self._lock = threading.Lock()
        self._all: list[str] = []
        self._taken = 0
        self._closed = False
        for url in urls:
            self.add(url)

    def add(self, url: str) -> bool:
        """Add an address. False when the run takes no more, as its verdict is being made.

        A page that is in already is not added again. Raises ClaimError.
        """
        address = usable(url)
        with self._lock:
            if self._closed:
                return False
            if any(same_page(address, known) and _copy(address) == _copy(known) for known in self._all):
                return True
            if len(self._all) >= MAX_LINKS:
                raise ClaimError(f"One run reads at most {MAX_LINKS} pages that you name. Check the claim again.")
            self._all.append(address)
            return True

    def take(self, last: bool = False) -> tuple[str, ...]:
        """The addresses added since the last time. ``last`` closes the queue when there are none."""
        with self._lock:
            new = tuple(self._all[self._taken :])
            self._taken = len(self._all)
            self._closed = self._closed or (last and not new)
            return new

    def close(self) -> tuple[str, ...]:
        """Close the queue and return what was never taken."""
        with self._lock:
            self._closed = True
            return tuple(self._all[self._taken :])

    @property
    def named(self) -> tuple[str, ...]:
        """Everything that was added so far."""
        with self._lock:
            return tuple(self._all)


def _copy(address: str) -> bool:
    """Whether it is an archived or translated copy, which may be named beside the page itself: that may be gone."""
    return original(address) != address
