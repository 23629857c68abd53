"""The extension's pure parts, run in Chromium: the event stream, texts and addresses, claims, the router, the words."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page

from ghost.types import ClaimType, Label, ReasonCode, RunStatus, StanceLabel
from ghost.ui.shared import steps, theme
from tests.browser.extension.conftest import Extension

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def scripts(browsing: Extension) -> Page:
    """A page of the extension, in which its modules can be imported."""
    return browsing.open("panel/panel.html")


_PARSE = """async pieces => {
    const {EventStreamParser} = await import('/background/sse.js')
    const events = []
    const parser = new EventStreamParser(event => events.push([event.id, event.event, event.data]))
    for (const piece of pieces) parser.push(piece)
    return events
}"""


@pytest.mark.parametrize(
    ("stream", "events"),
    [
        ("id: 1\nevent: a\ndata: x\n\n", [["1", "a", "x"]]),
        ("\ufeffdata: x\n\n", [["", "message", "x"]]),
        ("data: one\ndata: two\r\n\r\n", [["", "message", "one\ntwo"]]),
        ("data:x\rdata: y\r\r", []),  # the last CR may be half a line break
        ("data:x\r\rdata: y\r\n\r\n", [["", "message", "x"], ["", "message", "y"]]),
        (": comment\n\nevent: empty\n\ndata: x\n\n", [["", "message", "x"]]),
        ("id: 1\ndata: x\n\ndata: y\n\n", [["1", "message", "x"], ["1", "message", "y"]]),
        ("id: a\0b\nunknown: z\ndata\n\n", [["", "message", ""]]),
        ("data: never ends\n", []),
    ],
)
def test_event_streams(scripts: Page, stream: str, events: list[list[str]]) -> None:
    assert scripts.evaluate(_PARSE, [stream]) == events
    assert scripts.evaluate(_PARSE, list(stream)) == events


def test_an_endless_event_is_refused(scripts: Page) -> None:
    endless = """async () => {
        const {EventStreamParser} = await import('/background/sse.js')
        const parser = new EventStreamParser(() => {})
        const line = 'data: ' + 'x'.repeat(200_000) + '\\n'
        try { for (let n = 0; n < 100; n++) parser.push(line) } catch (error) { return error.name }
    }"""
    assert scripts.evaluate(endless) == "RangeError"


@pytest.mark.parametrize(
    ("address", "safe"),
    [
        ("https://nasa.gov/a?b=c#d", "https://nasa.gov/a?b=c#d"),
        ("HTTP://NASA.gov", "http://nasa.gov/"),
        ("javascript:alert(1)", ""),
        (" java\nscript:alert(1)", ""),
        ("data:text/html,x", ""),
        ("https://nasa.gov@evil.example/", ""),
        ("//evil.example", ""),
        ("file:///etc/passwd", ""),
        ("https://x.example/" + "a" * 2000, ""),
        (None, ""),
        (["https://nasa.gov"], ""),
    ],
)
def test_only_web_addresses_become_links(scripts: Page, address: object, safe: str) -> None:
    assert scripts.evaluate("address => ghost.text.safeUrl(address)", address) == safe


def test_texts_are_tidied_and_cut(scripts: Page) -> None:
    def clean(text: str) -> Any:
        return scripts.evaluate("text => ghost.text.clean(text)", text)

    assert clean(" a\n\tb\u202e\u200b\x00\ufeffc ") == "a bc"
    assert clean("👩\u200d🚀") == "👩\u200d🚀"
    assert scripts.evaluate("ghost.text.shorten('one two three', 9)") == "one two…"
    assert scripts.evaluate("[ghost.text.percent(0.999), ghost.text.percent(1), ghost.text.day('2025-11-21')]") == [
        "99%", "100%", "21 Nov 2025",
    ]  # fmt: skip
    assert scripts.evaluate("[ghost.text.day('nonsense'), ghost.text.hostOf('https://www.nasa.gov/x')]") == [
        "",
        "nasa.gov",
    ]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:5000", "http://127.0.0.1:5000"),
        (" https://ghost.example/api/ ", "https://ghost.example"),
        ("localhost", "http://localhost"),
        ("ftp://ghost.example", ""),
        ("http://", ""),
        ("", ""),
    ],
)
def test_server_addresses(scripts: Page, text: str, address: str) -> None:
    read = "async text => (await import('/background/settings.js')).serverAddress(text)"
    assert scripts.evaluate(read, text) == address


def test_which_servers_are_this_computer(scripts: Page) -> None:
    addresses = [
        "http://127.0.0.1:5000",
        "http://127.9.9.9",
        "http://localhost:1",
        "http://[::1]:5",
        "http://127.evil.example",
    ]
    read = "async all => all.map((await import('/background/settings.js')).isThisComputer)"
    assert scripts.evaluate(read, addresses) == [True, True, True, True, False]


def test_the_router_says_who_judged(scripts: Page) -> None:
    account = "async args => (await import('/background/router.js')).account(...args)"
    left = ["The claim and its evidence went to the language model m at h, over the network (cloud judge)."]
    route = ["local (m at h): left at step 7 (verdict). No answer.", "cloud (m at h): OPENAI_API_KEY is set."]
    result = {"judge": {"name": "cloud", "model": "m", "route": route}, "left_the_machine": left}
    found = scripts.evaluate(account, [result, {"judge": "local", "cloud_fallback": True}, True])
    assert found["judge"]["word"] == "cloud judge: m"
    assert found["notes"] == ["The first judge failed, so Ghost used the next.", route[0]]
    assert found["left"] == left
    forbidden = scripts.evaluate(account, [result, {"judge": "local", "cloud_fallback": False}, False])
    assert "asked for a local one only" in forbidden["notes"][0]
    assert forbidden["left"] == [f"From the server’s machine: {left[0]}"]


def test_summaries_of_nonsense_do_not_fail(scripts: Page) -> None:
    read = """async values => {
        const {apply, newProgress, summary, earlierAnswer, recentRun} = await import('/background/summary.js')
        const names = ['run_started', 'step_started', 'step_finished', 'claim_classified', 'evidence_weighed',
            'source_update', 'sentence_accepted', 'sentences_withdrawn', 'run_ended', 'verdict_reached', 'constructor']
        let check = {...newProgress(), claim: ''}
        for (const value of values) {
            for (const name of names) check = {...check, ...apply(check, name, value)}
            summary(value ?? {}); earlierAnswer(value ?? {}); recentRun(value ?? {}, 'javascript:x')
        }
        return JSON.stringify(check).length
    }"""
    odd: list[Any] = [
        None,
        {},
        {"step": None, "classification": None, "claim": None, "evidence": "x", "quotes": 5, "text": ["a"]},
        {
            "evidence": [{}, {"stance": None}],
            "status": {"a": 1},
            "citations": [None, 1],
            "verdict": {"reasons": [None]},
        },
    ]
    assert scripts.evaluate(read, odd) > 0


def test_the_words_are_those_of_the_workbench(scripts: Page) -> None:
    words: Any = json.loads(scripts.evaluate("JSON.stringify(ghost.words)"))
    badges = {label.value: [b.word, b.note, b.colour] for label, b in theme.VERDICTS.items()}
    assert {name: [v["word"], v["note"], v["colour"]] for name, v in words["VERDICTS"].items()} == badges
    assert {Label(name) for name in words["VERDICTS"]} == set(Label)
    stances = {s.value: [b.word, b.colour] for s, b in theme.STANCES.items()}
    assert {name: [s["word"], s["colour"]] for name, s in words["STANCES"].items()} == stances
    assert {StanceLabel(name) for name in words["STANCES"]} == set(StanceLabel)
    assert words["REASONS"] == {code.value: text for code, text in theme.REASONS.items()}
    assert set(words["REASONS"]) == {code.value for code in ReasonCode}
    assert words["TYPES"] == {kind.value: theme.TYPES[kind].word for kind in ClaimType}
    assert set(words["TYPES"]) == {kind.value for kind in ClaimType}
    assert {name: s["word"] for name, s in words["STATUSES"].items()} == {
        status.value: theme.STATUSES[status].word for status in RunStatus
    }
    assert {name: [s["word"], s["note"], s["colour"]] for name, s in words["PAGE_STATES"].items()} == {
        name: [b.word, b.note, b.colour] for name, b in theme.PAGE_STATES.items()
    }
    assert [[s["name"], s["title"], s["doing"]] for s in words["STEPS"]] == [
        [s.name, s.title, s.doing] for s in steps.STEPS
    ]
