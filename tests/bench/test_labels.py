"""Labels of data sets and verdicts of ours in the same classes."""

from pathlib import Path

import pytest

from bench.labels import Labels
from bench.rows import ClaimRow, DataError, Table
from ghost.types import Label


def _labels(*labels: str) -> Labels:
    rows = tuple(ClaimRow(claim="a", label=label) for label in labels)
    return Labels.of(Table(Path("f.jsonl"), rows, tuple(range(1, len(rows) + 1)), ""))


@pytest.mark.parametrize(
    ("label", "verdicts"),
    [
        ("SUPPORTS", {Label.TRUE}),
        ("REFUTES", {Label.FALSE}),
        ("CONFLICT", {Label.PARTIALLY_TRUE, Label.MISLEADING}),
        ("DISPUTED", {Label.PARTIALLY_TRUE, Label.MISLEADING}),
        ("nei", {Label.NOT_ENOUGH_EVIDENCE, Label.NOT_VERIFIABLE}),
    ],
)
def test_which_verdicts_answer_to_a_label_of_data_sets(label: str, verdicts: set[Label]) -> None:
    labels = _labels(label)
    assert {verdict for verdict in Label if labels.found(verdict) == labels.wanted(label)} == verdicts


def test_a_file_with_our_names_is_compared_in_our_names() -> None:
    labels = _labels("True", "not verifiable", "Misleading")
    for verdict in Label:
        assert labels.found(verdict) == labels.wanted(verdict.value) == verdict.value
    assert labels.decisive == {"True", "False", "Partially True", "Misleading"}


def test_a_file_with_both_is_compared_in_the_four_classes() -> None:
    labels = _labels("True", "NEI")
    assert labels.wanted("True") == labels.found(Label.TRUE) == "SUPPORTS"
    assert labels.wanted("Misleading") == "CONFLICT"
    assert labels.decisive == {"SUPPORTS", "REFUTES", "CONFLICT"}


@pytest.mark.parametrize("label", ["", "MAYBE", "Half True"])
def test_another_label_is_refused_with_its_line(label: str) -> None:
    with pytest.raises(DataError, match=r"^f\.jsonl, line 2: the label '.*' is none of SUPPORTS, REFUTES"):
        _labels("NEI", label)
