"""Files from elsewhere: every form, every encoding, everything that is wrong with them."""

import gzip
import io
import json
import zipfile
from datetime import date

import pytest

from ghost.errors import Cancelled
from ghost.knowledge import FileFormat, ImportFileError, ReadOptions, missing_columns, read_import_file
from ghost.knowledge.transfer import reader as reading
from ghost.knowledge.transfer import tables
from ghost.knowledge.transfer.import_file import ImportFile
from ghost.types import NewPassage, Origin, Status
from tests.knowledge.helpers import BEES, WALL


def passages(file: ImportFile) -> list[NewPassage]:
    return [new for entry in file.entries for new in entry.passages]


def problems(file: ImportFile) -> list[tuple[int, str, str]]:
    return [(p.row, p.field, p.problem) for p in file.problems]


def test_csv_with_all_fields() -> None:
    file = read_import_file(
        b"text,source_url,title,publisher,topic,language,published_at,retrieved_at,status,note\n"
        b'"Otters hold hands, when they sleep.",https://example.org/o,Otters,Zoo,animals,en-GB,2020-02-03,'
        b"2021-01-01T10:00:00Z,retired,why\n",
        "otters.csv",
    )
    assert (file.format, file.rows, file.problems) == (FileFormat.CSV, 1, ())
    (new,) = passages(file)
    assert (new.text, new.source_url) == ("Otters hold hands, when they sleep.", "https://example.org/o")
    assert (new.title, new.publisher, new.topic, new.language) == ("Otters", "Zoo", "animals", "en")
    assert new.published_at == date(2020, 2, 3)
    assert new.retrieved_at is not None
    assert new.retrieved_at.isoformat() == "2021-01-01T10:00:00+00:00"
    assert (new.origin, new.status, new.note) == (Origin.IMPORT, Status.RETIRED, "imported from otters.csv; why")


@pytest.mark.parametrize("moment", ["9999-12-31T23:00:00-10:00", "0001-01-01T01:00:00+10:00"])
def test_a_moment_that_leaves_the_calendar_is_left_out_and_the_row_stays(moment: str) -> None:
    file = read_import_file(f"text,retrieved_at\nOtters hold hands when they sleep.,{moment}\n".encode(), "otters.csv")
    assert [new.retrieved_at for new in passages(file)] == [None]
    assert problems(file) == [(2, "retrieved_at", "is not a time that exists; the row is used without it")]


@pytest.mark.parametrize(
    ("header", "separator"), [("Passage;Link;Date", ";"), ("Passage\tLink\tDate", "\t"), ("Passage|Link|Date", "|")]
)
def test_other_headers_and_separators_are_guessed(header: str, separator: str) -> None:
    row = separator.join((WALL, "nasa.gov/wall", "3 May 2020"))
    (new,) = passages(read_import_file(f"{header}\n{row}\n".encode(), "a.csv"))
    assert (new.text, new.source_url, new.published_at) == (WALL, "https://nasa.gov/wall", date(2020, 5, 3))


def test_columns_are_asked_for_and_can_be_chosen() -> None:
    data = f"Aussage,Fundstelle\n{WALL},https://example.org/a\n".encode()
    file = read_import_file(data, "a.csv")
    assert passages(file) == []
    assert file.header == ("Aussage", "Fundstelle")
    assert "No column is called text" in missing_columns(file)
    chosen = read_import_file(data, "a.csv", ReadOptions({"text": "Aussage", "source_url": "Fundstelle"}))
    assert [(p.text, p.source_url) for p in passages(chosen)] == [(WALL, "https://example.org/a")]
    assert not missing_columns(chosen)


def test_every_problem_has_its_row_and_field() -> None:
    file = read_import_file(
        f"text,url,date,language,status\n"
        f"{WALL},not a url,yesterday,Deutsch!,active\n"
        f",https://example.org/,,,\n"
        f"{BEES},,,,archived\n"
        f"{BEES},a,b,c,d,e,f\n"
        "\n"
        f"{BEES},https://example.org/b,2020,en,\n".encode(),
        "a.csv",
    )
    assert problems(file) == [
        (2, "source_url", "is not a web address such as https://example.org/page; the row is used without it"),
        (2, "language", "is not a language code such as en or de-AT; the row is used without it"),
        (2, "published_at", "is not a day such as 2024-05-31; the row is used without it"),
        (3, "text", "is empty"),
        (4, "status", "is none of active, quarantined, retired"),
        (5, "", "has 7 cells where the header has 5: is a quotation mark missing?"),
        (7, "published_at", "is not a day such as 2024-05-31 (a year alone is no day); the row is used without it"),
    ]
    assert [entry.row for entry in file.entries] == [2, 7]
    assert (file.rows, file.unusable) == (5, 3)


