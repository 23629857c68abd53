"""Running a model on ONNX Runtime: loaded at the first use, once, from any thread; texts in, batches of arrays out."""

import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ghost.errors import ModelError
from ghost.inference.base import readable

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

Text = str | tuple[str, str]
"""What a model reads at once: one text, or a pair of them."""

CHUNK = 512
"""Texts tokenised together, so that a long list does not hold all its tokens in memory."""

BATCH_TOKENS = 256
"""Tokens per call of the model, padding included. Larger batches fall out of the processor's cache."""


class OnnxFiles(Protocol):
    """The files of a model, and what to do when they cannot be used."""

    @property
    def name(self) -> str:
        """The model's name, for messages."""
        ...

    @property
    def weights(self) -> Path:
        """The ONNX file."""
        ...

    @property
    def tokenizer(self) -> Path:
        """The ``tokenizer.json``."""
        ...

    @property
    def max_tokens(self) -> int:
        """Longer texts are cut."""
        ...

    @property
    def remedy(self) -> str:
        """What to do when the files pass ``verify`` and still cannot be opened."""
        ...

    def verify(self) -> None:
        """Raises ModelError when a file is not what it was."""
        ...


@dataclass(frozen=True, slots=True)
class Batch:
    """One call of the model."""

    rows: list[int]
    """Where the texts stand in the list that was given, shape (n,)."""
    mask: np.ndarray
    """1 for a token, 0 for padding; int64, shape (n, tokens)."""
    output: np.ndarray
    """First output of the model; its first axis is that of ``rows``."""


class OnnxModel:
    """The files of a model, ready to be run.

    The models in ``ghost/models`` are quantised with one activation scale per token, so what comes out for a text
    does not depend on the other texts of its batch. Of models made elsewhere nobody knows that: most quantised ones
    have one scale for the whole batch. They are read ``alone``, one text at a time, which also needs no padding. It
    costs little (7 % with the bundled cross-encoder, and less with a larger model), since calls run side by side.
    """

    def __init__(self, files: OnnxFiles, threads: int = 0, alone: bool = False) -> None:
        """``threads`` 0 takes all cores. Nothing is loaded yet."""
        self.files = files
        self._alone = alone
        self._threads = threads or os.cpu_count() or 1
        self._lock = threading.Lock()
        self._loaded: tuple[Tokenizer, InferenceSession] | None = None
        self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="ghost-model")

    def run(self, texts: Sequence[Text]) -> Iterator[Batch]:
        """Run all texts, each in exactly one batch; the batches come in no particular order.

        Texts longer than ``max_tokens`` are cut; of a pair the longer text loses first.
        Raises ModelError (WeightsMissingError, WeightsDamagedError) when the model cannot be loaded or run.
        """
        if not texts:
            return
        tokenizer, session = self._load()
        for start in range(0, len(texts), CHUNK):
            encodings = tokenizer.encode_batch_fast([_readable(text) for text in texts[start : start + CHUNK]])
            lengths = [len(encoding.ids) for encoding in encodings]
            groups = [[row] for row in range(len(lengths))] if self._alone else _groups(lengths, self._threads)
            work = partial(self._call, session, encodings)
            for rows, mask, output in self._pool.map(work, groups) if len(groups) > 1 else map(work, groups):
                yield Batch([start + i for i in rows], mask, output)

    def _call(
        self, session: "InferenceSession", encodings: "Sequence[Encoding]", rows: list[int]
    ) -> tuple[list[int], np.ndarray, np.ndarray]:
        inputs = _inputs([encodings[i] for i in rows])
        try:
            taken = {wanted.name: inputs[wanted.name] for wanted in session.get_inputs()}
        except KeyError as error:
            raise ModelError(
                f"{self.files.weights} asks for the input {error}, which is not one of {', '.join(inputs)}. "
                f"{self.files.remedy}"
            ) from error
        try:
            (output, *_) = session.run(None, taken)
        except Exception as error:  # onnxruntime's exceptions have no common base
            raise ModelError(
                f"The model {self.files.name} failed while reading a text: {error} {self.files.remedy}"
            ) from error
        return rows, inputs["attention_mask"], np.asarray(output)

    def _load(self) -> "tuple[Tokenizer, InferenceSession]":
        with self._lock:
            if self._loaded is None:
                self.files.verify()
                try:
                    self._loaded = _open(self.files)
                except ImportError as error:
                    raise ModelError(
                        f"{error.name} is not installed, and models on ONNX Runtime need it: "
                        "pip install -r requirements-light.txt"
                    ) from error
                except Exception as error:  # onnxruntime's and tokenizers' exceptions have no common base
                    raise ModelError(
                        f"The model {self.files.name} cannot be opened here: {error} {self.files.remedy}"
                    ) from error
            return self._loaded


def _open(files: OnnxFiles) -> "tuple[Tokenizer, InferenceSession]":
    from onnxruntime import (  # pyright: ignore[reportAttributeAccessIssue]
        InferenceSession,
        SessionOptions,
        disable_telemetry_events,
    )
    from tokenizers import Tokenizer

    disable_telemetry_events()  # Windows does not read the variable that ghost/__init__.py sets
    tokenizer = Tokenizer.from_file(str(files.tokenizer))
    tokenizer.no_padding()
    tokenizer.enable_truncation(files.max_tokens)
    options = SessionOptions()
    # One thread for each call, and as many calls side by side as there are cores: threads that share a call wait for
    # each other after every one of its hundreds of small steps (1.8 times slower on two cores).
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3  # errors only
    session = InferenceSession(str(files.weights), options, providers=["CPUExecutionProvider"])
    return tokenizer, session


def _groups(lengths: Sequence[int], threads: int) -> list[list[int]]:
    """Rows of similar length that are run together: at most BATCH_TOKENS, and enough groups for all threads."""
    most = max(1, -(-len(lengths) // threads))
    groups: list[list[int]] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        longest = lengths[groups[-1][0]] if groups else 0
        if groups and len(groups[-1]) < most and longest * (len(groups[-1]) + 1) <= BATCH_TOKENS:
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _inputs(encodings: "Sequence[Encoding]") -> dict[str, np.ndarray]:
    shape = len(encodings), max(len(encoding.ids) for encoding in encodings)
    inputs = {name: np.zeros(shape, dtype=np.int64) for name in ("input_ids", "attention_mask", "token_type_ids")}
    for row, encoding in enumerate(encodings):
        length = len(encoding.ids)
        inputs["input_ids"][row, :length] = encoding.ids
        inputs["attention_mask"][row, :length] = 1
        inputs["token_type_ids"][row, :length] = encoding.type_ids
    return inputs


def _readable(text: Text) -> Text:
    return readable(text) if isinstance(text, str) else (readable(text[0]), readable(text[1]))
