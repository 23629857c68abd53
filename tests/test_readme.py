"""The documentation says what the code does: examples run, settings and messages exist, links lead somewhere.

``python -m tests.test_readme`` puts what the examples print today into README.md; read it before you keep it.
"""

import ast
import os
import re
import runpy
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from config import PROJECT, Settings
from tests.seeded import Seeded

README = (PROJECT / "README.md").read_text(encoding="utf-8")
DOCS = [PROJECT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
DOCS += sorted((PROJECT / "docs").glob("*.md"))
EXAMPLE = re.compile(r"<!-- tested -->\n```(console|python)\n(.*?)```", re.DOTALL)
CHANGES = re.compile(r"[0-9a-f]{32}|\d+\.\d+ s\b|\d+%")
"""What differs from run to run or from processor to processor: run ids, times, confidence."""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory, seeded: Seeded) -> dict[str, str]:
    """An environment with a knowledge base of its own, which the examples share as a reader's would: all packs."""
    folder = tmp_path_factory.mktemp("readme")
    seeded.copy(folder, packs_off="")
    return _environment(folder)


def _environment(folder: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GHOST_") and k != "OPENAI_API_KEY"}
    settings = {"GHOST_DATA_DIR": str(folder), "GHOST_JUDGE": "embedded", "GHOST_WEB": "false"}
    return kept | settings | {"COLUMNS": "80", "PYTHONPATH": str(PROJECT), "PYTHONIOENCODING": "utf-8"}


def _parts(kind: str, code: str) -> tuple[str, list[str], str]:
    """What is typed, the same as arguments for Python, and the output that is shown."""
    if kind == "python":
        body, _, shown = code.partition("\n# prints: ")
        return body, ["-c", body], shown
    command, _, shown = code.partition("\n")
    program, *words = shlex.split(command.removeprefix("$ "))
    assert program == "python"
    return command, words, shown


def _run(words: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, *words], cwd=PROJECT, env=environment, capture_output=True, text=True, encoding="utf-8",
        check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def _same(shown: str) -> str:
    return " ".join(CHANGES.sub("#", shown).split())


@pytest.mark.parametrize(("kind", "code"), EXAMPLE.findall(README))
def test_the_examples_print_what_they_show(kind: str, code: str, environment: dict[str, str]) -> None:
    _, words, shown = _parts(kind, code)
    assert _same(_run(words, environment)) == _same(shown), "python -m tests.test_readme shows what they print now"


def test_there_are_examples() -> None:
    kinds = [kind for kind, _ in EXAMPLE.findall(README)]
    assert kinds.count("console") >= 2
    assert kinds.count("python") >= 1


def test_the_page_of_settings_is_that_of_the_code() -> None:
    table = runpy.run_path(str(PROJECT / "scripts" / "settings_table.py"))
    shown = (PROJECT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert shown == table["page"](), "python scripts/settings_table.py writes the page"


def test_every_setting_is_described() -> None:
    assert not [name for name, field in Settings.model_fields.items() if not field.description]


@pytest.mark.parametrize("path", DOCS, ids=lambda p: p.name)
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        file = (path.parent / name) if name else path
        assert file.exists(), f"{path.name} points at {target}"
        if anchor:
            headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in [re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in headings]


@pytest.mark.parametrize("path", [p for p in DOCS if p.name != "CHANGELOG.md"], ids=lambda p: p.name)
def test_files_that_are_named_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for name in re.findall(r"`((?:ghost|tests|docs|pages|training)/[\w./-]+)`", text):
        assert (PROJECT / name).exists(), f"{path.name} names {name}"


def test_make_targets_that_are_named_exist() -> None:
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([\w-]+):", makefile, re.MULTILINE))
    for path in DOCS:
        named = set(
            re.findall(r"(?:^|`|\s)make ([a-z][\w-]*)(?=`|\s{2,}|$)", path.read_text(encoding="utf-8"), re.MULTILINE)
        )
        assert named <= targets, f"{path.name} names {named - targets}"


def _strings() -> str:
    """Every text in the code, with the parts that are filled in as an ellipsis."""
    found = [(PROJECT / "Makefile").read_text(encoding="utf-8")]
    for path in [PROJECT / "config.py", *sorted((PROJECT / "ghost").rglob("*.py"))]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                found.append("".join(str(v.value) if isinstance(v, ast.Constant) else "…" for v in node.values))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(node.value)
    return "\n".join(found)


def test_the_messages_in_troubleshooting_are_the_ones_in_the_code() -> None:
    text = (PROJECT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    strings = _strings()
    quoted = [q for q in re.findall(r"^### .*?“(.*)”$", text, re.MULTILINE) if "ensurepip" not in q]
    assert len(quoted) > 20
    for message in quoted:
        parts = [part.strip(" .") for part in message.split("…")]
        missing = [part for part in parts if len(part) > 3 and part not in strings]
        assert not missing, f"no message of the code says {missing}"


def _renewed(readme: str, environment: dict[str, str]) -> str:
    def renew(match: re.Match[str]) -> str:
        kind, code = match.groups()
        typed, words, _ = _parts(kind, code)
        before = "\n# prints: " if kind == "python" else "\n"
        return f"<!-- tested -->\n```{kind}\n{typed}{before}{_run(words, environment).rstrip()}\n```"

    return EXAMPLE.sub(renew, readme)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        (PROJECT / "README.md").write_text(_renewed(README, _environment(Path(temporary))), encoding="utf-8")
