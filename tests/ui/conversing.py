"""Hand-made runs of a single conversation, as its trace keeps them."""

from dataclasses import replace
from datetime import timedelta

from ghost.types import Harm, JudgeInfo, Run, Scopes, TraceStep, Usage
from tests.ui.samples import AT, ORBIT, WALL, false_run, searched_run


def conversation_run(run_id: str = "5" * 32, words: str = "The first page is from an encyclopaedia.") -> Run:
    """A finished conversation of three turns: a search, a page that was read, and facts, one of which was dropped.

    ``words`` are those of the model.
    """
    base = false_run(run_id)
    assert base.verdict
    call = {
        "purpose": "conversation", "judge": "local", "model": "small-model", "host": "127.0.0.1:8080", "tokens_in": 900,
        "tokens_out": 80, "cost_usd": None, "seconds": 0.4, "problem": "", "prompt": f"SYSTEM\n{words}",
        "answer": f"{words}\nsearch({{\"query\": \"{words}\"}})",
    }  # fmt: skip
    fact = {"statement": 1, "source": "s1", "excerpt": WALL.text, "passage_id": "p1", "opinion": False}
    dropped = {"statement": 1, "source": "s1", "excerpt": words, "kind": "not_in_a_source",
               "why": f"No text that was returned contains these words. {words}"}  # fmt: skip
    page = {"url": ORBIT.source_url, "title": words, "state": "read", "why": "", "bytes": 9_000, "seconds": 0.5}
    asked = {"statement": 1, "query": words, "provider": "ddgs", "sent_to": "DuckDuckGo", "seconds": 0.4,
             "state": "answered", "hits": []}  # fmt: skip

    def turn(number: int, did: str, tools: list[dict[str, str]], **outputs: object) -> TraceStep:
        rows = {"searches": [], "sources": [], "facts": [], "dropped_facts": [], "problem": "", "calls": [call]}
        return TraceStep(
            "investigate", AT + timedelta(seconds=number), 0.9, f"turn {number} of 5: {did}", words,
            {"stage": "conversation", "turn": number, "turns": 5},
            {**rows, "tools": tools, "turn": number, "turns": 5, **outputs}, 980,
        )  # fmt: skip

    turns = (
        turn(1, "1 search", [{"name": "search", "arguments": f'{{"query": "{words}"}}', "result": "3 passages"}],
             searches=[asked]),
        turn(2, "1 of 1 page read", [{"name": "fetch", "arguments": '{"address": "s1"}', "result": "5,000 letters"}],
             sources=[page]),
        turn(3, "1 fact kept, 1 dropped, finished",
             [{"name": "extract_facts", "arguments": '{"facts": [{}, {}]}', "result": "1 fact kept, 1 dropped"},
              {"name": "finish", "arguments": "{", "result": "ok"}, {"name": words, "arguments": "", "result": words}],
             facts=[fact], dropped_facts=[dropped]),
    )  # fmt: skip
    weighed = {"percentage": 7.0, "statements": [
        {"statement": 1, "truth": 7.0, "importance": 3, "confidence": 0.93, "weight": 2.79}
    ]}  # fmt: skip
    classify, retrieve, rerank, _, index, verdict = base.steps
    scopes = Scopes(("China",), ("since 1969",), ("astronauts",), ("with the unaided eye",))
    assert base.classification
    statement = replace(base.classification.statements[0], scopes=scopes)
    return replace(
        base,
        judge=JudgeInfo("local", "small-model", ("local (small-model at 127.0.0.1:8080): answers.",), "127.0.0.1:8080"),
        settings=base.settings | {"pipeline": "single-conversation", "web": True, "searched": ["DuckDuckGo"]},
        classification=replace(base.classification, statements=(statement,)),
        steps=(classify, retrieve, *turns, rerank, index, replace(verdict, outputs={"truth": weighed})),
        verdict=replace(base.verdict, truth_percentage=7.0, harm=Harm.HIGH),
        usage=Usage(1, 1, 2_940, 0.0, 3.4, 2_940),
    )


def left_run(run_id: str = "6" * 32, why: str = "The local model failed (500).") -> Run:
    """A conversation that was left after its first turn, and the seven steps that took over."""
    talked, plain = conversation_run(run_id), searched_run()
    stopped = TraceStep("investigate", AT, 0.2, "stopped", why)
    first = replace(
        plain.steps[0], reason=f"The conversation was left. {why} The seven steps go on.",
        outputs={"troubles": {"took_over": 1}},
    )  # fmt: skip
    return replace(
        plain, id=run_id, settings=talked.settings, steps=(*talked.steps[:3], stopped, first, *plain.steps[1:])
    )
