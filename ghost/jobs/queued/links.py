"""Pages that analysts name while a worker checks their claim."""

import logging

from ghost.errors import GhostError
from ghost.records import RunLinks
from ghost.web import Links

log = logging.getLogger(__name__)


class QueuedLinks(Links):
    """The pages of a run that analysts name in other processes."""

    def __init__(self, kept: RunLinks, run_id: str, urls: tuple[str, ...]) -> None:
        super().__init__(urls)
        self._kept, self._run_id, self._count = kept, run_id, 0
        kept.open(run_id)

    def take(self, last: bool = False) -> tuple[str, ...]:
        """The addresses added since the last time, in any process. ``last`` closes the queue when there are none."""
        for url in self._kept.since(self._run_id, self._count, last):
            self._count += 1
            try:
                self.add(url)
            except GhostError as error:  # too many of them
                log.info("A page of run %s is not read: %s", self._run_id, error)
        return super().take(last)

    def close(self) -> tuple[str, ...]:
        """Close the queue and return what was never taken."""
        self._kept.close(self._run_id)
        return super().close()
