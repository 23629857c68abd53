"""A bundled model as a folder: what must be in it, and whether it still is what was committed."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, ValidationError, model_validator

from ghost.errors import WeightsDamagedError, WeightsMissingError

MANIFEST = "manifest.json"
MODEL = "model.onnx"
TOKENIZER = "tokenizer.json"
HEAD = "weights.npz"
"""Weights of a model that reads the vectors of an encoder."""
HEADS = ("claim-types", "injection", "claim-match")
"""Kinds of such models."""

_LFS_POINTER = b"version https://git-lfs"

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class Manifest(BaseModel):
    """``manifest.json``: what the model is, and the checksums of its files."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1)
    kind: Literal["encoder", "cross-encoder", "claim-types", "injection", "claim-match"]
    upstream: str
    licence: str
    max_tokens: int = Field(ge=8, le=512)
    dimensions: int | None = Field(None, ge=1)
    """Length of a vector; encoders only."""
    classes: tuple[str, ...] | None = None
    """Names of the logits, in their order; not for encoders."""
    encoder: Sha256 | None = None
    """Checksum of the encoder whose vectors the model was fitted on; heads only."""
    reader: Sha256 | None = None
    """Checksum of the stance model whose readings the claim match was fitted on."""
    temperature: float = Field(1.0, gt=0.0)
    """Divides the logits before the softmax."""
    files: dict[str, Sha256]
    figures: dict[str, JsonValue] = {}
    """What was measured when the model was exported; the card explains it."""

    @model_validator(mode="after")
    def _complete(self) -> "Manifest":
        for name in (HEAD,) if self.kind in HEADS else (MODEL, TOKENIZER):
            if name not in self.files:
                raise ValueError(f"files has no checksum for {name}")
        if any("/" in name or "\\" in name for name in self.files):
            raise ValueError("files may only name files of the folder itself")
        if self.kind == "encoder" and self.dimensions is None:
            raise ValueError("an encoder needs dimensions")
        if self.kind == "cross-encoder" and not self.classes:
            raise ValueError("a cross-encoder needs classes")
        if self.kind == "claim-types" and not (self.classes and self.encoder):
            raise ValueError("claim types need classes and the checksum of their encoder")
        if self.kind == "claim-match" and not (self.classes and self.encoder and self.reader):
            raise ValueError("a claim match needs categories and the checksums of its encoder and its stance model")
        return self


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """One bundled model; made by ``ModelFolder.open``."""

    path: Path
    manifest: Manifest

    @classmethod
    def open(cls, path: Path) -> "ModelFolder":
        """Read the manifest and see that the files are there.

        Raises WeightsMissingError or WeightsDamagedError. The content of the files is not looked at: see ``verify``.
        """
        path = Path(path)
        file = path / MANIFEST
        try:
            manifest = Manifest.model_validate_json(file.read_bytes())
        except FileNotFoundError as error:
            raise WeightsMissingError(f"{file} is missing. {_remedy(path)}") from error
        except OSError as error:
            raise WeightsDamagedError(f"{file} cannot be read ({error.strerror}). {_remedy(path)}") from error
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            what = f"{where}: {first['msg']}" if where else first["msg"]
            raise WeightsDamagedError(f"{file} is not a manifest of Ghost ({what}). {_remedy(path)}") from error
        for name in manifest.files:
            if not (path / name).is_file():
                raise WeightsMissingError(f"{path / name} is missing. {_remedy(path)}")
        return cls(path, manifest)

    @property
    def checksum(self) -> str:
        """SHA-256 of the weights, as the manifest has it; ``verify`` proves that it is true."""
        return self.manifest.files[HEAD if self.manifest.kind in HEADS else MODEL]

    @property
    def name(self) -> str:
        """The model's name, as the manifest has it."""
        return self.manifest.name

    @property
    def weights(self) -> Path:
        """The ONNX file."""
        return self.path / MODEL

    @property
    def tokenizer(self) -> Path:
        """The tokeniser's file."""
        return self.path / TOKENIZER

    @property
    def max_tokens(self) -> int:
        """Longer texts are cut."""
        return self.manifest.max_tokens

    @property
    def remedy(self) -> str:
        """The files are the ones that were committed, so this installation is at fault."""
        return "Its files are intact. Install the versions in requirements-light.txt."

    def verify(self) -> None:
        """Compare every file with its checksum (about 15 ms); raises WeightsDamagedError naming the file."""
        for name, expected in self.manifest.files.items():
            file = self.path / name
            if sha256(file) == expected:
                continue
            with file.open("rb") as content:
                pointer = content.read(len(_LFS_POINTER)) == _LFS_POINTER
            if pointer:
                raise WeightsDamagedError(
                    f"{file} is a Git LFS pointer, not the file itself: the copy was made without its large files. "
                    f"Run `git lfs pull`. {_remedy(self.path)}"
                )
            raise WeightsDamagedError(
                f"{file} is not what {MANIFEST} says it should be (its checksum differs), so the download or the disk "
                f"has changed it. {_remedy(self.path)}"
            )


def sha256(file: Path, remedy: str = "") -> str:
    """SHA-256 of a file in hexadecimal; raises WeightsMissingError or WeightsDamagedError when it cannot be read."""
    remedy = remedy or _remedy(file.parent)
    try:
        with file.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    except FileNotFoundError as error:
        raise WeightsMissingError(f"{file} is missing. {remedy}") from error
    except OSError as error:
        raise WeightsDamagedError(f"{file} cannot be read ({error.strerror}). {remedy}") from error


def _remedy(folder: Path) -> str:
    return (
        f"Your knowledge base is not affected. Bring the bundled model {folder.name!r} back with "
        "`git checkout -- ghost/models`, make a fresh clone, or export it again as training/README.md describes."
    )
