"""A Ray to work on: one that is started here and ends with the command, or the one at an address."""

import atexit
import logging
import os
import secrets
import shutil
import signal
import socket
import stat
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from ghost.errors import GhostError, StoreError
from ghost.knowledge import OwnerLock

NOT_INSTALLED = 'Ray is not installed. It is what this needs: pip install "ghost-workbench[cluster]"'
STORE_BYTES = 200_000_000
"""Shared memory of a Ray that is started here. Parts have about a megabyte, so that more would not help."""
CONNECT_SECONDS = 5.0
WATCH_SECONDS = 2.0
LOST_SECONDS = 20.0
"""Silence of the head after which it is lost. Ray itself would end this process after a minute, without a word, and
after ten seconds when it has ended on this machine."""
END_SECONDS = 10.0
"""So long Ray may take to end; it would wait for a head that is lost."""
UNLOCKED_SECONDS = 60.0
"""After which a new folder that nobody locks was left behind."""
_PREFIX, _INSIDE = "ghost-ray-", "ray"
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # it reports to nobody
    "RAY_BACKEND_LOG_LEVEL": "fatal",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_DATA_DISABLE_PROGRESS_BARS": "1",
    "RAY_ENABLE_AUTO_CONNECT": "0",  # else a thread that still waits for rows starts another Ray after the end
}


class RaySession:
    """A Ray that this process is connected to."""

    def __init__(self, ray: Any) -> None:
        """Begins to watch it."""
        self.ray = ray
        self._head: str = ray.get_runtime_context().gcs_address
        self._node: str = ray._private.worker._global_node.raylet_socket_name
        self._lost, self._ended = "", threading.Event()
        threading.Thread(target=self._watch, name="ghost-ray-watch", daemon=True).start()

    @property
    def cores(self) -> int:
        """Of all machines."""
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def check(self) -> None:
        """Raise GhostError when Ray is lost."""
        if self._lost:
            raise GhostError(
                f"{self._lost} What was checked is kept: start Ray again where it has ended, and then the same "
                "command, to go on."
            )

    def end(self, started: bool) -> None:
        """Leave Ray, and end it where it was ``started`` here."""
        self._ended.set()
        if not self._lost:
            _end(self.ray, started)

    def _watch(self) -> None:
        answered = time.monotonic()
        while not (self._lost or self._ended.wait(WATCH_SECONDS)):
            if not _listens(self._node):
                self._lose("Ray has ended on this machine.")
                return
            answers, _ = _probe(self._head)
            now = time.monotonic()  # where no packet comes back, to ask takes longer than to wait
            answered = now if answers else answered
            if now - answered >= LOST_SECONDS:
                self._lose(f"The head of Ray at {self._head} has been silent for {LOST_SECONDS:g} seconds.")

    def _lose(self, why: str) -> None:
        # Ray would say goodbye to what is gone, and end this process before it can tell anybody, or crash it.
        atexit.unregister(self.ray.shutdown)
        atexit.register(_leave)
        self._lost = why


