from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from training import quantise
from training.rounding import moments, rounded

WORDS, WIDTH, OUT = 50, 64, 32


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A lookup and two products of the same input, as float and as int8."""
    monkeypatch.setattr(quantise, "TABLE_SIZE", 100)
    rng = np.random.default_rng(1)
    tensors = {
        "table": rng.normal(size=(WORDS, WIDTH)) * rng.uniform(0.1, 10, size=(WORDS, 1)),
        "first": rng.normal(size=(WIDTH, OUT)) * rng.uniform(0.1, 10, size=(1, OUT)),
        "second": rng.normal(size=(WIDTH, OUT)),
    }
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["table", "ids"], ["rows"]),
            helper.make_node("MatMul", ["rows", "first"], ["a"]),
            helper.make_node("MatMul", ["rows", "second"], ["b"]),
            helper.make_node("Add", ["a", "b"], ["output"]),
        ],
        "tiny",
        [helper.make_tensor_value_info("ids", TensorProto.INT64, ["batch", "tokens"])],
        [helper.make_tensor_value_info("output", TensorProto.FLOAT, ["batch", "tokens", OUT])],
        [numpy_helper.from_array(values.astype(np.float32), name) for name, values in tensors.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, tmp_path / "float.onnx")
    quantise.quantise(tmp_path / "float.onnx", tmp_path / "int8.onnx")
    return tmp_path / "float.onnx", tmp_path / "int8.onnx"


def _run(model: Path, ids: np.ndarray) -> np.ndarray:
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    return np.asarray(session.run(None, {"ids": ids})[0])


def test_int8_is_close_to_float(models: tuple[Path, Path]) -> None:
    ids = np.arange(WORDS, dtype=np.int64).reshape(5, 10)
    exact, coded = (_run(model, ids).reshape(WORDS, OUT) for model in models)
    cosines = (exact * coded).sum(1) / np.linalg.norm(exact, axis=1) / np.linalg.norm(coded, axis=1)
    assert cosines.min() > 0.999
    assert not np.array_equal(exact, coded)


def test_a_row_does_not_depend_on_its_batch(models: tuple[Path, Path]) -> None:
    ids = np.arange(WORDS, dtype=np.int64).reshape(5, 10)
    together = _run(models[1], ids)
    alone = np.concatenate([_run(models[1], row[None]) for row in ids])
    assert np.array_equal(together, alone)


def test_what_is_stored(models: tuple[Path, Path]) -> None:
    tensors = {t.name: numpy_helper.to_array(t) for t in onnx.load(models[1]).graph.initializer}
    assert {"table", "first", "second"}.isdisjoint(tensors)
    assert np.abs(tensors["first.codes"]).max() == quantise.WEIGHT_LIMIT
    assert tensors["first.codes"].dtype == tensors["table.codes"].dtype == np.int8
    operators = [node.op_type for node in onnx.load(models[1]).graph.node]
    assert operators.count("MatMulInteger") == 2
    assert operators.count("Div") == 1, "the input of two products is coded once"


def test_what_rounding_leaves_is_made_up_for_by_inputs_that_occur_together(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    weights = rng.normal(size=(WIDTH, OUT)).astype(np.float32)
    table = rng.normal(size=(WORDS, 8)) @ rng.normal(size=(8, WIDTH))
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
            helper.make_node("MatMul", ["rows", "first"], ["output"]),
        ],
        "tiny",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "tokens"])],
        [helper.make_tensor_value_info("output", TensorProto.FLOAT, ["batch", "tokens", OUT])],
        [
            numpy_helper.from_array(table.astype(np.float32), "table"),
            numpy_helper.from_array(weights, "first"),
        ],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), tmp_path / "x.onnx")
    ids = np.arange(WORDS, dtype=np.int64).reshape(5, 10)
    mask = np.ones_like(ids)
    mask[:, 8:] = 0
    seen = moments(tmp_path / "x.onnx", [{"input_ids": ids, "attention_mask": mask}])["rows"]
    rows = numpy_helper.to_array(graph.initializer[0])
    kept = rows[ids[:, :8]].reshape(-1, WIDTH)
    assert np.allclose(seen, kept.T @ kept, rtol=1e-4)
    codes, scale = rounded(weights, seen, quantise.WEIGHT_LIMIT)
    nearest = np.rint(weights / scale) * scale
    assert np.abs(codes).max() <= quantise.WEIGHT_LIMIT
    errors = [np.square(kept @ (made - weights)).mean() for made in (codes * scale, nearest)]
    assert errors[0] < errors[1] / 4
