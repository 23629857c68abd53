"""Which address of a host answered last, so that one that is dead costs its time once and not with every request."""

import threading
from collections.abc import Sequence

MAX_HOSTS = 1_000


class Answered:
    """For all fetches of this process. It puts addresses in order; whether one may be asked is not for it to say."""

    def __init__(self) -> None:
        self._last: dict[str, str] = {}
        self._lock = threading.Lock()

    def first(self, host: str, addresses: Sequence[str]) -> list[str]:
        """These addresses and no others, the one that answered last before the rest."""
        with self._lock:
            last = self._last.get(host)
        return sorted(addresses, key=lambda address: address != last)

    def note(self, host: str, address: str) -> None:
        """It has answered; of too many hosts the one that was asked longest ago is forgotten."""
        with self._lock:
            self._last.pop(host, None)
            self._last[host] = address
            if len(self._last) > MAX_HOSTS:
                del self._last[next(iter(self._last))]
