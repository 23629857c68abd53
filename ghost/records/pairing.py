"""One-time codes: a person carries one from Ghost to a program, which exchanges it for a key of its own."""

import hashlib
import hmac
import json
import secrets

from sqlalchemy import Connection, delete, insert, select

from ghost.errors import KeyRefused
from ghost.records.database import Database, utc_now
from ghost.records.tables.base import meta

PAIRING_MINUTES = 10
"""How long a code is valid."""
_ATTEMPTS = 5
_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # none that looks like another
_ROW = "pairing"


class Pairing:
    """The one code that is valid now, of which only a hash is stored. Safe to use by several threads and processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def new_code(self) -> str:
        """A code that works once; the one before it is no longer valid. Raises StoreError."""
        code = "".join(secrets.choice(_LETTERS) for _ in range(8))
        with self._database.write() as connection:
            _keep(connection, _hash(code), utc_now().timestamp() + 60 * PAIRING_MINUTES, _ATTEMPTS)
        return f"{code[:4]}-{code[4:]}"

    def use(self, typed: str) -> None:
        """Use the code up. Raises KeyRefused for another one, which costs one of a few attempts, and StoreError."""
        with self._database.write() as connection:
            kept = connection.execute(select(meta.c.value).where(meta.c.key == _ROW)).scalar()
            digest, until, left = json.loads(kept) if kept else ("", 0.0, 0)
            valid = until > utc_now().timestamp()
            right = valid and hmac.compare_digest(_hash(typed), digest)
            left = left - 1 if valid and not right else 0
            _keep(connection, digest, until, left)
        if left:
            raise KeyRefused("code", f"This is not the code. Attempts left: {left}.")
        if not right:
            rule = f"It works once, within {PAIRING_MINUTES} minutes, and {_ATTEMPTS} wrong ones end it."
            raise KeyRefused("code", f"The code is no longer valid. {rule}")


def _keep(connection: Connection, digest: str, until: float, attempts: int) -> None:
    connection.execute(delete(meta).where(meta.c.key == _ROW))
    if attempts:
        connection.execute(insert(meta).values(key=_ROW, value=json.dumps([digest, until, attempts])))


def _hash(code: str) -> str:
    """Of letters and digits only, so that a person may leave out the dash and use small letters."""
    return hashlib.sha256("".join(filter(str.isalnum, code.upper())).encode("utf-8", "replace")).hexdigest()
