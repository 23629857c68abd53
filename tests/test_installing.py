"""What is installed: exact versions, a package that is in nobody's way, and data in the user's folder."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from config import INSTALLED, PROJECT
from ghost import __version__

PIN = re.compile(r"^([A-Za-z0-9][\w.-]*)(?:\[[\w,-]+\])?==([\w.!+]+)", re.MULTILINE)
LOCKS = {"requirements.lock": ("light",), "requirements-team.lock": ("light", "team")}
"""What is locked, and the requirements it is made of."""
RENEW = "docs/installing.md has the commands that renew requirements.lock and requirements-team.lock"


def pins(text: str) -> dict[str, str]:
    return {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in PIN.findall(text)}


def read(name: str) -> str:
    return (PROJECT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("lock", LOCKS)
def test_the_lock_file_has_every_pin(lock: str) -> None:
    wanted = {name: version for part in LOCKS[lock] for name, version in pins(read(f"requirements-{part}.txt")).items()}
    assert len(wanted) > 20
    locked = pins(read(lock))
    assert {name: locked.get(name) for name in wanted} == wanted, RENEW


@pytest.mark.parametrize("lock", LOCKS)
def test_the_lock_file_names_versions_and_hashes_only(lock: str) -> None:
    lines = [line for line in read(lock).splitlines() if line.strip()]
    assert not [
        line for line in lines if not re.match(r"[a-z0-9][\w.-]*(\[[\w,-]+\])?==|    --hash=sha256:[0-9a-f]{64}", line)
    ]


def test_a_team_gets_the_versions_that_everybody_has() -> None:
    light, team = pins(read("requirements.lock")), pins(read("requirements-team.lock"))
    assert {name: team.get(name) for name in light} == light, RENEW


@pytest.mark.parametrize("lock", LOCKS)
def test_every_version_in_the_lock_file_has_a_hash(lock: str) -> None:
    lines = [line for line in read(lock).splitlines() if line.strip()]
    named = [n for n, line in enumerate(lines) if not line.startswith(" ")]
    assert all(lines[n + 1].startswith("    --hash=") for n in named), RENEW


def test_a_checkout_keeps_its_data_in_itself() -> None:
    assert not INSTALLED


def test_an_installed_ghost_keeps_data_and_settings_in_the_users_folder(tmp_path: Path) -> None:
    package, home = tmp_path / "package", tmp_path / "home"
    package.mkdir()
    for name in ("config.py", "sites.toml"):
        shutil.copy(PROJECT / name, package)
    script = "from config import HOME, load_settings; s = load_settings(); print(HOME, s.data_dir, s.port, sep='\\n')"
    given = {"XDG_DATA_HOME": str(home), "HOME": str(home), "LOCALAPPDATA": str(home), "PYTHONDONTWRITEBYTECODE": "1"}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GHOST_")}

    def run() -> list[str]:
        command = [sys.executable, "-c", script]
        return subprocess.check_output(command, cwd=package, env=kept | given, text=True).splitlines()

    folder, data, port = run()
    assert Path(folder).is_relative_to(home)
    assert (data, port) == (folder, "8501")
    Path(folder).mkdir(parents=True)
    (Path(folder) / ".env").write_text("GHOST_PORT=9001\n", encoding="utf-8")
    (package / ".env").write_text("GHOST_PORT=9002\n", encoding="utf-8")
    assert run()[2] == "9001"


def test_the_command_finds_its_own_modules_first(tmp_path: Path) -> None:
    for name in ("config.py", "ghost.py", "seed_kb.py"):
        (tmp_path / name).write_text("raise SystemExit('not mine')", encoding="utf-8")
    script = f"import sys; sys.path.append({str(PROJECT)!r}); from ghost_workbench import main; sys.exit(main())"
    said = subprocess.check_output([sys.executable, "-c", script, "--version"], cwd=tmp_path, text=True)
    assert said == f"ghost {__version__}\n"
