"""Who judges: the route that the settings ask for, made anew for each run."""

from dataclasses import replace

from ghost.judges.base import Judge
from ghost.judges.llm.client import ChatClient
from ghost.judges.llm.endpoint import Endpoint
from ghost.judges.llm.judge import LLMJudge
from ghost.judges.llm.local_server import LocalServer
from ghost.judges.route import RouteJudge, Stop

NO_KEY = "cloud: not asked. OPENAI_API_KEY is not set."
NO_LOCAL = "local: not asked. GHOST_LOCAL_BASE_URL is not set."
NO_FALLBACK = "cloud: not asked. GHOST_ALLOW_CLOUD_FALLBACK does not allow it after a local judge was chosen."


class Judges:
    """All judges that the settings know. Safe to share by threads: runs share connections, never words."""

    def __init__(
        self,
        kind: str,
        embedded: Judge,
        cloud: Endpoint | None = None,
        local: Endpoint | None = None,
        allow_cloud_fallback: bool = False,
    ) -> None:
        """``kind`` is auto, cloud, local or embedded; a judge that is not set up is None."""
        self._kind = kind
        self._embedded = embedded
        self._cloud = ChatClient(cloud) if cloud else None
        self._local = ChatClient(local) if local else None
        self._server = LocalServer(local.base_url) if local else None
        self._first_of_list = local is not None and not local.model
        self._allow = allow_cloud_fallback

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """The servers that may be asked."""
        if self._kind == "embedded":
            return ()
        return tuple(client.endpoint for client in (self._cloud, self._local) if client)

    def get_ready(self) -> None:
        """Make the first question to a language model as quick as the later ones; returns at once."""
        if self._kind == "embedded":
            return
        for client in (self._cloud, self._local):
            if client:
                client.get_ready()

    def close(self) -> None:
        """Let go of the connections."""
        for client in (self._cloud, self._local):
            if client:
                client.close()

    def route(self) -> RouteJudge:
        """The judges in the order in which a new run asks them; the embedded one is always the last."""
        passed: list[str] = []
        stops: list[Stop] = []
        order = {"auto": ("cloud", "local"), "cloud": ("cloud", "local"), "local": ("local", "cloud")}
        for name in order.get(self._kind, ()):
            stop = self._cloud_stop() if name == "cloud" else self._local_stop()
            if stop is None:
                passed.append(NO_KEY if name == "cloud" else NO_LOCAL)
            elif name == "cloud" and self._kind == "local" and not self._allow:
                passed.append(NO_FALLBACK)
            else:
                stops.append(replace(stop, before=tuple(passed)))
                passed.clear()
        why = "chosen by the setting or the command line" if self._kind == "embedded" else "always there"
        stops.append(Stop(self._embedded, f"{why}, runs on this machine.", before=tuple(passed)))
        return RouteJudge(stops)

    def _cloud_stop(self) -> Stop | None:
        if self._cloud is None:
            return None
        why = "GHOST_JUDGE asks for it." if self._kind == "cloud" else "OPENAI_API_KEY is set."
        return Stop(LLMJudge(self._cloud), why)

    def _local_stop(self) -> Stop | None:
        if self._local is None or self._server is None:
            return None
        server, client = self._server, self._local
        if self._first_of_list and (first := server.first_model()) != client.endpoint.model:
            # The server's own model, as long as it is the first of its list. A run that goes on keeps its client.
            client = self._local = ChatClient(replace(client.endpoint, model=first))
        why = "GHOST_JUDGE asks for it." if self._kind == "local" else "its server answers."
        return Stop(LLMJudge(client), why, lambda: server.problem() or _unnamed(client))


def _unnamed(client: ChatClient) -> str:
    return "" if client.endpoint.model else "The server lists no model; name one with GHOST_LOCAL_MODEL."
