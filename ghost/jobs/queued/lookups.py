"""What workers look up of a claim before its check begins, while somebody waits for it here."""

import time
import uuid
from collections.abc import Callable

from ghost.errors import Cancelled, ClaimError, GhostError
from ghost.events import LookupAnswered
from ghost.jobs.lookups import Lookups, LookupWorkbench
from ghost.jobs.queued.queue import LookupOrder, Queue
from ghost.jobs.queued.watched import STOPPED
from ghost.records import RunEvents, WorkEnded, from_json, to_json
from ghost.steps import Extracted
from ghost.types import Claim, ClaimCard

LOOK_SECONDS, MOST_SECONDS = 0.03, 0.3
"""How often the answer is looked for: at first, and once it takes long, as with a language model."""
EARLIER_SECONDS = 3.0
"""So long at most a check waits for an earlier answer to its claim."""


def looked_up(workbench: LookupWorkbench, order: LookupOrder, stop: Callable[[], bool]) -> str:
    """The answer as JSON: the id of a card, empty where there is none, or what step 1 makes of the claim."""
    if order.what == "statements":
        return to_json(Extracted, workbench.extract(order.claim, stop))
    card = workbench.asking.checked_before(order.claim.text)
    return to_json(str, card.id if card else "")


class QueuedLookups(Lookups):
    """Offers what ``Lookups`` offers. The models are asked by workers, so none is loaded here.

    All of it raises StoreError when the database does not answer.
    """

    def __init__(self, workbench: LookupWorkbench, queue: Queue) -> None:
        super().__init__(workbench)
        self._queue = queue
        self._reported = RunEvents(queue.database)

    def checked_before(self, claim: str) -> ClaimCard | None:
        """As for ``Lookups``; None too where no worker answers within some seconds."""
        deadline = time.monotonic() + EARLIER_SECONDS

        def in_vain() -> bool:
            return time.monotonic() > deadline or bool(self._queue.unattended())

        try:
            card_id = from_json(str, self._answer(LookupOrder(Claim(claim), "earlier"), in_vain), "An earlier answer")
        except Cancelled:
            return None
        return self._workbench.cards.get(card_id) if card_id else None

    def extract(self, claim: Claim, cancelled: Callable[[], bool]) -> Extracted:
        """As for ``Lookups``. Raises GhostError where no worker is running."""

        def in_vain() -> bool:
            if why := self._queue.unattended():
                raise GhostError(f"{why}.")
            return cancelled()

        found: Extracted = from_json(Extracted, self._answer(LookupOrder(claim, "statements"), in_vain), "Step 1")
        return found

    def _answer(self, order: LookupOrder, in_vain: Callable[[], bool]) -> str:
        """What a worker answers. Raises what went wrong there, Cancelled, and what ``in_vain`` raises."""
        if in_vain():
            raise Cancelled(STOPPED)
        id = uuid.uuid4().hex
        self._queue.put(id, order)
        pause = LOOK_SECONDS
        try:
            while not in_vain():
                for event in self._reported.since(id, 0)[0]:
                    if isinstance(event, LookupAnswered):
                        return event.answer
                    if isinstance(event, WorkEnded):
                        raise (ClaimError if event.unusable else GhostError)(event.error)
                time.sleep(pause)
                pause = min(1.2 * pause, MOST_SECONDS)
            raise Cancelled(STOPPED)
        except BaseException:
            self._queue.stop(id)
            raise
