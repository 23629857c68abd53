"""A stance model as it is published: a folder with ``config.json``, a tokeniser, and weights as ONNX or safetensors.

Weights that are pickled (``pytorch_model.bin``) are never opened, since that runs whatever code is in them.
"""

import importlib.util
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ValidationError

from ghost.errors import ModelError, WeightsDamagedError, WeightsMissingError
from ghost.inference.weights import sha256
from ghost.types import Stance, StanceLabel

_NAMES: dict[str, StanceLabel] = {
    **dict.fromkeys(
        ("entailment", "entail", "entails", "entailed", "supports", "support", "supported"), StanceLabel.SUPPORTS
    ),
    **dict.fromkeys(
        ("contradiction", "contradict", "contradicts", "contradictory", "refutes", "refute", "refuted"),
        StanceLabel.REFUTES,
    ),
    **dict.fromkeys(
        ("neutral", "not enough info", "not enough information", "not enough evidence", "nei"), StanceLabel.NEUTRAL
    ),
    **dict.fromkeys(("off topic", "offtopic"), StanceLabel.OFF_TOPIC),
}
"""As training sets of the field call their classes, in lower case with single blanks."""
_NEEDED = (StanceLabel.SUPPORTS, StanceLabel.REFUTES, StanceLabel.NEUTRAL)

_UNNAMED = re.compile(r"label ?\d+")
_GAPS = re.compile(r"[\s_-]+")

ELSE = (
    "A stance model has three classes: entailment, contradiction and neutral. Name another "
    "model in GHOST_STANCE_MODEL, or leave it out to use the bundled one."
)
CONFIG = "config.json"
TOKENIZER = "tokenizer.json"
SAFETENSORS = "model.safetensors"
BESIDE = (
    "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "spm.model", "sentencepiece.bpe.model",
    "vocab.txt", "vocab.json", "merges.txt",
)  # fmt: skip
"""What a tokeniser may need besides, where it is there."""
MAX_TOKENS = 512
"""No passage is longer, and time grows with the square of the length."""
MAX_JSON = 2_000_000

_ONNX = re.compile(r"(?:onnx/)?[\w.-]{1,100}\.onnx", re.ASCII)
_PREFERRED = (
    "onnx/model.onnx", "model.onnx", "onnx/model_quantized.onnx", "model_quantized.onnx", "onnx/model_int8.onnx",
    "onnx/model_quint8_avx2.onnx", "onnx/model_qint8_arm64.onnx",
)  # fmt: skip
"""Full precision first: what quantising costs differs from model to model, and nobody has measured it here."""
_OFFSET = {"roberta", "xlm-roberta", "camembert", "mpnet", "longformer", "xlm-roberta-xl"}
"""Models that count positions from the padding token on, so that two of them are never used."""


class NliConfig(BaseModel):
    """The part of ``config.json`` that matters here."""

    id2label: dict[int, str] = {}
    architectures: list[str] | None = None
    model_type: str = ""
    max_position_embeddings: int | None = None

    def columns(self, name: str) -> dict[StanceLabel, int]:
        """The column of each stance; raises ModelError when this is no stance model."""
        kinds = self.architectures or []
        if kinds and not any(kind.endswith("ForSequenceClassification") for kind in kinds):
            raise ModelError(
                f"{name} is a {kinds[0][:80]}, not a classifier: it cannot tell support from contradiction. {ELSE}"
            )
        return _columns(self.id2label, name)


class _TokenizerConfig(BaseModel):
    model_max_length: float | None = None


@dataclass(frozen=True, slots=True)
class NliFolder:
    """A folder whose files were looked at, not read: ``verify`` compares them where their checksums are known."""

    path: Path
    name: str
    columns: Mapping[StanceLabel, int]
    weights: Path
    max_tokens: int
    remedy: str
    checksums: Mapping[str, str]
    """SHA-256 of files by their names in the folder, as they were when the model was fetched; may be empty."""

    @property
    def tokenizer(self) -> Path:
        """The tokeniser's file."""
        return self.path / TOKENIZER

    @property
    def on_onnx(self) -> bool:
        """Whether ONNX Runtime runs it; else torch does."""
        return self.weights.suffix == ".onnx"

    @property
    def bytes(self) -> int:
        """Size of what is read of it."""
        names = {CONFIG, TOKENIZER, *BESIDE, self.weights.relative_to(self.path).as_posix()}
        return sum(file.stat().st_size for name in names if (file := self.path / name).is_file())

    @property
    def weights_checksum(self) -> str:
        """SHA-256 of the weights: as recorded when they were fetched, else of what is there now."""
        recorded = self.checksums.get(self.weights.relative_to(self.path).as_posix())
        return recorded or sha256(self.weights, self.remedy)

    def stances(self, logits: np.ndarray) -> list[Stance]:
        """From the outputs of the model, a row for each pair, to stances; raises ModelError for what is no number."""
        if not np.isfinite(logits).all():
            raise ModelError(
                f"The model {self.name} gave numbers that are not finite, so its weights are damaged. {self.remedy}"
            )
        powers = np.exp(logits - logits.max(axis=1, keepdims=True)) if len(logits) else logits
        shares = powers / powers.sum(axis=1, keepdims=True) if len(logits) else powers
        columns = [self.columns.get(label) for label in StanceLabel]
        return [Stance(*(0.0 if c is None else float(row[c]) for c in columns)) for row in shares]

    def verify(self) -> None:
        """Raises WeightsDamagedError or WeightsMissingError when a file is not the one that was fetched."""
        for name, expected in self.checksums.items():
            file = self.path / name
            if not file.is_file():
                raise WeightsMissingError(f"{file} is missing. {self.remedy}")
            if sha256(file, self.remedy) != expected:
                raise WeightsDamagedError(
                    f"{file} is not what was fetched (its checksum differs), so the disk or another program has "
                    f"changed it. {self.remedy}"
                )


