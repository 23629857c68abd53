"""How work is reported to those who watch it from other processes."""

import logging
from collections.abc import Callable, Iterable
from typing import Any

from ghost.errors import Cancelled, ClaimError, GhostError, StoreError, TakenOverError
from ghost.jobs.task import failure_text
from ghost.records import RunEvents, WorkEnded

log = logging.getLogger(__name__)


def report(reported: RunEvents, id: str, events: Iterable[Any]) -> None:
    """Read the events to their end, and report each, and then the end. Raises as ``report_work``."""

    def work(tell: Callable[[Any], None]) -> None:
        for event in events:
            tell(event)

    report_work(reported, id, work)


def report_work(reported: RunEvents, id: str, work: Callable[[Callable[[Any], None]], None]) -> None:
    """Do the work, and report each event that it tells, and then the end.

    What goes wrong with the work itself is its end. Raises StoreError where the records do not answer: then it has
    not ended, and can be done again. Raises TakenOverError when another worker has begun it since.
    """
    begun = position = reported.begin(id)
    end, unsaid = WorkEnded(), list[Any]()

    def say() -> None:
        nonlocal position
        while unsaid:
            reported.add(id, begun, position + 1, unsaid[0])
            position += 1
            del unsaid[0]

    def tell(event: Any) -> None:
        unsaid.append(event)
        try:
            say()
        except TakenOverError:
            raise
        except StoreError:
            pass  # said before the next one: what only shows progress must not end the work

    try:
        work(tell)
    except StoreError:
        raise
    except Cancelled as stop:
        end = WorkEnded(str(stop), stopped=True)
    except Exception as error:
        if not isinstance(error, GhostError):
            log.exception("%s failed", id)
        end = WorkEnded(failure_text(error), isinstance(error, ClaimError))
    unsaid.append(end)
    say()
