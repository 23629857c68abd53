"""Step 1 without a language model: types, statements, reasons, and texts of any kind."""

import json
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from ghost.budget import Budget, Limits
from ghost.errors import BudgetExceeded, Cancelled, WeightsDamagedError
from ghost.inference import ClaimHead, OnnxEncoder
from ghost.judges import ClaimReader, EmbeddedJudge, Reading, classify
from ghost.types import Claim, ClaimType, Classification, ReasonCode
from ghost.workbench import MODELS

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
STOPPED = (ClaimType.OPINION, ClaimType.AMBIGUOUS)
FACT = Reading(0.9, 0.05, 0.03, 0.02, 0.5)


def rows(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


STATEMENTS = rows(DATA / "claim_statements.jsonl")


@pytest.fixture(scope="module")
def reader() -> ClaimReader:
    return ClaimReader(ClaimHead(MODELS / "claim-types", OnnxEncoder(MODELS / "all-minilm-l6-v2", 1)))


class Says:
    """A reader that gives one answer to everything, or what a function makes of a text."""

    def __init__(self, reading: Reading | Callable[[str], Reading]) -> None:
        self._reading = reading
        self.asked: list[str] = []

    def read(self, texts: Sequence[str]) -> list[Reading]:
        self.asked += texts
        return [self._reading(text) if callable(self._reading) else self._reading for text in texts]


def said(text: str, reader: ClaimReader | Says | None = None) -> list[str]:
    return [s.text.rstrip(".") for s in classify(text, reader=reader).statements]


def assert_well_formed(result: Classification) -> None:
    assert 0 < result.confidence <= 1
    assert result.reason
    assert [s.number for s in result.statements] == list(range(1, len(result.statements) + 1))
    assert len(result.statements) <= 8
    assert all(s.text.strip() for s in result.statements)
    assert (result.type in STOPPED) == (not result.statements) == (result.code is not None)
    assert bool(result.rephrase) == (result.type in STOPPED)


def test_what_belongs_together_is_never_torn_apart() -> None:
    """To cut a list or a condition in two puts words into somebody's mouth; a missed cut does not."""
    torn = [row["text"] for row in STATEMENTS if row["kind"] == "whole" and said(row["text"]) != row["statements"]]
    assert torn == []


def test_a_question_is_checked_as_its_statement_or_not_at_all() -> None:
    """A broken sentence would be looked up, checked, and kept as a card."""
    for line in (DATA / "questions.tsv").read_text(encoding="utf-8").splitlines():
        question, statement = line.split("\t")
        names_nobody = statement.split()[0] in ("He", "They")
        assert said(question) == ([] if statement == "-" or names_nobody else [statement.rstrip(".")])


@pytest.mark.parametrize(("held_out", "floor"), [(False, 0.89), (True, 0.82)])
def test_the_statements_that_claims_make(reader: ClaimReader, held_out: bool, floor: float) -> None:
    """Some of these claims were never looked at while the rules were written."""
    kinds = Counter(row["kind"] for row in STATEMENTS)
    assert min(kinds[k] for k in ("split", "whole", "carry", "attribution", "question", "headline", "mixed")) >= 15
    table = [row for row in STATEMENTS if bool(row.get("held_out")) is held_out]
    assert sum(said(row["text"], reader) == row["statements"] for row in table) / len(table) >= floor


def test_examples_it_was_not_fitted_on(reader: ClaimReader) -> None:
    held = rows(ROOT / "training" / "data" / "claim_types.held.jsonl")
    readings = reader.read([row["text"] for row in held])
    scores = []
    for kind in ClaimType:
        right = {n for n, row in enumerate(held) if row["type"] == kind}
        found = {n for n, r in enumerate(readings) if r.type is kind}
        scores.append(2 * len(right & found) / (len(right) + len(found)))
    assert sum(scores) / len(scores) >= 0.80


@pytest.mark.parametrize(
    ("file", "right", "stopped", "let"),
    [
        # Written by somebody who has seen neither code nor examples, after the last line was chosen.
        ("pasted_claims.unseen.jsonl", 0.81, 4, 22),
        # The same, but looked at while lines were chosen.
        ("pasted_claims.jsonl", 0.75, 8, 15),
        # Written beside rules that are gone.
        ("claim_types.jsonl", 0.82, 21, 11),
        # Who holds which office, what a law or a report says, pasts of rarer verbs, and a third that must end here.
        ("plain_statements.jsonl", 0.9, 0, 3),
        # The same, but not looked at while the rules were written; each bound leaves two rows to spare.
        ("plain_statements.unseen.jsonl", 0.88, 3, 6),
    ],
)
def test_claims_as_people_paste_them(reader: ClaimReader, file: str, right: float, stopped: int, let: int) -> None:
    """Share of right types, facts that end at step 1, and texts that are checked for nothing."""
    found = [(row["type"], classify(row["text"], reader=reader).type) for row in rows(DATA / file)]
    assert sum(one == other for one, other in found) / len(found) >= right
    assert sum(one not in STOPPED and other in STOPPED for one, other in found) <= stopped
    assert sum(one in STOPPED and other not in STOPPED for one, other in found) <= let


def test_facts_are_let_through_whole_and_other_claims_as_labelled(reader: ClaimReader) -> None:
    wrong = [
        row["claim"]
        for row in rows(DATA / "claims.jsonl")
        if (not said(row["claim"], reader)) is not (row["label"] == "Not Verifiable")
    ]
    assert len(wrong) <= 3, wrong
    texts = [row["text"] for pack in sorted((ROOT / "packs").glob("*.jsonl")) for row in rows(pack)][::14]
    changed = [text for text in texts if said(text, reader) != said(text)]
    assert len(texts) > 140
    assert len(changed) <= 3, changed


def test_no_statement_loses_a_negation_or_a_restriction(reader: ClaimReader) -> None:
    """ "Berlin is a German city" would be another claim; not even a reader to whom every cut is plain may lose it."""
    whole = {
        "The beautiful bird does not live in Europe": "not",
        "Only the lovely koala eats eucalyptus": "only",
        "In 2019 the amazing team won nine titles": "in 2019",
        "Sadly, no cure for the disease was found before 1950": "no cure for the disease was found before 1950",
        "Berlin is not the best German city": "not",
        "No lovely town was built in 1900": "no lovely",
        "Oslo has never built beautiful parks": "never",
        "It was a shameful myth that the dam cost 4 billion dollars.": "myth",
        "The dam cost the state 4 billion dollars, never 5 billion.": "never",
        "The council sold the old harbour and not the new one.": "not",
        "The firm built the bridge, rather than the tunnel.": "rather",
        "The ministry closed 40 libraries without a single vote.": "without",
        "It is not true that the harbour was sold in 2011.": "not true",
        "It is a shameful lie that the harbour was sold in 2011.": "lie",
    }

    def every_cut(text: str) -> Reading:
        return Reading(0.01, 0.4, 0.58, 0.01, 0.5) if text in whole else Reading(0.99, 0.0, 0.0, 0.01, 0.5)

    for text, kept in whole.items():
        for one in (reader, Says(every_cut)):
            assert all(kept in s.casefold() for s in said(text, one)), text


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("The dam cost 4 billion dollars, which is a disgrace.", "The dam cost 4 billion dollars"),
        ("Oslo is in Norway and its mayor is a pathetic clown.", "Oslo is in Norway"),
    ],
)
def test_the_factual_part_of_a_mixed_claim(reader: ClaimReader, text: str, fact: str) -> None:
    assert classify(text, reader=reader).type is ClaimType.MIXED
    assert said(text, reader) == [fact]


