"""A run keeps what it asked as hashes; every change of a question changes its hash and no other."""

import pytest

from ghost.judges import prompts


@pytest.mark.parametrize(
    ("name", "value", "changed"),
    [
        ("CLASSIFY", "You do something else.", {"classify"}),
        ("statements_block", lambda statements: "laid out otherwise", {"snippets", "reading", "sufficiency", "verdict"}),
        ("evidence_block", lambda evidence: "laid out otherwise", {"sufficiency", "verdict"}),
        ("REPAIR", "Once more.", {"repair"}),
    ],
)
def test_a_change_is_seen(name: str, value: object, changed: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    before = prompts.hashes()
    assert set(before) == {"classify", "snippets", "reading", "sufficiency", "verdict", "repair"}
    monkeypatch.setattr(prompts, name, value)
    after = prompts.hashes()
    assert {key for key in before if before[key] != after[key]} == changed
