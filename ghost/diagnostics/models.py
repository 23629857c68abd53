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

ROLES = {
    "encoder": "Turns texts into vectors, to find passages by meaning.",
    "cross-encoder": "Compares a passage with a statement: supports, contradicts, neutral or off topic.",
    "injection": "Finds text that tries to steer the judge.",
    "claim-types": "Separates facts from opinions and rates how check-worthy a sentence is.",
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
    """SHA-256 of the weights, from the manifest."""
    bytes: int
    """Total size of its files."""
    problem: str = ""
    """Why it cannot be used; then only the name is filled in."""


def bundled_models(models: Path) -> tuple[Model, ...]:
    """The models in the folder, broken ones with their problem. Reads no weights."""
    return tuple(_model(path.parent) for path in sorted(models.glob(f"*/{MANIFEST}")))


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


def _model(folder: Path) -> Model:
    try:
        found = ModelFolder.open(folder)
    except ModelError as error:
        return Model(folder.name, "", "", "", "", 0, str(error))
    m = found.manifest
    size = sum((folder / name).stat().st_size for name in m.files)
    return Model(m.name, ROLES[m.kind], m.upstream, m.licence, found.checksum, size)


NOT_MEASURED = "not measured here"
MB = 1_000_000


@dataclass(frozen=True, slots=True)
class RecommendedModel:
    """A model on the hub that is worth its download."""

    name: str
    licence: str
    bytes: int
    """Approximate; the exact size is known after fetching."""
    note: str


RECOMMENDED = (
    RecommendedModel(
        "Xenova/DeBERTa-v3-base-mnli-fever-anli", "MIT (that of the model it was made from)", 750 * MB,
        "The next model as ONNX, which runs without torch.",
    ),
    RecommendedModel(
        "MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli", "MIT", 380 * MB,
        "Trained on 760,000 pairs of MultiNLI, FEVER and ANLI. It has no ONNX file, so it needs requirements.txt.",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class StanceModel:
    """A stance model and what is known about it."""

    name: str
    kind: str
    """``bundled``, ``fetched``, ``folder``, or ``to fetch``."""
    wanted: bool = False
    """Whether the settings name it."""
    licence: str = ""
    bytes: int | None = None
    path: str = ""
    """Its folder; empty when it is not on this machine."""
    checksum: str = ""
    revision: str = ""
    measured: str = NOT_MEASURED
    calibrated: bool = False
    note: str = ""
    problem: str = ""
    """Why it cannot be used."""

    @property
    def installed(self) -> bool:
        """Whether it is on this machine."""
        return bool(self.path)


def _is_calibrated(checksum: str, settings: Settings) -> bool:
    """Whether verdict probabilities were fitted on the stances of these weights."""
    return bool(checksum) and calibration_for(checksum, settings.calibration_path) is not None


def stance_models(settings: Settings, models: Path) -> tuple[StanceModel, ...]:
    """The bundled one, then the folder in the settings, the fetched ones, and those that can be fetched."""
    found = [_own_model(models / STANCE_FOLDER, settings)]
    wanted = settings.stance_model
    if wanted != BUNDLED_STANCE and Path(wanted).is_absolute():
        found.append(_model_folder(Path(wanted)))
    fetched = HubModels(settings.fetched_models_path).all()
    found += [_fetched(model, wanted) for model in fetched.values() if model.there]
    names = {model.name for model in found}
    if wanted != BUNDLED_STANCE and wanted not in names and not Path(wanted).is_absolute():
        known = next((r for r in RECOMMENDED if r.name == wanted), RecommendedModel(wanted, "", 0, ""))
        found.append(replace(_to_fetch(known), wanted=True))
        names.add(wanted)
    found += [_to_fetch(r) for r in RECOMMENDED if r.name not in names]
    return tuple(replace(m, calibrated=_is_calibrated(m.checksum, settings)) for m in found)


def fetch_stance_model(settings: Settings, name: str, report: Report, file: str = "", revision: str = "") -> HubModel:
    """Download a model from the hub. Raises ModelError and Cancelled."""

    def in_megabytes(what: str, done: int, total: int) -> None:
        report(f"{what} (MB)" if total else what, done // MB, -(-total // MB))

    return HubModels(settings.fetched_models_path).fetch(name, in_megabytes, file, revision)


def _own_model(folder: Path, settings: Settings) -> StanceModel:
    wanted = settings.stance_model == BUNDLED_STANCE
    try:
        model = ModelFolder.open(folder)
    except ModelError as error:
        return StanceModel(folder.name, "bundled", wanted, path=str(folder), problem=str(error))
    m = model.manifest
    size = sum((folder / name).stat().st_size for name in m.files)
    return StanceModel(
        m.name, "bundled", wanted, m.licence, size, str(folder), model.checksum, measured=_figures(m.figures)
    )


def _model_folder(path: Path) -> StanceModel:
    if (path / MANIFEST).is_file():
        found = _own_model(path, Settings.model_construct(stance_model=BUNDLED_STANCE))
        return replace(found, kind="folder")
    model = StanceModel(path.name, "folder", True, path=str(path))
    try:
        opened = open_folder(path)
        return replace(model, bytes=opened.bytes, checksum=_checksum(opened.weights, opened.weights.stat().st_mtime_ns))
    except (ModelError, OSError) as error:
        return replace(model, problem=str(error))


@lru_cache(maxsize=8)
def _checksum(weights: Path, changed: int) -> str:
    del changed  # part of the key, so that a changed file is read again
    return sha256(weights)


def _fetched(model: HubModel, wanted: str) -> StanceModel:
    shown = StanceModel(
        model.name, "fetched", model.name == wanted, model.licence, model.bytes, model.folder, model.checksum,
        model.revision, note=f"Weights: {model.weights}.",
    )  # fmt: skip
    try:
        model.open()
    except ModelError as error:
        return replace(shown, problem=str(error))
    return shown


def _to_fetch(model: RecommendedModel) -> StanceModel:
    return StanceModel(model.name, "to fetch", False, model.licence, model.bytes or None, note=model.note)


def _figures(figures: Mapping[str, object]) -> str:
    """The macro-F1 of each data set in the manifest."""
    read = {
        name: value["macro_f1"]
        for name, value in figures.items()
        if isinstance(value, Mapping) and isinstance(value.get("macro_f1"), float)
    }
    parts = [f"{f1:.2f} on {name.replace('_', ' ')}" for name, f1 in read.items()]
    return f"macro-F1 {', '.join(parts)}" if parts else NOT_MEASURED
