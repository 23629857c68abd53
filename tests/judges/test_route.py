"""Who takes over from whom, and what is said about it."""

import socket
import threading
import time
from collections.abc import Iterator

import pytest

from ghost.budget import Budget, Limits
from ghost.errors import BudgetExceeded, Cancelled, JudgeError
from ghost.judges import LocalServer, Withdrawn
from ghost.judges.route import RouteJudge, Stop
from ghost.testing import ScriptedJudge, ScriptedLLM
from ghost.types import Claim, Draft, DraftSentence, Label

CLAIM = Claim("Honey keeps.")
DRAFT = Draft(Label.TRUE, 0.9, (DraftSentence("It keeps."),))


def route(*judges: ScriptedJudge) -> RouteJudge:
    first, *others = judges
    return RouteJudge([Stop(first, "a test", before=("cloud: not asked.",)), *(Stop(j, "a test") for j in others)])


def test_a_judge_that_fails_is_left_for_the_rest_of_the_run() -> None:
    broken = ScriptedJudge(DRAFT, JudgeError("it is broken"))
    whole = ScriptedJudge(DRAFT)
    budget = Budget(Limits())
    both = route(broken, whole)
    assert both.classify(CLAIM, budget).statements
    assert list(both.decide(CLAIM, (), (), budget)) == [DRAFT.sentences[0]]
    assert (broken.asked, whole.asked) == (["classify"], ["classify", "decide"])
    assert both.info.route[1].endswith("left at step 1 (classify). it is broken")
    ((kind, story),) = budget.since((0, 0))[1]
    assert kind == "judge_left"
    assert "goes on" in story


def test_sentences_of_a_judge_that_fails_are_withdrawn() -> None:
    items = list(route(ScriptedJudge(JudgeError("gone")), ScriptedJudge(DRAFT)).decide(CLAIM, (), (), Budget(Limits())))
    assert isinstance(items[0], Withdrawn)
    assert items[1:] == [DRAFT.sentences[0]]


def test_the_last_judge_s_failure_is_the_run_s() -> None:
    with pytest.raises(JudgeError, match="no"):
        route(ScriptedJudge(DRAFT, JudgeError("no"))).classify(CLAIM, Budget(Limits()))


@pytest.mark.parametrize("stop", [BudgetExceeded("tokens", 5), Cancelled("stop"), ValueError("a defect")])
def test_limits_cancelling_and_defects_pass_through(stop: Exception) -> None:
    second = ScriptedJudge(DRAFT)
    with pytest.raises(type(stop)):
        route(ScriptedJudge(DRAFT, stop), second).classify(CLAIM, Budget(Limits()))
    assert second.asked == []


def test_a_judge_that_cannot_be_asked_is_passed_over() -> None:
    first = Stop(ScriptedJudge(DRAFT), "a test", lambda: "It is asleep.")
    info = RouteJudge([first, Stop(ScriptedJudge(DRAFT), "always there")]).info
    assert info.route[0].endswith("not asked. It is asleep.")


def test_a_local_server_is_looked_at_seldom() -> None:
    now = [0.0]
    with ScriptedLLM.serving(lambda asked: "", models=("a", "b")) as server:
        local = LocalServer(server.url, lambda: now[0])
        assert (local.problem(), local.first_model(), local.problem()) == ("", "a", "")
        assert server.looked == 1
        now[0] = 100.0
        assert local.problem() == ""
        assert server.looked == 2


@pytest.fixture
def silent() -> Iterator[str]:
    """A server that accepts and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        kept: list[socket.socket] = []
        thread = threading.Thread(target=lambda: kept.append(listening.accept()[0]), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        thread.join(1)
        for connection in kept:
            connection.close()


def test_a_silent_server_is_waited_for_less_than_a_second(silent: str) -> None:
    started = time.monotonic()
    assert "did not answer" in LocalServer(silent).problem()
    assert time.monotonic() - started < 1.5


def test_no_server_is_a_problem_that_names_the_setting() -> None:
    with ScriptedLLM.serving(lambda asked: "") as server:
        gone = server.url
    assert "GHOST_LOCAL_BASE_URL" in LocalServer(gone).problem()


def test_another_service_is_not_a_model_server() -> None:
    with ScriptedLLM.serving(lambda asked: "") as server:
        server.models = ()
        assert LocalServer(server.url).problem() == ""
        assert LocalServer(server.url).first_model() == ""
