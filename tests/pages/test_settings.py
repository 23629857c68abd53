"""The Settings page: every section filled, empty and failing; buttons that check; and no secret anywhere."""

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

from config import Settings
from ghost.errors import ProviderRefusedError, StoreError
from ghost.judges import Endpoint
from ghost.testing import ScriptedLLM, ScriptedSearch
from ghost.types import JudgeInfo, Usage
from ghost.ui.settings import SECTIONS
from ghost.web import Hit
from tests.inference.hub_server import only_hub
from tests.inference.tiny import tiny_model
from tests.pages.sections import Page, assert_plain, at_address, elsewhere_and_back, opened, page, until
from tests.pages.visits import SECONDS, Patch, Use, shown, tables
from tests.ui.bench import ScriptedBench, ScriptedKnowledge
from tests.ui.samples import HOSTILE

__all__ = ["page"]
PASSWORD = "hunter2pass"
SECRETS = {
    "OPENAI_API_KEY": "sk-verysecret-0001",
    "google_pse_key": "gsecret-0002",
    "serpapi_key": "ssecret-0003",
    "brave_key": "bsecret-0004",
    "tavily_key": "tsecret-0005",
    "fact_check_tools_key": "fsecret-0006",
}


def test_the_judge_says_why_it_was_chosen_what_leaves_and_what_all_checks_used(
    page: Page, bench: ScriptedBench, monkeypatch: Patch
) -> None:
    asked: list[Usage] = []

    def spent() -> Usage:
        asked.append(Usage(tokens=1234))
        return asked[-1]

    monkeypatch.setattr(bench.runs, "spent", spent)
    at = page("settings", section="judge")
    words = shown(at)
    assert "Embedded judge, on this machine" in words
    assert "embedded: runs on this machine" in words
    assert "Nothing is searched, and no page is fetched." in words
    assert "GHOST_MAX_SEARCHES" in tables(at)
    bench.judge_info = JudgeInfo("cloud", "gpt-4o-mini", ("cloud (gpt-4o-mini): it",), "api.example.org", "127.0.0.1:1")
    bench.language_models = (Endpoint("cloud", "https://me:pw@api.example.org/v1", "gpt-4o-mini", "sk-1"),)
    bench.search_recipients = ("DuckDuckGo", "Wikipedia")
    words = shown(at.run())
    assert "go to the language model gpt-4o-mini at api.example.org" in words
    assert "price unknown" in words
    assert "search words to DuckDuckGo, then Wikipedia" in words
    assert "10 pages" in words
    assert "All checks so far have used 1,234 language-model tokens" in words
    assert len(asked) == 1  # they are summed up once


def test_a_language_model_is_asked_on_a_button_and_never_before(page: Page, bench: ScriptedBench) -> None:
    import openai  # takes seconds on a slow machine; the test should not count them

    assert openai.OpenAI
    with ScriptedLLM.serving(lambda _: {"answer": "Ready."}) as server:
        bench.language_models = (Endpoint("cloud", server.url, "gpt-x", "sk-1"),)
        at = page("settings", section="judge")
        assert "Sends “Say that you are ready.”" in shown(at)
        assert "and the key" in shown(at)
        assert server.asked == []
        at.button(key="settings_model_cloud").click().run()
        until(at, lambda: "answered in" in shown(at))
        said = shown(at)
        assert "gpt-x at 127.0.0.1" in said
        assert "sk-1" not in said
    at.button(key="settings_model_cloud").click().run()
    until(at, lambda: "cannot be reached" in shown(at))
    said = shown(at)
    assert "sk-1" not in said


def test_models_are_listed_and_their_checksums_verified_on_a_button(page: Page) -> None:
    at = page("settings", section="models")
    words = shown(at)
    assert "SHA-256 of the weights" in words
    assert "onnxruntime" in tables(at)
    at.button(key="settings_models").click().run()
    until(at, lambda: "All files of 6 models" in shown(at))
    assert "match their checksums." in shown(at)