def test_a_wrong_quotation_mark_spoils_one_row_only() -> None:
    file = read_import_file(f'text,title\n"{WALL}"x,a\n{BEES},b\n'.encode(), "a.csv")
    assert [p.row for p in file.problems] == [2]
    assert [new.text for new in passages(file)] == [BEES]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_cell_that_is_too_long_spoils_one_row_only(end: str) -> None:
    long = '"' + f'Wasps say ""no"", and this line alone would be a passage.{end}' * 3_000 + '"'
    data = end.join(["text,title", f'"{BEES}",a', f"{long},b", "x" * 140_000 + ",c", f'"{WALL}",d', ""])
    file = read_import_file(data.encode(), "a.csv")
    assert [p.text for p in passages(file)] == [BEES, WALL]
    assert [entry.row for entry in file.entries] == [2, 5]
    assert [(row, "131,072" in why) for row, _, why in problems(file)] == [(3, True), (4, True)]


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_encodings(codec: str) -> None:
    text = "Zürich is the largest city of Switzerland, and Genève the second largest one."
    file = read_import_file(f"text\n{text}\n".encode(codec), "a.csv")
    assert [new.text for new in passages(file)] == [text]


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("Most został otwarty w 1932 roku i jest nadal czynny, źródło miasto Łódź.", "cp1250"),
        ("Мост через реку был открыт в 1932 году и до сих пор открыт.", "cp1251"),
        ("橋は1932年に開通し、今も使われている。", "shift_jis"),
        ("Мост через реку был открыт в 1932 году и до сих пор открыт.", "koi8-r"),
    ],
)
def test_other_encodings_are_read_rightly_or_refused(text: str, codec: str) -> None:
    data = f"text;source_url\n{text};https://a.example\n".encode(codec)
    assert passages(read_import_file(data, "a.csv", ReadOptions(encoding=codec)))[0].text == text
    if codec == "koi8-r":
        with pytest.raises(ImportFileError, match=r"encoding cannot be detected.*Nothing was imported"):
            read_import_file(data, "a.csv")
    else:
        assert passages(read_import_file(data, "a.csv"))[0].text == text


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", "0" * 10_000_000)
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf \n\n ", "only white space"),
        (zipped(), "ZIP archive"),
        (gzip.compress(b"0" * 10_000_000), "gzip"),
        (b"%PDF-1.7 ...", "PDF"),
        (b"abc\x00\x01\x02\x03" * 100, "binary"),
        (b"{broken\n{also broken", "Line 1 is not JSON"),
        (f"{WALL}\n{BEES}\n".encode(), "first line should name the columns"),
        (b"sep=;\ntext;url\n", "only Excel knows"),
        ((",".join("abc" for _ in range(300)) + "\n").encode(), "300 columns"),
    ],
)
def test_what_is_no_file_of_passages_is_refused_and_said_why(data: bytes, what: str) -> None:
    with pytest.raises(ImportFileError, match=what):
        read_import_file(data, "a.csv")


def test_a_file_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MAX_IMPORT_BYTES", 10)
    with pytest.raises(ImportFileError, match="too large"):
        read_import_file(b"text\n" + b"a" * 10, "a.csv")
    monkeypatch.undo()
    monkeypatch.setattr(reading, "MAX_IMPORT_ROWS", 2)
    with pytest.raises(ImportFileError, match="more than 2 rows"):
        read_import_file(f"text\n{WALL}\n{BEES}\n{WALL}\n".encode(), "a.csv")


def test_jsonl_by_line_with_what_is_broken_named() -> None:
    lines = [
        json.dumps({"text": WALL, "url": "https://example.org/w"}),
        "{broken",
        "",
        "[1, 2]",
        '"just text"',
        json.dumps({"text": BEES, "published_at": 20200503}),
        json.dumps({"text": ["a", "list"]}),
        json.dumps({"text": "NUL \0 inside of a text that goes on for a while"}),
        "[" * 5_000,
        '{"text": ' + "9" * 5_000 + "}",
    ]
    file = read_import_file("\n".join(lines).encode(), "a.jsonl")
    assert [entry.row for entry in file.entries] == [1, 6]
    assert passages(file)[1].published_at == date(2020, 5, 3)
    assert [p.row for p in file.problems] == [2, 4, 5, 7, 8, 9, 10]
    assert file.problems[0].problem.startswith("is not JSON")


