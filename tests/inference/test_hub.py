"""Fetching a stance model from a hub on this machine, by the real library in the real process."""

import hashlib
import importlib.util
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ghost.errors import Cancelled, ModelError, WeightsDamagedError
from ghost.inference import HubModels, NliReader
from ghost.types import StanceLabel
from tests.inference.hub_server import REVISION, Hub, only_hub
from tests.inference.tiny import tiny_model

NAME = "maker/tiny-nli"
BIG = 1_200_000


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub with one model, and a cache of this test's own, for the process that fetches and for this one."""
    with only_hub(tmp_path / "home", monkeypatch) as hub:
        folder = tiny_model(tmp_path / "published", file="onnx/model.onnx", size=5000)
        # What real weights are: larger than what is read at once.
        tiny_model(folder, file="onnx/model_quantized.onnx", size=BIG)
        (folder / "pytorch_model.bin").write_bytes(b"never asked for" * 1000)
        (folder / "README.md").write_text("A model card.")
        hub.add(NAME, folder)
        yield hub


@pytest.fixture
def models(tmp_path: Path) -> HubModels:
    return HubModels(tmp_path / "data" / "models.json")


def quiet(_what: str, _done: int, _total: int) -> None:
    """Nobody listens."""


def halves(tmp_path: Path) -> list[Path]:
    """What is left of files that were fetched in part."""
    return list((tmp_path / "home").rglob("*.incomplete"))


def test_a_model_is_fetched_pinned_and_read(hub: Hub, models: HubModels) -> None:
    told: list[tuple[str, int, int]] = []
    found = models.fetch(NAME, lambda *said: told.append(said))
    assert (found.revision, found.weights, found.licence) == (REVISION, "onnx/model.onnx", "mit")
    assert found.checksum == hashlib.sha256(hub.models[NAME]["onnx/model.onnx"]).hexdigest()
    reader = NliReader(found.open())
    assert reader.checksum == found.checksum
    assert reader.read([("bats", "yes")])[0].label is StanceLabel.SUPPORTS
    assert told[0] == ("Asking the hub", 0, 0)
    assert told[-1][1] == told[-1][2] == found.bytes
    assert not hub.bodies("pytorch_model.bin")
    assert not any("agent" in path or "telemetry" in path for _, path, _ in hub.asked)
    hub.asked.clear()
    assert models.find(NAME) == found
    assert not hub.asked


def test_another_file_or_revision_can_be_chosen(hub: Hub, models: HubModels) -> None:
    assert models.fetch(NAME, quiet, "onnx/model_quantized.onnx", "main").weights == "onnx/model_quantized.onnx"
    with pytest.raises(ModelError, match=r"no ONNX file ../secret\.onnx\. It has: onnx/model\.onnx, onnx/model_q"):
        models.fetch(NAME, quiet, "../secret.onnx")
    with pytest.raises(ModelError, match=r"has no such revision at 127\.0\.0\.1"):
        models.fetch(NAME, quiet, "", "v9")


def test_a_broken_connection_is_taken_up_where_it_ended(hub: Hub, models: HubModels) -> None:
    hub.breaks = 1
    found = models.fetch(NAME, quiet, "onnx/model_quantized.onnx")
    assert found.checksum == hashlib.sha256(hub.models[NAME]["onnx/model_quantized.onnx"]).hexdigest()
    first, second = hub.bodies("onnx/model_quantized.onnx")
    assert not first[2]
    assert int(second[2].removeprefix("bytes=").rstrip("-")) > 500_000


@pytest.mark.parametrize("file", ["onnx/model.onnx", "config.json"])
def test_what_arrives_changed_is_thrown_away(file: str, hub: Hub, models: HubModels, tmp_path: Path) -> None:
    right = hub.models[NAME][file]
    hub.replaced[file] = right[:-1] + b" "
    with pytest.raises(ModelError, match=rf"{file} of {NAME} arrived with another content.*thrown away"):
        models.fetch(NAME, quiet)
    assert models.find(NAME) is None
    hub.replaced.clear()
    models.fetch(NAME, quiet)


def test_a_cached_file_that_was_damaged_is_fetched_again(hub: Hub, models: HubModels) -> None:
    found = models.fetch(NAME, quiet)
    weights = Path(found.folder) / found.weights
    weights.resolve().write_bytes(b"rubbish")
    with pytest.raises(WeightsDamagedError, match=rf"python -m ghost models fetch {NAME}"):
        NliReader(found.open()).read([("bats", "yes")])
    assert NliReader(models.fetch(NAME, quiet).open()).read([("bats", "no")])[0].label is StanceLabel.REFUTES