def test_what_is_worth_checking_comes_first(reader: ClaimReader) -> None:
    ordered = [
        "Unemployment has doubled since 2019 and 3 million people have lost their jobs.",
        "I met my wife in college.",
        "Thank you, and good night.",
    ]
    scores = [classify(text, reader=reader).check_worthiness or 0.0 for text in ordered]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > 0.8
    assert scores[2] < 0.2
    assert classify(ordered[0]).check_worthiness is None


@pytest.mark.parametrize(
    ("text", "word"), [("They did it again", "They"), ("bananas", "Bananas"), ("Where is the station?", "question")]
)
def test_what_says_nothing_is_not_read_and_the_reason_names_it(text: str, word: str) -> None:
    unread = Says(FACT)
    found = classify(text, reader=unread)
    assert (found.type, found.code, found.check_worthiness) == (ClaimType.AMBIGUOUS, ReasonCode.AMBIGUOUS, 0.0)
    assert word in found.reason
    assert unread.asked == []


def test_context_resolves_a_pronoun() -> None:
    assert classify("She won the Nobel Prize in 1903").type is ClaimType.AMBIGUOUS
    assert classify("She won the Nobel Prize in 1903", "About Marie Curie").type is ClaimType.FACTUAL


@pytest.mark.parametrize(
    ("reading", "type_", "code", "statements"),
    [
        (Reading(0.03, 0.93, 0.03, 0.01, 0.3), ClaimType.OPINION, ReasonCode.OPINION, 0),
        (Reading(0.1, 0.1, 0.0, 0.8, 0.1), ClaimType.AMBIGUOUS, ReasonCode.AMBIGUOUS, 0),
        # Judging words that cannot be cut off are kept; an opinion in doubt is checked.
        (Reading(0.05, 0.05, 0.85, 0.05, 0.3), ClaimType.MIXED, None, 1),
        (Reading(0.4, 0.45, 0.13, 0.02, 0.3), ClaimType.MIXED, None, 1),
        (FACT, ClaimType.FACTUAL, None, 1),
    ],
)
def test_what_follows_from_a_reading(
    reading: Reading, type_: ClaimType, code: ReasonCode | None, statements: int
) -> None:
    one = Says(reading)
    found = classify("The harbour faces the north wind", reader=one)
    assert (found.type, found.code, len(found.statements)) == (type_, code, statements)
    assert found.check_worthiness == reading.check_worthiness
    assert "left out" not in found.reason
    assert one.asked == ["The harbour faces the north wind"], "a clause is read once"
    assert_well_formed(found)


