"""The bundled models, the stance models that can replace the bundled one, and the versions of the packages."""

import platform
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from config import Settings
from ghost import __version__
from ghost.errors import ModelError
from ghost.inference import (
    BUNDLED_STANCE,
    MANIFEST,
    STANCE_FOLDER,
    HubModel,
    HubModels,
    ModelFolder,
    open_folder,
    sha256,
)
from ghost.jobs import Report
from ghost.judges import calibration_for

MB = 1_000_000
NOT_MEASURED = "not measured here"
ROLES = {
    "encoder": "Turns texts into vectors, to find passages by meaning.",
    "cross-encoder": "Compares a passage with a statement: supports, contradicts, neutral or off topic.",
    "injection": "Finds text that tries to steer the judge.",
    "claim-types": "Separates facts from opinions and rates how check-worthy a sentence is.",
    "claim-match": "Tells whether two claims say the same, the opposite, or something else.",
}
PACKAGES = (
    "chromadb", "onnxruntime", "tokenizers", "openai", "streamlit", "sqlalchemy", "numpy", "ddgs", "trafilatura",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Model:
    """A model and what is known about it."""

    name: str
    kind: str = "bundled"
    """``bundled``, or of a stance model ``fetched``, ``folder`` or ``to fetch``."""
    role: str = ""
    upstream: str = ""
    licence: str = ""
    bytes: int | None = None
    """Total size of its files, or about the size of the download; None when unknown."""
    path: str = ""
    """Its folder; empty when it is not on this machine."""
    checksum: str = ""
    """SHA-256 of the weights."""
    revision: str = ""
    wanted: bool = False
    """Whether it is a stance model that the settings name."""
    measured: str = NOT_MEASURED
    calibrated: bool = False
    """Whether verdict probabilities were fitted on the stances of these weights."""
    note: str = ""
    problem: str = ""
    """Why it cannot be used."""

    @property
    def installed(self) -> bool:
        """Whether it is on this machine."""
        return bool(self.path)


RECOMMENDED = (
    Model(
        "Xenova/DeBERTa-v3-base-mnli-fever-anli", "to fetch", licence="MIT (that of the model it was made from)",
        bytes=750 * MB, note="The next model as ONNX, which runs without torch.",
    ),
    Model(
        "MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli", "to fetch", licence="MIT", bytes=380 * MB,
        note="Trained on 760,000 pairs of MultiNLI, FEVER and ANLI. It has no ONNX file, so it needs requirements.txt.",
    ),
)  # fmt: skip
"""On the hub and worth their download."""


def bundled_models(models: Path) -> tuple[Model, ...]:
    """The models in the folder, broken ones with their problem. Reads no weights."""
    return tuple(_described(path.parent) for path in sorted(models.glob(f"*/{MANIFEST}")))


def verify_models(models: Path, report: Report) -> str:
    """Compare every file with its checksum. Raises WeightsDamagedError or WeightsMissingError naming the file."""
    folders = sorted(path.parent for path in models.glob(f"*/{MANIFEST}"))
    for number, folder in enumerate(folders):
        report(f"Reading {folder.name}", number, len(folders))
        ModelFolder.open(folder).verify()
    return f"All files of {len(folders)} models match their checksums."


def versions() -> dict[str, str]:
    """Ghost, Python and the main packages, each with its version."""
    found = {"ghost": __version__, "python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def stance_models(settings: Settings, models: Path) -> tuple[Model, ...]:
    """The bundled one, then the folder in the settings, the fetched ones, and those that can be fetched."""
    wanted = settings.stance_model
    found = [_described(models / STANCE_FOLDER)]
    if wanted != BUNDLED_STANCE and Path(wanted).is_absolute():
        found.append(replace(_folder(Path(wanted)), kind="folder", wanted=True))
    found += [_fetched(model) for model in HubModels(settings.fetched_models_path).all().values() if model.there]
    known = [model.name for model in (*found, *RECOMMENDED)]
    if wanted != BUNDLED_STANCE and wanted not in known and not Path(wanted).is_absolute():
        found.append(Model(wanted, "to fetch"))
    here = {model.name for model in found}
    found += sorted((m for m in RECOMMENDED if m.name not in here), key=lambda m: m.name != wanted)
    found[0] = replace(found[0], wanted=wanted == BUNDLED_STANCE)
    return tuple(
        replace(
            m, wanted=m.wanted or m.name == wanted,
            calibrated=bool(m.checksum) and calibration_for(m.checksum, settings.calibration_path) is not None,
        )
        for m in found
    )  # fmt: skip


def fetch_stance_model(settings: Settings, name: str, report: Report, file: str = "", revision: str = "") -> HubModel:
    """Download a model from the hub. Raises ModelError and Cancelled."""

    def in_megabytes(what: str, done: int, total: int) -> None:
        report(f"{what} (MB)" if total else what, done // MB, -(-total // MB))

    return HubModels(settings.fetched_models_path).fetch(name, in_megabytes, file, revision)


def _described(folder: Path) -> Model:
    """A model with a manifest of ours."""
    try:
        found = ModelFolder.open(folder)
    except ModelError as error:
        return Model(folder.name, path=str(folder), problem=str(error))
    m = found.manifest
    return Model(
        m.name, role=ROLES[m.kind], upstream=m.upstream, licence=m.licence, path=str(folder), checksum=found.checksum,
        bytes=sum((folder / name).stat().st_size for name in m.files), measured=_figures(m.figures),
    )  # fmt: skip


def _folder(path: Path) -> Model:
    if (path / MANIFEST).is_file():
        return _described(path)
    try:
        opened = open_folder(path)
        checksum = _checksum(opened.weights, opened.weights.stat().st_mtime_ns)
        return Model(path.name, path=str(path), bytes=opened.bytes, checksum=checksum)
    except (ModelError, OSError) as error:
        return Model(path.name, path=str(path), problem=str(error))


@lru_cache(maxsize=8)
def _checksum(weights: Path, changed: int) -> str:
    del changed  # part of the key, so that a changed file is read again
    return sha256(weights)


def _fetched(model: HubModel) -> Model:
    problem = ""
    try:
        model.open()
    except ModelError as error:
        problem = str(error)
    return Model(
        model.name, "fetched", licence=model.licence, bytes=model.bytes, path=model.folder, checksum=model.checksum,
        revision=model.revision, note=f"Weights: {model.weights}.", problem=problem,
    )  # fmt: skip


def _figures(figures: Mapping[str, object]) -> str:
    """The macro-F1 of each data set in the manifest."""
    parts = [
        f"{value['macro_f1']:.2f} on {name.replace('_', ' ')}"
        for name, value in figures.items()
        if isinstance(value, Mapping) and isinstance(value.get("macro_f1"), float)
    ]
    return f"macro-F1 {', '.join(parts)}" if parts else NOT_MEASURED
