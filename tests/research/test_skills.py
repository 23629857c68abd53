"""Skills: those that come with Ghost, the analyst's own, and what a broken file is told."""

from pathlib import Path

import pytest

from config import host_entry
from ghost.errors import ClaimError
from ghost.research import SHIPPED, Skills
from ghost.types import Category

MINE = """
skills:
  - name: sport
    title: Sport
    description: Games and records.
    categories: [historical]
    policy:
      freshness_days: 7
      allow_web: false
      max_sources: 3
      depth: 4
      denied_sites: ["*.Gossip.test/news/"]
      min_credibility: 0.25
      guardrails: [Name the season.]
    questions: ["What is {topic}?", "Who won {topic}?", "When was {topic}?", "What came of {topic}?"]
"""


class Kept:
    """Keeps the last usable text, as the database does."""

    text = ""

    def last_skills(self) -> str:
        return self.text

    def keep_skills(self, text: str) -> None:
        self.text = text


@pytest.fixture
def skills(tmp_path: Path) -> Skills:
    return Skills(tmp_path / "skills.yaml", host_entry, Kept())


def test_several_skills_come_with_ghost(skills: Skills) -> None:
    found = {s.name: s for s in skills.all()}
    assert list(found) == ["general", "health", "law-politics", "science", "statistics", "breaking-news"]
    assert skills.problem is None
    general = found["general"].policy
    assert (general.freshness_days, general.allow_web, general.max_sources) == (180, True, 5)
    assert all(s.shipped and s.policy.guardrails[0] == "If sources disagree, present both." for s in found.values())
    assert all(4 <= s.policy.depth <= 6 and len(s.questions) in (0, 5, 6) for s in found.values())
    assert SHIPPED.is_file()


def test_the_analyst_adds_skills_and_replaces_shipped_ones(skills: Skills) -> None:
    skills.path.write_text(MINE, encoding="utf-8")
    sport = skills.named("sport")
    assert (sport.policy.freshness_days, sport.policy.allow_web, sport.policy.depth) == (7, False, 4)
    assert (sport.policy.denied_sites, sport.policy.min_credibility) == (("gossip.test/news",), 0.25)
    assert (sport.categories, len(sport.questions), sport.shipped) == ((Category.HISTORICAL,), 4, False)
    skills.path.write_text(MINE.replace("name: sport", "name: health"), encoding="utf-8")
    assert skills.named("health").title == "Sport"
    assert len(skills.all()) == 6
    skills.path.unlink()
    assert skills.named("health").title == "Health and medicine"
    with pytest.raises(ClaimError, match="There are general, health"):
        skills.named("sport")


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing but a remark\n", "---\n", "\ufeff"])
def test_an_empty_file_has_no_skills_and_no_problem(skills: Skills, text: str) -> None:
    skills.path.write_text(text, encoding="utf-8")
    assert len(skills.all()) == 6
    assert skills.problem is None


BROKEN = [
    (MINE.replace("freshness_days: 7", "freshness_days: often"), 8, "skills[1].policy.freshness_days", "integer"),
    (MINE.replace("freshness_days: 7", "freshness_days: -1"), 8, "skills[1].policy.freshness_days", "greater"),
    (MINE.replace("allow_web: false", "allow_web: 'no'"), 9, "skills[1].policy.allow_web", "boolean"),
    (MINE.replace("depth: 4", "depth: 40"), 11, "skills[1].policy.depth", "less than"),
    (MINE.replace("depth: 4", "deepness: 4"), 11, "skills[1].policy.deepness", "no such field"),
    (MINE.replace("title: Sport", "colour: blue"), 3, "skills[1].title", "missing"),
    (MINE.replace("name: sport", "name: Mein Sport"), 3, "skills[1].name", "small letters"),
    (MINE.replace("[historical]", "[historical, sports]"), 6, "skills[1].categories[2]", "no such category"),
    (MINE.replace("Who won {topic}?", "Who won {team}?"), 15, "skills[1].questions[2]", "{topic}"),
    (MINE.replace('"*.Gossip.test/news/"', "not a host"), 12, "skills[1].policy.denied_sites[1]", "host"),
    (MINE.replace("depth: 4", "max_sources: 4"), 11, "skills[1].policy.max_sources", "twice"),
    (MINE + MINE.removeprefix("\nskills:\n"), 16, "skills[2].name", "this name"),
    (MINE.replace("min_credibility: 0.25", "min_credibility: .nan"), 13, "skills[1].policy.min_credibility", ""),
    ("skills: 7", 1, "skills", "Expected a list"),
    ("- general", 1, "", "Fields"),
    ("just words", 1, "", "Fields"),
    ("skills: []\nskill: []", 2, "skill", "no such field"),
    ("skills:\n  - name: [", 2, "", "not valid YAML"),
    ("skills:\n\t- name: x", 2, "", "not valid YAML"),
    ("skills: &a [*a]", 1, "", "Anchors"),
    ("a: &a [x, x]\nb: &b [*a, *a]\n", 1, "", "Anchors"),
    ("skills: !!python/object/apply:os.system [ls]", 1, "", "cannot be read"),
    ("skills: []\n---\nskills: []", 2, "", "not valid YAML"),
    ("[" * 100_000, 1, "", "nested"),
    ("skills: [] # \x07", 1, "", "characters"),
]


@pytest.mark.parametrize(("text", "line", "field", "says"), BROKEN)
def test_a_broken_file_is_named_by_line_and_field(skills: Skills, text: str, line: int, field: str, says: str) -> None:
    skills.path.write_text(text, encoding="utf-8")
    problem = skills.problem
    assert problem
    assert (problem.line, problem.field) == (line, field), problem
    assert says in problem.message
    assert len(skills.all()) == 6


@pytest.mark.parametrize("data", [b"\xff\xfe\x00\x01" * 50, b"\x00" * 10, b"skills: []\n# " + b"x" * 300_000])
def test_what_is_no_text_or_far_too_long_is_said_to_be(skills: Skills, data: bytes) -> None:
    skills.path.write_bytes(data)
    assert skills.problem


def test_a_folder_in_its_place_is_a_problem(skills: Skills) -> None:
    skills.path.mkdir()
    assert skills.problem
    assert "cannot be opened" in str(skills.problem)


def test_the_last_good_skills_stay_in_force_also_in_the_next_process(tmp_path: Path) -> None:
    kept, path = Kept(), tmp_path / "skills.yaml"
    path.write_text(MINE, encoding="utf-8")
    first = Skills(path, host_entry, kept)
    assert first.named("sport")
    path.write_text("skills: broken", encoding="utf-8")
    for skills in (first, Skills(path, host_entry, kept)):
        assert skills.problem
        assert skills.named("sport").policy.depth == 4
    path.write_text(MINE.replace("depth: 4", "depth: 6"), encoding="utf-8")
    assert first.problem is None
    assert first.named("sport").policy.depth == 6