def open_folder(
    path: Path,
    name: str = "",
    remedy: str = "",
    weights: str = "",
    checksums: Mapping[str, str] | None = None,
) -> NliFolder:
    """Look at what a folder holds; ``weights`` names the file to use where there are several.

    Raises ModelError (WeightsMissingError, WeightsDamagedError) with the reason and what to do.
    """
    name = name or path.name
    remedy = remedy or f"Put the model's files into {path} again, as they are published."
    config = read_config(path / CONFIG, name, remedy)
    found = config.columns(name)
    names = [file.relative_to(path).as_posix() for file in (*path.glob("*"), *path.glob("onnx/*")) if file.is_file()]
    file = weights or choose_weights(names, name)
    if not (path / file).is_file():
        raise WeightsMissingError(f"{path / file} is missing. {remedy}")
    length = _max_tokens(path, config)
    return NliFolder(path, name, found, path / file, length, remedy, checksums or {})


def choose_weights(names: Iterable[str], name: str) -> str:
    """Of the files of a model the one to use: ONNX with its tokeniser, else safetensors; raises ModelError."""
    there = set(names)
    onnx = [file for file in _PREFERRED if file in there] or sorted(file for file in there if _ONNX.fullmatch(file))
    # Weights outside the file itself would be read from wherever it says.
    onnx = [file for file in onnx if not {f"{file}_data", f"{file}.data"} & there]
    if onnx and TOKENIZER in there:
        return onnx[0]
    if SAFETENSORS in there:
        return SAFETENSORS
    if onnx:
        raise WeightsMissingError(
            f"{name} has no {TOKENIZER}, without which its ONNX file cannot be used. A model with one is needed: {ELSE}"
        )
    if any(file.endswith((".bin", ".pt", ".pth", ".ckpt", ".pkl")) for file in there):
        raise ModelError(
            f"{name} has pickled weights only, which are never opened, since that runs whatever code is in them. "
            f"Choose a model with {SAFETENSORS} or an ONNX file. {ELSE}"
        )
    raise WeightsMissingError(f"{name} has neither an ONNX file in one piece nor {SAFETENSORS}. {ELSE}")


def is_onnx(file: str) -> bool:
    """Whether this is the name of an ONNX file where Ghost looks for one: in the folder itself, or in ``onnx/``."""
    return bool(_ONNX.fullmatch(file)) and ".." not in file


def runs_here(weights: str) -> bool:
    """Whether what runs such a file is installed."""
    return weights.endswith(".onnx") or bool(importlib.util.find_spec("sentence_transformers"))


def read_config(file: Path, name: str, remedy: str) -> NliConfig:
    """``config.json``; raises WeightsMissingError or WeightsDamagedError."""
    try:
        with file.open("rb") as stream:
            return NliConfig.model_validate_json(stream.read(MAX_JSON))
    except FileNotFoundError as error:
        raise WeightsMissingError(f"{file} is missing, so {name} is no model that can be used. {remedy}") from error
    except OSError as error:
        raise WeightsDamagedError(f"{file} cannot be read ({error.strerror}). {remedy}") from error
    except ValidationError as error:
        raise WeightsDamagedError(f"{file} does not describe a model. {remedy}") from error


def _max_tokens(path: Path, config: NliConfig) -> int:
    limits = [MAX_TOKENS]
    if config.max_position_embeddings:
        limits.append(config.max_position_embeddings - (2 if config.model_type in _OFFSET else 0))
    try:
        with (path / "tokenizer_config.json").open("rb") as stream:
            length = _TokenizerConfig.model_validate_json(stream.read(MAX_JSON)).model_max_length
    except (OSError, ValidationError):
        length = None  # many models have none, and then the other limits hold
    if length and length >= 8:
        limits.append(int(min(length, MAX_TOKENS)))
    return max(8, min(limits))


def _columns(id2label: Mapping[int, str], name: str) -> dict[StanceLabel, int]:
    """The column of each stance among the outputs of the model ``name``; off-topic only where there is one.

    Raises ModelError when the names do not tell, or tell that this is another kind of model.
    """
    labels = [id2label[i] for i in sorted(id2label)]
    shown = ", ".join(labels[:6])[:200] or "none"
    if sorted(id2label) != list(range(len(labels))):
        raise ModelError(f"The classes of {name} are not numbered from 0 in its config.json. {ELSE}")
    if len(labels) < 2:
        raise ModelError(
            f"{name} has no classes, so it scores or embeds texts and cannot tell support from contradiction. {ELSE}"
        )
    if len(labels) == 2:
        raise ModelError(
            f"{name} has two classes ({shown}), so it cannot tell a passage that contradicts a claim from one that "
            f"leaves it open. {ELSE}"
        )
    found: dict[StanceLabel, int] = {}
    for column, label in enumerate(labels):
        words = _GAPS.sub(" ", label).strip().lower()
        if _UNNAMED.fullmatch(words):
            raise ModelError(
                f"The config.json of {name} calls its classes {shown}, which does not say which one means support. "
                "Where you know it, copy the model to a folder of your own, write entailment, contradiction and "
                "neutral into id2label in config.json, and name that folder in GHOST_STANCE_MODEL."
            )
        stance = _NAMES.get(words)
        if stance is None or stance in found:
            raise ModelError(f"{name} has other classes than a stance model: {shown}. {ELSE}")
        found[stance] = column
    if any(stance not in found for stance in _NEEDED):
        raise ModelError(f"{name} has other classes than a stance model: {shown}. {ELSE}")
    return found
