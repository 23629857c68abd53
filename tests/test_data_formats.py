"""The examples of files in docs/data.md can be imported as they stand."""

import re
from pathlib import Path

import pytest

from config import PROJECT
from ghost.knowledge import FileFormat, read_import_file, read_ratings

TEXT = (PROJECT / "docs" / "data.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"<!-- (import|ratings): (\S+) -->\n```\w+\n(.*?)```", TEXT, re.DOTALL)


def test_there_are_examples_of_every_form() -> None:
    assert {Path(name).suffix for kind, name, _ in EXAMPLES if kind == "import"} == {".csv", ".jsonl", ".json"}
    assert "ratings" in {kind for kind, _, _ in EXAMPLES}


@pytest.mark.parametrize(("name", "body"), [(name, body) for kind, name, body in EXAMPLES if kind == "import"])
def test_files_of_passages(name: str, body: str) -> None:
    pack = read_import_file(body.encode(), name)
    assert pack.problems == ()
    assert pack.notes == ()
    assert pack.unusable == 0
    assert pack.entries
    if name.endswith(".json"):
        assert pack.format is FileFormat.CLAIM_REVIEW
        assert pack.entries[0].passages[0].text in TEXT


@pytest.mark.parametrize(("name", "body"), [(name, body) for kind, name, body in EXAMPLES if kind == "ratings"])
def test_lists_of_ratings(name: str, body: str) -> None:
    found = read_ratings(body.encode(), name)
    assert found.problems == ()
    assert [r.credibility for r in found.ratings.values()] == [0.7, 0.4, 0.2]
