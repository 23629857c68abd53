"""A file that is written for the person: whole or not at all."""

import errno
import os
import shutil
import uuid
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, pieces: Iterable[bytes]) -> None:
    """Beside its place first, so that a file that was there is replaced whole or not at all. Raises OSError.

    A pipe or a device is written to as it is: there is nothing to replace.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        with path.open("wb") as stream:
            stream.writelines(pieces)
        return
    if path.is_dir() or not path.name:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    place = _target(path)
    beside = place.with_name(f".{uuid.uuid4().hex}.part")  # a name that nobody's file has
    try:
        with beside.open("xb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        if place.exists():
            shutil.copymode(place, beside)
        beside.replace(place)
    except BaseException:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def _target(path: Path) -> Path:
    try:
        return path.resolve() if path.is_symlink() else path
    except RuntimeError:  # links that lead to one another
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None
