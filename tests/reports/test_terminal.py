"""What ``ghost verify`` prints."""

from dataclasses import replace

from ghost.reports import terminal
from ghost.types import Claim
from tests.reports.runs import TEXT, cancelled, failed_at_once, finished


def test_the_verdict_comes_first_and_the_citations_are_there() -> None:
    text = terminal(finished(), 100)
    assert text.startswith("False · High confidence (91%)\n")
    assert f'"{TEXT}"' in " ".join(text.split())
    assert "https://www.nasa.gov/wall" in text
    assert "Not accepted: The quote does not stand" in text
    assert "Left the machine: Nothing" in text


def test_no_line_is_wider_than_the_terminal() -> None:
    for width in (40, 60, 100):
        assert max(map(len, terminal(finished(), width).splitlines())) <= width


def test_a_url_is_never_broken() -> None:
    run = finished()
    assert run.verdict
    url = "https://www.nasa.gov/" + "long-path/" * 20
    run = replace(run, verdict=replace(run.verdict, citations=(replace(run.verdict.citations[0], url=url),)))
    assert url in terminal(run, 40)


def test_colour_only_when_asked() -> None:
    assert "\x1b[1;31mFalse\x1b[0m" in terminal(finished(), color=True)
    assert "\x1b" not in terminal(finished(), color=False)


def test_outside_text_cannot_steer_the_terminal() -> None:
    evil = "\x1b]0;title\x07 \x1b[2J wiped \x9b31m \u202edesrever \r\n next \ud800"
    run = finished(claim=Claim(evil))
    assert run.verdict
    cited = replace(run.verdict.citations[0], quote=evil, title=evil, url=evil, domain=evil, why=evil, accepted=False)
    text = terminal(replace(run, verdict=replace(run.verdict, explanation=evil, citations=(cited,))))
    assert not {"\x1b", "\x07", "\x9b", "\u202e", "\r", "\ud800"} & set(text)


def test_a_cancelled_run_shows_what_it_had() -> None:
    text = terminal(cancelled())
    assert text.startswith("No verdict: the run is cancelled.")
    assert "[1] NASA, refutes:" in text


def test_a_run_that_ended_at_once() -> None:
    assert terminal(failed_at_once()).startswith("No verdict: the run is failed. The disk is full.")