@contextmanager
def ray_session(address: str, processes: int) -> Iterator[RaySession]:
    """Within this, this process is connected to Ray.

    Without an ``address`` one is started here, with a core for each of the ``processes`` (0: all), and it ends with
    the block. Raises GhostError when Ray is not installed, or none answers at the address.
    """
    ours = {} if address else {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    os.environ.update({name: os.environ.get(name, value) for name, value in (_QUIET | ours).items()})
    try:
        with _own_hooks():
            import ray
            import ray.data
    except ImportError as error:
        raise GhostError(NOT_INSTALLED) from error
    with ExitStack() as unwound:
        options: dict[str, Any] = {"logging_level": logging.CRITICAL, "log_to_driver": False}
        if address:
            options["address"] = _reach(address)
        else:
            options |= {
                "address": "local", "num_cpus": processes or os.cpu_count() or 1, "include_dashboard": False,
                "object_store_memory": STORE_BYTES, "_temp_dir": str(unwound.enter_context(_own_folder())),
            }  # fmt: skip
        _hush(ray)
        try:
            with _silent(), _own_hooks():
                ray.init(**options)
        except BaseException as error:
            _end(ray, started=not address)  # also what was started before it failed
            if not isinstance(error, Exception):
                raise
            where = f"Ray at {address} cannot be used" if address else "Ray cannot be started here"
            raise GhostError(f"{where}: {first_line(error.__cause__ or error)}") from error
        _hush(ray)
        session = RaySession(ray)
        unwound.callback(session.end, started=not address)
        yield session


def first_line(error: BaseException) -> str:
    """What is wrong, as a sentence."""
    text = (str(error).strip() or type(error).__name__).splitlines()[0].strip()
    return text if text.endswith(".") else f"{text}."


def _hush(ray: Any) -> None:
    """Let nothing of Ray's own reach the terminal."""
    import ray._private.worker as worker

    for name in ("ray", "ray.data", "ray.data._internal"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    worker.print_to_stdstream = lambda *_, **__: None  # what happens to nodes and tasks, to standard output
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False


def _reach(address: str) -> str:
    """The address of the head, where it answers and lets us in. Raises GhostError at once where not: Ray itself would
    try for a minute or more, and not say why it failed.
    """
    from ray._private.authentication import authentication_token_setup as tokens
    from ray._private.services import canonicalize_bootstrap_address_or_die

    if address.startswith("ray://"):
        raise GhostError(
            "Ray Client (ray://) does not reach the files of this machine. Let this machine join the cluster with "
            "`ray start --address HOST:6379`, and name the same address here."
        )
    try:
        head = str(canonicalize_bootstrap_address_or_die(address))
    except (ConnectionError, ValueError) as error:
        raise GhostError(f"{address} names no Ray: {first_line(error)} An address is HOST:PORT.") from error
    answers, why = _probe(head)
    if answers and why and _is_here(head):  # to other machines Ray sends no token unasked
        with _silent():
            tokens.maybe_enable_token_auth_if_token_available(warn_if_disabled=False)
        answers, why = _probe(head)
    if not answers:
        raise GhostError(
            f"No Ray answers at {address}: {why} Start one with `ray start --head`, or leave --address out to start "
            "one here."
        )
    if why:
        raise GhostError(
            f"The Ray at {address} wants its token. `ray get-auth-token` prints it on the machine where it was "
            "started: keep it here in ~/.ray/auth_token, set RAY_AUTH_MODE=token, and start the same command again."
        )
    return head


def _probe(head: str) -> tuple[bool, str]:
    """Whether a Ray answers there, and what is wrong: where one answers, that it does not let us in."""
    import grpc
    from ray._private.grpc_utils import init_grpc_channel

    try:
        with init_grpc_channel(head) as channel:
            channel.unary_unary("/ray.rpc.NodeInfoGcsService/GetClusterId")(b"", timeout=CONNECT_SECONDS)
    except grpc.RpcError as error:
        why = str(error.details() or error.code().name)
        if error.code() is grpc.StatusCode.UNAUTHENTICATED:
            return True, why
        return False, f"{why.rpartition('last error: ')[2].rstrip('.')}."
    return True, ""


def _listens(node: str) -> bool:
    """Whether the part of Ray on this machine is there, by its socket; where that has no path nothing is known."""
    if not hasattr(socket, "AF_UNIX") or not Path(node).is_absolute():
        return True
    with socket.socket(socket.AF_UNIX) as there:
        there.settimeout(CONNECT_SECONDS)
        try:
            there.connect(node)
        except (ConnectionRefusedError, FileNotFoundError):
            return False
        except OSError:
            return True  # busy
    return True


def _is_here(head: str) -> bool:
    """Whether the address is one of this machine."""
    host = head.rpartition(":")[0].strip("[]")
    with suppress(OSError), socket.create_server((host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET):
        return True
    return False


@contextmanager
def _own_folder() -> Iterator[Path]:
    """A folder for what Ray writes, locked as long as this process lives; those of killed commands are removed."""
    # Ray's sockets need a short path. Ray lets everyone into its folder, so it is within one that is only ours.
    base = Path("/tmp") if os.name == "posix" else Path(tempfile.gettempdir())
    _remove_leftovers(base)
    place = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=base))
    try:
        with OwnerLock(place):
            yield place / _INSIDE
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _remove_leftovers(base: Path) -> None:
    """Remove folders of commands that were killed: those of this user that nobody locks."""
    for place in base.glob(f"{_PREFIX}*"):
        with suppress(OSError, StoreError):
            about = place.lstat()  # once: a link or another user's folder is not ours to touch, nor what it becomes
            ours = stat.S_ISDIR(about.st_mode) and (os.name != "posix" or about.st_uid == os.getuid())
            # One that Ray has not begun in may be about to be locked.
            if ours and (any(place.glob(f"{_INSIDE}/session_*")) or time.time() - about.st_mtime > UNLOCKED_SECONDS):
                with OwnerLock(place):
                    shutil.rmtree(place, ignore_errors=True)


def _end(ray: Any, started: bool) -> None:
    """Leave Ray, and end it where it was ``started`` here.

    Another Ctrl-C does not interrupt that: it takes seconds, and would leave processes behind.
    """
    with _own_hooks():
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
        ending = threading.Thread(target=ray.shutdown, kwargs={"wait_for_processes": started}, daemon=True)
        ending.start()
        ending.join(END_SECONDS)


def _leave() -> None:
    """End this process as one that has failed, with nothing of Ray's."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(1)


@contextmanager
def _own_hooks() -> Iterator[None]:
    """Within this, Ray may say what a request to end and an error mean; afterwards they mean what they meant before."""
    here = threading.current_thread() is threading.main_thread()
    before, hook = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}, sys.excepthook
    try:
        yield
    finally:
        sys.excepthook = hook  # Ray's tells the head, and waits for it when it is lost
        for number, handler in before.items() if here else ():
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