def test_a_stance_model_is_downloaded_and_stopped(
    page: Page, bench: ScriptedBench, tmp_path: Path, monkeypatch: Patch
) -> None:
    name = "maker/tiny-nli"
    bench.settings = Settings(data_dir=bench.settings.data_dir, stance_model=name)
    bench.stance_missing = f"The stance model {name} is not on this machine."
    with only_hub(tmp_path / "home", monkeypatch) as hub:
        hub.add(name, tiny_model(tmp_path / "published", size=50_000))
        at = page("settings", section="models")
        words = shown(at)
        assert f"The stance model {name} is not on this machine." in words
        assert "0.91 on fever symmetric" in words
        assert "not measured here" in words.lower()
        assert not hub.asked
        hub.drip = 0.3
        at.button(key="settings_fetch_1").click().run()
        while not any(path.startswith("/cdn/") for _, path, _ in hub.asked):
            time.sleep(0.02)
        at.run()
        at.button(key="settings_stop_fetch_1").click().run()
        until(at, lambda: "Stopped, as you asked." in shown(at))
        hub.drip, hub.status = 0.0, 503
        at.button(key="settings_fetch_1").click().run()
        until(at, lambda: "has trouble of its own" in shown(at))
        hub.status = 0
        at.button(key="settings_fetch_1").click().run()
        until(at, lambda: "Revision" in shown(at))
        assert "Licence: mit" in shown(at)


def test_the_verify_page_says_that_another_stance_model_reads(use: Use, bench: ScriptedBench) -> None:
    bench.stance_missing = "The stance model a/b is not on this machine, so the bundled one reads in its place."
    at = use(bench).run()
    assert "so the bundled one reads in its place" in " ".join(w.value for w in at.warning)


def test_the_stores_are_counted_checked_and_rebuilt_on_buttons(page: Page, bench: ScriptedBench) -> None:
    bench.batches.list()
    at = page("settings", section="stores")
    assert {m.label: m.value for m in at.metric} == {"Passages": "3", "Active": "3", "Checks": "0"}
    assert str(bench.settings.database_path) in tables(at).replace("\\", "")
    at.button(key="settings_check").click().run()
    until(at, lambda: "All is well." in shown(at))
    at.button(key="settings_rebuild").click().run()
    until(at, lambda: "The index was rebuilt with 3 vectors." in shown(at))


def test_long_work_shows_how_far_it_is_and_can_be_stopped(page: Page, bench: ScriptedBench) -> None:
    going = threading.Event()

    class Slow(ScriptedKnowledge):
        def rebuild(self, progress: Callable[[str, int, int], None] | None = None) -> int:
            assert progress
            while True:
                progress("Rebuilding the vector index", 40, 100)
                going.set()
                time.sleep(0.005)

    bench.knowledge = Slow([])
    at = page("settings", section="stores")
    at.button(key="settings_rebuild").click().run()
    assert going.wait(SECONDS)
    at.run()
    assert at.button(key="settings_stop_rebuild").label == "Cancel"
    at.button(key="settings_stop_rebuild").click().run()
    until(at, lambda: "Stopped, as you asked." in shown(at))
    assert at.button(key="settings_rebuild")


def test_providers_are_asked_on_a_button_only_and_answer_in_words(page: Page, bench: ScriptedBench) -> None:
    good = ScriptedSearch([Hit("https://a.test/", "A", "a", "ddgs")], name="ddgs", recipient="DuckDuckGo")
    bad = ScriptedSearch(ProviderRefusedError("Brave does not accept the key."), name="brave", recipient="Brave")
    at = page("settings", section="web")
    assert "Web search is off" in shown(at)
    bench.providers = (good, bad)
    words = shown(at.run())
    assert good.asked == bad.asked == []
    assert "serpapi needs GHOST_SERPAPI_KEY" in words.replace("`", "").replace("*", "")
    at.button(key="settings_provider_ddgs").click().run()
    until(at, lambda: "It answered with 1 result." in shown(at))
    at.button(key="settings_provider_brave").click().run()
    until(at, lambda: "Brave does not accept the key." in shown(at))
    assert [asked for asked, _ in good.asked] == ["Moon"]


def test_a_site_is_looked_up_in_all_lists(page: Page) -> None:
    at = page("settings", section="sources")
    at.text_input(key="settings_site").input("https://www.reuters.com/fact-check/x").run()
    words = shown(at)
    assert "Fact-checker: yes, by the entry reuters.com/fact-check" in words
    assert "0.95" in words
    at.text_input(key="settings_site").input("x.com").run()
    assert "Results are dropped" in shown(at)
    at.text_input(key="settings_site").input("no site at all").run()
    assert "Enter a site or an address" in shown(at)
    at.text_input(key="settings_site").input(HOSTILE).run()
    assert not at.exception