def test_clauses_that_read_as_opinions_are_checked_where_the_text_reads_as_a_fact() -> None:
    text = "The harbour faces the north wind and the pier is old."
    opinion = Reading(0.03, 0.94, 0.02, 0.01, 0.5)
    found = classify(text, reader=Says(lambda one: FACT if "pier" in one and "harbour" in one else opinion))
    assert (found.type, len(found.statements)) == (ClaimType.MIXED, 2)


def test_a_pasted_paragraph_gives_its_first_checkable_sentences_and_says_so() -> None:
    cities = ["Oslo", "Rome", "Paris", "Lima", "Cairo", "Quito", "Tokyo", "Seoul", "Delhi", "Berlin"]
    result = classify(" ".join(f"{city} was founded in {1000 + n}." for n, city in enumerate(cities)))
    assert (result.type, len(result.statements)) == (ClaimType.FACTUAL, 8)
    assert result.statements[0].text == "Oslo was founded in 1000."
    assert "first 8 of 10" in result.reason


@pytest.mark.parametrize("text", ["Der Eiffelturm ist das höchste Bauwerk der Welt", "太陽は恒星です", "空"])
def test_another_language_ends_here_with_what_to_do(text: str) -> None:
    unread = Says(FACT)
    result = classify(text, reader=unread)
    assert (result.type, result.code) == (ClaimType.AMBIGUOUS, ReasonCode.UNSUPPORTED_LANGUAGE)
    assert result.reason == "Ghost reads English. With a language model it can check this claim."
    assert "language model" in result.rephrase
    assert unread.asked == []


def test_markup_is_only_text() -> None:
    text = "<script>alert('x')</script> The Moon orbits the Earth"
    assert said(text) == [text]


