"""The stance models that there are: the bundled one, those of the hub on this machine, a folder, and what to fetch."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from config import Settings
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
from ghost.jobs import Progress
from ghost.judges import calibration_for

NOT_MEASURED = "not measured here"
MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Recommended:
    """A model of the hub that is worth its download."""

    name: str
    licence: str
    bytes: int
    """About so much; what it is exactly is known when it is fetched."""
    note: str


RECOMMENDED = (
    Recommended(
        "Xenova/DeBERTa-v3-base-mnli-fever-anli", "MIT (that of the model it was made from)", 750 * MB,
        "The next one as ONNX, which runs without torch.",
    ),
    Recommended(
        "MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli", "MIT", 380 * MB,
        "Trained on 760,000 pairs of MultiNLI, FEVER and ANLI. It has no ONNX file, so it needs requirements.txt.",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class StanceModel:
    """A stance model as it is shown."""

    name: str
    kind: str
    """``bundled``, ``fetched``, ``folder``, or ``to fetch``."""
    wanted: bool = False
    """Whether the settings name it."""
    licence: str = ""
    bytes: int | None = None
    path: str = ""
    """Where it is kept; empty when it is not on this machine."""
    checksum: str = ""
    revision: str = ""
    measured: str = NOT_MEASURED
    calibrated: bool = False
    note: str = ""
    problem: str = ""
    """Why it cannot be used."""

    @property
    def there(self) -> bool:
        """Whether it is on this machine."""
        return bool(self.path)


def is_calibrated(checksum: str, settings: Settings) -> bool:
    """Whether probabilities of verdicts were fitted on the stances of these weights."""
    return calibration_for(checksum, settings.calibration_path) is not None


def stance_models(settings: Settings, models: Path) -> tuple[StanceModel, ...]:
    """The bundled one first, then the folder that the settings name, what was fetched, and what can be."""
    found = [_bundled(models / STANCE_FOLDER, settings)]
    wanted = settings.stance_model
    if wanted != BUNDLED_STANCE and Path(wanted).is_absolute():
        found.append(_folder(Path(wanted)))
    fetched = HubModels(settings.fetched_models_path).all()
    found += [_fetched(model, wanted) for model in fetched.values() if model.there]
    there = {model.name for model in found}
    if wanted != BUNDLED_STANCE and wanted not in there and not Path(wanted).is_absolute():
        known = next((r for r in RECOMMENDED if r.name == wanted), Recommended(wanted, "", 0, ""))
        found.append(replace(_to_fetch(known), wanted=True))
        there.add(wanted)
    found += [_to_fetch(r) for r in RECOMMENDED if r.name not in there]
    return tuple(replace(m, calibrated=bool(m.checksum) and is_calibrated(m.checksum, settings)) for m in found)


def fetch(settings: Settings, name: str, progress: Progress, file: str = "", revision: str = "") -> str:
    """Bring a model of the hub to this machine; what came of it, in words. Raises ModelError and what stops it."""
    model = fetched(settings, name, progress, file, revision)
    use = "" if settings.stance_model == name else f" and set GHOST_STANCE_MODEL={name}"
    return f"{name} is on this machine now, {model.bytes / MB:,.0f} MB. To use it, start Ghost again{use}."


def fetched(settings: Settings, name: str, progress: Progress, file: str = "", revision: str = "") -> HubModel:
    """Bring a model of the hub to this machine. Raises ModelError and what stops it."""

    def in_megabytes(what: str, done: int, total: int) -> None:
        progress(f"{what} (MB)" if total else what, done // MB, -(-total // MB))

    return HubModels(settings.fetched_models_path).fetch(name, in_megabytes, file, revision)


def _bundled(folder: Path, settings: Settings) -> StanceModel:
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


def _folder(path: Path) -> StanceModel:
    if (path / MANIFEST).is_file():
        found = _bundled(path, Settings.model_construct(stance_model=BUNDLED_STANCE))
        return replace(found, kind="folder")
    model = StanceModel(path.name, "folder", True, path=str(path))
    try:
        opened = open_folder(path)
        return replace(model, bytes=opened.bytes, checksum=_checksum(opened.weights, opened.weights.stat().st_mtime_ns))
    except (ModelError, OSError) as error:
        return replace(model, problem=str(error))


@lru_cache(maxsize=8)
def _checksum(weights: Path, changed: int) -> str:
    del changed  # a file that was changed since is another one
    return sha256(weights)


def _fetched(model: HubModel, wanted: str) -> StanceModel:
    shown = StanceModel(
        model.name, "fetched", model.name == wanted, model.licence, model.bytes, model.folder, model.checksum,
        model.revision, note=f"Its weights: {model.weights}.",
    )  # fmt: skip
    try:
        model.open()
    except ModelError as error:
        return replace(shown, problem=str(error))
    return shown


def _to_fetch(model: Recommended) -> StanceModel:
    return StanceModel(model.name, "to fetch", False, model.licence, model.bytes or None, note=model.note)


def _figures(figures: Mapping[str, object]) -> str:
    """The macro-F1 of each set that the manifest tells of."""
    read = {
        name: value["macro_f1"]
        for name, value in figures.items()
        if isinstance(value, Mapping) and isinstance(value.get("macro_f1"), float)
    }
    parts = [f"{f1:.2f} on {name.replace('_', ' ')}" for name, f1 in read.items()]
    return f"macro-F1 {', '.join(parts)}" if parts else NOT_MEASURED
