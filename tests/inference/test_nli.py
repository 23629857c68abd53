"""Stance models made elsewhere, on ONNX Runtime: whatever order their classes have, and whatever is wrong with them."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from ghost.errors import ModelError, WeightsDamagedError, WeightsMissingError
from ghost.inference import NliReader, choose_weights, open_folder
from ghost.types import StanceLabel
from tests.inference.tiny import LABELS, tiny_model

WEIRD = ["", "\x00", "a \ud800 b", "🙂" * 300, "yes " * 100_000, "x" * 1_000_000]
SAID = {"yes": StanceLabel.SUPPORTS, "open": StanceLabel.NEUTRAL, "no": StanceLabel.REFUTES}


@pytest.mark.parametrize(
    "labels",
    [
        LABELS,
        ("contradiction", "entailment", "neutral"),
        ("CONTRADICTION", "NEUTRAL", "ENTAILMENT"),
        ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO"),
        ("refuted", "not_enough_info", "supported"),
        ("OFF-TOPIC", "SUPPORTS", "NEUTRAL", "REFUTES"),
    ],
)
def test_classes_are_read_by_their_names_in_any_order(labels: tuple[str, ...], tmp_path: Path) -> None:
    reader = NliReader(open_folder(tiny_model(tmp_path / "m", labels)))
    for word, label in SAID.items():
        (stance,) = reader.read([("bats", f"bats {word}")])
        assert stance.label is label
        assert stance.supports + stance.refutes + stance.neutral + stance.off_topic == pytest.approx(1.0)
        assert (stance.off_topic > 0) == (len(labels) == 4)


def test_order_length_and_company_do_not_matter(tmp_path: Path) -> None:
    reader = NliReader(open_folder(tiny_model(tmp_path / "m", companions=True)))
    pairs = [("bats " * n, f"{word} " * (1 + n % 3)) for n, word in enumerate(["yes", "no", "open"] * 20)]
    together = reader.read(pairs)
    assert together == [reader.read([pair])[0] for pair in pairs]
    assert reader.read(pairs[::-1]) == together[::-1]
    assert reader.read([]) == []


def test_the_length_is_that_of_the_model(tmp_path: Path) -> None:
    folder = tiny_model(tmp_path / "m")
    assert open_folder(folder).max_tokens == 64
    (folder / "tokenizer_config.json").write_text('{"model_max_length": 32}')
    assert open_folder(folder).max_tokens == 32
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"max_position_embeddings": 30, "model_type": "mpnet"}))
    assert open_folder(folder).max_tokens == 28


def test_the_checksum_is_that_of_the_weights(tmp_path: Path) -> None:
    folder = tiny_model(tmp_path / "m", file="onnx/model.onnx")
    reader = NliReader(open_folder(folder))
    assert reader.checksum == sha256((folder / "onnx" / "model.onnx").read_bytes()).hexdigest()
    assert reader.name == "m"


@pytest.mark.parametrize(
    ("labels", "kind", "words"),
    [
        (("entailment", "not_entailment"), "XForSequenceClassification", r"two classes \(entailment, not_entailment\)"),
        (
            ("LABEL_0", "LABEL_1", "LABEL_2"),
            "XForSequenceClassification",
            "does not say which one means support",
        ),
        (("LABEL_0",), "XForSequenceClassification", "has no classes"),
        (("positive", "neutral", "negative"), "XForSequenceClassification", "other classes .* positive, neutral"),
        (("entailment", "entailment", "neutral"), "XForSequenceClassification", "other classes"),
        (("entailment", "neutral", "off-topic"), "XForSequenceClassification", "other classes"),
        (LABELS, "BertModel", "is a BertModel, not a classifier"),
    ],
)
def test_other_kinds_of_models_are_refused_with_the_reason(
    labels: tuple[str, ...], kind: str, words: str, tmp_path: Path
) -> None:
    folder = tiny_model(tmp_path / "m", labels, kind=kind)
    with pytest.raises(ModelError, match=words) as caught:
        open_folder(folder)
    assert "GHOST_STANCE_MODEL" in str(caught.value)


def _cut(folder: Path) -> None:
    file = folder / "model.onnx"
    file.write_bytes(file.read_bytes()[:50])


def _no_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()


def _broken_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text("{")


def _no_config(folder: Path) -> None:
    (folder / "config.json").unlink()


def _broken_config(folder: Path) -> None:
    (folder / "config.json").write_text('{"id2label": [')


def _no_weights(folder: Path) -> None:
    (folder / "model.onnx").rename(folder / "model.txt")


def _pickle_only(folder: Path) -> None:
    (folder / "model.onnx").rename(folder / "pytorch_model.bin")


def _weights_elsewhere(folder: Path) -> None:
    (folder / "model.onnx_data").write_bytes(b"")


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (_cut, r"cannot be opened here.*Put the model's files into"),
        (_broken_tokenizer, r"cannot be opened here.*Put the model's files into"),
        (_no_tokenizer, r"has no tokenizer\.json"),
        (_no_config, r"config\.json is missing"),
        (_broken_config, r"does not describe a model"),
        (_no_weights, r"neither an ONNX file in one piece nor model\.safetensors"),
        (_pickle_only, r"pickled weights only, which are never opened"),
        (_weights_elsewhere, r"neither an ONNX file in one piece"),
    ],
)
def test_what_is_damaged_or_missing_says_what_to_do(damage: Callable[[Path], None], words: str, tmp_path: Path) -> None:
    folder = tiny_model(tmp_path / "m")
    damage(folder)
    with pytest.raises(ModelError, match=words):
        NliReader(open_folder(folder)).read([("bats", "yes")])


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_that_are_none_are_an_error(value: float, tmp_path: Path) -> None:
    reader = NliReader(open_folder(tiny_model(tmp_path / "m", damage=value)))
    with pytest.raises(ModelError, match=r"not finite, so its weights are damaged\. Put the model's files"):
        reader.read([("bats", "yes")])


def test_other_outputs_and_inputs_than_promised_are_an_error(tmp_path: Path) -> None:
    wrong = NliReader(open_folder(tiny_model(tmp_path / "outputs", outputs=5)))
    with pytest.raises(ModelError, match=r"gives 5 numbers .* names 3 classes"):
        wrong.read([("bats", "yes")])
    asking = NliReader(open_folder(tiny_model(tmp_path / "inputs", extra_input="position_ids")))
    with pytest.raises(ModelError, match="asks for the input 'position_ids'"):
        asking.read([("bats", "yes")])


def test_files_with_known_checksums_are_compared_before_they_are_read(tmp_path: Path) -> None:
    folder = tiny_model(tmp_path / "m")
    sums = {name: sha256((folder / name).read_bytes()).hexdigest() for name in ("model.onnx", "tokenizer.json")}
    opened = open_folder(folder, "a/b", "Fetch it again.", "model.onnx", sums)
    assert NliReader(opened).read([("bats", "yes")])[0].label is StanceLabel.SUPPORTS
    tiny_model(folder, ("contradiction", "neutral", "entailment"))
    with pytest.raises(WeightsDamagedError, match=r"model\.onnx is not what was fetched.*Fetch it again\."):
        NliReader(opened).read([("bats", "yes")])
    (folder / "model.onnx").unlink()
    with pytest.raises(WeightsMissingError, match="Fetch it again"):
        NliReader(opened).read([("bats", "yes")])


def test_full_precision_comes_first_and_safetensors_last() -> None:
    files = ["tokenizer.json", "model.safetensors", "pytorch_model.bin"]
    quantised, exact = "onnx/model_quantized.onnx", "onnx/model.onnx"
    assert choose_weights([*files, quantised, exact], "a/b") == exact
    assert choose_weights([*files, quantised], "a/b") == quantised
    assert choose_weights([*files, "onnx/of_my_own.onnx", "onnx/../x.onnx"], "a/b") == "onnx/of_my_own.onnx"
    assert choose_weights([*files, exact, f"{exact}_data", quantised], "a/b") == quantised
    assert choose_weights(files, "a/b") == "model.safetensors"
    assert choose_weights([*files[1:], exact], "a/b") == "model.safetensors"
