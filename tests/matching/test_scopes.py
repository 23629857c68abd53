"""Scopes by the door of the room: found with precision, known in other words, and part of the claim match."""

import json
import re
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import pytest

from ghost.matching import ClaimMatcher, load_matcher, may_be_same, scopes_of, unnamed, with_scopes
from ghost.types import NO_SCOPES, Relation, Scopes, Statement

DATA = Path(__file__).parent.parent / "data" / "scopes.jsonl"
"""``half``: rules were written by looking at the sentences to ``build`` from; the others were ``held`` back."""
KINDS = ("jurisdiction", "time", "population", "method")


@pytest.fixture(scope="module")
def matcher() -> ClaimMatcher:
    return load_matcher()


def _counts(half: str) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    for row in map(json.loads, DATA.read_text(encoding="utf-8").splitlines()):
        found = asdict(scopes_of(row["text"]))
        for kind in KINDS if row["half"] == half else ():
            wanted, said = ({_plain(x) for x in one} for one in (row.get(kind, ()), found[kind]))
            counts[kind, "right"] += len(wanted & said)
            counts[kind, "found"] += len(said)
            counts[kind, "wanted"] += len(wanted)
    return counts


def _plain(scope: str) -> str:
    return re.sub(r"^(?:the|in|during|on) ", "", scope.casefold())


@pytest.mark.parametrize("half", ["build", "held"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_found_is_a_scope_and_most_are_found(half: str, kind: str) -> None:
    counts = _counts(half)
    assert counts[kind, "right"] / counts[kind, "found"] >= 0.9
    assert counts[kind, "right"] / counts[kind, "wanted"] >= 0.8


@pytest.mark.parametrize(
    "text",
    [
        "", "?", "2021", "in in in", "Die Löhne sind in Berlin 2021 gefallen.", "Les infirmières en France en 2021.",
        "В 2021 году преступность в Германии снизилась.", "In Nederland is de misdaad sinds 2010 gedaald.",
    ],
)  # fmt: skip
def test_no_scopes_where_nothing_is_said_or_not_in_english(text: str) -> None:
    assert scopes_of(text) == NO_SCOPES


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("In Jordan's first season, the Bulls won 38 games.", ()), ("In Georgia's opinion, cats are nice.", ()),
        ("In China's view, the talks failed.", ()), ("Chad's brother lives abroad.", ()),
        ("In Jordan's economy, wages fell.", ("Jordan",)), ("Georgia's birth rate fell.", ("Georgia",)),
        ("China's first census was wrong.", ("China",)), ("Ghana's harvest fell.", ("Ghana",)),
    ],
)  # fmt: skip
def test_whoever_has_or_says_something_is_no_place(text: str, places: tuple[str, ...]) -> None:
    assert scopes_of(text).jurisdiction == places


def test_what_a_claim_names_first_holds_for_all_its_statements() -> None:
    claim = "In Germany, rents rose and wages fell in 2021."
    rose, fell = with_scopes((Statement(1, "Rents rose."), Statement(2, "Wages fell in 2021.")), claim)
    assert rose.scopes == Scopes(jurisdiction=("Germany",))
    assert fell.scopes == Scopes(jurisdiction=("Germany",), time=("2021",))


def test_what_one_statement_is_limited_to_does_not_limit_the_others() -> None:
    claim = "The Moon is made of cheese and crime fell in Germany."
    moon, crime = with_scopes(
        (Statement(1, "The Moon is made of cheese."), Statement(2, "Crime fell in Germany.")), claim
    )
    assert (moon.scopes, crime.scopes.jurisdiction) == (NO_SCOPES, ("Germany",))


def test_a_query_names_a_scope_in_any_words() -> None:
    scopes = Scopes(("British",), ("in 2021",), ("over-50s",), ("adjusted for inflation",))
    assert unnamed(scopes, "pay of people older than 50 in Britain during 2021 in real terms") == ()
    assert unnamed(scopes, "pay in France since 2021") == ("British", "over-50s", "adjusted for inflation")


SAME = [
    ("Crime fell in the UK in 2021.", "British crime fell during 2021."),
    ("Crime fell in the United States.", "Crime in America fell."),
    ("Over-50s in Wales drink more.", "In Wales, people older than 50 drink more."),
    ("Emissions per head fell in Germany.", "Germany's emissions per capita fell."),
    ("Wages, adjusted for inflation, fell in Spain.", "In Spain, wages fell in real terms."),
    ("Rents rose from 2010 to 2020 in Berlin.", "Rents in Berlin rose between 2010 and 2020."),
    ("The treaty was signed in Paris, France.", "The treaty was signed in Paris."),
]
DIFFERENT = [
    ("Crime fell in Germany.", "Crime fell in France.", "jurisdiction"),
    ("Crime fell in Germany.", "Crime fell.", "jurisdiction"),
    ("did crime fall in germany?", "did crime fall in france?", "jurisdiction"),
    ("Crime fell in Germany.", "Crime fell in Bavaria.", "jurisdiction"),
    ("Crime fell in Europe.", "Crime fell in the EU.", "jurisdiction"),
    ("Crime fell last year.", "Crime fell in the last decade.", "time"),
    ("Crime has fallen since 2010.", "Crime fell before 2010.", "time"),
    ("The vaccine is safe for children.", "The vaccine is safe.", "population"),
    ("Women over 50 earn less.", "Women over 60 earn less.", "population"),
    ("Women over 50 earn less.", "Women under 50 earn less.", "population"),
    ("Aspirin helps people with diabetes.", "Aspirin helps people with asthma.", "population"),
    ("China emits the most carbon dioxide.", "China emits the most carbon dioxide per capita.", "method"),
    ("Russia is the largest country by area.", "Russia is the largest country by population.", "method"),
    ("Wages fell in real terms.", "Wages fell in nominal terms.", "method"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_scope_in_other_words_is_no_difference(one: str, other: str, matcher: ClaimMatcher) -> None:
    (match,) = matcher.match([(one, other)])
    assert [slot for slot in match.differing if slot.name in KINDS] == []


def test_claims_that_differ_in_a_scope_are_never_the_same(matcher: ClaimMatcher) -> None:
    pairs = [(one, other) for one, other, _ in DIFFERENT]
    for (one, other, kind), match in zip(DIFFERENT, matcher.match(pairs + [p[::-1] for p in pairs]), strict=False):
        assert match.relation is not Relation.SAME, (one, other)
        assert kind in [slot.name for slot in match.differing], (one, other)
        assert not may_be_same(one, other)
