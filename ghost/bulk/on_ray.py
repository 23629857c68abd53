"""Workers on Ray: on this machine, or on all machines of a cluster."""

import math
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from ghost.bulk.folder import BulkFolder
from ghost.bulk.ray_session import RaySession, first_line, ray_session
from ghost.bulk.worker import BulkWorkbench, Opened, Worker
from ghost.errors import GhostError

LOOK_SECONDS = 0.5
START_SECONDS = 20.0
"""After which it is said that no worker has begun; where cores are free, one takes some seconds."""
_OPENED = "a workbench"
Run = Callable[[Sequence[dict[str, Any]], Callable[[int], bytes]], Iterator[dict[str, Any]]]
"""From tasks to their answers, in no order; the function reads the claims of a part."""


@contextmanager
def workers(
    opened: Opened, address: str = "", processes: int = 0, waiting: Callable[[], None] = lambda: None
) -> Iterator[Run]:
    """Within this, tasks are done by many processes, each with models of its own.

    Without an ``address`` a Ray is started here, and it ends with the block; ``processes`` 0 takes one for each core.
    ``waiting`` is called when tasks have waited for a while and no process has begun, as when others take all cores.
    Raises GhostError when Ray is not installed, none answers at the address, or it is lost.
    """
    with ray_session(address, processes) as session:
        yield partial(_run, session, opened, processes or session.cores, waiting)


def _run(
    session: RaySession, opened: Opened, count: int, waiting: Callable[[], None], tasks: Sequence[dict[str, Any]],
    read: Callable[[int], bytes],
) -> Iterator[dict[str, Any]]:  # fmt: skip
    """The answers as they come; Ray Data reads no further ahead than the workers can follow."""
    if not tasks:
        return
    ray = session.ray
    # The files are on this machine, and one process reads them as fast as all others work.
    here = {"ray.io/node-id": ray.get_runtime_context().get_node_id()}
    dataset = ray.data.from_items(list(tasks), override_num_blocks=len(tasks))
    dataset = dataset.map(
        partial(_with_claims, read), num_cpus=0, compute=ray.data.TaskPoolStrategy(size=1), label_selector=here
    )
    pool = ray.data.ActorPoolStrategy(size=min(count, len(tasks)))
    tally = _RemoteTally(ray.remote(num_cpus=0, label_selector=here)(Unended).remote())  # another machine may be lost
    given = (partial(_counted, opened, tally), tally)
    dataset = dataset.map(Worker, fn_constructor_args=given, num_cpus=1, compute=pool)
    try:
        yield from _watched(dataset.iter_rows(), session, partial(_call_unless_begun, waiting, tally))
    except ray.exceptions.RayError as error:
        session.check()
        raise GhostError(
            f"A worker has ended: {_cause(error)} What was checked is kept; start the same command again to go on."
        ) from error


def _cause(error: BaseException) -> str:
    """What is wrong, as a sentence: of an error with a traceback, its end."""
    last = str(error).strip().splitlines()[-1:]
    if "Traceback" not in str(error):
        return first_line(error)
    remedy = " Install the same version of Ghost on all machines." if "No module named" in last[0] else ""
    return f"{last[0].strip().rstrip('.')}.{remedy}"


def _watched(rows: Iterator[dict[str, Any]], session: RaySession, late: Callable[[], None]) -> Iterator[dict[str, Any]]:
    """The rows as they come; ``late`` is called once when the first one does not come for long.

    Another thread waits for them, as that wait has no end when the head is lost.
    """
    come: queue.Queue[tuple[dict[str, Any] | None, BaseException | None]] = queue.Queue(maxsize=2)

    def wait() -> None:
        try:
            for row in rows:
                come.put((row, None))
            come.put((None, None))
        except BaseException as error:
            come.put((None, error))

    threading.Thread(target=wait, name="ghost-ray-rows", daemon=True).start()
    late_at = time.monotonic() + START_SECONDS
    while True:
        try:
            row, error = come.get(timeout=LOOK_SECONDS)
        except queue.Empty:
            session.check()
            if time.monotonic() > late_at:
                late_at = math.inf
                late()
            continue
        late_at = math.inf
        if error:
            raise error
        if row is None:
            session.check()  # this process would end as one that has failed, so say why
            return
        yield row


class Unended:
    """Counts what was begun and not ended, in a process of its own, which outlives those that work."""

    def __init__(self) -> None:
        self._begun: Counter[str] = Counter()

    def begin(self, key: str) -> int:
        """As ``Tally.begin``."""
        self._begun[key] += 1
        return self._begun[key] - 1

    def end(self, key: str) -> None:
        """As ``Tally.end``."""
        self._begun.pop(key, None)

    def has_begun(self, key: str) -> bool:
        """Whether something under this key has begun and not ended."""
        return key in self._begun


class _RemoteTally:
    """Asks that process."""

    def __init__(self, unended: Any) -> None:
        self._unended = unended

    def begin(self, key: str) -> int:
        import ray

        return int(ray.get(self._unended.begin.remote(key)))

    def end(self, key: str) -> None:
        import ray

        ray.get(self._unended.end.remote(key))

    def has_begun(self, key: str) -> bool:
        import ray

        answered, _ = ray.wait([self._unended.has_begun.remote(key)], timeout=START_SECONDS)
        return bool(answered) and bool(ray.get(answered[0]))


def _call_unless_begun(waiting: Callable[[], None], tally: _RemoteTally) -> None:
    if not tally.has_begun(_OPENED):
        waiting()


def _counted(opened: Opened, tally: _RemoteTally) -> BulkWorkbench:
    """Open a workbench, which is told to the tally first."""
    tally.begin(_OPENED)
    return opened()


def _with_claims(read: Callable[[int], bytes], task: dict[str, Any]) -> dict[str, Any]:
    return task | {"claims": read(task["part"])}


def read_part(folder: Path, part: int) -> bytes:
    """The claims of a part."""
    return BulkFolder(folder).claims(part).read_bytes()
