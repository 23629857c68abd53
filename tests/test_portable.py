"""What only some systems have is used with something in its place for the others."""

import ast
import os
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench import processes
from config import PROJECT

ONLY_POSIX = {
    "os": set("fork forkpty execv execve execvp kill killpg getuid geteuid getgid getpgid setsid chown fchmod mkfifo "
              "uname sysconf getloadavg sched_getaffinity nice wait4 EX_OK EX_USAGE O_NONBLOCK O_DIRECTORY".split()),
    "signal": set("SIGKILL SIGHUP SIGCHLD SIGUSR1 SIGALRM alarm setitimer pause".split()),
    "socket": {"AF_UNIX", "socketpair"},
    "select": {"poll", "epoll"},
}  # fmt: skip
MODULES = set("fcntl resource pwd grp termios tty pty curses posix readline multiprocessing".split())
"""``multiprocessing`` forks where it can, which a process with threads does not survive everywhere."""
GUARDED = {
    "ghost/bulk/ray_session.py: os.getuid", "ghost/bulk/ray_session.py: socket.AF_UNIX",  # on POSIX only
    "ghost/cli/page.py: os.execve",  # another way elsewhere, tested in tests/cli
    "ghost/cli/terminal.py: select.poll",  # asked for with hasattr
    "ghost/cli/tether.py: os.kill",  # another way elsewhere
    "ghost/records/local_token.py: os.geteuid",  # only on POSIX
    "ghost/testing/postgres.py: os.geteuid", "ghost/testing/postgres.py: pwd",  # only on POSIX, which refuses root
    "ghost/web/extract/pdf_worker.py: resource",  # goes without
    "bench/processes.py: os.killpg", "bench/processes.py: signal.SIGKILL",  # another way elsewhere, tested below
    "bench/pages.py: os.sysconf",  # after /proc was read
    "bench/results.py: os.getloadavg", "bench/results.py: os.sched_getaffinity",  # asked for with hasattr
}  # fmt: skip


def _uses(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in ONLY_POSIX.get(node.value.id, ()):
                yield f"{node.value.id}.{node.attr}"
        elif isinstance(node, ast.Import):
            yield from (a.name.partition(".")[0] for a in node.names if a.name.partition(".")[0] in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.module.partition(".")[0] in MODULES:
                yield node.module.partition(".")[0]
            yield from (f"{node.module}.{a.name}" for a in node.names if a.name in ONLY_POSIX.get(node.module, ()))
        elif isinstance(node, ast.Call):
            yield from ("preexec_fn" for keyword in node.keywords if keyword.arg == "preexec_fn")
            yield from _unreadable(node)


def _unreadable(call: ast.Call) -> Iterator[str]:
    """Text files in whatever encoding the system prefers, and days that only some systems can write."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in ("read_text", "write_text") and not call.args[name == "write_text" :]:
        yield from () if any(k.arg == "encoding" for k in call.keywords) else (f"{name} without an encoding",)
    if name == "strftime" and any("%-" in str(a.value) for a in call.args if isinstance(a, ast.Constant)):
        yield "strftime with %-"


def test_what_not_all_systems_have_is_known() -> None:
    files = [PROJECT / "config.py", PROJECT / "seed_kb.py", PROJECT / "app.py"]
    files += [file for room in ("ghost", "bench", "pages") for file in sorted((PROJECT / room).rglob("*.py"))]
    found = {f"{file.relative_to(PROJECT).as_posix()}: {use}" for file in files for use in _uses(file)}
    assert found == GUARDED


def test_no_two_files_differ_in_case_only_and_none_has_a_name_that_windows_keeps() -> None:
    names = [
        p.relative_to(PROJECT).as_posix() for room in ("ghost", "packs", "bench") for p in (PROJECT / room).rglob("*")
    ]
    assert len({name.lower() for name in names}) == len(names)
    kept = {"con", "prn", "aux", "nul"}
    assert not [n for n in names if set('<>:"\\|?*') & set(n) or Path(n).stem.lower() in kept]


def test_elsewhere_processes_of_the_benchmark_are_ended_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(processes, "os", types.SimpleNamespace(name="nt", environ=os.environ))
    command = [sys.executable, "-c", "import time; time.sleep(600)"]
    with processes.running(command, os.environ, tmp_path / "log") as process:
        assert process.poll() is None
    assert process.returncode is not None
