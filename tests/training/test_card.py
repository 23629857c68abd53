"""The cards are written from the figures of a manifest; those in the tree belong to the model beside them."""

from collections.abc import Callable

import pytest

from config import PROJECT
from ghost.inference import HEAD, MODEL, Manifest, ModelFolder
from training.card import cross_encoder_card, encoder_card
from training.claim_card import card as claim_card
from training.injection_card import card as injection_card
from training.matching_card import card as matching_card

MODELS = PROJECT / "ghost" / "models"


@pytest.mark.parametrize(
    ("name", "write"), [("all-minilm-l6-v2", encoder_card), ("evidence-cross-encoder", cross_encoder_card)]
)
def test_committed_card_shows_the_figures_of_the_manifest(name: str, write: Callable[[Manifest, int], str]) -> None:
    folder = ModelFolder.open(MODELS / name)
    card = (MODELS / name / "CARD.md").read_text(encoding="utf-8")
    written = write(folder.manifest, (MODELS / name / MODEL).stat().st_size)
    figures = [line for line in written.splitlines() if line.startswith("|")]
    assert len(figures) > 8
    assert [line for line in figures if line not in card] == []


def test_figures_of_a_part_are_marked() -> None:
    value = dict.fromkeys(
        "pairs macro_f1 accuracy calibration_error accuracy_empty_evidence accuracy_foreign_evidence same_label "
        "mean_difference largest_change_by_batch foreign_called_off_topic foreign_called_decided".split(),
        0.125,
    )
    manifest = ModelFolder.open(MODELS / "evidence-cross-encoder").manifest.model_dump()
    part, whole = (
        cross_encoder_card(Manifest.model_validate(manifest | {"figures": figures}), 24_200_000)
        for figures in (
            {"int8": value, "fever_symmetric": value, "xnli_en": value, "limit": limit} for limit in (50, 0)
        )
    )
    assert "cannot be compared" in part
    assert "cannot be compared" not in whole
    assert "12.5% were called" in whole
    assert "24.2 MB" in whole


@pytest.mark.parametrize(
    ("name", "write"), [("claim-types", claim_card), ("claim-match", matching_card), ("injection", injection_card)]
)
def test_committed_card_of_a_head_is_what_its_manifest_says(name: str, write: Callable[[Manifest, int], str]) -> None:
    folder = ModelFolder.open(MODELS / name)
    folder.verify()
    written = write(folder.manifest, (MODELS / name / HEAD).stat().st_size)
    assert (MODELS / name / "CARD.md").read_text(encoding="utf-8") == written