def test_any_text_gets_a_well_formed_answer(reader: ClaimReader) -> None:
    chance = random.Random(7)
    words = "and but is the best I should If Rome , . ? ! it they #a @b http://x.y 😀 one of most very 1914".split()
    for n in range(300):
        limits = [chance.choice((127, 0x3000, 0x110000)) for _ in range(chance.randrange(60))]
        noise = "".join(chr(chance.randrange(limit)) for limit in limits)
        salad = " ".join(chance.choice(words) for _ in range(chance.randrange(1, 30)))
        for text in (noise, salad):
            assert_well_formed(classify(text, reader=None if n % 10 else reader))
    for text in ("", " ", "\n", "and " * 500, '"' * 99, "A is B and C is D " * 100, "I heard that " * 100, "\ud800"):
        assert_well_formed(classify(text, reader=reader))


HOSTILE = {
    "one letter": "a", "blanks": " \n\t", "emoji": "👩‍👩‍👧 😀", "links": "https://example.org/a?b=c ",
    "hashtags": "#tag @bob ", "control characters": "\x00\x1b[2J\x07", "right to left": "\u202eabc\u202c الشمس نجم ",
    "half a character": "\ud800", "code": "def f(x):\n    return {'a': [1, 2]}\n", "markup": "<div onclick='x'>",
    "Chinese": "太陽は恒星です。", "sentences": "Oslo is in Norway. ", "signs": "- ", "brackets": "(",
    "one endless compound": "Oslo is rich and Rome is poor and ", "opinions": "Pizza is delicious and I love it and ",
    "initials": "Dr. No. ", "list": "\n- Oslo is old * Rome is", "framing": "I heard that they say that ",
    "quotation marks": "“a” ' \" ", "asides": "Oslo, which is nice, ",
}  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_a_hundred_thousand_characters_of_anything_are_read_at_once(piece: str) -> None:
    text = (piece * (100_000 // len(piece) + 1))[:100_000]
    for ending in (text, "Oslo is in Norway. " + text):
        classify("Rome is in Italy")
        started = time.process_time()
        found = classify(ending)
        assert time.process_time() - started < 0.2
        assert_well_formed(found)
        assert all(len(s.text) <= 6_000 for s in found.statements)


def test_of_a_long_text_whole_sentences_are_read_and_what_has_no_end_is_cut_where_it_pauses() -> None:
    assert said("Oslo is in Norway. " * 1000) == ["Oslo is in Norway"]
    assert "The Moon orbits the Earth" in said("The Moon orbits the Earth. " + "Rome is in Italy and " * 2000)
    towns = ", ".join(f"Town {n} has {n} people" for n in range(100, 200))
    assert all(len(s) <= 600 for s in said(f"{towns}."))
    assert said(f"{towns}.")[0].startswith("Town 100 has 100 people")


def test_a_wish_to_stop_is_heard_between_two_sentences() -> None:
    heard = 0

    def check() -> None:
        nonlocal heard
        heard += 1
        if heard == 3:
            raise Cancelled("enough")

    with pytest.raises(Cancelled):
        classify("Cats purr. Dogs bark. Cows eat grass. Hens lay eggs.", check=check)
    assert heard == 3
    ticks = iter(range(100))
    budget = Budget(Limits(seconds=6), clock=lambda: float(next(ticks)))
    with pytest.raises(BudgetExceeded):
        EmbeddedJudge("none").classify(Claim("Cats purr. " * 20), budget)
    assert next(ticks) < 12


def test_weights_for_other_classes_are_refused() -> None:
    class Other(ClaimHead):
        classes = ("FACTUAL",)

    with pytest.raises(WeightsDamagedError):
        ClaimReader(Other(MODELS / "claim-types", OnnxEncoder(MODELS / "all-minilm-l6-v2", 1)))


@pytest.mark.parametrize(
    "text",
    [
        "The council decided to repair the pier.",
        "The crew refused to leave in 2024.",
        "The ferry capsized in May.",
        "The talks resumed.",
        "The army overran Kesh.",
        "Karin Holt co-wrote the anthem.",
        "The Swiss group outbid Tarn Rail.",
        "Stocks rebound after the crash.",
    ],
)
def test_a_past_that_no_list_has_is_a_verb(text: str) -> None:
    assert classify(text).type is ClaimType.FACTUAL


@pytest.mark.parametrize(
    "text",
    [
        "The speed to beat",
        "Roads to Ostwick",
        "Bus speed in Ostwick",
        "Six hundred in a boat",
        "London underground in crisis",
        "The reopened bridge of Carrow",
        "Quick rebound for stocks",
        "The perfect bed and naked",
        "Wet dogs and jagged",
    ],
)
def test_what_only_ends_like_a_past_is_no_verb(text: str) -> None:
    assert classify(text).type is ClaimType.AMBIGUOUS


def test_what_somebody_else_says_is_a_fact_whatever_it_is() -> None:
    opinion = Says(Reading(0.05, 0.9, 0.03, 0.02, 0.5))
    for text in ("The treaty says that war is a disgrace.", "Old sailors hold that the sea is a cruel mother."):
        assert classify(text, reader=opinion).type is ClaimType.FACTUAL, text
    for text in (
        "I say that war is a disgrace.",
        "No law says that love must last.",
        "The states that joined are mad.",
    ):
        assert classify(text, reader=opinion).type is ClaimType.OPINION, text


@pytest.mark.parametrize(
    "text",
    [
        "I'd say that pizza is the best food.",
        "I'd argue that Messi is the most beautiful player ever.",
        "I’ve always maintained that Brexit was stupid.",
        "We'd recommend that everyone visits Rome.",
        "We've always held that opera is a bore.",
        "It's fair to say that pizza is delicious.",
        "Suffice to say that the film is awful.",
        "Needless to say that this film is a disgrace.",
        "Most people find that the new design is ugly.",
        "Some critics argue that the sequel is a mess.",
        "A lot of people argue that modern art is rubbish.",
        "Whoever says that pizza is bad is a fool.",
        "Good taste requires that pineapple stays off pizza.",
        "Common sense demands that we leave the loud tourists at home.",
        "Taylor Swift is the best singer in America.",
        "Lionel Messi is the greatest footballer of all time.",
        "Elon Musk is the worst boss in America.",
    ],
)
def test_opinions_end_here_whoever_they_name(reader: ClaimReader, text: str) -> None:
    assert classify(text, reader=reader).type is ClaimType.OPINION


@pytest.mark.parametrize(
    "text",
    [
        "The treaty states that neither side may station troops in the valley.",
        "The Universal Declaration of Human Rights says that all human beings are born free and equal.",
        "WHO says that coffee is bad for the heart.",
        "A court ruled that the ban was unlawful.",
        "Ann Holt said that the film was awful.",
        "Critics of the Guardian said that the film was awful.",
        "Dario Menk was the goalkeeper of Altona United in April 2011.",
    ],
)
def test_reports_and_offices_are_facts(reader: ClaimReader, text: str) -> None:
    assert classify(text, reader=reader).type is ClaimType.FACTUAL


def test_only_names_are_exchanged() -> None:
    opinion = Says(Reading(0.03, 0.93, 0.03, 0.01, 0.2))
    classify("Mara Linden was the hope for Peace in March.", reader=opinion)
    classify("The Book of Human Rights inspired Carrow.", reader=opinion)
    assert [text for text in opinion.asked if "London" in text] == []


def test_names_do_not_make_an_opinion() -> None:
    one = Says(lambda text: FACT if "John Smith" in text else Reading(0.03, 0.93, 0.03, 0.01, 0.2))
    found = classify("Mara Linden is the bishop of Brenholt.", reader=one)
    assert one.asked == ["Mara Linden is the bishop of Brenholt.", "John Smith is the bishop of London."]
    assert (found.type, found.check_worthiness) == (ClaimType.FACTUAL, 0.2)
    assert [s.text for s in found.statements] == ["Mara Linden is the bishop of Brenholt."]
