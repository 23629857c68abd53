"""Who may know whom. Reads the imports of every file; docs/architecture.md shows the same as a picture."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from config import PROJECT

LEVELS: tuple[set[str], ...] = (
    {"ghost", "types", "errors", "events", "budget", "text"},
    {"inference", "records", "web", "demo_web"},
    {"knowledge", "matching"},
    {"judges", "reports", "seed_kb"},
    {"steps"},
    {"pipelines"},
    {"cards", "research"},
    {"jobs"},
    {"workbench", "diagnostics"},
    {"testing"},
    {"bench"},
    {"ui", "cli", "api", "mcp"},
    {"app", "pages", "__main__"},
)
"""Rooms from the ground up. A room knows itself and the levels below it; the ground floor knows itself."""

READ_SETTINGS = {"workbench", "diagnostics", "bench", "ui", "cli", "app", "pages", "__main__"}
"""Everybody else is handed values, not settings."""

ONLY_IN: dict[str, set[str]] = {
    "chromadb": {"ghost.knowledge.vectors"},
    "openai": {"ghost.judges"},
    "onnxruntime": {"ghost.inference"},
    "huggingface_hub": {"ghost.inference"},
    "torch": {"ghost.inference"},
    "sentence_transformers": {"ghost.inference"},
    "transformers": {"ghost.inference"},
    "streamlit": {"ghost.ui", "pages", "app", "bench.session"},  # the last one speaks its protocol
    "ddgs": {"ghost.web"},
    "httpcore": {"ghost.web"},
    "jinja2": {"ghost.reports"},
    "lxml": {"ghost.web"},
    "tinycss2": {"ghost.web.extract"},
    "cssselect2": {"ghost.web.extract"},
    "idna": {"ghost.text.hostname"},
    "trafilatura": {"ghost.web.extract.main_text"},
    "pint": {"ghost.text.quantities"},
    "pypdf": {"ghost.web.extract.pdf_worker"},
    "py3langid": {"ghost.web.extract.decoding"},
    "charset_normalizer": {"ghost.web.extract.decoding"},
}
"""A library that could be replaced is known in one place only, so that replacing it stays a small change."""

LAZY = {
    "jinja2",
    "torch",
    "sentence_transformers",
    "transformers",
    "huggingface_hub",
    "trafilatura",
    "pypdf",
    "py3langid",
    "pint",
}
"""Long to import: never at the top of a file, or everybody pays for what few runs use."""

APART = {"training", "tests"}
"""The house does not know these."""


@dataclass(frozen=True)
class Import:
    """One import statement as it counts here."""

    importer: str
    imported: str
    top: bool
    """Whether it runs when the file is imported."""

    def __str__(self) -> str:
        return f"{self.importer} imports {self.imported}"


def _sources() -> list[Path]:
    roots = [PROJECT / name for name in ("ghost", "pages", "bench")]
    files = [path for root in roots for path in sorted(root.rglob("*.py"))]
    return files + [path for name in ("app.py", "seed_kb.py", "config.py") if (path := PROJECT / name).exists()]


def _module(path: Path) -> str:
    parts = path.relative_to(PROJECT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(path: Path) -> Iterator[Import]:
    importer = _module(path)

    def visit(node: ast.AST, top: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                yield from (Import(importer, alias.name, top) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                assert child.level == 0, f"{importer}: imports are absolute here"
                assert child.module
                if child.module == "ghost":  # `from ghost import types` names a room, not the package
                    yield from (Import(importer, f"ghost.{alias.name}", top) for alias in child.names)
                else:
                    yield Import(importer, child.module, top)
            else:
                later = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) or _for_types_only(child)
                yield from visit(child, top and not later)

    yield from visit(ast.parse(path.read_text(encoding="utf-8")), True)


def _for_types_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _room(module: str) -> str:
    """The room a module of ours is in: ``knowledge`` for ghost.knowledge.base, ``pages`` for pages.verify."""
    head, _, rest = module.partition(".")
    if head != "ghost" or not rest or rest == "__version__":
        return head
    return rest.partition(".")[0]


def _level(room: str) -> int:
    levels = [number for number, rooms in enumerate(LEVELS) if room in rooms]
    assert levels, f"The room {room!r} has no level. Give it its place in LEVELS of tests/test_layering.py."
    return levels[0]


def _within(module: str, places: set[str]) -> bool:
    return any(module == place or module.startswith(place + ".") for place in places)


OURS = {"ghost", "pages", "bench", "app", "seed_kb"}
ALL = [found for path in _sources() for found in _imports(path)]


@pytest.mark.parametrize("path", _sources(), ids=_module)
def test_a_room_knows_only_what_is_below_it(path: Path) -> None:
    if path.name == "config.py":
        return
    for found in _imports(path):
        if found.imported.partition(".")[0] not in OURS:
            continue
        mine, theirs = _room(found.importer), _room(found.imported)
        allowed = mine == theirs or _level(theirs) < _level(mine) or _level(theirs) == _level(mine) == 0
        assert allowed, f"{found}: {mine} must not know {theirs}"


def test_settings_are_read_at_the_entrances_only() -> None:
    wrong = [str(i) for i in ALL if i.imported == "config" and _room(i.importer) not in READ_SETTINGS]
    assert not wrong


def test_config_knows_nothing_of_ours() -> None:
    names = {i.imported.partition(".")[0] for i in _imports(PROJECT / "config.py")}
    assert not names & (OURS | APART)


@pytest.mark.parametrize("library", ONLY_IN)
def test_a_library_is_known_in_one_place(library: str) -> None:
    wrong = [
        str(i) for i in ALL if i.imported.partition(".")[0] == library and not _within(i.importer, ONLY_IN[library])
    ]
    assert not wrong


def test_what_takes_seconds_to_import_is_imported_when_needed() -> None:
    assert not [str(i) for i in ALL if i.imported.partition(".")[0] in LAZY and i.top]


def test_trainers_and_tests_stay_outside() -> None:
    assert not [str(i) for i in ALL if i.imported.partition(".")[0] in APART]


def test_the_checks_see_the_house() -> None:
    """A reader that found nothing would pass everything above."""
    assert Import("ghost.pipelines.seven_steps", "ghost.types", True) in ALL
    assert len(ALL) > 100
