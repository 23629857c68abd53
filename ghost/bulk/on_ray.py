"""Workers on Ray: on this machine, or on all machines of a cluster."""

import logging
import os
import shutil
import signal
import socket
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from ghost.bulk.folder import BulkFolder
from ghost.bulk.worker import Opened, Worker
from ghost.errors import GhostError

NOT_INSTALLED = 'Ray is not installed. It is what this needs: pip install "ghost-workbench[cluster]"'
STORE_BYTES = 200_000_000
"""Shared memory of a Ray that is started here. Parts have about a megabyte, so that more would not help."""
CONNECT_SECONDS = 5.0
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # it reports to nobody
    "RAY_BACKEND_LOG_LEVEL": "fatal",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_DATA_DISABLE_PROGRESS_BARS": "1",
}

Run = Callable[[Sequence[dict[str, Any]], Callable[[int], bytes]], Iterator[dict[str, Any]]]
"""From tasks to their answers, in no order; the function reads the claims of a part."""


@contextmanager
def workers(opened: Opened, address: str = "", processes: int = 0) -> Iterator[Run]:
    """Within this, tasks are done by many processes, each with models of its own.

    Without an ``address`` a Ray is started here, and it ends with the block; ``processes`` 0 takes one for each core.
    Raises GhostError when Ray is not installed, or nobody answers at the address.
    """
    os.environ.update({name: os.environ.get(name, value) for name, value in _QUIET.items()})
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise GhostError(NOT_INSTALLED) from error
    place = tempfile.mkdtemp(prefix="ghost-", dir="/tmp" if os.name == "posix" else None)
    try:
        _start(ray, address, processes, place)
        count = processes or max(1, int(ray.cluster_resources().get("CPU", 1)))
        yield partial(_run, ray, opened, count)
    finally:
        ray.shutdown()
        shutil.rmtree(place, ignore_errors=True)


def _start(ray: Any, address: str, processes: int, place: str) -> None:
    options: dict[str, Any] = {"address": address or "local", "logging_level": logging.ERROR, "log_to_driver": False}
    if not address:
        options |= {
            "num_cpus": processes or os.cpu_count() or 1, "include_dashboard": False,
            "object_store_memory": STORE_BYTES, "_temp_dir": place,
        }  # fmt: skip
    try:
        _reach(address)
        with _silent(), _own_signals():
            ray.init(**options)
    except (ConnectionError, ValueError, RuntimeError, OSError) as error:
        if address:
            raise GhostError(
                f"No Ray answers at {address}: {_first_line(error.__cause__ or error)} Start one with `ray start "
                "--head`, or leave --address out to start one here."
            ) from error
        raise GhostError(f"Ray cannot be started here: {_first_line(error)}") from error
    for name in ("ray", "ray.data", "ray.data._internal"):
        logging.getLogger(name).setLevel(logging.ERROR)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False


def _reach(address: str) -> None:
    """Raise OSError when nobody listens there: Ray itself would try for a minute."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        with socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS):
            pass


@contextmanager
def _own_signals() -> Iterator[None]:
    """Within this, Ray may say what a request to end means; afterwards it means again what the command has said."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _silent() -> Iterator[None]:
    """Within this, nothing reaches standard error: the part of Ray that is not Python greets there."""
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _run(
    ray: Any, opened: Opened, count: int, tasks: Sequence[dict[str, Any]], read: Callable[[int], bytes]
) -> Iterator[dict[str, Any]]:
    """The answers as they come; Ray Data reads no further ahead than the workers can follow."""
    if not tasks:
        return
    # The files are on this machine, and one process reads them as fast as all others work.
    here = {"ray.io/node-id": ray.get_runtime_context().get_node_id()}
    dataset = ray.data.from_items(list(tasks), override_num_blocks=len(tasks))
    dataset = dataset.map(
        partial(_with_claims, read), num_cpus=0, compute=ray.data.TaskPoolStrategy(size=1), label_selector=here
    )
    pool = ray.data.ActorPoolStrategy(size=min(count, len(tasks)))
    tally = ray.remote(num_cpus=0)(Unended).remote()
    dataset = dataset.map(Worker, fn_constructor_args=(opened, _RemoteTally(tally)), num_cpus=1, compute=pool)
    try:
        yield from dataset.iter_rows()
    except ray.exceptions.RayError as error:
        raise GhostError(
            f"A worker has ended: {_first_line(error)} What was checked is kept; start the same command again to go on."
        ) from error


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


def _with_claims(read: Callable[[int], bytes], task: dict[str, Any]) -> dict[str, Any]:
    return task | {"claims": read(task["part"])}


def read_part(folder: Path, part: int) -> bytes:
    """The claims of a part."""
    return BulkFolder(folder).claims(part).read_bytes()


def _first_line(error: BaseException) -> str:
    text = (str(error).strip() or type(error).__name__).splitlines()[0].strip()
    return text if text.endswith(".") else f"{text}."
