"""Who may know whom, and through which door. Reads the imports of every file; docs/architecture.md draws the same."""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from config import PROJECT

LEVELS: tuple[set[str], ...] = (
    {"ghost", "types", "errors", "events", "budget", "text", "listening", "connections", "logs"},
    {"inference", "records", "web", "demo_web", "telemetry"},
    {"knowledge", "matching"},
    {"judges", "reports", "seed_kb"},
    {"steps"},
    {"pipelines"},
    {"cards", "research"},
    {"jobs"},
    {"bulk"},
    {"workbench", "diagnostics"},
    {"testing"},
    {"bench"},
    {"ui", "cli", "api", "mcp"},
    {"app", "pages", "__main__"},
)
"""Rooms from the ground up. A room knows itself and the levels below it; those of the ground floor know each other."""

READ_SETTINGS = {"workbench", "diagnostics", "bench", "ui", "cli", "api", "mcp", "app", "pages", "__main__"}
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
    "fastapi": {"ghost.api"},
    "mcp": {"ghost.mcp"},
    "mcp_types": {"ghost.mcp"},
    "ddgs": {"ghost.web"},
    "httpcore": {"ghost.web"},
    "protego": {"ghost.web.fetch"},
    "psutil": {"ghost.records"},
    "jinja2": {"ghost.reports"},
    "lxml": {"ghost.web"},
    "tinycss2": {"ghost.web.extract"},
    "idna": {"ghost.text"},
    "trafilatura": {"ghost.web.extract"},
    "pint": {"ghost.text"},
    "pypdf": {"ghost.web.extract"},
    "py3langid": {"ghost.web.extract"},
    "charset_normalizer": {"ghost.web.extract"},
    "yaml": {"ghost.research"},
    "ray": {"ghost.bulk"},
    "prometheus_client": {"ghost.telemetry"},
    "opentelemetry": {"ghost.telemetry"},
}
"""A library that could be replaced is known in one place only, so that replacing it stays a small change."""

LAZY = {*"jinja2 torch sentence_transformers transformers huggingface_hub trafilatura pypdf py3langid pint".split()}
LAZY |= {"pyarrow", "ray"}
"""Long to import: never at the top of a file, or everybody pays for what few runs use."""

INNER_IMPORTS = {
    "training": 4,  # a model is trained on what its room makes of a text
    "tests": 1,  # keeps the models of all tests open
    "tests/inference": 1,  # and switches that off
    "tests/cli": 5,
    "tests/knowledge": 18,
    "tests/pages": 2,
    "tests/pipelines": 1,
    "tests/privacy": 1,
    "tests/records": 6,
    "tests/steps": 6,
    "tests/ui": 2,
}
"""How many imports still pass by the door of a room. These figures may only fall."""


@dataclass(frozen=True)
class Import:
    """One imported module, with the names taken from it."""

    importer: str
    imported: str
    names: tuple[str, ...]
    top: bool
    """Whether it runs when the file is imported."""

    def __str__(self) -> str:
        return f"{self.importer} imports {self.imported} ({', '.join(self.names)})"


def _files(*roots: str) -> list[Path]:
    return [path for root in roots for path in sorted((PROJECT / root).rglob("*.py"))]


