"""Models that the settings name instead of the bundled ones: anything sentence-transformers can load.

torch and sentence-transformers take seconds to import and gigabytes to install, so they are imported at the first
use of such a model and nowhere else.
"""

import hashlib
import threading
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from ghost.errors import ModelError
from ghost.inference.base import readable
from ghost.inference.nli_folder import NliFolder
from ghost.types import Stance

if TYPE_CHECKING:
    import torch
    from sentence_transformers import CrossEncoder, SentenceTransformer

Model = TypeVar("Model", bound="torch.nn.Module")


class SentenceTransformerEncoder:
    """Any sentence-transformers model, by name or path. A name that is not on this machine is downloaded."""

    def __init__(self, name: str) -> None:
        """Nothing is imported or loaded yet."""
        self.name = name
        self._model: _Lazy[SentenceTransformer] = _Lazy(name, "GHOST_EMBEDDING_MODEL", _load_encoder)

    @property
    def dimensions(self) -> int:
        """Length of a vector; loads the model."""
        with self._model as model:
            return model.get_embedding_dimension() or len(model.encode("")[0])

    @property
    def checksum(self) -> str:
        """SHA-256 of all parameters; loads the model."""
        return self._model.checksum

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors, float32, shape (len(texts), dimensions), in the order given; raises ModelError."""
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        with self._model as model:
            try:
                vectors = model.encode(
                    [readable(text) for text in texts], normalize_embeddings=True, show_progress_bar=False
                )
            except Exception as error:  # whatever the named model raises
                raise ModelError(f"The model {self.name} failed while reading a text: {error}") from error
        return _finite(np.asarray(vectors, dtype=np.float32), self.name)


class SentenceTransformerScorer:
    """Any sentence-transformers cross-encoder with one output, by name or path."""

    def __init__(self, name: str) -> None:
        """Nothing is imported or loaded yet."""
        self.name = name
        self._model: _Lazy[CrossEncoder] = _Lazy(name, "GHOST_RERANKER_MODEL", _load_scorer)

    @property
    def checksum(self) -> str:
        """SHA-256 of all parameters; loads the model."""
        return self._model.checksum

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Relevance 0..1 of each (passage text, statement text), in the order given; raises ModelError."""
        if not pairs:
            return []
        with self._model as model:
            # Rerankers are trained on (query, passage), which is the other way round than our pairs.
            questions = [(readable(statement), readable(passage)) for passage, statement in pairs]
            try:
                logits = model.predict(questions, activation_fn=_identity, show_progress_bar=False)
            except Exception as error:  # whatever the named model raises
                raise ModelError(f"The model {self.name} failed while reading a pair: {error}") from error
        logits = _finite(np.asarray(logits, dtype=np.float64).reshape(len(pairs)), self.name)
        return (1.0 / (1.0 + np.exp(-np.clip(logits, -500.0, 500.0)))).tolist()


class NliCrossEncoder:
    """A three-way NLI model whose weights are safetensors, for want of an ONNX file; what ``NliReader`` is, on torch.

    Nothing is downloaded and no code of the model's is run: the files of the folder are all there is.
    """

    def __init__(self, folder: NliFolder) -> None:
        """Nothing is imported or loaded yet."""
        self.name = folder.name
        self._folder = folder
        self._model: _Lazy[CrossEncoder] = _Lazy(folder.name, "GHOST_STANCE_MODEL", lambda _: _load_nli(folder))

    @cached_property
    def checksum(self) -> str:
        """SHA-256 of the weights: as recorded when they were fetched, else of what is there now."""
        return self._folder.weights_checksum

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (passage text, statement text), in the order given; raises ModelError."""
        if not pairs:
            return []
        with self._model as model:
            texts = [(readable(passage), readable(statement)) for passage, statement in pairs]
            try:
                # One pair at a time, so that its stance does not depend on the company it is read in.
                logits = model.predict(texts, batch_size=1, activation_fn=_identity, show_progress_bar=False)
            except Exception as error:  # whatever the named model raises
                raise ModelError(f"The model {self.name} failed while reading a pair: {error}") from error
        logits = np.asarray(logits, dtype=np.float64).reshape(len(pairs), -1)
        if logits.shape[1] != len(self._folder.columns):
            raise ModelError(
                f"The model {self.name} gives {logits.shape[1]} numbers for a pair of texts, but config.json names "
                f"{len(self._folder.columns)} classes: its files do not belong together. {self._folder.remedy}"
            )
        return self._folder.stances(logits)


class _Lazy(Generic[Model]):
    """A model loaded at the first use; used as a context, it is for one thread at a time.

    One thread, since the tokenisers of transformers change their own settings during a call.
    """

    def __init__(self, name: str, setting: str, load: Callable[[str], Model]) -> None:
        self._name = name
        self._setting = setting
        self._load = load
        self._lock = threading.Lock()
        self._loaded: Model | None = None
        self._checksum = ""

    def __enter__(self) -> Model:
        self._lock.acquire()
        try:
            if self._loaded is None:
                self._loaded = self._open()
            return self._loaded
        except BaseException:
            self._lock.release()
            raise

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    @property
    def checksum(self) -> str:
        with self as model:
            self._checksum = self._checksum or _checksum(model)
            return self._checksum

    def _open(self) -> Model:
        try:
            return self._load(self._name)
        except ModelError:
            raise
        except ImportError as error:
            raise ModelError(
                f"{self._setting} names {self._name}, which needs {error.name or error}: "
                f"pip install -r requirements.txt. Without {self._setting}, Ghost uses its bundled model."
            ) from error
        except Exception as error:  # offline, unknown name, no access, damaged folder: the libraries raise all sorts
            first_line = str(error).strip().partition("\n")[0] or type(error).__name__
            raise ModelError(
                f"{self._setting} names {self._name}, which could not be loaded: {first_line} "
                "Check the name or path, and that this machine is online the first time a model is used. "
                f"Without {self._setting}, Ghost uses its bundled model."
            ) from error


def _load_encoder(name: str) -> "SentenceTransformer":
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(name)


def _load_scorer(name: str) -> "CrossEncoder":
    from sentence_transformers import CrossEncoder

    model = CrossEncoder(name)
    if model.num_labels != 1:
        raise ModelError(
            f"GHOST_RERANKER_MODEL names {name}, which has {model.num_labels} outputs. A reranker has one, the "
            "relevance; a model with several, such as an NLI model, cannot rank. Choose a cross-encoder trained for "
            "ranking, or leave GHOST_RERANKER_MODEL out to use the bundled model."
        )
    return model


def _load_nli(folder: NliFolder) -> "CrossEncoder":
    import torch
    from sentence_transformers import CrossEncoder

    folder.verify()
    return CrossEncoder(
        str(folder.path),
        device="cpu",
        local_files_only=True,
        trust_remote_code=False,
        max_length=folder.max_tokens,
        # Some are published in half precision, which is slow on a processor and differs from one to the next.
        model_kwargs={"use_safetensors": True, "dtype": torch.float32},
    )


def _identity(logits: "torch.Tensor") -> "torch.Tensor":
    return logits


def _finite(values: np.ndarray, name: str) -> np.ndarray:
    if not np.isfinite(values).all():
        raise ModelError(f"The model {name} gave numbers that are not finite, so its weights are damaged.")
    return values


def _checksum(model: "torch.nn.Module") -> str:
    import torch

    digest = hashlib.sha256()
    for name, values in sorted(model.state_dict().items()):
        digest.update(f"{name} {values.dtype} {tuple(values.shape)}".encode())
        digest.update(values.detach().cpu().contiguous().flatten().view(torch.uint8).numpy())
    return digest.hexdigest()
