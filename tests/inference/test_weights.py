import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ghost.errors import WeightsDamagedError, WeightsMissingError
from ghost.inference import MANIFEST, MODEL, TOKENIZER, ModelFolder, OnnxCrossEncoder, OnnxEncoder

BUNDLED = ("all-minilm-l6-v2", "evidence-cross-encoder")
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 23610693\n".format("0" * 64)


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_model_is_whole(models: Path, name: str) -> None:
    folder = ModelFolder.open(models / name)
    folder.verify()
    assert folder.checksum == hashlib.sha256((models / name / MODEL).read_bytes()).hexdigest()
    assert (models / name / MODEL).stat().st_size < 26_000_000, "what is committed must stay small"


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_model_has_its_card_and_licence(models: Path, name: str) -> None:
    folder = ModelFolder.open(models / name)
    card = (models / name / "CARD.md").read_text(encoding="utf-8")
    assert folder.checksum in card
    assert folder.manifest.licence in card
    assert "Apache License" in (models / name / "LICENSE").read_text(encoding="utf-8")
    assert folder.manifest.figures


@pytest.mark.parametrize("file", [MANIFEST, MODEL, TOKENIZER])
def test_missing_file(copied: Callable[[str], Path], file: str) -> None:
    path = copied("all-minilm-l6-v2")
    (path / file).unlink()
    with pytest.raises(WeightsMissingError, match=f"{file} is missing.*git checkout -- ghost/models"):
        OnnxEncoder(path)


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(WeightsMissingError, match="fresh clone"):
        OnnxCrossEncoder(tmp_path / "nowhere")


@pytest.mark.parametrize("file", [MODEL, TOKENIZER])
def test_flipped_byte(copied: Callable[[str], Path], file: str) -> None:
    path = copied("all-minilm-l6-v2")
    content = bytearray((path / file).read_bytes())
    content[len(content) // 2] ^= 1
    (path / file).write_bytes(content)
    encoder = OnnxEncoder(path)
    with pytest.raises(WeightsDamagedError, match=f"{file} is not what manifest.json says"):
        encoder.encode(["text"])


def test_truncated_model(copied: Callable[[str], Path]) -> None:
    path = copied("evidence-cross-encoder")
    (path / MODEL).write_bytes((path / MODEL).read_bytes()[:1000])
    with pytest.raises(WeightsDamagedError, match=MODEL):
        OnnxCrossEncoder(path).read([("a", "b")])


def test_lfs_pointer_is_named(copied: Callable[[str], Path]) -> None:
    path = copied("all-minilm-l6-v2")
    (path / MODEL).write_text(POINTER)
    with pytest.raises(WeightsDamagedError, match=r"Git LFS pointer.*git lfs pull"):
        OnnxEncoder(path).encode(["text"])


def test_repaired_model_loads_without_a_new_start(copied: Callable[[str], Path]) -> None:
    path = copied("all-minilm-l6-v2")
    good = (path / MODEL).read_bytes()
    (path / MODEL).write_bytes(b"")
    encoder = OnnxEncoder(path)
    with pytest.raises(WeightsDamagedError):
        encoder.encode(["text"])
    (path / MODEL).write_bytes(good)
    assert encoder.encode(["text"]).shape == (1, encoder.dimensions)


def _without(name: str) -> Callable[[dict[str, Any]], None]:
    return lambda manifest: manifest.pop(name)


def _with(**fields: Any) -> Callable[[dict[str, Any]], None]:
    return lambda manifest: manifest.update(fields)


@pytest.mark.parametrize(
    "change",
    [
        _without("dimensions"),
        _without("files"),
        _with(files={}),
        _with(files={MODEL: "0" * 64, TOKENIZER: "not a checksum"}),
        _with(files={MODEL: "0" * 64, TOKENIZER: "0" * 64, "../outside": "0" * 64}),
        _with(kind="cross-encoder"),
        _with(unheard_of=1),
    ],
)
def test_manifest_is_checked(copied: Callable[[str], Path], change: Callable[[dict[str, Any]], None]) -> None:
    path = copied("all-minilm-l6-v2")
    manifest = json.loads((path / MANIFEST).read_text())
    change(manifest)
    (path / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(WeightsDamagedError, match=r"not a manifest of Ghost.*git checkout"):
        ModelFolder.open(path)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe\x00"])
def test_unreadable_manifest(copied: Callable[[str], Path], content: bytes) -> None:
    path = copied("all-minilm-l6-v2")
    (path / MANIFEST).write_bytes(content)
    with pytest.raises(WeightsDamagedError, match=MANIFEST):
        ModelFolder.open(path)


def test_the_wrong_kind_of_model_is_refused(models: Path) -> None:
    with pytest.raises(WeightsDamagedError, match="not an encoder"):
        OnnxEncoder(models / "evidence-cross-encoder")
    with pytest.raises(WeightsDamagedError, match="not describe a stance model"):
        OnnxCrossEncoder(models / "all-minilm-l6-v2")


def test_classes_must_be_the_four_stances(copied: Callable[[str], Path]) -> None:
    path = copied("evidence-cross-encoder")
    manifest = json.loads((path / MANIFEST).read_text())
    manifest["classes"] = manifest["classes"][:3]
    (path / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(WeightsDamagedError, match="OFF-TOPIC"):
        OnnxCrossEncoder(path)
