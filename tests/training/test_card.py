"""The cards are written from the figures of a manifest; those in the tree belong to the model beside them."""

from collections.abc import Callable

import pytest

from config import PROJECT
from ghost.inference.weights import MODEL, Manifest, ModelFolder
from training.card import cross_encoder_card, encoder_card

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
    manifest = ModelFolder.open(MODELS / "evidence-cross-encoder").manifest
    part, whole = (
        cross_encoder_card(Manifest(**{**manifest.model_dump(), "figures": manifest.figures | {"limit": limit}}), 1)
        for limit in (50, 0)
    )
    assert "cannot be compared" in part
    assert "cannot be compared" not in whole
