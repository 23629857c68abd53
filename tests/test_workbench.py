"""The whole house on real parts: real models, a real database, a real Chroma, in a temporary folder."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from config import PROJECT, Settings
from ghost.errors import ClaimError, StoreBusyError, StoreDamagedError
from ghost.events import RunEnded, VerdictReached
from ghost.inference import OnnxEncoder
from ghost.reports import left_the_machine, result
from ghost.types import Claim, ClaimType, Label, NewPassage, ReasonCode, Run, RunStatus
from ghost.workbench import Workbench, build
from tests.attacks.pages import folded
from tests.inference.tiny import tiny_model
from tests.seeded import Seeded
from tests.web.servers import Reply, serving


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with build(Settings(data_dir=tmp_path_factory.mktemp("house"))) as workbench:
        yield workbench


def check(bench: Workbench, text: str, **details: object) -> Run:
    run_id = ""
    for event in bench.verify(Claim(text, **details)):
        run_id = event.run_id if isinstance(event, RunEnded) else run_id
    run = bench.runs.get(run_id)
    assert run is not None
    return run


def test_a_run_knows_what_an_earlier_one_concluded(bench: Workbench) -> None:
    run = check(bench, "Vaccines cause autism")
    assert run.verdict is not None
    mill = "The mill was sold to its neighbour, who is going to tear it down."
    ours, other = bench.tools.find_own_text([run.verdict.explanation, mill])
    assert ours
    assert other == ""
    assert bench.tools.search_context.find_own_text == bench.tools.find_own_text


def test_a_claim_in_another_language_gets_an_honest_answer(bench: Workbench) -> None:
    run = check(bench, "Impfungen verursachen Autismus")
    assert run.verdict is not None
    assert run.verdict.label is Label.NOT_VERIFIABLE
    (reason,) = run.verdict.reasons
    assert reason.code is ReasonCode.UNSUPPORTED_LANGUAGE
    assert run.verdict.explanation == "Ghost reads English. With a language model it can check this claim."
    assert "German" in reason.remedy
    assert "translate it into English" in reason.remedy
    assert run.steps[0].decision == "Not in English · no statements to check"
    assert run.evidence == ()


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("The Great Wall of China is visible from the Moon", Label.FALSE),
        ("Vaccines cause autism", Label.FALSE),
        ("Water boils at a lower temperature at high altitude", Label.TRUE),
        ("Pineapple on pizza is delicious", Label.NOT_VERIFIABLE),
        ("The town of Ellerby repainted its lighthouse in 1987", Label.NOT_ENOUGH_EVIDENCE),
    ],
)
def test_the_claims_of_the_front_page(bench: Workbench, text: str, label: Label) -> None:
    run = check(bench, text)
    assert run.status is RunStatus.FINISHED
    assert run.verdict is not None
    assert run.verdict.label is label
    accepted = [c for c in run.verdict.citations if c.accepted]
    if label in (Label.TRUE, Label.FALSE):
        texts = {e.number: e.passage.text for e in run.evidence}
        assert accepted
        assert all(folded(c.quote) in folded(texts[c.n]) for c in accepted)
        assert all(c.url.startswith("https://") for c in accepted)
        assert run.verdict.explanation
    else:
        assert run.verdict.reasons
        assert run.verdict.reasons[0].remedy


def test_opinion_mixed_and_ambiguous_claims(bench: Workbench) -> None:
    mixed = check(bench, "Outrageously, the town sold its park in 2018.").classification
    assert mixed is not None
    assert mixed.type is ClaimType.MIXED
    assert [s.text for s in mixed.statements] == ["The town sold its park in 2018."]
    vague = check(bench, "It's true")
    assert vague.verdict is not None
    assert vague.verdict.label is Label.NOT_VERIFIABLE
    assert vague.verdict.reasons[0].code is ReasonCode.AMBIGUOUS


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert('x')</script> The Moon is made of cheese",
        "**The Moon** [is](javascript:alert(1)) made of `cheese` | $x$",
        "La Tierra gira alrededor del Sol",
        "地球は太陽の周りを回っている",
        "\x00\x07The Moon\u200b orbits the Earth\ud800",
        "a" * 4999,
        "?" * 300,
        "🧪🧪🧪",
        "The Moon orbits the Earth. " * 180,
        'SELECT * FROM passages; -- " OR NEAR("a" AND *',
    ],
)
def test_odd_claims_end_in_a_verdict(bench: Workbench, text: str) -> None:
    run = check(bench, text)
    assert run.status is RunStatus.FINISHED, run.error
    assert run.verdict is not None
    json.dumps([s.outputs for s in run.steps])


def test_unusable_claims_are_refused_before_a_run_begins(bench: Workbench) -> None:
    before = bench.runs.count()
    for text in ("", "   ", "b" * 100_000):
        with pytest.raises(ClaimError):
            bench.verify(Claim(text))
    assert bench.runs.count() == before


def test_a_run_keeps_what_its_decision_can_be_recomputed_from(bench: Workbench) -> None:
    run = check(bench, "Vaccines cause autism")
    assert run.settings["top_k_rerank"] == 5
    assert set(run.settings["models"]) == {"encoder", "stance", "screener", "claim_types", "injection", "match"}
    assert len(run.settings["models"]["stance"]["sha256"]) == 64
    assert not {"openai_api_key", "host_names"} & set(run.settings)
    from ghost.judges import Rule, decide_statement, kept_odds

    assert run.classification is not None
    assert run.verdict is not None
    statement = run.classification.statements[0]
    odds = kept_odds(run.settings)
    assert odds is not None
    found = decide_statement(statement, run.evidence, odds, Rule(decides=odds.bound))
    assert found.label is run.verdict.label
    assert found.confidence == run.verdict.probability, "the judge's own"


def test_check_worthiness_is_kept_with_the_run(bench: Workbench) -> None:
    run = check(bench, "Unemployment has doubled since 2019.")
    stored = bench.runs.get(run.id)
    assert stored is not None
    worth = result(stored)["claim"]["check_worthiness"]
    assert 0.5 < worth <= 1


def test_a_statement_is_encoded_once_for_its_type_and_for_the_search(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    encode = OnnxEncoder.encode

    def counted(self: OnnxEncoder, texts: Sequence[str]) -> np.ndarray:
        asked.extend(texts)
        return encode(self, texts)

    monkeypatch.setattr(OnnxEncoder, "encode", counted)
    run = check(bench, "Helsinki is the capital of Finland and Oslo is the capital of Norway.")
    assert len(run.steps[0].outputs["statements"]) == 2
    assert len(asked) == len(set(asked)) == 4, "the text, its clauses together, and each of them"


def test_a_run_sees_nothing_of_another_but_the_knowledge_base(bench: Workbench) -> None:
    first = check(bench, "Lightning never strikes the same place twice")
    check(bench, "Goldfish have a memory of three seconds")
    again = check(bench, "Lightning never strikes the same place twice")
    assert first.verdict is not None
    assert again.verdict is not None
    assert first.id != again.id
    assert {e.passage.id: e.stance for e in first.evidence} == {e.passage.id: e.stance for e in again.evidence}
    assert first.verdict.label is again.verdict.label
    # What may differ is what the knowledge base counts, and through it the order.
    used = {e.passage.id: e.passage.access_count for e in again.evidence}
    assert all(used[e.passage.id] > e.passage.access_count for e in first.evidence)


def test_used_passages_are_booked(bench: Workbench) -> None:
    run = check(bench, "Lightning never strikes the same place twice")
    passage = bench.knowledge.get([run.evidence[0].passage.id])[0]
    assert passage.verification_count >= 1
    assert passage.last_accessed is not None
    assert run.id in {use.run_id for use in bench.knowledge.runs_using(passage.id)}
    assert run.verdict is not None
    quoted = {c.passage_id for c in run.verdict.citations if c.accepted}
    assert quoted
    for e in run.evidence:
        use = next(u for u in bench.knowledge.runs_using(e.passage.id) if u.run_id == run.id)
        assert use.cited is (e.passage.id in quoted)


def test_an_added_passage_is_found_and_a_retired_one_is_not(bench: Workbench) -> None:
    fact = "The Ostrander bridge in Quillby was closed to traffic on 4 May 2019 after a flood."
    report = bench.knowledge.add(
        [NewPassage(fact, "https://quillby.example.org/bridge", "Bridge closed", trusted=True)]
    )
    text = "The Ostrander bridge in Quillby was closed after a flood"
    found = check(bench, text)
    assert found.verdict is not None
    assert found.verdict.label is Label.TRUE
    bench.knowledge.retire(report.ids, "test")
    gone = check(bench, text)
    assert gone.verdict is not None
    assert gone.verdict.label is Label.NOT_ENOUGH_EVIDENCE


def test_cancel_is_a_status_of_its_own(bench: Workbench) -> None:
    events = list(bench.verify(Claim("Vaccines cause autism"), run_id="cancelled-run", cancelled=lambda: True))
    assert not [e for e in events if isinstance(e, VerdictReached)]
    run = bench.runs.get("cancelled-run")
    assert run is not None
    assert run.status is RunStatus.CANCELLED


def test_a_judge_that_is_not_set_up_is_passed_over_with_the_reason(tmp_path: Path) -> None:
    with build(Settings(data_dir=tmp_path), judge="cloud") as workbench:
        info = workbench.judge_info
    assert info.name == "embedded"
    assert info.route[0] == "cloud: not asked. OPENAI_API_KEY is not set."


def test_a_second_workbench_is_told_who_holds_the_knowledge_base(bench: Workbench) -> None:
    with pytest.raises(StoreBusyError, match="ghost up"):
        build(bench.settings)


KILLED = """
import os, sys
from config import Settings
from ghost.types import Claim
from ghost.workbench import build
bench = build(Settings(data_dir=sys.argv[1]))
for position, event in enumerate(bench.verify(Claim("Vaccines cause autism"), run_id="killed"), 1):
    if position == int(sys.argv[2]):
        os._exit(9)
