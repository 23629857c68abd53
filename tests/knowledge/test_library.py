"""The files of the packs: read, compared with the knowledge base, written, put back."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from ghost.errors import StoreError
from ghost.knowledge import (
    Draft,
    KnowledgeBase,
    Pack,
    Revision,
    backup_path,
    is_writable,
    pack_passages,
    pack_title,
    read_packs,
)
from ghost.knowledge import draft_packs as drafts
from ghost.knowledge import take_back_draft as take_back
from ghost.knowledge import write_draft as write
from ghost.knowledge.packs import fact_of, parse, passage_of
from ghost.types import Frame, FrameKind, NewPassage, Origin

# As somebody may write it: other spacing, a field of their own, no details.
OTTERS = """{"text": "Otters hold hands while they sleep.", "source": "https://a.org", \
"details": {"title": "Otters", "publisher": "A", "topic": "animals", "checked_by": "Ann"}}"""
LINES = (
    OTTERS,
    '{"text":"Wale  singen unter Wasser.","source":"https://b.org","details":{"title":"Wale","language":"de"}}',
    '{"text": "Penguins breed on the ice.", "source": ""}',
)
FILE = "\n".join(LINES) + "\n"


def drafted(kb: KnowledgeBase, text: str, name: str = "yours", path: Path | None = None) -> Draft:
    """One pack as the knowledge base would have it; what is new belongs to the one of this name."""
    path = path or Path("packs") / f"{name}.jsonl"
    return drafts(kb, [Pack(path, text, tuple(parse(text)))], path.parent)[name]


@pytest.fixture
def ids(kb: KnowledgeBase) -> list[str]:
    """Ids of the facts of FILE in the knowledge base."""
    return list(kb.add(passage_of(fact) for fact in parse(FILE)).ids)


def revise(kb: KnowledgeBase, passage_id: str, **fields: object) -> None:
    wanted = replace(Revision.of(kb.get([passage_id])[0]), **fields)  # type: ignore[arg-type]
    assert kb.curation.revise(passage_id, wanted)


def test_what_nobody_touched_stays_to_the_letter(kb: KnowledgeBase, ids: list[str]) -> None:
    draft = drafted(kb, FILE)
    assert (draft.text, draft.differences, draft.facts, draft.unknown) == (FILE, (), 3, 0)


def test_edits_retirements_and_new_ones_come_into_the_file(kb: KnowledgeBase, ids: list[str]) -> None:
    revise(kb, ids[0], text="Otters hold hands when they sleep.", published_at=date(2020, 1, 2))
    kb.retire([ids[1]])
    new = kb.add([NewPassage("Bats hang upside down.", "https://d.org", "Bats"), NewPassage("Not a seed at all.")]).ids
    revise(kb, new[0], origin=Origin.SEED)
    draft = drafted(kb, FILE)
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
    again = drafted(kb, draft.text)
    assert (again.text, again.differences) == (draft.text, ())
    report = kb.add(passage_of(fact) for fact in parse(draft.text))
    assert (report.added, report.merged) == (0, 3)
    kb.add(passage_of(fact) for fact in parse(FILE))
    assert drafted(kb, draft.text).differences == ()


def test_what_is_taken_out_of_the_seeds_leaves_the_file_and_what_is_unknown_stays(
    kb: KnowledgeBase, ids: list[str]
) -> None:
    revise(kb, ids[2], origin=Origin.CURATED)
    more = FILE + '{"text": "This one was never put in.", "source": "https://c.org"}\n' + LINES[0] + "\n"
    draft = drafted(kb, more)
    assert [d.why for d in draft.differences] == [
        "it was taken out of the seed facts", "it is the same passage as an earlier line",
    ]  # fmt: skip
    assert draft.unknown == 1
    assert "never put in" in draft.text


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "Line 2 is no fact"),
        ('["a list"]', "Line 2"),
        ('{"source": "https://a.org"}', "text: Field required"),
        ('{"text": 3}', "text: Input should be a valid string"),
        ('{"text": "A fact with a bad day.", "details": {"published_at": "soon"}}', "Invalid isoformat"),
        ('{"text": "x", "details": []}', "details"),
        ('{"text": "A fact with a bad month.", "details": {"as_of": "2024-13"}}', "Line 2 is no fact"),
    ],
)
def test_a_line_that_is_no_fact_is_named(line: str, why: str) -> None:
    with pytest.raises(StoreError, match=why):
        parse(LINES[0] + "\n" + line)


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
    written = drafted(kb, FILE).text
    for edit in edits[1:]:
        revise(kb, ids[0], **edit)
    draft = drafted(kb, written)
    dropped = {"origin": Origin.CURATED} in edits
    assert (draft.unknown, [d.kind for d in draft.differences]) == (0, ["dropped" if dropped else "changed"])
    for text in (FILE, written):
        report = kb.add(pack_passages(kb, parse(text)))
        assert (report.added, report.ids[0]) == (0, ids[0])
    assert kb.count() == 3


def test_the_file_is_written_whole_with_a_copy_of_the_old_one_and_can_be_put_back(
    kb: KnowledgeBase, ids: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "facts.jsonl"
    path.write_text(FILE, encoding="utf-8")
    kb.retire([ids[0]])
    draft = drafted(kb, FILE, "facts", path)
    backup = write(draft)
    assert path.read_text(encoding="utf-8") == draft.text
    assert backup.read_text(encoding="utf-8") == FILE
    with pytest.raises(StoreError, match="has changed since"):
        write(draft)
    take_back(path)
    assert path.read_text(encoding="utf-8") == FILE
    assert backup.read_text(encoding="utf-8") == draft.text
    assert sorted(p.name for p in tmp_path.glob("facts*")) == ["facts.jsonl", "facts.jsonl.bak"]
    assert LINES[0] in FILE
    assert LINES[0] not in draft.text


def test_a_pack_that_is_not_there_yet_is_made_and_can_be_emptied_again(kb: KnowledgeBase, tmp_path: Path) -> None:
    kb.add([NewPassage("Bats hang upside down.", "https://d.org", "Bats", Origin.SEED)])
    made = drafts(kb, [], tmp_path)
    assert list(made) == ["yours"]
    write(made["yours"])
    path = tmp_path / "yours.jsonl"
    assert json.loads(path.read_text(encoding="utf-8"))["text"] == "Bats hang upside down."
    take_back(path)
    assert (path.read_bytes(), backup_path(path).read_text(encoding="utf-8")) == (b"", made["yours"].text)


def test_a_folder_that_cannot_be_written_is_said(kb: KnowledgeBase, ids: list[str], tmp_path: Path) -> None:
    nowhere = tmp_path / "none" / "facts.jsonl"
    with pytest.raises(StoreError, match="has changed since"):  # the file that it was made from is gone
        write(drafted(kb, FILE, "facts", nowhere))
    with pytest.raises(StoreError, match="cannot be written"):
        write(drafted(kb, "", "yours", tmp_path / "none" / "yours.jsonl"))
    with pytest.raises(StoreError, match="could not be put back"):
        take_back(tmp_path / "facts.jsonl")
    assert not is_writable(nowhere)


RECORD = (
    '{"text": "As of May 2024, the tower is the tallest building of Ellerby.", "source": "https://a.org/tower", '
    '"details": {"title": "Tower", "publisher": "A", "topic": "records", "language": "en", "as_of": "2024-05"}}'
)


def test_packs_are_the_files_of_a_folder_by_name(tmp_path: Path) -> None:
    (tmp_path / "old-myths.jsonl").write_text(f"{RECORD}\n\n", encoding="utf-8")
    (tmp_path / "animals.jsonl").write_text("", encoding="utf-8")
    (tmp_path / "animals.jsonl.bak").write_text("{", encoding="utf-8")
    (tmp_path / "README.md").write_text("About packs", encoding="utf-8")
    packs = read_packs(tmp_path)
    assert [(p.name, p.title, len(p.facts)) for p in packs] == [
        ("animals", "Animals", 0), ("old-myths", "Old myths", 1),
    ]  # fmt: skip
    assert packs[0].digest != packs[1].digest
    assert pack_title("world_records") == "World records"


@pytest.mark.parametrize(
    ("content", "why"), [(b"\xff\xfe\x00", r"bad\.jsonl cannot be read"), (b"\n{", r"bad\.jsonl: Line 2 is no fact")]
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "bad.jsonl").write_bytes(content)
    with pytest.raises(StoreError, match=why):
        read_packs(tmp_path)


def test_a_fact_keeps_what_its_page_said_around_it(kb: KnowledgeBase) -> None:
    frame = Frame(FrameKind.MYTH, "Myths", ("The Moon", "Myths"))
    kb.add([NewPassage("The Moon is made of cheese.", "https://moon.example/", frame=frame)])
    passage = next(p for p in kb.list(limit=5) if p.frame)
    fact = fact_of(passage, {})
    assert passage_of(json.loads(json.dumps(fact))).frame == frame
    assert "frame" not in fact_of(replace(passage, frame=Frame()), fact)["details"]
    with pytest.raises(StoreError, match="Line 1 is no fact"):
        parse(json.dumps({"text": "The Moon is made of cheese.", "details": {"frame": {"kind": "nonsense"}}}))
