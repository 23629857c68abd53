"""Passwords and tokens in addresses are used where they are needed, and shown nowhere."""

import json
import logging
from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bench.results import changed_settings
from config import ADDRESSES, ConfigError, Settings, load_settings
from ghost.budget import Budget, Limits
from ghost.diagnostics import variables
from ghost.errors import ClaimError, StoreError
from ghost.events import RunEnded
from ghost.judges import ChatClient, Endpoint, LocalServer, Question
from ghost.knowledge import admit
from ghost.reports import Format, Publisher, export
from ghost.testing import Asked, Scripted, ScriptedLLM
from ghost.text import redacted
from ghost.types import Claim, NewPassage, Run, site_list, tidy_claim
from ghost.web import Links, usable
from ghost.workbench import Workbench, build
from tests.reports.runs import html

SECRET = "hunter2xyzzy"
PAGE = f"https://me:{SECRET}@news.example/story?id=7&access_token={SECRET}"
LOGINS = [
    f"http://me:{SECRET}@127.0.0.1:9/v1",
    f"http://{SECRET}@127.0.0.1:9/v1",
    f"http://me:pa/{SECRET}@127.0.0.1:9/v1",
    f"http://127.0.0.1:9/v1?api_key={SECRET}",
    f"me:{SECRET}@127.0.0.1:9/v1",
    f"ftp://me:{SECRET}@127.0.0.1/",
]


def test_addresses_in_a_message_lose_their_secrets() -> None:
    said = redacted(f"GET 'http://me:{SECRET}@a.example/x?token={SECRET}' failed: me@a.example cannot be reached")
    assert said == "GET 'http://a.example/x' failed: me@a.example cannot be reached"


@pytest.mark.parametrize("url", LOGINS)
def test_settings_show_no_secret_whether_they_can_be_used_or_not(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    for name in ADDRESSES:
        with monkeypatch.context() as patch:
            patch.setenv(f"GHOST_{name.upper()}", url)
            try:
                settings = load_settings()
                shown = [repr(settings), str(variables(settings)), json.dumps(changed_settings(settings))]
            except ConfigError as error:
                shown = [str(error)]
        assert all(shown)
        assert SECRET not in "".join(shown)


@pytest.mark.parametrize("name", [
    "HOST_NAMES", "API_ORIGINS", "TRUSTED_DOMAINS", "FACT_CHECK_DOMAINS", "ALLOWED_DOMAINS", "DENIED_DOMAINS",
    "SOURCE_CREDIBILITY", "SEARCH_PROVIDERS", "STANCE_MODEL", "PORT",
])  # fmt: skip
@pytest.mark.parametrize("url", [
    f"https://me:{SECRET}@news.example", f"https://:{SECRET}@news.example", f"https://\u2100:{SECRET}@news.example",
])  # fmt: skip
def test_a_login_where_none_belongs_is_refused_and_not_repeated(
    monkeypatch: pytest.MonkeyPatch, name: str, url: str
) -> None:
    value = json.dumps({url: 3}) if name == "SOURCE_CREDIBILITY" else json.dumps([url])
    monkeypatch.setenv(f"GHOST_{name}", url if name in ("SEARCH_PROVIDERS", "STANCE_MODEL", "PORT") else value)
    with pytest.raises(ConfigError, match=f"GHOST_{name}") as caught:
        load_settings()
    assert SECRET not in str(caught.value)


def test_what_an_analyst_pastes_is_cut_at_the_door() -> None:
    assert tidy_claim(Claim("Bats fly.", found_at=PAGE), 100).found_at == "https://news.example/story?id=7"
    assert usable(PAGE) == "https://news.example/story?id=7"
    assert Links([PAGE]).named == ("https://news.example/story?id=7",)
    assert site_list(f"https://me:{SECRET}@news.example/") == ("news.example",)
    passage = admit(NewPassage("Bats are mammals that fly.", PAGE)).passage
    assert passage is not None
    assert passage.source_url == "https://news.example/story?id=7"


@pytest.mark.parametrize("typed", [f"https://me:{SECRET}@bad host/", f"me:{SECRET}@", f"https://me:{SECRET}@/x"])
def test_what_cannot_be_used_is_refused_without_repeating_it(typed: str) -> None:
    for use in (usable, site_list):
        try:
            said = str(use(typed))
        except ClaimError as error:
            said = str(error)
        assert SECRET not in said


def test_a_chroma_server_that_does_not_answer_is_named_without_its_password(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, chroma_url=f"http://me:{SECRET}@127.0.0.1:9/{SECRET}", web=False)
    with pytest.raises(StoreError) as caught, build(settings):
        pass
    assert "http://127.0.0.1:9" in str(caught.value)
    assert SECRET not in str(caught.value)


def test_a_model_server_is_logged_into_and_its_password_is_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    question = Question("classify", ({"role": "user", "content": "Say hello."},), {"type": "object"}, 200)
    logins: list[str] = []

    def script(asked: Asked) -> Scripted:
        logins.append(asked.headers.get("Authorization", asked.headers.get("authorization", "")))
        return Scripted("Hello.")

    with ScriptedLLM.serving(script) as server:
        url = server.url.replace("http://", f"http://me:{SECRET}@")
        assert not LocalServer(url).problem()
        budget = Budget(Limits())
        with closing(ChatClient(Endpoint("local", url, "m", timeout=5.0))) as client:
            assert "".join(client.ask(question, budget)) == "Hello."
    assert logins == ["Basic " + b64encode(f"me:{SECRET}".encode()).decode()]
    assert "/chat/completions" in caplog.text
    assert SECRET not in caplog.text
    assert SECRET not in str(budget.spent())


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with build(Settings(data_dir=tmp_path_factory.mktemp("house"), searxng_url="", web=False)) as made:
        yield made


def _checked(workbench: Workbench) -> Run:
    ids = [e.run_id for e in workbench.verify(Claim("Vaccines cause autism", found_at=PAGE)) if isinstance(e, RunEnded)]
    run = workbench.runs.get(ids[0])
    assert run is not None
    return run


def test_no_export_of_a_run_has_the_secret(workbench: Workbench) -> None:
    run = _checked(workbench)
    assert SECRET not in html(run)
    for form in (Format.MARKDOWN, Format.JSON, Format.BUNDLE):
        body = export(run, form, Publisher("Desk", "https://desk.example/"))
        assert SECRET.encode() not in body
    assert SECRET.encode() not in workbench.settings.database_path.read_bytes()