def test_a_json_list_and_the_form_of_the_seed_facts() -> None:
    items = [
        {"text": WALL, "source": "https://example.org/w", "details": {"title": "Wall", "topic": "space"}},
        {"Content": BEES, "Headline": "Bees", "unknown": {"deep": 1}},
    ]
    file = read_import_file(json.dumps(items, indent=1).encode(), "a.json")
    assert file.format is FileFormat.JSONL
    assert [(p.title, p.topic, p.source_url) for p in passages(file)] == [
        ("Wall", "space", "https://example.org/w"),
        ("Bees", "", ""),
    ]


def review(**changes: object) -> dict[str, object]:
    return {
        "@context": "https://schema.org",
        "@type": "ClaimReview",
        "claimReviewed": "The Moon is made of cheese.",
        "url": "https://www.snopes.com/moon",
        "author": {"@type": "Organization", "name": "Snopes"},
        "datePublished": "2021-03-04",
        "reviewRating": {"@type": "Rating", "ratingValue": 1, "alternateName": "False"},
        **changes,
    }


GOOGLE = {
    "text": "The Moon is made of cheese.", "claimant": "Posts", "claimDate": "2021-03-01T00:00:00Z",
    "claimReview": [
        {"publisher": {"name": "Snopes", "site": "snopes.com"}, "url": "https://www.snopes.com/moon",
         "title": "No, it is not", "reviewDate": "2021-03-04T00:00:00Z", "textualRating": "False", "languageCode": "en"}
    ],
}  # fmt: skip
FEEDS = {
    "a list": json.dumps([review()]),
    "one": json.dumps(review()),
    "a line": json.dumps(review()) + "\n" + json.dumps({"@type": "Thing"}),
    "a feed": json.dumps(
        {"@type": "DataFeed", "dataFeedElement": [{"@type": "DataFeedItem", "item": [review()]}, {"item": review()}]}
    ),
    "an answer of Google's API": json.dumps({"claims": [GOOGLE], "nextPageToken": "x"}),
    "a graph": json.dumps({"@graph": [{"@type": "WebPage"}, review()]}),
}


@pytest.mark.parametrize("form", FEEDS)
def test_fact_checks_in_every_form_of_feed(form: str) -> None:
    file = read_import_file(FEEDS[form].encode(), "feed.json")
    assert file.format is FileFormat.CLAIM_REVIEW
    new = passages(file)[0]
    assert new.text == "Snopes rated the claim “The Moon is made of cheese.” as False."
    assert (new.publisher, new.published_at, new.status) == ("Snopes", date(2021, 3, 4), Status.ACTIVE)
    assert len(file.entries) == (2 if form == "a feed" else 1)


def test_what_a_fact_check_lacks_is_named() -> None:
    items = [review(claimReviewed=""), review(url="x"), review(author=""), review(reviewRating={"ratingValue": 2})]
    items += [review(datePublished="soon"), review(reviewRating={"alternateName": "See below"})]
    file = read_import_file(json.dumps(items).encode(), "feed.json")
    assert [(p.row, p.field) for p in file.problems] == [
        (1, "claimReviewed"),
        (2, "url"),
        (3, "author"),
        (4, "reviewRating"),
        (5, "datePublished"),
    ]
    _, unclear = passages(file)
    assert unclear.status is Status.QUARANTINED
    assert "no judge can tell what the rating “See below” means" in unclear.note


@pytest.mark.parametrize("item", ["A post", {"@type": "CreativeWork", "name": "A post", "text": "A post"}])
def test_the_work_that_was_reviewed_is_not_the_claim(item: object) -> None:
    file = read_import_file(json.dumps([review(claimReviewed="", itemReviewed=item)]).encode(), "feed.json")
    assert [p.field for p in file.problems] == ["claimReviewed"]
    claim = {"@type": "Claim", "text": "The Moon is made of cheese."}
    assert passages(read_import_file(json.dumps([review(claimReviewed="", itemReviewed=claim)]).encode(), "feed.json"))


def test_long_texts_are_cut_when_asked_to() -> None:
    text = " ".join(f"Sentence number {n} says something about the river." for n in range(80))
    data = json.dumps({"text": text, "title": "Rivers"}).encode()
    assert len(passages(read_import_file(data, "a.jsonl"))) == 1
    parts = passages(read_import_file(data, "a.jsonl", ReadOptions(cut=True)))
    assert len(parts) > 20
    assert {p.title for p in parts} == {"Rivers"}


def test_reading_can_be_stopped() -> None:
    with pytest.raises(Cancelled):
        read_import_file(f"text\n{WALL}\n".encode(), "a.csv", cancelled=lambda: True)
