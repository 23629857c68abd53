"""A run keeps what it asked as hashes; every change of a question changes its hash and no other."""

import pytest

from ghost.judges.llm import prompts
from ghost.judges.llm.prompts import classify, repair, sufficiency, verdict

CHANGES = [
    (classify, "SYSTEM", "You do something else.", {"classify"}),
    (sufficiency, "SCHEMA", {"type": "object"}, {"sufficiency"}),
    (verdict, "evidence_block", lambda evidence: "laid out in another way", {"verdict"}),
    (repair, "REPAIR", "Once more.", {"repair"}),
]


def test_hashes_are_the_same_each_time() -> None:
    assert prompts.hashes() == prompts.hashes()
    assert set(prompts.hashes()) == {"classify", "snippets", "reading", "sufficiency", "verdict", "repair"}
    assert all(len(found) == 64 for found in prompts.hashes().values())


@pytest.mark.parametrize(("module", "name", "value", "changed"), CHANGES)
def test_a_change_is_seen(
    module: object, name: str, value: object, changed: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = prompts.hashes()
    monkeypatch.setattr(module, name, value)
    after = prompts.hashes()
    assert {key for key in before if before[key] != after[key]} == changed


def test_a_model_is_asked_for_the_most_important_statement_first() -> None:
    assert "Put first the one on which the claim stands or falls" in " ".join(classify.SYSTEM.split())
