"""Make a float model folder out of an exported int8 model, so that training can go on from what is committed.

    python -m training.restore --model ghost/models/evidence-cross-encoder --out DIR
    python -m training.restore --model ghost/models/stance-mpnet --upstream FOLDER --out DIR

The codes are multiplied by their scales; what rounding took is not found again, and further training evens it out.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from ghost.inference import MODEL
from training.pairs import CLASSES
from training.weights import packaged_minilm

_CODES, _PREFIX = ".codes", "model."


def restored(model: onnx.ModelProto) -> dict[str, np.ndarray]:
    """The float weights by their upstream names; a product's weights are known by the bias that is added after it."""
    tensors = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    biases = {
        inputs[0]: inputs[1]
        for node in model.graph.node
        if node.op_type == "Add"
        for inputs in (node.input, node.input[::-1])
        if inputs[1].endswith(".bias")
    }
    producers = {node.output[0]: node for node in model.graph.node}
    weights = {name: values for name, values in tensors.items() if name.startswith(_PREFIX)}
    for output, bias in biases.items():
        source = _codes_behind(output, producers)
        if source:
            floats = tensors[source + _CODES].astype(np.float32) * tensors[source + ".scale"]
            weights[bias.removesuffix("bias") + "weight"] = floats.T
    (table,) = (name.removesuffix(_CODES) for name in weights if name.endswith("word_embeddings.weight" + _CODES))
    weights[table] = weights.pop(table + _CODES).astype(np.float32) * weights.pop(table + ".scale")
    return {name.removeprefix(_PREFIX): np.ascontiguousarray(values) for name, values in weights.items()}


def _codes_behind(output: str, producers: dict[str, onnx.NodeProto]) -> str:
    """Name of the coded weights whose scaled product ``output`` is; empty where it is something else."""
    name = output
    for _ in range(4):  # Mul by the column's scale, Mul by the token's, Cast, MatMulInteger: see training/quantise.py
        node = producers.get(name)
        if node is None:
            return ""
        if node.op_type == "MatMulInteger":
            return node.input[1].removesuffix(_CODES)
        name = node.input[0]
    return ""


def restore(folder: Path, upstream: Path, out: Path) -> None:
    """Write the model folder ``out``; raises RuntimeError when a weight is missing or left over."""
    model = AutoModelForSequenceClassification.from_pretrained(
        upstream,
        num_labels=len(CLASSES),
        id2label=dict(enumerate(CLASSES)),
        label2id={name: i for i, name in enumerate(CLASSES)},
    )
    weights = {name: torch.tensor(values) for name, values in restored(onnx.load(folder / MODEL)).items()}
    model.load_state_dict(weights, strict=True)
    model.save_pretrained(out)
    AutoTokenizer.from_pretrained(upstream).save_pretrained(out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True, help="the exported folder")
    parser.add_argument("--out", type=Path, required=True, help="the float model folder to write")
    parser.add_argument("--upstream", type=Path, help="what it was trained from; default: the packaged MiniLM-L6")
    args = parser.parse_args()
    restore(args.model, args.upstream or packaged_minilm(), args.out)


if __name__ == "__main__":
    main()
