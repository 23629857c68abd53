"""A proxy on this machine for what a network does: it delays, falls silent, loses answers and cuts connections."""

import socket
import threading
from contextlib import suppress
from dataclasses import dataclass


@dataclass(eq=False)
class _Pair:
    """One connection that goes through."""

    near: socket.socket
    far: socket.socket
    losing: bool = False
    """The answers that come now are lost."""

    def end(self) -> None:
        for one in (self.near, self.far):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)


class Proxy:
    """Hands bytes on to a port of this machine until it is told otherwise."""

    def __init__(self, to: int) -> None:
        self.delay = 0.0
        """Seconds that every piece of data takes, in either direction."""
        self.lose = b""
        """What is asked in these words reaches the server, and its answer is lost."""
        self.swallow = b""
        """What is asked in these words never arrives; the client is cut off, and the server does not hear of it."""
        self.cuts = True
        """Whether a connection with a lost answer is cut; else it stays open and silent."""
        self.most = 0
        """Bytes of answers after which a connection is cut, wherever that is; 0 for any number."""
        self.buffers = False
        """Whether answers are kept until the server has ended the connection, and only then handed on."""
        self._to = to
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self._pairs: list[_Pair] = []
        self._lock = threading.Lock()
        self._flowing = threading.Event()
        self._flowing.set()
        self._closed = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def stall(self) -> None:
        """Take connections and bytes, and hand nothing on."""
        self._flowing.clear()

    def resume(self) -> None:
        """Hand on what has come meanwhile, and what comes."""
        self._flowing.set()

    def silence(self) -> None:
        """Lose all that the connections of the moment still send, without a word; new ones work."""
        with self._lock:
            for pair in self._pairs:
                pair.losing = True
        self.cuts = False

    def refuse(self) -> None:
        """Take no new connections; those that are open stay."""
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def cut(self) -> None:
        """End all connections of the moment at once; new ones are taken."""
        with self._lock:
            for pair in self._pairs:
                pair.end()
            self._pairs.clear()

    def close(self) -> None:
        """Take no more connections."""
        self._closed.set()
        self._flowing.set()
        self.refuse()
        self.cut()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                pair = _Pair(near, socket.create_connection(("127.0.0.1", self._to)))
                with self._lock:
                    self._pairs.append(pair)
                for asks in (True, False):
                    threading.Thread(target=self._hand_on, args=(pair, asks), daemon=True).start()

    def _hand_on(self, pair: _Pair, asks: bool) -> None:
        here, there = (pair.near, pair.far) if asks else (pair.far, pair.near)
        given, kept = 0, b""
        with suppress(OSError):
            while data := here.recv(65536):
                self._closed.wait(self.delay)
                self._flowing.wait()
                if asks and self.swallow and self.swallow in data:
                    here.shutdown(socket.SHUT_RDWR)
                    here.close()
                    return
                if asks and self.lose and self.lose in data:
                    pair.losing = True
                elif pair.losing and (asks or not self.cuts):
                    continue
                elif pair.losing:
                    break
                if not asks and self.buffers:
                    kept += data
                    continue
                if not asks and self.most and given + len(data) > self.most:
                    there.sendall(data[: self.most - given])
                    break
                given += len(data)
                there.sendall(data)
            if kept:
                there.sendall(kept)
        pair.end()
        here.close()
