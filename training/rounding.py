"""Rounding weights so that the error of one is made up for by those that are rounded after it.

Rounding each weight to the nearest code undoes what a short training changed by less than half a step. In a model that
went on from committed int8 weights, that is most of the change: the rounded model took another side than the float one
on 16% of 80 contrast pairs, and with this on 2%. Here the weights are rounded input by input, and each error is spread
over the inputs that are left, by how inputs occur together in real texts (Frantar et al. 2023, "GPTQ: Accurate
Post-Training Quantization for Generative Pre-trained Transformers").
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import onnx
from onnx import helper
from onnxruntime import InferenceSession

DAMPING = 0.01
"""Part of the mean of the diagonal that is added to it, so that inputs which hardly occur can be inverted."""
BLOCK = 128
"""Inputs after which what is left is brought up to date at once."""


def moments(source: Path, batches: Iterable[Mapping[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """How the inputs of each matrix product with constant weights occur together: name -> sum of x xᵀ over all tokens,
    shape (inputs, inputs). Padding is left out.
    """
    model = onnx.load(source)
    constant = {tensor.name for tensor in model.graph.initializer}
    names = list(
        dict.fromkeys(
            node.input[0]
            for node in model.graph.node
            if node.op_type == "MatMul" and node.input[1] in constant and node.input[0] not in constant
        )
    )
    model.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in names)
    session = InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    wanted = {one.name for one in session.get_inputs()}
    found: dict[str, np.ndarray] = {}
    for batch in batches:
        there = batch["attention_mask"].astype(bool)
        given = {name: value for name, value in batch.items() if name in wanted}
        for name, values in zip(names, session.run(names, given), strict=True):
            rows = values[there] if values.ndim == 3 else values
            found[name] = found.get(name, 0) + rows.T @ rows
    return found


def rounded(weights: np.ndarray, moment: np.ndarray, limit: int) -> tuple[np.ndarray, np.ndarray]:
    """Codes (int8) and one scale per column with ``weights ~ codes * scales``, shape (inputs, outputs)."""
    scale = np.maximum(np.abs(weights).max(axis=0) / limit, 1e-12).astype(np.float32)
    curve = moment.astype(np.float64)
    size = len(curve)
    curve[np.diag_indices(size)] += DAMPING * curve.diagonal().mean() + 1e-12
    # The rows of the upper Cholesky factor of the inverse say how the rest makes up for an error in each input.
    spread = np.linalg.cholesky(np.linalg.inv(curve)).T.astype(np.float32)
    left = weights.astype(np.float32).copy()
    codes = np.zeros(weights.shape, dtype=np.int8)
    for start in range(0, size, BLOCK):
        end = min(size, start + BLOCK)
        errors = np.zeros((end - start, weights.shape[1]), dtype=np.float32)
        for i in range(start, end):
            code = np.clip(np.rint(left[i] / scale), -limit, limit)
            codes[i] = code.astype(np.int8)
            errors[i - start] = (left[i] - code * scale) / spread[i, i]
            left[i + 1 : end] -= np.outer(spread[i, i + 1 : end], errors[i - start])
        left[end:] -= spread[start:end, end:].T @ errors
    return codes, scale
