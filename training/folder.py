"""Writing a model folder: the exported graph, its tokeniser, the manifest, the card and the licence."""

import platform
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from pydantic import JsonValue
from tokenizers import Tokenizer
from transformers import BertForSequenceClassification, BertModel

from ghost.inference.weights import MANIFEST, MODEL, TOKENIZER, Manifest, sha256

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
LICENCE = Path(__file__).parent / "licences" / "Apache-2.0.txt"


class _Named(torch.nn.Module):
    """Hands the three inputs over by name: their order differs between model classes."""

    def __init__(self, model: BertModel | BertForSequenceClassification) -> None:
        super().__init__()
        self.model = model

    def forward(self, *inputs: torch.Tensor) -> torch.Tensor:
        return self.model(**dict(zip(INPUTS, inputs, strict=True)))[0]


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """A new folder beside ``target`` that takes its place when the block ends well; else ``target`` stays as it was."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-") as temporary:
        new, old = Path(temporary, "new"), Path(temporary, "old")
        new.mkdir()
        yield new
        if target.exists():
            target.rename(old)
        new.rename(target)


def export_onnx(model: BertModel | BertForSequenceClassification, target: Path, output_axes: dict[int, str]) -> None:
    """Write the first output of ``model`` as a float ONNX graph; ``output_axes`` names its dynamic axes.

    Load the model with ``attn_implementation="eager"``: the other implementations do not trace cleanly.
    """
    ids = torch.ones(2, 8, dtype=torch.long)
    mask = torch.ones_like(ids)
    mask[1, 6:] = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter warns of its own deprecation and of constants it traces
        torch.onnx.export(
            _Named(model.eval()),
            (ids, mask, torch.zeros_like(ids)),
            str(target),
            input_names=list(INPUTS),
            output_names=["output"],
            dynamic_axes={**{name: {0: "batch", 1: "tokens"} for name in INPUTS}, "output": output_axes},
            opset_version=17,
            dynamo=False,
        )


def write_tokenizer(source: Path, folder: Path) -> None:
    """Copy ``tokenizer.json`` without the padding and truncation of its last user."""
    tokenizer = Tokenizer.from_file(str(source / TOKENIZER))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.save(str(folder / TOKENIZER), pretty=False)


def write_manifest(folder: Path, **fields: Any) -> Manifest:
    """Write ``manifest.json`` with the checksums of the files as they are now, and the licence beside it."""
    files = {name: sha256(folder / name) for name in (MODEL, TOKENIZER)}
    manifest = Manifest(files=files, **fields)
    (folder / MANIFEST).write_text(manifest.model_dump_json(indent=2, exclude_none=True) + "\n", encoding="utf-8")
    (folder / "LICENSE").write_bytes(LICENCE.read_bytes())
    return manifest


def versions() -> dict[str, JsonValue]:
    """The versions an export depends on."""
    names = ("torch", "transformers", "onnx", "onnxruntime", "tokenizers")
    return {"python": platform.python_version(), **{name: version(name) for name in names}}
