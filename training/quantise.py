"""Turn an exported float model into an int8 one whose answer for a text does not depend on the rest of its batch.

``onnxruntime.quantization.quantize_dynamic`` finds one activation scale for a whole batch, so a text's vector or
stance changes with its neighbours (up to 0.04 in a coordinate of a unit vector), and one large activation costs all
other tokens their precision. Here each token has its own scale. It costs about a tenth of the speed and needs
nothing but standard ONNX operators:

    x                 float, (batch, tokens, width)
    scale = max|x| / 127 over the width                            (batch, tokens, 1)
    codes = uint8(x / scale + 128.5)                               128 stands for 0
    y = (codes - 128) @ weights * scale * weight_scale             int8 weights, one scale per output column

The word table is stored as int8 with one scale per word, where asked in a file of its own, since hosts of repositories
refuse files of 100 MB. Everything else stays float.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.external_data_helper import set_external_data

from training.rounding import rounded

WEIGHT_LIMIT = 63
"""Largest weight code. Seven bits, since processors without VNNI add two products in 16 bits and would clip."""

TABLE_LIMIT = 127
"""Largest code in the word table, which is only looked up."""

TABLE_SIZE = 1_000_000
"""Lookup tables with fewer numbers than this stay float."""

_CONSTANTS: dict[str, np.ndarray] = {
    "quantise.per_code": np.array(1 / 127, dtype=np.float32),
    "quantise.smallest": np.array(1e-12, dtype=np.float32),  # keeps an all-zero token from dividing by zero
    "quantise.shift": np.array(128.5, dtype=np.float32),
    "quantise.zero": np.array(128, dtype=np.uint8),
}


def quantise(source: Path, target: Path, table: str = "", seen: Mapping[str, np.ndarray] | None = None) -> None:
    """Read the float model ``source`` and write the int8 model ``target``.

    ``table`` names a file beside ``target`` that takes the word table. ``seen`` has the second moments of the inputs of
    products (``rounding.moments``); weights whose input is in it are rounded by them, all others to the nearest code.
    """
    seen = seen or {}
    model = onnx.load(source)
    graph = model.graph
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    constants = dict(_CONSTANTS)
    nodes: list[onnx.NodeProto] = []
    replaced: set[str] = set()
    coded: set[str] = set()
    tables: set[str] = set()
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in tensors:
            if node.input[0] not in coded:
                nodes += _codes(node.input[0])
                coded.add(node.input[0])
            weights = numpy_helper.to_array(tensors[node.input[1]])
            moment = seen.get(node.input[0])
            coded_weights = (
                _symmetric(weights, 0, WEIGHT_LIMIT) if moment is None else rounded(weights, moment, WEIGHT_LIMIT)
            )
            nodes += _product(node, coded_weights, constants)
            replaced.add(node.input[1])
        elif node.op_type == "Gather" and node.input[0] in tensors and _size(tensors[node.input[0]]) >= TABLE_SIZE:
            nodes += _lookup(node, numpy_helper.to_array(tensors[node.input[0]]), constants)
            replaced.add(node.input[0])
            tables.add(f"{node.input[0]}.codes")
        else:
            nodes.append(node)
    kept = [tensor for name, tensor in tensors.items() if name not in replaced]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(nodes)
    graph.initializer.extend(kept)
    graph.initializer.extend(numpy_helper.from_array(values, name) for name, values in constants.items())
    onnx.checker.check_model(model)
    if table:
        for tensor in graph.initializer:
            if tensor.name in tables:
                _move_out(tensor, target.with_name(table))
    onnx.save(model, target)


def _move_out(tensor: onnx.TensorProto, file: Path) -> None:
    """Keep the values of a tensor in ``file`` instead of the model."""
    file.write_bytes(tensor.raw_data)
    set_external_data(tensor, location=file.name, offset=0, length=len(tensor.raw_data))
    tensor.ClearField("raw_data")


def _codes(x: str) -> list[onnx.NodeProto]:
    """Nodes that turn ``x`` into codes and one scale per token."""
    return [
        helper.make_node("Abs", [x], [f"{x}.size"]),
        helper.make_node("ReduceMax", [f"{x}.size"], [f"{x}.largest"], axes=[-1], keepdims=1),
        helper.make_node("Mul", [f"{x}.largest", "quantise.per_code"], [f"{x}.per_code"]),
        helper.make_node("Max", [f"{x}.per_code", "quantise.smallest"], [f"{x}.scale"]),
        helper.make_node("Div", [x, f"{x}.scale"], [f"{x}.scaled"]),
        helper.make_node("Add", [f"{x}.scaled", "quantise.shift"], [f"{x}.shifted"]),
        helper.make_node("Cast", [f"{x}.shifted"], [f"{x}.codes"], to=TensorProto.UINT8),
    ]


def _product(
    node: onnx.NodeProto, weights: tuple[np.ndarray, np.ndarray], constants: dict[str, np.ndarray]
) -> list[onnx.NodeProto]:
    """Nodes for ``codes @ weights``; the weights are codes of the shape (inputs, outputs), and a scale per output."""
    x, name = node.input[0], node.input[1]
    constants[f"{name}.codes"], constants[f"{name}.scale"] = weights
    y = node.output[0]
    return [
        helper.make_node("MatMulInteger", [f"{x}.codes", f"{name}.codes", "quantise.zero"], [f"{y}.sums"]),
        helper.make_node("Cast", [f"{y}.sums"], [f"{y}.floats"], to=TensorProto.FLOAT),
        helper.make_node("Mul", [f"{y}.floats", f"{x}.scale"], [f"{y}.scaled"]),
        helper.make_node("Mul", [f"{y}.scaled", f"{name}.scale"], [y]),
    ]


def _lookup(node: onnx.NodeProto, table: np.ndarray, constants: dict[str, np.ndarray]) -> list[onnx.NodeProto]:
    """Nodes that look up codes and scales of ``table``, shape (words, width), by row."""
    name, ids = node.input[0], node.input[1]
    codes, scale = _symmetric(table, 1, TABLE_LIMIT)
    constants[f"{name}.codes"], constants[f"{name}.scale"] = codes, scale[:, None]
    return [
        helper.make_node("Gather", [f"{name}.codes", ids], [f"{name}.row_codes"]),
        helper.make_node("Gather", [f"{name}.scale", ids], [f"{name}.row_scale"]),
        helper.make_node("Cast", [f"{name}.row_codes"], [f"{name}.row_floats"], to=TensorProto.FLOAT),
        helper.make_node("Mul", [f"{name}.row_floats", f"{name}.row_scale"], [node.output[0]]),
    ]


def _symmetric(values: np.ndarray, axis: int, limit: int) -> tuple[np.ndarray, np.ndarray]:
    """Codes (int8, same shape) and scales (float32, ``axis`` removed) with ``values ~ codes * scales``."""
    scale = np.maximum(np.abs(values).max(axis=axis, keepdims=True) / limit, 1e-12).astype(np.float32)
    return np.rint(values / scale).astype(np.int8), scale.squeeze(axis)


def _size(tensor: onnx.TensorProto) -> int:
    return int(np.prod(tensor.dims))
