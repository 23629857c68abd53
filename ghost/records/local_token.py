"""The token of this machine: a program that can read it may curate over the API without a key of its own."""

import hmac
import os
import re
import secrets
from pathlib import Path

from ghost.errors import StoreError

_TOKEN = re.compile(r"ghost_local_[0-9a-f]{64}")


class LocalToken:
    """A file that only its owner can read; on Windows, which has no such mode, it is as private as its folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "api-token"

    def ensure(self) -> str:
        """The token, a new one where there is no file. Raises StoreError when the file is not private: others may know
        the token, so a person has to decide."""
        try:
            if not os.path.lexists(self._path):
                self._path.parent.mkdir(parents=True, exist_ok=True)
                beside = self._path.with_name(f".{secrets.token_hex(8)}.part")  # so that nobody reads half of it
                with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                    file.write(f"ghost_local_{secrets.token_hex(32)}\n")
                beside.replace(self._path)
            if token := self._read():
                return token
            why = "it is damaged, belongs to another user, or can be read by others"
        except OSError as error:
            why = error.strerror or str(error)
        raise StoreError(f"The token of the API in {self._path} is not used: {why}. Delete the file to get a new one.")

    def accepts(self, text: str) -> bool:
        """Whether this is the token; never where the file is not private."""
        try:
            return bool(_TOKEN.fullmatch(text)) and hmac.compare_digest(text, self._read())
        except OSError:
            return False

    def _read(self) -> str:
        """The token; empty when the file cannot be trusted. Raises OSError."""
        with os.fdopen(os.open(self._path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as file:
            about, text = os.fstat(file.fileno()), file.read(100).decode("ascii", "replace").strip()
        private = os.name != "posix" or (about.st_uid == os.geteuid() and not about.st_mode & 0o077)
        return text if private and _TOKEN.fullmatch(text) else ""
