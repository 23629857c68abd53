"""Whether the local model server answers; asked seldom, briefly, and only when somebody wants to know."""

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from ghost.judges.llm.request import host_of
from ghost.text import login_header

LOOK_SECONDS = 0.8
"""A page waits for this at most, and not often."""
KEPT_SECONDS = 15.0
LONGEST_LIST = 1_000_000
"""Bytes of a list of models that are read."""
LONGEST_NAME = 200
"""Longer names are none."""


class LocalServer:
    """Remembers for a little while what ``GET {base_url}/models`` said. Safe to share by threads."""

    def __init__(self, base_url: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._base_url = base_url
        self._clock = clock
        self._lock = threading.Lock()
        self._looked: float | None = None
        self._problem = ""
        self._models: list[str] = []

    def problem(self) -> str:
        """Why the server cannot be asked; empty when it answers."""
        with self._lock:
            if self._looked is None or self._clock() - self._looked > KEPT_SECONDS:
                self._problem, self._models = self._look()
                self._looked = self._clock()
            return self._problem

    def first_model(self) -> str:
        """The first model that the server lists; empty when it lists none or does not answer."""
        return "" if self.problem() or not self._models else self._models[0]

    def _look(self) -> tuple[str, list[str]]:
        found: list[tuple[str, list[str]]] = []
        connection, host = _connection(self._base_url), host_of(self._base_url)
        # In a thread, since a server that sends a byte now and then never runs into a time-out of the socket.
        thread = threading.Thread(
            target=lambda: found.append(_ask(connection, self._base_url)), name="ghost-local-server", daemon=True
        )
        thread.start()
        thread.join(LOOK_SECONDS + 0.1)
        if found:
            return found[0]
        if connected := connection.sock:
            with contextlib.suppress(OSError):  # else it would be read from as long as something comes
                socket.socket.shutdown(connected, socket.SHUT_RDWR)
        return f"The server at {host} did not answer within {LOOK_SECONDS:g} s.", []


def _connection(base_url: str) -> HTTPConnection:
    """To the server itself: what is local is not asked through a proxy, and no redirect leads to somebody else."""
    parts = urlsplit(base_url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    return kind(parts.hostname or "", parts.port, timeout=LOOK_SECONDS)


def _ask(connection: HTTPConnection, base_url: str) -> tuple[str, list[str]]:
    """What is wrong with the server, and which models it has."""
    host = host_of(base_url)
    try:
        connection.request("GET", f"{urlsplit(base_url).path}/models", headers=login_header(base_url))
        response = connection.getresponse()
        if response.status != HTTPStatus.OK:
            return f"The server at {host} answered {response.status} to GET /models.", []
        listed = json.loads(response.read(LONGEST_LIST))
        names = [model["id"] for model in listed["data"]]
        return "", [n for n in names if isinstance(n, str) and n.isprintable() and len(n) <= LONGEST_NAME]
    except TimeoutError:
        return f"The server at {host} did not answer within {LOOK_SECONDS:g} s.", []
    except (OSError, HTTPException) as error:
        return f"No server answers at {host} ({error}). Start it, or correct GHOST_LOCAL_BASE_URL.", []
    except (ValueError, TypeError, KeyError, RecursionError):
        return f"What answers at {host} does not list models as the OpenAI protocol does.", []
    finally:
        connection.close()
