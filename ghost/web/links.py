"""Pages that the analyst names to be read in a run: before it begins, while it goes on, until the judge decides."""

import threading
from collections.abc import Iterable

from ghost.errors import ClaimError
from ghost.text import without_secrets
from ghost.web.address import canonical, same_page

MAX_LINKS = 10
"""For one run; each of them is a page of its limit."""


def usable(text: str) -> str:
    """An address as it was typed, in canonical form; without a scheme https is meant. Raises ClaimError."""
    typed = without_secrets(text.strip())
    url = canonical(typed if "://" in typed else f"https://{typed}")
    if not typed or not url or "." not in url.partition("://")[2].partition("/")[0]:
        raise ClaimError(
            f"“{typed[:80]}” is no address of a web page. Enter one such as https://example.org/page."
            if typed
            else "There is no address. Enter one such as https://example.org/page."
        )
    return url


class Links:
    """A box for addresses. Any thread may put one in while a run goes on; the run looks into it between its turns."""

    def __init__(self, urls: Iterable[str] = ()) -> None:
        """Raises ClaimError for what is no address, and for too many of them."""
        self._lock = threading.Lock()
        self._all: list[str] = []
        self._taken = 0
        self._closed = False
        for url in urls:
            self.add(url)

    def add(self, url: str) -> bool:
        """Put in an address; False when the run takes no more, as its verdict is being made.

        One that is in already is not put in again. Raises ClaimError.
        """
        address = usable(url)
        with self._lock:
            if self._closed:
                return False
            if any(same_page(address, known) for known in self._all):
                return True
            if len(self._all) >= MAX_LINKS:
                raise ClaimError(f"One run reads at most {MAX_LINKS} pages that you name. Check the claim again.")
            self._all.append(address)
            return True

    def take(self, last: bool = False) -> tuple[str, ...]:
        """What was put in since the last time. ``last`` closes the box when that is nothing."""
        with self._lock:
            new = tuple(self._all[self._taken :])
            self._taken = len(self._all)
            self._closed = self._closed or (last and not new)
            return new

    def close(self) -> tuple[str, ...]:
        """Take no more; what was put in and never taken."""
        with self._lock:
            self._closed = True
            return tuple(self._all[self._taken :])

    @property
    def named(self) -> tuple[str, ...]:
        """Everything that was put in so far."""
        with self._lock:
            return tuple(self._all)
