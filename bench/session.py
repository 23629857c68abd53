"""A visitor without a browser: what the page's own script says to the server, and what comes back."""

import re
import time
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from bench.results import NotMeasured

CLAIM_KEY, CHECK_KEY = "verify_claim", "verify_check"
"""The keys of the field and the button on the Verify page."""
SECONDS = 120.0
"""How long a page may take."""


class Session:
    """One visit over a WebSocket: ``run`` opens a page, ``again`` does what any click does, ``check`` sends a claim."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._open = ExitStack()
        self._hash = self._query = ""
        self._said = b""
        """What the page that is open consists of, as it came."""

    def __enter__(self) -> Self:
        """Raises NotMeasured when nobody answers on this port."""
        from websockets.exceptions import WebSocketException
        from websockets.sync.client import connect
        from websockets.typing import Subprotocol

        address, kind = f"ws://127.0.0.1:{self._port}/_stcore/stream", Subprotocol("streamlit")
        try:
            self._connection = self._open.enter_context(
                connect(address, subprotocols=[kind], max_size=None, proxy=None)
            )
        except (OSError, WebSocketException) as error:
            raise NotMeasured(f"no session could be opened: {error}") from error
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._open.close()

    def run(self, page: str, query: str = "") -> int:
        """Open the page with this path and return how many bytes came; raises NotMeasured when it breaks."""
        self._query = query
        return self._asked(page_name=page)

    def again(self) -> int:
        """Run the page that is open again."""
        return self._asked(page_script_hash=self._hash)

    def check(self, claim: str) -> None:
        """Send a claim with the form of the Verify page, which must be open; what comes of it is not waited for."""
        from streamlit.proto.BackMsg_pb2 import BackMsg

        ids = [re.search(rb"\$\$ID-[0-9a-f]+-" + key.encode(), self._said) for key in (CLAIM_KEY, CHECK_KEY)]
        if None in ids:
            raise NotMeasured("the page did not show the form")
        field, button = (found.group().decode() for found in ids if found)
        sent = BackMsg()
        sent.rerun_script.page_script_hash = self._hash
        sent.rerun_script.widget_states.widgets.add(id=field, string_value=claim)
        sent.rerun_script.widget_states.widgets.add(id=button, trigger_value=True)
        self._connection.send(sent.SerializeToString())

    def _asked(self, **where: str) -> int:
        from streamlit.proto.BackMsg_pb2 import BackMsg
        from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
        from websockets.exceptions import WebSocketException

        asked = BackMsg()
        asked.rerun_script.query_string = self._query
        for name, value in where.items():
            setattr(asked.rerun_script, name, value)
        self._connection.send(asked.SerializeToString())
        ends, size, self._said = time.monotonic() + SECONDS, 0, b""
        while True:
            try:
                data = self._connection.recv(timeout=max(0.0, ends - time.monotonic()))
            except (TimeoutError, WebSocketException) as error:
                raise NotMeasured(f"the page was not done within {SECONDS:g} seconds") from error
            data = data if isinstance(data, bytes) else data.encode()
            size += len(data)
            self._said += data
            message = ForwardMsg.FromString(data)
            kind = message.WhichOneof("type")
            if kind == "navigation":
                self._hash = message.navigation.page_script_hash
            elif kind == "delta" and _broken(message.delta):
                raise NotMeasured(f"the page broke: {message.delta.new_element.exception.message}")
            elif kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                return size


def _broken(delta: Any) -> bool:
    return bool(delta.WhichOneof("type") == "new_element" and delta.new_element.WhichOneof("type") == "exception")
