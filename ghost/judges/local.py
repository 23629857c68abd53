"""Whether the local model server answers; asked seldom, briefly, and only when somebody wants to know."""

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from typing import Any

from ghost.judges.endpoint import host_of

LOOK_SECONDS = 0.8
"""A page waits for this at most, and not often."""
KEPT_SECONDS = 15.0
LONGEST_LIST = 1_000_000
"""Bytes of a list of models that are read."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would lead to a host that nobody has named."""

    def redirect_request(self, *_args: Any, **_kwargs: Any) -> None:
        return None


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
        # In a thread, since a server that sends a byte now and then never runs into a time-out of the socket.
        thread = threading.Thread(target=lambda: found.append(self._ask()), daemon=True)
        thread.start()
        thread.join(LOOK_SECONDS + 0.1)
        late = f"The server at {host_of(self._base_url)} did not answer within {LOOK_SECONDS:g} s."
        return found[0] if found else (late, [])

    def _ask(self) -> tuple[str, list[str]]:
        host = host_of(self._base_url)
        # Without proxies: what is local is not asked through somebody else.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirect())
        try:
            with opener.open(f"{self._base_url}/models", timeout=LOOK_SECONDS) as response:
                listed = json.loads(response.read(LONGEST_LIST))
            return "", [str(model["id"]) for model in listed["data"]]
        except urllib.error.HTTPError as error:
            return f"The server at {host} answered {error.code} to GET /models.", []
        except TimeoutError:
            return f"The server at {host} did not answer within {LOOK_SECONDS:g} s.", []
        except (OSError, HTTPException) as error:
            why = getattr(error, "reason", error)
            return f"No server answers at {host} ({why}). Start it, or correct GHOST_LOCAL_BASE_URL.", []
        except (ValueError, TypeError, KeyError):
            return f"What answers at {host} does not list models as the OpenAI protocol does.", []