def _module(path: Path) -> str:
    parts = path.relative_to(PROJECT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(path: Path) -> Iterator[Import]:
    def visit(node: ast.AST, importer: str, top: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                yield from (Import(importer, alias.name, (), top) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                assert child.level == 0, f"{importer}: imports are absolute here"
                names = tuple(alias.name for alias in child.names)
                if child.module == "ghost":  # `from ghost import types` names a room, not the package
                    yield from (Import(importer, f"ghost.{name}", (), top) for name in names)
                else:
                    yield Import(importer, str(child.module), names, top)
            else:
                test = ast.unparse(child.test) if isinstance(child, ast.If) else ""
                later = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) or test == "TYPE_CHECKING"
                who = "__main__" if test == "__name__ == '__main__'" else importer
                yield from visit(child, who, top and not later)

    yield from visit(ast.parse(path.read_text(encoding="utf-8")), _module(path), True)


def _room(module: str) -> str:
    """The room a module of ours is in: ``knowledge`` for ghost.knowledge.base, ``pages`` for pages.verify."""
    head, _, rest = module.partition(".")
    return head if head != "ghost" or rest in ("", "__version__") else rest.partition(".")[0]


def _level(room: str) -> int:
    found = next((number for number, rooms in enumerate(LEVELS) if room in rooms), None)
    assert found is not None, f"The room {room!r} has no level. Give it its place in LEVELS of tests/test_layering.py."
    return found


def _offered(door: Path) -> set[str] | None:
    """The names in ``__all__``, each of which must be there; None where a door offers whole modules."""
    body = ast.parse(door.read_text(encoding="utf-8")).body
    bound = {alias.asname or alias.name for node in body if isinstance(node, ast.ImportFrom) for alias in node.names}
    bound |= {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assigned = {ast.unparse(node.targets[0]): node.value for node in body if isinstance(node, ast.Assign)}
    if "__all__" not in assigned:
        return None
    names = set(ast.literal_eval(assigned["__all__"]))
    assert names <= bound | set(assigned), f"{door}: __all__ names {names - bound - set(assigned)}, which is not there"
    return names


def _within(module: str, places: set[str]) -> bool:
    return any(module == place or module.startswith(place + ".") for place in places)


OURS = {"ghost", "pages", "bench", "app", "seed_kb"}


@cache
def _all() -> list[Import]:
    """Every import of the house. Not read when the tests are collected: that takes seconds in each process."""
    files = [*_files("ghost", "pages", "bench"), PROJECT / "app.py", PROJECT / "seed_kb.py"]
    return [found for path in files for found in _imports(path)]


@cache
def _doors() -> dict[str, set[str] | None]:
    return {_module(path): _offered(path) for path in _files("ghost") if path.name == "__init__.py"}


def _passes_by(found: Import) -> bool:
    """Whether an import from another room does not come through its door. Each page of ``ui`` has a door of its own."""
    parts = found.imported.split(".")
    if parts[0] != "ghost" or len(parts) < 2 or _room(found.importer) == parts[1]:
        return False
    door = ".".join(parts[: 3 if parts[1] == "ui" and len(parts) > 2 else 2])
    if door == "ghost.cli":
        return found.imported != "ghost.cli.main"
    if door not in _doors():  # a room of a single file
        return False
    offered = _doors()[door]
    return found.imported != door or not (offered is None or offered >= set(found.names))


def test_a_room_knows_only_what_is_below_it() -> None:
    for found in _all():
        if found.imported.partition(".")[0] in OURS:
            mine, theirs = _room(found.importer), _room(found.imported)
            allowed = mine == theirs or _level(theirs) < _level(mine) or _level(theirs) == _level(mine) == 0
            assert allowed, f"{found}: {mine} must not know {theirs}"


def test_a_room_is_entered_by_its_door() -> None:
    assert not [str(found) for found in _all() if _passes_by(found)], "import from the room, not from a file in it"
    others = [found for path in _files("training", "scripts", "tests") for found in _imports(path) if _passes_by(found)]
    place = {found: "/".join(found.importer.split(".")[:-1][:2]) for found in others}
    counts = Counter(place.values())
    assert not [str(found) for found in others if counts[place[found]] > INNER_IMPORTS.get(place[found], 0)]


def test_settings_are_read_at_the_entrances_only() -> None:
    assert not [str(i) for i in _all() if i.imported == "config" and _room(i.importer) not in READ_SETTINGS]


def test_nobody_below_knows_who_stands_above() -> None:
    """Settings know nothing of ours; the house knows neither trainers nor tests."""
    assert not {i.imported.partition(".")[0] for i in _imports(PROJECT / "config.py")} & {*OURS, "training", "tests"}
    assert not [str(i) for i in _all() if i.imported.partition(".")[0] in ("training", "tests")]


@pytest.mark.parametrize("library", ONLY_IN)
def test_a_library_is_known_in_one_place(library: str) -> None:
    users = [i for i in _all() if i.imported.partition(".")[0] == library]
    assert not [str(i) for i in users if not _within(i.importer, ONLY_IN[library])]


def test_what_takes_seconds_to_import_is_imported_when_needed() -> None:
    assert not [str(i) for i in _all() if i.imported.partition(".")[0] in LAZY and i.top]


def test_the_checks_see_the_house() -> None:
    """A reader that found nothing would pass everything above."""
    assert any(i.importer == "ghost.pipelines.seven_steps" and i.imported == "ghost.types" for i in _all())
    assert _passes_by(Import("tests.x", "ghost.web.fetch", ("X",), True))
    assert _passes_by(Import("tests.x", "ghost.web", ("not_offered",), True))
    assert not _passes_by(Import("tests.x", "ghost.types", ("Claim",), True))
