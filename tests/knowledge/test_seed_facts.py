"""The file of seed facts: read, compared with the knowledge base, written, put back."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from ghost.errors import StoreError
from ghost.knowledge import seed_facts
from ghost.knowledge.base import KnowledgeBase
from ghost.knowledge.revising import Revision
from ghost.types import NewPassage, Origin

# As somebody may write it: other spacing, a field of their own, no details.
OTTERS = """{"text": "Otters hold hands while they sleep.", "source": "https://a.org", \
"details": {"title": "Otters", "publisher": "A", "topic": "animals", "checked_by": "Ann"}}"""
LINES = (
    OTTERS,
    '{"text":"Wale  singen unter Wasser.","source":"https://b.org","details":{"title":"Wale","language":"de"}}',
    '{"text": "Penguins breed on the ice.", "source": ""}',
)
FILE = "\n".join(LINES) + "\n"


@pytest.fixture
def ids(kb: KnowledgeBase) -> list[str]:
    """Ids of the facts of FILE in the knowledge base."""
    return list(kb.add(seed_facts.passage_of(fact) for fact in seed_facts.parse(FILE)).ids)


def revise(kb: KnowledgeBase, passage_id: str, **fields: object) -> None:
    wanted = replace(Revision.of(kb.get([passage_id])[0]), **fields)  # type: ignore[arg-type]
    assert kb.curation.revise(passage_id, wanted)


def test_what_nobody_touched_stays_to_the_letter(kb: KnowledgeBase, ids: list[str]) -> None:
    draft = seed_facts.draft(kb, FILE)
    assert (draft.text, draft.differences, draft.facts, draft.unknown) == (FILE, (), 3, 0)


def test_edits_retirements_and_new_ones_come_into_the_file(kb: KnowledgeBase, ids: list[str]) -> None:
    revise(kb, ids[0], text="Otters hold hands when they sleep.", published_at=date(2020, 1, 2))
    kb.retire([ids[1]])
    new = kb.add([NewPassage("Bats hang upside down.", "https://d.org", "Bats"), NewPassage("Not a seed at all.")]).ids
    revise(kb, new[0], origin=Origin.SEED)
    draft = seed_facts.draft(kb, FILE)
    first, second, third = (json.loads(line) for line in draft.text.splitlines())
    assert first == {
        "text": "Otters hold hands when they sleep.", "source": "https://a.org",
        "details": {
            "title": "Otters", "publisher": "A", "topic": "animals", "checked_by": "Ann", "published_at": "2020-01-02",
        },
    }  # fmt: skip
    assert second == json.loads(LINES[2])
    assert third["text"] == "Bats hang upside down."
    assert [(d.kind, d.passage_id) for d in draft.differences] == [
        ("changed", ids[0]), ("dropped", ids[1]), ("added", new[0]),
    ]  # fmt: skip
    # The file as it was written agrees with the knowledge base, and brings nothing back.
    again = seed_facts.draft(kb, draft.text)
    assert (again.text, again.differences) == (draft.text, ())
    report = kb.add(seed_facts.passage_of(fact) for fact in seed_facts.parse(draft.text))
    assert (report.added, report.merged) == (0, 3)
    kb.add(seed_facts.passage_of(fact) for fact in seed_facts.parse(FILE))
    assert seed_facts.draft(kb, draft.text).differences == ()


def test_what_is_taken_out_of_the_seeds_leaves_the_file_and_what_is_unknown_stays(
    kb: KnowledgeBase, ids: list[str]
) -> None:
    revise(kb, ids[2], origin=Origin.CURATED)
    more = FILE + '{"text": "This one was never put in.", "source": "https://c.org"}\n' + LINES[0] + "\n"
    draft = seed_facts.draft(kb, more)
    assert [d.why for d in draft.differences] == [
        "it was taken out of the seed facts", "it is the same passage as an earlier line",
    ]  # fmt: skip
    assert draft.unknown == 1
    assert "never put in" in draft.text


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "Line 2 is no seed fact"),
        ('["a list"]', "Line 2"),
        ('{"source": "https://a.org"}', "text: Field required"),
        ('{"text": 3}', "text: Input should be a valid string"),
        ('{"text": "A fact with a bad day.", "details": {"published_at": "soon"}}', "Invalid isoformat"),
        ('{"text": "x", "details": []}', "details"),
    ],
)
def test_a_line_that_is_no_fact_is_named(line: str, why: str) -> None:
    with pytest.raises(StoreError, match=why):
        seed_facts.parse(LINES[0] + "\n" + line)


@pytest.mark.parametrize(
    "edits",
    [
        [{"text": "Otters hold hands when they sleep."}, {"text": "Sea otters hold hands when they sleep."}],
        [{"source_url": "https://b.org"}, {"source_url": "https://c.org"}],
        [{"text": "Otters hold hands when they sleep."}, {"origin": Origin.CURATED}, {"source_url": "https://c.org"}],
    ],
)
def test_a_fact_that_is_edited_again_after_it_was_written_does_not_come_back(
    kb: KnowledgeBase, ids: list[str], edits: list[dict[str, object]]
) -> None:
    revise(kb, ids[0], **edits[0])
    written = seed_facts.draft(kb, FILE).text
    for edit in edits[1:]:
        revise(kb, ids[0], **edit)
    draft = seed_facts.draft(kb, written)
    dropped = {"origin": Origin.CURATED} in edits
    assert (draft.unknown, [d.kind for d in draft.differences]) == (0, ["dropped" if dropped else "changed"])
    for text in (FILE, written):
        report = kb.add(seed_facts.offered(kb, seed_facts.parse(text)))
        assert (report.added, report.ids[0]) == (0, ids[0])
    assert kb.count() == 3


def test_a_fact_that_was_never_a_seed_before_is_put_in(kb: KnowledgeBase) -> None:
    (own,) = kb.add([NewPassage("Otters hold hands for no reason.", "https://a.org")]).ids
    revise(kb, own, text="Otters hold hands while they sleep.")
    revise(kb, own, text="Otters hold paws while they sleep.")
    assert kb.add(seed_facts.offered(kb, seed_facts.parse(OTTERS))).added == 1


def test_the_file_is_written_whole_with_a_copy_of_the_old_one_and_can_be_put_back(
    kb: KnowledgeBase, ids: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "facts.jsonl"
    path.write_text(FILE, encoding="utf-8")
    kb.retire([ids[0]])
    draft = seed_facts.draft(kb, FILE)
    backup = seed_facts.write(path, draft)
    assert path.read_text(encoding="utf-8") == draft.text
    assert backup.read_text(encoding="utf-8") == FILE
    with pytest.raises(StoreError, match="has changed since"):
        seed_facts.write(path, draft)
    seed_facts.take_back(path)
    assert path.read_text(encoding="utf-8") == FILE
    assert backup.read_text(encoding="utf-8") == draft.text
    assert sorted(p.name for p in tmp_path.glob("facts*")) == ["facts.jsonl", "facts.jsonl.bak"]
    assert "-" + LINES[0] in seed_facts.diff(FILE, draft.text)


def test_a_folder_that_cannot_be_written_is_said(kb: KnowledgeBase, ids: list[str], tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written"):
        seed_facts.write(tmp_path / "none" / "facts.jsonl", seed_facts.draft(kb, FILE))
    with pytest.raises(StoreError, match="could not be put back"):
        seed_facts.take_back(tmp_path / "facts.jsonl")
    assert not seed_facts.writable(tmp_path / "none" / "facts.jsonl")
