"""Chroma's server behind a login: ``python -m ghost.cli.chroma_gate FOLDER PORT``, the login in ``CHROMA_LOGIN``.

Chroma itself has none since version 1. It listens where no website can find it, on Linux at one of 16 million addresses
of this machine. A program that may list the open ports of this machine still can.
"""

import asyncio
import os
import pkgutil
import re
import secrets
import socket
import sys
import threading
from asyncio import StreamReader, StreamWriter

_LOGIN = re.compile(rb"\r\nauthorization:[ \t]*([^\r\n]*)\r\n", re.IGNORECASE)


async def _serve(port: int, behind: tuple[str, int], login: bytes) -> None:
    async def pipe(source: StreamReader, target: StreamWriter) -> None:
        while data := await source.read(65_536):
            target.write(data)
            await target.drain()
        target.close()

    async def let_in(reader: StreamReader, writer: StreamWriter) -> None:
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
            if (said := _LOGIN.search(head)) and secrets.compare_digest(said[1], login):
                from_chroma, to_chroma = await asyncio.open_connection(*behind)
                to_chroma.write(head)  # and all that follows: a connection is one client's
                await asyncio.gather(pipe(reader, to_chroma), pipe(from_chroma, writer))
            else:
                writer.write(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        except (OSError, EOFError, TimeoutError, asyncio.LimitOverrunError):
            pass  # as while Chroma is still starting
        finally:
            writer.close()

    async with await asyncio.start_server(let_in, "127.0.0.1", port) as server:
        await server.serve_forever()


if __name__ == "__main__":
    host = f"127.{'.'.join(str(secrets.randbelow(254) + 1) for _ in range(3))}"
    with socket.socket() as free:
        free.bind((host if sys.platform == "linux" else "127.0.0.1", 0))
        behind = free.getsockname()
    gate = _serve(int(sys.argv[2]), behind, os.environ.pop("CHROMA_LOGIN").encode())
    threading.Thread(target=asyncio.run, args=(gate,), daemon=True).start()
    sys.argv[1:] = ["run", "--path", sys.argv[1], "--host", behind[0], "--port", str(behind[1])]
    pkgutil.resolve_name("chromadb.cli.cli:app")()
