"""The bundled models: what they find, and that neighbours and odd texts do no harm."""

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from ghost.errors import WeightsDamagedError
from ghost.inference import ClaimHead, OnnxCrossEncoder, OnnxEncoder, load_claim_head, load_encoder, readable
from ghost.types import Stance, StanceLabel

WEIRD = [
    "", " ", "\x00\x01\x02\x1f\x7f", "a \udfff b", "\u202e\u200b\ufeff", "🙂" * 500, "漢字" * 300,
    "[CLS] [SEP] [MASK] [PAD]", "x" * 1_000_000, "word " * 200_000, " " * 1_000_000 + "end", "2.5 % — “quoted” …",
]  # fmt: skip
SENTENCES = [
    "Canberra is the capital of Australia.",
    "Water boils at 100 degrees Celsius at sea level.",
    "The Eiffel Tower was finished in 1889, and it was the tallest structure in the world for forty years.",
    "Vaccines do not cause autism.",
    "Bats are mammals.",
]
QUESTIONS = [
    "Which city is the seat of the Australian government?", "boiling point of water",
    "When was the Eiffel Tower built?",
    "Do immunisations lead to autism?", "Are bats birds or mammals?",
]  # fmt: skip
CAPITAL = "Canberra is the capital city of Australia."
PAIRS = [
    (CAPITAL, "Canberra is the capital of Australia."),
    (CAPITAL, "Canberra is not the capital of Australia."),
    ("The recipe needs flour, eggs and butter.", "The Eiffel Tower was completed in 1889."),
    ("The Eiffel Tower was completed in 1889 for the World's Fair. " * 6, "The Eiffel Tower was built in 1889."),
    ("Bats are the only mammals capable of sustained flight.", "Bats are birds."),
    ("", "Bats are birds."),
]


def _array(stances: list[Stance]) -> np.ndarray:
    return np.array([(s.supports, s.refutes, s.neutral, s.off_topic) for s in stances])


def test_what_means_the_same_is_nearest(encoder: OnnxEncoder) -> None:
    vectors = encoder.encode(SENTENCES)
    assert (encoder.encode(QUESTIONS) @ vectors.T).argmax(axis=1).tolist() == [0, 1, 2, 3, 4]
    assert (vectors.shape, vectors.dtype, encoder.encode([]).shape) == ((5, 384), np.float32, (0, 384))
    same, near, far = encoder.encode(["A man is eating food.", "A man is eating a meal.", "The stock market fell."])
    assert same @ near > 0.75 > 0.3 > same @ far


def test_any_text_has_a_vector_of_length_one_whatever_its_neighbours(encoder: OnnxEncoder) -> None:
    texts = [f"{sentence} {'More of it. ' * (i % 7)}" for i, sentence in enumerate(SENTENCES * 2)] + WEIRD
    order = random.Random(3).sample(range(len(texts)), len(texts))
    vectors = encoder.encode(texts)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert np.abs(vectors[order] - encoder.encode([texts[i] for i in order])).max() < 1e-6
    assert np.abs(vectors - np.concatenate([encoder.encode([text]) for text in texts])).max() < 1e-6


def test_text_beyond_the_limit_is_not_seen(encoder: OnnxEncoder) -> None:
    start = "the cat sat on the mat " * 60
    a, b = encoder.encode([start + "and then it rained", start + "before the shop opened"])
    assert np.array_equal(a, b)


def test_many_threads_agree(models: Path) -> None:
    fresh = OnnxEncoder(models / "all-minilm-l6-v2", threads=1)
    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(lambda _: fresh.encode(SENTENCES), range(6)))
    assert all(np.array_equal(result, results[0]) for result in results)


def test_unmistakable_stances(reader: OnnxCrossEncoder) -> None:
    supported, refuted, foreign, *_ = found = reader.read(PAIRS)
    assert [s.label for s in (supported, refuted, foreign)] == ["SUPPORTS", "REFUTES", "OFF-TOPIC"]
    assert reader.score(PAIRS) == pytest.approx([1 - stance.off_topic for stance in found])
    assert (reader.read([]), reader.score([])) == ([], [])
    yes, no = reader.read([(f"{CAPITAL} " * 60, statement) for _, statement in PAIRS[:2]])
    assert yes.supports > no.supports


def test_any_pair_can_be_read_whatever_its_neighbours_and_threads(reader: OnnxCrossEncoder, models: Path) -> None:
    pairs = [(f"{passage} {'And so on. ' * (i % 9)}", claim) for i, (passage, claim) in enumerate(PAIRS * 2)]
    pairs += [pair for text in WEIRD for pair in ((text, "Bats are birds."), (CAPITAL, text))]
    order = random.Random(5).sample(range(len(pairs)), len(pairs))
    together = _array(reader.read(pairs))
    assert np.allclose(together.sum(axis=1), 1.0)
    assert (together >= 0).all()
    single = OnnxCrossEncoder(models / "evidence-cross-encoder", threads=1)
    assert np.abs(together[order] - _array(single.read([pairs[i] for i in order]))).max() < 1e-6
    assert np.abs(together[:6] - _array([reader.read([pair])[0] for pair in pairs[:6]])).max() < 1e-6


def test_most_foreign_passages_are_off_topic(reader: OnnxCrossEncoder) -> None:
    passages = ["The novel toured Scotland in 1994.", "Water and sugar turn into oxygen.", "She won three medals."]
    stances = reader.read([(passage, statement) for passage in passages for statement in QUESTIONS[:2] + SENTENCES[3:]])
    assert sum(stance.label is StanceLabel.OFF_TOPIC for stance in stances) >= len(stances) - 2


def test_the_claim_classifier_gives_probabilities_that_do_not_depend_on_the_batch(models: Path) -> None:
    head = load_claim_head(models, load_encoder("some/other-model", models))  # it brings its own encoder
    types, worth = head.read(texts := [*SENTENCES, *WEIRD])
    assert (types.shape, worth.shape) == ((len(texts), len(head.classes)), (len(texts), 3))
    assert np.allclose(types.sum(axis=1), 1)
    assert np.allclose(worth.sum(axis=1), 1)
    assert np.allclose(types[2:3], head.read(texts[2:3])[0], atol=1e-6)


def test_the_vectors_must_come_from_the_encoder_that_was_fitted_on(models: Path) -> None:
    class Other(OnnxEncoder):
        name, checksum = "other", "0" * 64  # type: ignore[assignment]

    with pytest.raises(WeightsDamagedError, match="other"):
        ClaimHead(models / "claim-types", Other(models / "all-minilm-l6-v2"))
    with pytest.raises(WeightsDamagedError, match="encoder"):
        ClaimHead(models / "all-minilm-l6-v2", OnnxEncoder(models / "all-minilm-l6-v2"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Café “au lait” costs 2.50 €.", "Café “au lait” costs 2.50 €."),
        ("  a\n\n b\t c ", "a b c"),
        ("x" * 1_000_000, "x" * 20_000),
        (" " * 1_000_000 + "end", "end"),
        ("a\ud800b", "a?b"),
        ("１９３２ and ١٩٣٢ and १९३२, ＡＢＣ, ﬁre oﬃcials", "1932 and 1932 and 1932, ABC, fire officials"),
        ("10⁶ H₂O ½ Ⅳ ℃", "10⁶ H₂O ½ Ⅳ ℃"),
        ("⑫ ships, ❸ piers, ㉑ men, ⑴ and 🄰", "12 ships, 3 piers, 21 men, 1 and 🄰"),
    ],
)
def test_any_text_is_made_readable(text: str, expected: str) -> None:
    assert readable(text) == expected
