"""Keys with which programs use Ghost over the network: only a hash of each is stored."""

import hashlib
import hmac
import re
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from sqlalchemy import Row, insert, select, update

from ghost.errors import ClaimError, KeyRefused, StoreError
from ghost.records.database import Database, from_row, to_column, utc_now
from ghost.records.local_token import LocalToken
from ghost.records.pairing import Pairing
from ghost.records.tables.api import api_keys
from ghost.text import visible

MAX_KEY_NAME = 80
"""Characters."""
FRESH_SECONDS = 2.0
"""How long a revoked key may still work in another process than the one that revoked it."""
_USE_SECONDS = 60
_LONGEST = 200
"""Characters of a text that may be a key; the rest of a longer one is not read."""
_NO_HASH = secrets.token_hex(32)
"""What is compared where there is no such key, so that a refusal takes the same time."""
_ID = re.compile(r"ghost_([0-9a-f]{8})_")


class Role(StrEnum):
    """What a key allows. Each role includes the ones before it."""

    READ = "read"
    """Look at runs, cards and the knowledge base."""
    VERIFY = "verify"
    """Check claims and ask questions."""
    CURATE = "curate"
    """Change cards and the knowledge base."""

    def allows(self, needed: "Role") -> bool:
        """Whether this role is enough where ``needed`` is asked for."""
        return _ORDER.index(self) >= _ORDER.index(needed)


_ORDER = tuple(Role)


@dataclass(frozen=True, slots=True)
class ApiKey:
    """What is known of a key; its secret is known only to whoever has it."""

    id: str
    name: str
    role: Role
    created_at: datetime
    expires_at: datetime | None = None
    last_used_at: datetime | None = None
    """To the minute."""
    revoked_at: datetime | None = None

    def active(self, now: datetime) -> bool:
        """Whether it is accepted at this moment."""
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > now)


class ApiKeys:
    """The keys of this data folder. Safe to use from any thread and by several processes."""

    def __init__(self, database: Database, folder: Path | None = None) -> None:
        """``folder`` is where the token of this machine is; without one there is none."""
        self._database = database
        self.pairing = Pairing(database)
        self.local = LocalToken(folder) if folder else None
        self._lock = threading.Lock()
        self._known: Mapping[str, tuple[ApiKey, str]] = {}
        self._read_at = float("-inf")
        self._used_at: dict[str, float] = {}

    def add(self, name: str, role: Role, expires_at: datetime | None = None) -> tuple[ApiKey, str]:
        """Make a key; returns it with its text, which cannot be had again.

        Raises ClaimError when the name is empty or too long, or the key would have expired already.
        """
        now = utc_now()
        if expires_at is not None and expires_at <= now:
            raise ClaimError("No key was made: it would have expired already.")
        key = ApiKey(secrets.token_hex(4), _name(name), role, now, expires_at)
        text = f"ghost_{key.id}_{secrets.token_hex(32)}"
        row = {
            "id": key.id, "name": key.name, "role": role.value, "hash": _hash(text),
            "created_at": to_column(now), "expires_at": to_column(expires_at),
        }  # fmt: skip
        with self._database.write() as connection:
            connection.execute(insert(api_keys).values(row))
        self._forget()
        return key, text

    def find(self, text: str) -> ApiKey:
        """The key with this text; raises KeyRefused. Takes the same time whatever is wrong with it.

        Reads the database every two seconds at most. A key that was revoked elsewhere works until then.
        The token of this machine is a key too.
        """
        if self.local and self.local.accepts(text):
            return ApiKey("local", "token of this machine", Role.CURATE, utc_now())
        named = _ID.match(text)
        key, kept = self._keys().get(named[1] if named else "", (None, _NO_HASH))
        same = hmac.compare_digest(_hash(text), kept)
        if key is None or not same:
            raise KeyRefused("unknown", "This API key is not known. " + _REMEDY)
        if key.revoked_at is not None:
            raise KeyRefused("revoked", f"The API key {key.id} was revoked. {_REMEDY}")
        if not key.active(utc_now()):
            raise KeyRefused("expired", f"The API key {key.id} has expired. {_REMEDY}")
        self._used(key.id)
        return key

    def any_active(self) -> bool:
        """Whether there is a key that would be accepted now."""
        now = utc_now()
        return any(key.active(now) for key in self.list())

    def list(self) -> "Sequence[ApiKey]":
        """All keys, also those that are not accepted any more, the newest first."""
        with self._database.read() as connection:
            query = select(api_keys).order_by(api_keys.c.created_at.desc(), api_keys.c.id)
            return [_key(row) for row in connection.execute(query)]

    def revoke(self, key_id: str) -> ApiKey:
        """Accept a key no longer. This cannot be undone: make a new key instead. Safe to repeat.

        Raises StoreError when there is no such key.
        """
        mine = api_keys.c.id == key_id
        change = update(api_keys).where(mine, api_keys.c.revoked_at.is_(None))
        with self._database.write() as connection:
            connection.execute(change.values(revoked_at=to_column(utc_now())))
            row = connection.execute(select(api_keys).where(mine)).first()
        if row is None:
            raise StoreError(
                f"Nothing was revoked: there is no key {visible(key_id)}. See `python -m ghost keys list`."
            )
        self._forget()
        return _key(row)

    def _keys(self) -> Mapping[str, tuple[ApiKey, str]]:
        """All keys by id with their hashes. Not one at a time, or the time it takes would tell which ids there are."""
        with self._lock:
            if time.monotonic() - self._read_at >= FRESH_SECONDS:
                began = time.monotonic()  # what is revoked while they are read must not be missed for longer
                with self._database.read() as connection:
                    self._known = {row.id: (_key(row), row.hash) for row in connection.execute(select(api_keys))}
                self._read_at = began
            return self._known

    def _used(self, key_id: str) -> None:
        """Note the time, once a minute at most."""
        with self._lock:
            if time.monotonic() - self._used_at.get(key_id, float("-inf")) < _USE_SECONDS:
                return
            self._used_at[key_id] = time.monotonic()
        change = update(api_keys).where(api_keys.c.id == key_id).values(last_used_at=to_column(utc_now()))
        with suppress(StoreError), self._database.write() as connection:  # a full disk must not lock out a reader
            connection.execute(change)

    def _forget(self) -> None:
        with self._lock:
            self._read_at = float("-inf")


_REMEDY = "Make a new one with `python -m ghost keys add` on Ghost's machine."


def _hash(text: str) -> str:
    """A fast hash is right here: the secret is random and long, so that nobody can try them all."""
    return hashlib.sha256(text[:_LONGEST].encode("utf-8", "replace")).hexdigest()


def _name(text: str) -> str:
    name = " ".join(visible(text).encode("utf-8", "replace").decode().split())
    if not name:
        raise ClaimError("No key was made: it needs a name, such as that of the program which uses it.")
    if len(name) > MAX_KEY_NAME:
        raise ClaimError(f"No key was made: a name has at most {MAX_KEY_NAME} characters, not {len(name):,}.")
    return name


def _key(row: Row[Any]) -> ApiKey:
    return from_row(ApiKey, row, role=Role(row.role))