def test_a_slow_fetch_is_stopped_within_a_second_and_leaves_nothing_half(
    hub: Hub, models: HubModels, tmp_path: Path
) -> None:
    hub.drip, stopped = 0.2, 0.0

    def stop(what: str, _done: int, _total: int) -> None:
        nonlocal stopped
        if "quantized" in what and any(path.startswith("/cdn/") for _, path, _ in hub.asked) and halves(tmp_path):
            stopped = time.monotonic()
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        models.fetch(NAME, stop, "onnx/model_quantized.onnx")
    assert time.monotonic() - stopped < 1.0
    assert not halves(tmp_path)
    assert models.find(NAME) is None
    hub.drip = 0.0
    assert models.fetch(NAME, quiet, "onnx/model_quantized.onnx").there


def test_a_model_of_another_kind_is_refused_before_its_weights_are_fetched(
    hub: Hub, models: HubModels, tmp_path: Path
) -> None:
    hub.add("maker/two", tiny_model(tmp_path / "two", ("entailment", "not_entailment")))
    with pytest.raises(ModelError, match="maker/two has two classes"):
        models.fetch("maker/two", quiet)
    assert not hub.bodies("model.onnx")
    hub.models["maker/pickle"] = {"config.json": b"{}", "pytorch_model.bin": b"x"}
    with pytest.raises(ModelError, match="pickled weights only"):
        models.fetch("maker/pickle", quiet)
    hub.models["maker/torch"] = {"config.json": b"{}", "model.safetensors": b"x", "tokenizer.json": b"{}"}
    if not importlib.util.find_spec("sentence_transformers"):
        with pytest.raises(ModelError, match=r"needs torch, which is not installed: pip install -r requirements\.txt"):
            models.fetch("maker/torch", quiet)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"status": 429}, r"refuses more requests for now \(HTTP 429\)"),
        ({"status": 503}, r"has trouble of its own \(HTTP 503\)"),
        ({"status": 403}, r"refuses the request \(HTTP 403\)"),
        ({"html": True}, "does not answer as a model hub does"),
        ({"models": {}}, rf"has no model {NAME}, or does not show it to everybody"),
        ({"gated": {NAME}}, "accepted its terms"),
        ({"missing": {"onnx/model.onnx"}}, "lists a file of .* that it does not have"),
        ({"sizes": {"onnx/model.onnx": 10**16}}, r"needs 10,000,000,0\d\d MB, and only .* are free"),
        ({"revision": "main"}, "did not say which version"),
    ],
)
def test_what_the_hub_answers_is_told_in_words(
    change: dict[str, object], words: str, hub: Hub, models: HubModels
) -> None:
    for name, value in change.items():
        setattr(hub, name, value)
    with pytest.raises(ModelError, match=words):
        models.fetch(NAME, quiet)
    assert models.find(NAME) is None


def test_a_token_opens_a_gated_model_and_stays_with_the_hub(
    hub: Hub, models: HubModels, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.gated.add(NAME)
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    monkeypatch.setenv("HF_HUB_DISABLE_IMPLICIT_TOKEN", "0")
    found = models.fetch(NAME, quiet)
    assert "Bearer hf_secret" in hub.tokens
    assert "hf_secret" not in found.model_dump_json()


def test_without_a_network_it_says_so(hub: Hub, models: HubModels, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(ModelError, match=r"127\.0\.0\.1 cannot be reached .* Is there a network\?"):
        models.fetch(NAME, quiet)


def test_offline_mode_uses_what_is_in_the_cache(
    hub: Hub, models: HubModels, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelError, match=r"offline mode is on \(HF_HUB_OFFLINE"):
        models.fetch(NAME, quiet)
    monkeypatch.delenv("HF_HUB_OFFLINE")
    fetched = models.fetch(NAME, quiet)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    hub.asked.clear()
    assert models.fetch(NAME, quiet) == fetched
    # Another data folder knows nothing of it, but the hub's cache has it, as if another program had fetched it.
    refs = Path(fetched.folder).parents[1] / "refs"
    refs.mkdir(exist_ok=True)
    (refs / "main").write_text(REVISION)
    adopted = HubModels(tmp_path / "other" / "models.json").fetch(NAME, quiet)
    assert (adopted.revision, adopted.checksum, adopted.weights) == (REVISION, fetched.checksum, "onnx/model.onnx")
    assert NliReader(adopted.open()).read([("bats", "open")])[0].label is StanceLabel.NEUTRAL
    assert json.loads((tmp_path / "other" / "models.json").read_text())["models"][0]["name"] == NAME
    assert not hub.asked


def test_a_name_that_cannot_be_one(hub: Hub, models: HubModels) -> None:
    with pytest.raises(ModelError, match="cannot be the name of a model"):
        models.fetch("a/b/c", quiet)
    assert models.find("a/b/c") is None
