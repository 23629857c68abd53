"""The settings of a workbench on the demo web."""

import json
from pathlib import Path

import pytest

from config import Settings, load_settings
from ghost.demo_web import DemoWeb, environment, values

UNKNOWN = {"searxng_url", "demo_web"}
"""Settings that come with the SearXNG provider and with the fetcher; take a name out here when it is there."""


def test_a_workbench_of_these_settings_lives_apart_from_the_users_data(web: DemoWeb, tmp_path: Path) -> None:
    found = values(web, tmp_path)
    assert found["data_dir"] == tmp_path
    assert found["chroma_url"] == ""
    assert found["searxng_url"] == web.url
    assert found["demo_web"] == web.port
    assert found["allowed_domains"] == found["denied_domains"] == ()


def test_every_setting_is_one_that_there_is(web: DemoWeb, tmp_path: Path) -> None:
    assert values(web, tmp_path).keys() - Settings.model_fields.keys() <= UNKNOWN


def test_the_environment_says_the_same(web: DemoWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    later = UNKNOWN | {"search_providers"}
    wanted = {name: value for name, value in values(web, tmp_path).items() if name not in later}
    for name, value in environment(wanted).items():
        monkeypatch.setenv(name, value)
    settings = load_settings()
    assert {name: getattr(settings, name) for name in wanted} == wanted


def test_lists_are_json_and_switches_are_words(web: DemoWeb, tmp_path: Path) -> None:
    found = environment(values(web, tmp_path))
    assert found["GHOST_WEB"] == "true"
    assert json.loads(found["GHOST_ALLOWED_DOMAINS"]) == []
    assert "claimlens.test" in json.loads(found["GHOST_FACT_CHECK_DOMAINS"])
    assert found["GHOST_SEARXNG_URL"] == f"http://127.0.0.1:{web.port}"
