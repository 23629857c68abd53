import json
import random
from pathlib import Path

import pytest

from training.dossiers import Dossier, DossierClaim, read_dossiers
from training.headings import KNOWN, heading_pairs, read_headings

CLAIMS = ("The mill burned down", "The mill was saved", "The mill was insured", "The mill was old")
NOTHING: frozenset[int] = frozenset()
DOSSIER = Dossier("mill fire", ("The mill burned down.",), tuple(DossierClaim(c, NOTHING, NOTHING) for c in CLAIMS))


def write(folder: Path, *heads: dict[str, object]) -> Path:
    file = folder / "headings.jsonl"
    file.write_text(json.dumps({"topic": "mill fire", "heads": heads}))
    return file


def test_a_heading_takes_a_side_only_on_the_claims_it_settles(tmp_path: Path) -> None:
    file = write(tmp_path, {"text": "Mill lost to flames", "S": [0], "R": [1]}, {"text": "The mill", "S": [], "R": []})
    pairs = list(heading_pairs([DOSSIER], read_headings(file), random.Random(1)))
    assert [(p.claim, p.label) for p in pairs if p.evidence == "Mill lost to flames"] == [
        (CLAIMS[0], "SUPPORTS"),
        (CLAIMS[1], "REFUTES"),
        (CLAIMS[2], "NEUTRAL"),
        (CLAIMS[3], "NEUTRAL"),
    ]
    assert {p.label for p in pairs if p.evidence == "The mill"} == {"NEUTRAL"}
    few = list(heading_pairs([DOSSIER], read_headings(file), random.Random(1), left_open=1))
    assert [p.label for p in few].count("NEUTRAL") == 2


def test_claims_that_came_after_the_headings_are_not_taken_for_open(tmp_path: Path) -> None:
    file = write(tmp_path, {"text": "Mill lost to flames", "S": [0], "R": []})
    more = Dossier("mill fire", DOSSIER.page, (*DOSSIER.claims * 4, DossierClaim("The mill is gone", NOTHING, NOTHING)))
    assert len(more.claims) == 17
    claims = [p.claim for p in heading_pairs([more], read_headings(file), random.Random(1))]
    assert len(claims) == KNOWN
    assert "The mill is gone" not in claims


def test_a_page_without_headings_gives_no_pairs(tmp_path: Path) -> None:
    file = write(tmp_path, {"text": "The mill", "S": [], "R": []})
    other = Dossier("tea", DOSSIER.page, DOSSIER.claims)
    assert list(heading_pairs([other], read_headings(file), random.Random(1))) == []


@pytest.mark.parametrize("head", [{"text": "x", "S": [0], "R": [0]}, {"text": "x", "S": [0]}])
def test_a_malformed_row_names_its_line(tmp_path: Path, head: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="line 1"):
        read_headings(write(tmp_path, head))


def test_what_was_written_belongs_to_its_pages() -> None:
    claims = {d.topic: len(d.claims) for d in read_dossiers()}
    headings = read_headings()
    assert headings
    assert headings.keys() <= claims.keys()
    for topic, heads in headings.items():
        assert all(max({*h.supports, *h.refutes}, default=0) < min(KNOWN, claims[topic]) for h in heads), topic
        assert any(not h.supports | h.refutes for h in heads), topic
