"""A disk that is soon full."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


class SmallDisk:
    """A file system in memory of a given size."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def resize(self, kilobytes: int) -> None:
        """Give it this size, which must be enough for what it holds."""
        self._remount(f"size={kilobytes}k")

    def leave(self, kilobytes: int) -> None:
        """Give it a size that leaves so much room."""
        self.resize(shutil.disk_usage(self.path).used // 1024 + kilobytes)

    def lock(self) -> None:
        """Let nobody write."""
        self._remount("ro")

    def _remount(self, options: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{options}", self.path], check=True)


@contextmanager
def small_disk() -> Iterator[SmallDisk]:
    """One of 100 kB. Skips the test where it cannot be made, which takes an administrator of Linux."""
    path = Path(tempfile.mkdtemp(prefix="ghost-disk-"))  # and not a folder of pytest's, which no server may enter
    path.chmod(0o755)
    mount = ["mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", str(path)]
    if os.name != "posix" or os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        path.rmdir()
        pytest.skip("only an administrator of Linux can make a small disk")
    try:
        yield SmallDisk(path)
    finally:
        subprocess.run(["umount", "--lazy", path], check=True)
        path.rmdir()
