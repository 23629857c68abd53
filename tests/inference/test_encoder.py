import random
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ghost.inference import ModelFolder, OnnxEncoder, session

WEIRD = [
    "",
    " ",
    "\x00",
    "\x00\x01\x02\x1f\x7f",
    "\ud800",
    "a \udfff b",
    "\u202e\u200b\ufeff",
    "🙂" * 500,
    "漢字" * 300,
    "é" * 1000,
    "[CLS] [SEP] [MASK] [PAD]",
    "x" * 1_000_000,
    "word " * 200_000,
    " " * 1_000_000 + "end",
    "<script>alert(1)</script>",
    "2.5 % — “quoted” …",
]

SENTENCES = [
    "Canberra is the capital of Australia.",
    "Water boils at 100 degrees Celsius at sea level.",
    "The Eiffel Tower was finished in 1889, and it was the tallest structure in the world for forty years.",
    "Vaccines do not cause autism.",
    "Bats are mammals.",
]


def test_nearest_is_the_one_that_means_the_same(encoder: OnnxEncoder) -> None:
    passages = encoder.encode(SENTENCES)
    questions = encoder.encode(
        [
            "Which city is the seat of the Australian government?",
            "boiling point of water",
            "When was the Eiffel Tower built?",
            "Do immunisations lead to autism?",
            "Are bats birds or mammals?",
        ]
    )
    assert (questions @ passages.T).argmax(axis=1).tolist() == [0, 1, 2, 3, 4]


def test_equal_meaning_is_near_and_other_meaning_is_far(encoder: OnnxEncoder) -> None:
    same, near, far = encoder.encode(["A man is eating food.", "A man is eating a meal.", "The stock market fell."])
    assert same @ near > 0.75
    assert same @ far < 0.3


def test_vectors_have_length_one(encoder: OnnxEncoder) -> None:
    vectors = encoder.encode(SENTENCES)
    assert vectors.shape == (len(SENTENCES), 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_nothing_gives_an_empty_array(encoder: OnnxEncoder) -> None:
    vectors = encoder.encode([])
    assert vectors.shape == (0, 384)
    assert vectors.dtype == np.float32


@pytest.mark.parametrize("text", WEIRD, ids=range(len(WEIRD)))
def test_any_text_has_a_vector(encoder: OnnxEncoder, text: str) -> None:
    vector = encoder.encode([text])[0]
    assert np.isfinite(vector).all()
    assert abs(np.linalg.norm(vector) - 1.0) < 1e-5


def test_order_and_neighbours_do_not_matter(encoder: OnnxEncoder) -> None:
    texts = [f"{sentence} {'More of it. ' * (i % 7)}" for i, sentence in enumerate(SENTENCES * 5)] + ["", "word " * 400]
    order = list(range(len(texts)))
    random.Random(3).shuffle(order)
    vectors = encoder.encode(texts)
    shuffled = encoder.encode([texts[i] for i in order])
    alone = np.concatenate([encoder.encode([text]) for text in texts])
    assert np.abs(vectors[order] - shuffled).max() < 1e-6
    assert np.abs(vectors - alone).max() < 1e-6


def test_more_texts_than_are_tokenised_at_once(encoder: OnnxEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = encoder.encode(SENTENCES)
    monkeypatch.setattr(session, "CHUNK", 2)
    assert np.abs(encoder.encode(SENTENCES) - expected).max() < 1e-6


def test_text_beyond_the_limit_is_not_seen(encoder: OnnxEncoder) -> None:
    start = "the cat sat on the mat " * 60
    a, b = encoder.encode([start + "and then it rained", start + "before the shop opened"])
    assert np.array_equal(a, b)


def test_many_threads_load_once_and_agree(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[ModelFolder] = []
    original = session._open

    def count(folder: ModelFolder) -> Any:
        opened.append(folder)
        return original(folder)

    monkeypatch.setattr(session, "_open", count)
    fresh = OnnxEncoder(models / "all-minilm-l6-v2", threads=1)
    start = threading.Barrier(6)

    def work(_: int) -> np.ndarray:
        start.wait(timeout=30)
        return fresh.encode(SENTENCES)

    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(work, range(6)))
    assert len(opened) == 1
    for result in results[1:]:
        assert np.array_equal(result, results[0])


def test_nothing_is_loaded_until_it_is_used(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "_open", lambda *_: pytest.fail("loaded too early"))
    fresh = OnnxEncoder(models / "all-minilm-l6-v2")
    assert (fresh.name, fresh.dimensions, len(fresh.checksum)) == ("all-MiniLM-L6-v2", 384, 64)
    assert fresh.encode([]).shape == (0, 384)
