"""Chroma's server behind a login: ``python -m ghost.cli.chroma_gate FOLDER PORT``, the login in ``CHROMA_LOGIN``.

Chroma itself has none since version 1. It listens where no website can find it: on Linux at one of 16 million addresses
of this machine. A program that may list the open ports of this machine still can.
"""

import asyncio
import hmac
import os
import pkgutil
import re
import secrets
import socket
import sys
import threading

_SECONDS = 10.0
_LOGIN = re.compile(rb"\r\nauthorization:[ \t]*([^\r\n]*)\r\n", re.IGNORECASE)
_REFUSED = b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
Reader, Writer = asyncio.StreamReader, asyncio.StreamWriter


async def _serve(port: int, behind: tuple[str, int], login: bytes) -> None:
    async def pipe(source: Reader, target: Writer) -> None:
        while data := await source.read(65_536):
            target.write(data)
            await target.drain()
        target.close()

    async def let_in(reader: Reader, writer: Writer) -> None:
        """A connection is its client's, so its first request speaks for the others."""
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _SECONDS)
            said = _LOGIN.search(head)
            if not (said and hmac.compare_digest(said[1], login)):
                writer.write(_REFUSED)
                return
            from_chroma, to_chroma = await asyncio.open_connection(*behind)
            to_chroma.write(head)
            await asyncio.gather(pipe(reader, to_chroma), pipe(from_chroma, writer))
        except (OSError, EOFError, TimeoutError, asyncio.LimitOverrunError):
            pass  # as while Chroma is still starting
        finally:
            writer.close()

    async with await asyncio.start_server(let_in, "127.0.0.1", port) as server:
        await server.serve_forever()


def main(folder: str, port: int) -> None:
    """Serve until the process ends."""
    host = f"127.{'.'.join(str(secrets.randbelow(254) + 1) for _ in range(3))}"
    with socket.socket() as free:
        free.bind((host if sys.platform == "linux" else "127.0.0.1", 0))
        behind = free.getsockname()
    gate = _serve(port, behind, os.environ.pop("CHROMA_LOGIN").encode())
    threading.Thread(target=asyncio.run, args=(gate,), name="gate", daemon=True).start()
    sys.argv[1:] = ["run", "--path", folder, "--host", behind[0], "--port", str(behind[1])]
    pkgutil.resolve_name("chromadb.cli.cli:app")()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