"""


@pytest.mark.parametrize("position", [1, 7])
def test_a_killed_run_is_shown_as_interrupted_with_what_it_had(seeded: Seeded, tmp_path: Path, position: int) -> None:
    seeded.copy(tmp_path)
    died = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path), str(position)], cwd=PROJECT, capture_output=True, text=True
    )
    assert died.returncode == 9, died.stderr
    with build(Settings(data_dir=tmp_path)) as again:
        run = again.runs.get("killed")
        assert run is not None
        assert run.status is RunStatus.INTERRUPTED
        assert run.claim.text == "Vaccines cause autism"
        if position >= 7:
            assert [s.name for s in run.steps][:2] == ["classify", "retrieve"]
        assert again.knowledge.check().in_step
        assert check(again, "Vaccines cause autism").status is RunStatus.FINISHED


def test_a_deleted_index_is_rebuilt_and_nothing_is_lost(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    with build(settings) as workbench:
        active = workbench.knowledge.stats().active
    shutil.rmtree(settings.chroma_path)
    with build(settings) as workbench:
        assert workbench.knowledge.stats().active == active
        assert workbench.knowledge.repaired
        run = check(workbench, "Vaccines cause autism")
        assert run.verdict is not None
        assert run.verdict.label is Label.FALSE


def test_a_damaged_database_is_named_and_left_as_it_is(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    settings.database_path.parent.mkdir()
    settings.database_path.write_bytes(b"this is not a database" * 500)
    with pytest.raises(StoreDamagedError, match=r"ghost\.db"):
        build(settings)
    assert settings.database_path.read_bytes().startswith(b"this is not a database")


def test_seeding_twice_changes_nothing(tmp_path: Path) -> None:
    import seed_kb

    with build(Settings(data_dir=tmp_path)) as workbench:
        before = workbench.knowledge.stats()
        assert before.active >= 60
        report = seed_kb.seed(workbench.knowledge)
        assert (report.added, report.refused) == (0, 0)
        assert workbench.knowledge.stats() == before


WIKI = b"""{"query": {"search": [{"pageid": 1, "title": "Ellerby", "snippet": "x"}], "pages": [{"pageid": 1,
"fullurl": "https://en.wikipedia.org/wiki/Ellerby",
"extract": "The town of Ellerby repainted its lighthouse in 1987."}]}}"""
OPEN = "The town of Ellerby repainted its lighthouse in 1987"


def test_what_the_knowledge_base_leaves_open_is_searched_and_the_run_keeps_what_it_used(tmp_path: Path) -> None:
    with serving(Reply(WIKI)) as wiki, serving(Reply(b"duckduckgo", 202)) as ddg:
        settings = Settings(data_dir=tmp_path, web=True, ddgs_url=ddg.url, wikipedia_url=wiki.url, max_fetches=0)
        with build(settings) as workbench:
            assert workbench.search_recipients == ("DuckDuckGo", "Wikipedia")
            before = workbench.knowledge.stats()
            run = check(workbench, OPEN)
            assert workbench.knowledge.stats() == before
            assert run.status is RunStatus.FINISHED
            snippets = [e for e in run.evidence if e.passage.snippet]
            assert [e.passage.text for e in snippets] == [f"{OPEN}."]
            assert snippets[0].passage.credibility == settings.source_credibility["wikipedia.org"]
            assert run.verdict is not None
            texts = {e.number: e.passage.text for e in run.evidence}
            assert all(folded(c.quote) in folded(texts[c.n]) for c in run.verdict.citations if c.accepted)
            assert [len(s.asked) for s in (ddg, wiki)] == [1, 2]  # for what is claimed, and for its opposite
            assert run.usage.searches == 3
            assert run.settings["searched"] == ["DuckDuckGo", "Wikipedia"]
            list(workbench.verify(Claim(OPEN), web=False))
            assert [len(s.asked) for s in (ddg, wiki)] == [1, 2]
        with build(settings, web=False) as workbench:
            assert workbench.search_recipients == ()
            assert check(workbench, OPEN).settings["web"] is False
        assert [len(s.asked) for s in (ddg, wiki)] == [1, 2]


SEARX = {"results": [{"url": "https://town.example/lighthouse", "title": "Ellerby", "content": f"{OPEN}."}]}


def searches(run: Run) -> list[dict[str, Any]]:
    return [row for step in run.steps if step.name == "investigate" for row in step.outputs["searches"]]


def test_a_search_that_was_made_before_is_answered_from_the_cache_and_nothing_is_sent(tmp_path: Path) -> None:
    with serving(Reply(json.dumps(SEARX).encode())) as searx:
        settings = Settings(
            data_dir=tmp_path, web=True, searxng_url=searx.url, search_providers="searxng", max_fetches=0
        )
        with build(settings) as workbench:
            assert workbench.search_recipients == ("SearXNG at 127.0.0.1",)
            first = check(workbench, OPEN)
        made = len(searx.asked)
        assert made == first.usage.searches == 4
        with build(settings) as workbench:
            again = check(workbench, OPEN)
        assert len(searx.asked) == made
        assert again.usage.searches == 0
        assert {row["state"] for row in searches(again)} == {"from the cache"}
        assert [e.passage.text for e in again.evidence if e.passage.snippet] == [f"{OPEN}."]
        assert left_the_machine(again) == [
            "Nothing: no search was made, no page was fetched, and no text went to a language model."
        ]
        with build(settings.model_copy(update={"search_cache_hours": 0.0})) as workbench:
            assert check(workbench, OPEN).usage.searches == 4
        assert len(searx.asked) == 2 * made


def test_a_run_can_deny_sites_and_keeps_which(tmp_path: Path) -> None:
    with serving(Reply(json.dumps(SEARX).encode())) as searx:
        settings = Settings(
            data_dir=tmp_path, web=True, searxng_url=searx.url, search_providers="searxng", max_fetches=0
        )
        with build(settings) as workbench:
            with pytest.raises(ClaimError, match="denied for this run: 'https://x' is not a host"):
                workbench.verify(Claim(OPEN), denied=["https://x"])
            list(workbench.verify(Claim(OPEN), run_id="denied", denied=["*.Town.example"]))
            run = workbench.runs.get("denied")
    assert run
    assert run.settings["denied_here"] == ["town.example"]
    assert not [e for e in run.evidence if e.passage.snippet]
    fates = [hit["why"] for row in searches(run) for hit in row["hits"]]
    assert fates.count("its site is denied for this run") == 2  # of the two broad searches


def test_keys_are_in_no_record_of_a_run(tmp_path: Path) -> None:
    key = "s3cr3t-s3cr3t-s3cr3t"
    names = ("google_pse", "serpapi", "brave", "tavily", "fact_check_tools")
    keys = {f"{name}_key": key for name in names} | {"openai_api_key": None, "google_pse_id": "engine"}
    settings = Settings(data_dir=tmp_path, web=True, search_providers=",".join(names), max_searches=0, **keys)
    with build(settings, judge="embedded") as workbench:
        assert workbench.search_recipients == (
            "Google Programmable Search", "SerpApi", "Brave Search", "Tavily", "Google Fact Check Tools",
        )  # fmt: skip
        run = check(workbench, OPEN)
    assert run.settings["search_providers"] == ",".join(names)
    assert key not in json.dumps(result(run))
    assert key not in repr(run)
    assert not any(key.encode() in path.read_bytes() for path in (tmp_path / "data").iterdir())


def test_another_stance_model_reads_when_the_settings_name_it(tmp_path: Path) -> None:
    folder = tiny_model(tmp_path / "nli")
    with build(Settings(data_dir=tmp_path, stance_model=str(folder))) as bench:
        assert not bench.stance_missing
        assert bench.judge_info.model == "nli, not calibrated"
        assert bench.models["stance"]["name"].startswith("nli +")
        assert bench.models["screener"]["name"].startswith("evidence-cross-encoder +")
        run = check(bench, "The Great Wall of China is visible from the Moon")
        assert run.verdict is not None
        assert {e.stance.off_topic for e in run.evidence} <= {0.0}


def test_a_stance_model_that_is_not_here_is_replaced_in_plain_sight(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")  # nothing may be asked there
    with build(Settings(data_dir=tmp_path, stance_model="no-such-maker/no-such-model")) as bench:
        assert "python -m ghost models fetch no-such-maker/no-such-model" in bench.stance_missing
        run = check(bench, "The Great Wall of China is visible from the Moon")
        assert run.verdict is not None
        assert run.verdict.label is Label.FALSE
        assert run.judge.model == "stance-mpnet in place of no-such-maker/no-such-model"
        assert run.settings["stance_missing"] == bench.stance_missing
        assert run.settings["models"]["stance"]["name"].startswith("stance-mpnet +")