def test_every_setting_is_there_with_its_variable(page: Page, bench: ScriptedBench) -> None:
    bench.settings = Settings(data_dir=bench.settings.data_dir, top_k_rerank=7)
    at = page("settings", section="all")
    listed = tables(at)
    for field in Settings.model_fields:
        assert ("OPENAI_API_KEY" if field == "openai_api_key" else f"GHOST_{field.upper()}") in listed
    at.toggle(key="settings_only").set_value(True).run()
    assert "GHOST_TOP_K_RERANK" in tables(at)
    assert "GHOST_PORT" not in tables(at)
    at.text_input(key="settings_words").input("nothing like it").run()
    assert "No setting matches these filters." in shown(at)


def test_what_other_programs_need_can_be_copied(page: Page) -> None:
    at = page("settings", section="connect")
    bookmark, *commands, folder, configuration = [element.value for element in at.code]
    assert bookmark.startswith('javascript:void(open("http://')
    assert "/?claim=" in bookmark
    assert Path(folder).name == "extension"
    assert commands == ["python -m ghost up", "python -m ghost keys add NAME --role verify"]
    assert "http://127.0.0.1:5000" in shown(at)
    server = json.loads(configuration)["mcpServers"]["ghost"]
    assert [Path(server["command"]).is_file(), server["args"]] == [True, ["-m", "ghost", "mcp"]]
    assert (Path(server["env"]["PYTHONPATH"]) / "ghost").is_dir()


def test_the_extension_is_paired_with_a_code_of_this_page(page: Page, bench: ScriptedBench) -> None:
    at = page("settings", section="connect")
    next(button for button in at.button if button.label == "Get a pairing code").click().run()
    (code,) = [element.value for element in at.code if len(element.value) == len("ABCD-2345")]
    assert "once, within 10 minutes" in shown(at)
    bench.keys.pairing.use(code)


def test_the_section_stays_after_a_look_at_another_page(page: Page) -> None:
    at = elsewhere_and_back(page("settings", section="sources"), "settings")
    assert at.query_params["section"] == "sources"
    at_address(at, section="nonsense")


def test_no_secret_reaches_the_page(use: Use, tmp_path: Path, monkeypatch: Patch) -> None:
    for name, secret in SECRETS.items():
        monkeypatch.setenv(name if name.isupper() else f"GHOST_{name.upper()}", secret)
    settings = Settings(
        data_dir=tmp_path,
        chroma_url=f"http://me:{PASSWORD}@127.0.0.1:1/{PASSWORD}",
        cloud_base_url=f"https://me:{PASSWORD}@api.example.org/{PASSWORD}/v1",
        local_base_url=f"http://me:{PASSWORD}@127.0.0.1:2/v1",
        searxng_url=f"https://me:{PASSWORD}@search.example.org/{PASSWORD}",
        ddgs_url=f"https://me:{PASSWORD}@d.example.org/",
        wikipedia_url=f"https://me:{PASSWORD}@w.example.org/api.php?key={PASSWORD}",
        google_pse_id="engine",
    )
    assert settings.openai_api_key
    bench = ScriptedBench(settings)
    key = settings.openai_api_key.get_secret_value()
    bench.language_models = (Endpoint("cloud", settings.cloud_base_url, "gpt-4o-mini", key),)
    bench.providers = (ScriptedSearch(name="brave", recipient="Brave"),)
    at = opened(use(bench), "settings")
    for section in SECTIONS:
        at_address(at, section=section)
        everything = "\n".join(str(element.proto) for element in [*at.main, *at.sidebar]) + tables(at) + shown(at)
        assert "Settings" in everything
        for secret in (*SECRETS.values(), PASSWORD):
            assert secret not in everything, section
    assert "set" in tables(at)


def test_a_store_that_fails_leaves_the_page_usable(page: Page, bench: ScriptedBench) -> None:
    bench.knowledge = ScriptedKnowledge([], fails=StoreError("The disk cannot be read. Check it and try again."))
    at = page("settings")
    for section in SECTIONS:
        at_address(at, section=section)
        assert ("The disk cannot be read." in shown(at)) is (section == "stores")


def test_hostile_values_are_text(use: Use, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, llm_model=HOSTILE, local_model=HOSTILE, embedding_model=HOSTILE)
    bench = ScriptedBench(settings)
    bench.judge_info = JudgeInfo("cloud", HOSTILE, (HOSTILE,), HOSTILE, HOSTILE)
    bench.language_models = (Endpoint("local", "http://127.0.0.1:1", HOSTILE),)
    bench.providers = (ScriptedSearch(name="ddgs", recipient=HOSTILE),)
    bench.search_recipients = (HOSTILE,)
    at = opened(use(bench), "settings")
    for section in SECTIONS:
        assert_plain(at_address(at, section=section), "`")
