import random
from pathlib import Path

import numpy as np
import pytest

from ghost.inference import ModelFolder, OnnxCrossEncoder
from ghost.types import Stance, StanceLabel

CAPITAL = "Canberra is the capital city of Australia."
PAIRS = [
    (CAPITAL, "Canberra is the capital of Australia."),
    (CAPITAL, "Canberra is not the capital of Australia."),
    ("The recipe needs flour, eggs and butter.", "The Eiffel Tower was completed in 1889."),
    (
        "The Eiffel Tower in Paris was completed in 1889 for the World's Fair. " * 6,
        "The Eiffel Tower was built in 1889.",
    ),
    ("Bats are the only mammals capable of sustained flight.", "Bats are birds."),
    ("", "Bats are birds."),
]

FOREIGN = [
    ("The recipe needs flour, eggs and butter.", "The Eiffel Tower was completed in 1889."),
    ("The novel was adapted for the stage in 1994 and toured Scotland.", "Vaccines do not cause autism."),
    ("Photosynthesis turns carbon dioxide and water into sugar and oxygen.", "Canberra is the capital of Australia."),
    ("The river floods its lower valley every spring when the snow melts.", "Unemployment fell to 4 percent in 2019."),
    ("She won three medals in swimming at the games in Sydney.", "The Great Wall of China is visible from the Moon."),
    ("The bank was fined nine million dollars for hiding losses.", "Bats are mammals that can fly."),
]

WEIRD = ["", "\x00", "\ud800", "\u202e", "🙂" * 400, "x" * 1_000_000, "word " * 200_000, "[SEP] [CLS]"]


def _array(stances: list[Stance]) -> np.ndarray:
    return np.array([(s.supports, s.refutes, s.neutral, s.off_topic) for s in stances])


def test_unmistakable_stances(reader: OnnxCrossEncoder) -> None:
    supported, refuted, foreign, *_ = reader.read(PAIRS)
    assert supported.label is StanceLabel.SUPPORTS
    assert refuted.label is StanceLabel.REFUTES
    assert foreign.label is StanceLabel.OFF_TOPIC


def test_most_foreign_passages_are_off_topic(reader: OnnxCrossEncoder) -> None:
    stances = reader.read(FOREIGN)
    assert sum(stance.label is StanceLabel.OFF_TOPIC for stance in stances) >= len(FOREIGN) - 1
    assert max(stance.supports for stance in stances) < 0.5


def test_probabilities_sum_to_one(reader: OnnxCrossEncoder) -> None:
    values = _array(reader.read(PAIRS))
    assert values.shape == (len(PAIRS), 4)
    assert np.allclose(values.sum(axis=1), 1.0)
    assert (values >= 0).all()


def test_score_is_what_is_not_off_topic(reader: OnnxCrossEncoder) -> None:
    scores = reader.score(PAIRS)
    assert scores == pytest.approx([1 - stance.off_topic for stance in reader.read(PAIRS)])
    assert scores[0] > 0.8
    assert scores[2] < 0.5


def test_passage_and_statement_are_not_the_same_to_it(reader: OnnxCrossEncoder) -> None:
    pair = ("In 2019 the bridge was closed for repairs and reopened in May, the council said.", "The bridge closed.")
    there, back = _array(reader.read([pair, (pair[1], pair[0])]))
    assert np.abs(there - back).max() > 0.01


def test_nothing_gives_nothing(reader: OnnxCrossEncoder) -> None:
    assert reader.read([]) == []
    assert reader.score([]) == []


def test_order_and_neighbours_do_not_matter(reader: OnnxCrossEncoder) -> None:
    pairs = [(f"{passage} {'And so on. ' * (i % 9)}", claim) for i, (passage, claim) in enumerate(PAIRS * 4)]
    order = list(range(len(pairs)))
    random.Random(5).shuffle(order)
    together = _array(reader.read(pairs))
    shuffled = _array(reader.read([pairs[i] for i in order]))
    alone = _array([reader.read([pair])[0] for pair in pairs])
    assert np.abs(together[order] - shuffled).max() < 1e-6
    assert np.abs(together - alone).max() < 1e-6


def test_same_list_gives_the_same_numbers(reader: OnnxCrossEncoder) -> None:
    assert reader.read(PAIRS) == reader.read(PAIRS)


def test_number_of_threads_does_not_matter(models: Path, reader: OnnxCrossEncoder) -> None:
    single = OnnxCrossEncoder(models / "evidence-cross-encoder", threads=1)
    assert np.abs(_array(single.read(PAIRS)) - _array(reader.read(PAIRS))).max() < 1e-6


@pytest.mark.parametrize("text", WEIRD, ids=range(len(WEIRD)))
def test_any_text_can_be_read(reader: OnnxCrossEncoder, text: str) -> None:
    values = _array(reader.read([(text, "Bats are birds."), (CAPITAL, text), (text, text)]))
    assert np.isfinite(values).all()
    assert np.allclose(values.sum(axis=1), 1.0)


def test_a_short_statement_survives_a_long_passage(reader: OnnxCrossEncoder) -> None:
    passage = "Canberra is the capital city of Australia. " * 60
    yes, no = reader.read([(passage, PAIRS[0][1]), (passage, PAIRS[1][1])])
    assert yes.supports > no.supports
    assert no.refutes > yes.refutes


def test_tokens_are_cut_to_what_the_manifest_says(models: Path) -> None:
    assert ModelFolder.open(models / "evidence-cross-encoder").manifest.max_tokens <= 512
