"""Text with NUL characters on PostgreSQL, which refuses them in text while SQLite and Python do not.

On the way to the server a NUL becomes two characters of a private area of Unicode, and on the way back it becomes a NUL
again. The first of the two is doubled where a text has it itself, so that every text comes back as it was.
"""

from typing import Any

_MARK = "\ue000"
_NUL = _MARK + "\ue001"
_MARK_BYTES = _MARK.encode()


def keep_nul(connection: Any) -> None:
    """Let this connection of psycopg store and read any text."""
    from psycopg.types.string import StrDumperUnknown, TextLoader

    class Dumper(StrDumperUnknown):
        def dump(self, obj: str) -> bytes:
            return escaped(obj).encode()

    class Loader(TextLoader):
        def load(self, data: Any) -> str:
            raw = bytes(data)
            return unescaped(raw.decode()) if _MARK_BYTES in raw else raw.decode()

    connection.adapters.register_dumper(str, Dumper)
    for name in ("text", "varchar", "bpchar"):
        connection.adapters.register_loader(name, Loader)


def escaped(text: str) -> str:
    """The text as PostgreSQL keeps it."""
    if _MARK not in text and "\x00" not in text:
        return text
    return text.replace(_MARK, _MARK * 2).replace("\x00", _NUL)


def unescaped(text: str) -> str:
    """The way back from ``escaped``."""
    return _MARK.join(part.replace(_NUL, "\x00") for part in text.split(_MARK * 2))
