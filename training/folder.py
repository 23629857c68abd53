"""Writing a model folder: the exported graph, its tokeniser, the manifest, the card and the licence."""

import inspect
import platform
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from pydantic import JsonValue
from tokenizers import Tokenizer
from transformers import PreTrainedModel

from ghost.inference import MANIFEST, MODEL, TOKENIZER, Manifest, sha256

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
"""What a graph is given by name; models that do not tell the two texts of a pair apart by a type take no types."""
LICENCE = Path(__file__).parent / "licences" / "Apache-2.0.txt"


class _Named(torch.nn.Module):
    """Hands the inputs over by name: their order differs between model classes."""

    def __init__(self, model: PreTrainedModel, names: Sequence[str]) -> None:
        super().__init__()
        self.model = model
        self.names = names

    def forward(self, *inputs: torch.Tensor) -> torch.Tensor:
        return self.model(**dict(zip(self.names, inputs, strict=True)))[0]


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


def export_onnx(model: PreTrainedModel, target: Path, output_axes: dict[int, str]) -> None:
    """Write the first output of ``model`` as a float ONNX graph; ``output_axes`` names its dynamic axes.

    Load the model with ``attn_implementation="eager"``: the other implementations do not trace cleanly.
    """
    ids = torch.full((2, 8), 5)
    mask = torch.ones_like(ids)
    mask[1, 6:] = 0
    examples = dict(zip(INPUTS, (ids, mask, torch.zeros_like(ids)), strict=True))
    taken = inspect.signature(model.forward).parameters
    names = [name for name in INPUTS if name in taken]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter warns of its own deprecation and of constants it traces
        torch.onnx.export(
            _Named(model.eval(), names),
            tuple(examples[name] for name in names),
            str(target),
            input_names=names,
            output_names=["output"],
            dynamic_axes={**{name: {0: "batch", 1: "tokens"} for name in names}, "output": output_axes},
            opset_version=17,
            dynamo=False,
        )


def write_tokenizer(source: Path, folder: Path) -> None:
    """Copy ``tokenizer.json`` without the padding and truncation of its last user."""
    tokenizer = Tokenizer.from_file(str(source / TOKENIZER))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.save(str(folder / TOKENIZER), pretty=False)


def write_manifest(folder: Path, names: Sequence[str] = (MODEL, TOKENIZER), **fields: Any) -> Manifest:
    """Write ``manifest.json`` with the checksums of the files as they are now, and the licence beside it."""
    files = {name: sha256(folder / name) for name in names}
    manifest = Manifest(files=files, **fields)
    (folder / MANIFEST).write_text(manifest.model_dump_json(indent=2, exclude_none=True) + "\n", encoding="utf-8")
    (folder / "LICENSE").write_bytes(LICENCE.read_bytes())
    return manifest


def versions() -> dict[str, JsonValue]:
    """The versions an export depends on."""
    names = ("torch", "transformers", "onnx", "onnxruntime", "tokenizers")
    return {"python": platform.python_version(), **{name: version(name) for name in names}}
