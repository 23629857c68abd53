"""With the web off nobody is asked for anything, and nothing is written outside the data folder."""

import functools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from config import PROJECT
from tests.seeded import PACKS_OFF

UNSHARE = ["unshare", "--map-root-user", "--net", "--mount"]
REPORTING = ("CI", "ORT_DISABLE_TELEMETRY", "HF_HUB_DISABLE_TELEMETRY", "ORT_RUNNING_UNIT_TESTS", "XDG_CACHE_HOME")
"""Variables that would keep a library silent or send its files elsewhere, whatever Ghost does."""
UPLOAD = 12
"""ONNX Runtime 1.31 looks up where to report about nine seconds after a model was loaded."""


@functools.cache
def _can_be_sealed() -> bool:
    """Whether this machine lets us make a network of our own: Linux, with namespaces for ordinary users."""
    tools = all(map(shutil.which, ("unshare", "mount")))
    return tools and subprocess.run([*UNSHARE, "true"], capture_output=True, check=False).returncode == 0


def _environment(home: Path) -> dict[str, str]:
    """What a person has set who wants nobody asked. One pack is enough to see what seeding does."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("GHOST_", "XDG_")) and k not in REPORTING}
    kept.pop("OPENAI_API_KEY", None)
    ours = {"GHOST_WEB": "false", "GHOST_JUDGE": "embedded", "GHOST_PACKS_OFF": PACKS_OFF}
    return {**kept, **ours, "HOME": str(home), "PYTHONPATH": str(PROJECT)}


def _sealed(command: list[str], home: Path, **more: str) -> dict[str, Any]:
    """Run a command of Python in a network of its own; what it printed, and the names that it looked up."""
    done = subprocess.run(
        [*UNSHARE, sys.executable, "tests/privacy/sealed.py", "100", "--", sys.executable, *command],
        cwd=PROJECT, env=_environment(home) | more, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["code"] == 0, found["err"]
    return found


Visited = tuple[Path, Future[dict[str, Any]]]


@pytest.fixture(scope="module", autouse=True)
def visited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visited | None]:
    """A visit of the page, with the home folder it has: it waits for UPLOAD, so other tests run meanwhile."""
    if not _can_be_sealed():
        yield None
        return
    home = tmp_path_factory.mktemp("home")
    with ThreadPoolExecutor(1) as pool:
        yield home, pool.submit(_sealed, ["tests/privacy/visited_page.py", str(UPLOAD)], home)


@pytest.fixture
def sealed() -> None:
    if not _can_be_sealed():
        pytest.skip("this system gives no network namespace to an ordinary user (unshare --map-root-user --net)")


def _files(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def test_a_verification_looks_nothing_up_and_leaves_the_home_folder_alone(sealed: None, tmp_path: Path) -> None:
    home, data = tmp_path / "home", tmp_path / "data"
    home.mkdir()
    command = ["-m", "ghost", "verify", "Bats are mammals.", "--no-web", "--json"]
    found = _sealed(command, home, GHOST_DATA_DIR=str(data))
    assert json.loads(found["out"])["status"] == "finished"
    assert found["names"] == []
    assert _files(home) == []


@pytest.mark.parametrize("module", ["ghost.__main__", "ghost.inference.session", "ghost.ui.serve", "bench", "training"])
def test_the_telemetry_is_off_before_anything_can_be_imported(module: str) -> None:
    code = f"import os, sys, {module}; print(os.environ['ORT_DISABLE_TELEMETRY'], 'onnxruntime' in sys.modules)"
    environment = {k: v for k, v in os.environ.items() if k not in REPORTING}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["1", "False"], done.stderr


def test_the_page_looks_nothing_up_and_leaves_the_home_folder_alone(sealed: None, visited: Visited) -> None:
    home, visit = visited
    found = visit.result()
    assert found["out"].strip() == "finished"
    assert set(found["names"]) == {"control.invalid"}
    assert _files(home) == []
