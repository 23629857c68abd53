"""Run a command where nothing can leave, and record what it tries: ``unshare -rmn sealed.py SECONDS -- COMMAND``.

Inside its own network namespace a resolver on the loopback interface answers every look-up with "no such name" and
keeps it. Printed at the end as JSON: the exit code, the output, and the names that were looked up.
"""

import fcntl
import json
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

IFF_UP_RUNNING = 0x41
SIOCSIFFLAGS = 0x8914


def main() -> None:
    seconds, command = float(sys.argv[1]), sys.argv[3:]
    _loopback_up()
    names: list[str] = []
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 53))
    threading.Thread(target=_answer, args=(server, names), daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        # A resolver service of the machine would be asked over a socket that no namespace closes: "dns" only.
        _instead(Path(folder, "resolv.conf"), "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
        _instead(Path(folder, "nsswitch.conf"), "hosts: files dns\n")
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    print(json.dumps({"code": done.returncode, "out": done.stdout, "err": done.stderr, "names": names}))


def _loopback_up() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        fcntl.ioctl(probe, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP_RUNNING))


def _instead(file: Path, text: str) -> None:
    """Put a file in the place of the one with the same name in ``/etc``, for this namespace only."""
    file.write_text(text, encoding="utf-8")
    subprocess.run(["mount", "--bind", str(file), f"/etc/{file.name}"], check=True)


def _answer(server: socket.socket, names: list[str]) -> None:
    while True:
        question, sender = server.recvfrom(4096)
        names.append(_name(question))
        server.sendto(question[:2] + b"\x81\x83" + question[4:], sender)


def _name(question: bytes) -> str:
    """The name in a DNS question: labels behind their lengths, up to an empty one."""
    labels, at = [], 12
    while at < len(question) and question[at]:
        labels.append(question[at + 1 : at + 1 + question[at]].decode("ascii", "replace"))
        at += 1 + question[at]
    return ".".join(labels)


if __name__ == "__main__":
    main()
