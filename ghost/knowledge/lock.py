"""One process owns the embedded index at a time, and says who it is."""

import json
import os
import sys
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from ghost.errors import StoreBusyError
from ghost.listening import is_loopback
from ghost.records import folder_error
from ghost.text import write_whole

_OWNER = "ghost.owner"


class OwnerLock:
    """A lock of the operating system on a folder: it ends with the process that holds it, however that ends."""

    def __init__(self, folder: Path, guarded: Path | None = None) -> None:
        """Take the lock in ``folder``; ``guarded`` is what the error names (the folder itself by default).

        Raises StoreBusyError naming the owner when any process, this one included, holds it already.
        """
        from filelock import FileLock, Timeout

        self._owner = folder / _OWNER
        self._lock = FileLock(folder / "ghost.lock", blocking=False, thread_local=False)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
        except Timeout:
            raise StoreBusyError(guarded or folder, self._describe()) from None
        except OSError as error:
            raise folder_error(folder, error) from error
        # Only for the message to others: the lock holds without it, so a full disk must not matter here.
        with suppress(OSError):
            self._sign()

    @property
    def held(self) -> bool:
        """Whether the lock is held by this object."""
        return self._lock.is_locked

    def announce(self, chroma_url: str) -> None:
        """Tell other processes that a Chroma server at this address serves the folder, so that they need not wait.

        Raises StoreError and its kinds when that cannot be written down.
        """
        try:
            self._sign(chroma_url)
        except OSError as error:
            raise folder_error(self._owner.parent, error) from error

    def release(self) -> None:
        """Let another process have it; safe to repeat."""
        if self._lock.is_locked:
            with suppress(OSError):
                self._owner.unlink(missing_ok=True)
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def _sign(self, chroma_url: str = "") -> None:
        since = datetime.now().astimezone()
        about = {"pid": os.getpid(), "program": _program(), "since": since.isoformat(timespec="seconds")}
        told = json.dumps(about | ({"chroma": chroma_url} if chroma_url else {}))
        write_whole(self._owner, [told.encode()], private=True)  # the address has a password

    def _describe(self) -> str:
        try:
            about = json.loads(self._owner.read_text(encoding="utf-8"))
            since = datetime.fromisoformat(about["since"])
            when = since.strftime("%H:%M" if since.date() == datetime.now().date() else "%Y-%m-%d %H:%M")
            who = "this process" if about["pid"] == os.getpid() else f"process {int(about['pid'])}"
            return f"{who} ({about['program']}), since {when}"
        except (OSError, ValueError, KeyError, TypeError):
            return "another process"


def announced_server(folder: Path) -> str:
    """The Chroma server that the owner of this folder has announced; empty when there is none.

    Only for a folder whose lock is held: what a process that was killed has announced stays there. An address
    elsewhere than on this machine is not ours and does not count.
    """
    try:
        url = str(json.loads((folder / _OWNER).read_text(encoding="utf-8"))["chroma"])
        return url if is_loopback(urlsplit(url).hostname or "") else ""
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _program() -> str:
    """The command without its arguments: ``streamlit run app.py``, ``python -m ghost verify``."""
    words = [Path(word).name for word in sys.orig_argv[1:4]]
    if words[:1] == ["-m"]:
        return " ".join(["python", *words])[:80]
    if words[:1] == ["-c"] or not words:
        return "python"
    return " ".join(words)[:80]
