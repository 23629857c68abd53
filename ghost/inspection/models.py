"""The models that come with Ghost, and the versions of what runs them."""

import platform
import sqlite3
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ghost import __version__
from ghost.errors import ModelError
from ghost.inference import MANIFEST, ModelFolder
from ghost.jobs import Progress

ROLES = {
    "encoder": "Turns texts into vectors, to find passages by their meaning.",
    "cross-encoder": "Reads a passage against a statement: supports, contradicts, neutral or off the topic.",
    "claim-types": "Tells facts from opinions, and how much a check of a sentence is worth.",
    "injection": "Finds text that tries to steer who judges it.",
}
PACKAGES = (
    "chromadb",
    "onnxruntime",
    "tokenizers",
    "openai",
    "streamlit",
    "sqlalchemy",
    "numpy",
    "ddgs",
    "trafilatura",
)


@dataclass(frozen=True, slots=True)
class Model:
    """A bundled model as its manifest describes it."""

    name: str
    role: str
    upstream: str
    licence: str
    checksum: str
    """SHA-256 of the weights, as the manifest has it."""
    bytes: int
    """Of all its files."""
    problem: str = ""
    """Why it cannot be used; the other fields are empty then, but for the name."""


def bundled(models: Path) -> tuple[Model, ...]:
    """The models in the folder; a broken one is among them with its problem. Reads no weights."""
    return tuple(_model(path.parent) for path in sorted(models.glob(f"*/{MANIFEST}")))


def verify(models: Path, progress: Progress) -> str:
    """Compare every file with its checksum; raises WeightsDamagedError or WeightsMissingError naming it."""
    folders = sorted(path.parent for path in models.glob(f"*/{MANIFEST}"))
    for number, folder in enumerate(folders):
        progress(f"Reading {folder.name}", number, len(folders))
        ModelFolder.open(folder).verify()
    return f"All files of {len(folders)} models are what their manifests say."


def versions() -> dict[str, str]:
    """Ghost, Python and what does the work, each with its version."""
    found = {"ghost": __version__, "python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def _model(folder: Path) -> Model:
    try:
        found = ModelFolder.open(folder)
    except ModelError as error:
        return Model(folder.name, "", "", "", "", 0, str(error))
    m = found.manifest
    size = sum((folder / name).stat().st_size for name in m.files)
    return Model(m.name, ROLES[m.kind], m.upstream, m.licence, found.checksum, size)
