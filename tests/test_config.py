"""Settings: where they are read from, what is refused, and that each refusal names its variable."""

import json
import re
from pathlib import Path

import pytest

import config
from config import ConfigError, Settings, load_settings


@pytest.fixture
def env_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / ".env"
    monkeypatch.setitem(Settings.model_config, "env_file", path)
    return path


def test_nothing_set_gives_the_defaults_beside_the_code() -> None:
    settings = load_settings()
    assert settings.database_path == config.PROJECT / "data" / "ghost.db"
    assert settings.chroma_path == config.PROJECT / "chroma_db"
    assert settings.judge == "auto"
    assert settings.host == "127.0.0.1"
    assert settings.openai_api_key is None


def test_the_environment_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GHOST_TOP_K_RERANK", "7")
    monkeypatch.setenv("GHOST_DATA_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GHOST_TRUSTED_DOMAINS", '["Example.ORG", "bbc.com/news/"]')
    settings = load_settings()
    assert settings.top_k_rerank == 7
    assert settings.database_path == tmp_path / "elsewhere" / "data" / "ghost.db"
    assert settings.chroma_path == tmp_path / "elsewhere" / "chroma_db"
    assert settings.trusted_domains == ("example.org", "bbc.com/news")


def test_the_env_file_is_read_and_the_environment_wins(env_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    env_file.write_text("GHOST_PORT=9001\nGHOST_TOP_K_RERANK=7\nOPENAI_API_KEY=from-file\n", encoding="utf-8")
    monkeypatch.setenv("GHOST_PORT", "9002")
    settings = load_settings()
    assert (settings.port, settings.top_k_rerank) == (9002, 7)
    assert settings.openai_api_key is not None
    assert settings.openai_api_key.get_secret_value() == "from-file"


def test_the_key_is_not_shown_when_the_settings_are_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    settings = load_settings()
    assert "sk-secret" not in f"{settings!r} {settings} {settings.model_dump(mode='json')}"


def test_zero_and_nothing_are_values_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MAX_SEARCHES", "MAX_FETCHES", "MAX_TOKENS", "MAX_COST_USD", "LLM_TEMPERATURE", "CREDIBILITY_BOOST"):
        monkeypatch.setenv(f"GHOST_{name}", "0")
    monkeypatch.setenv("GHOST_MIN_RELEVANCE_SCORE", "0.0")
    monkeypatch.setenv("GHOST_CHROMA_URL", "")
    monkeypatch.setenv("GHOST_TRUSTED_DOMAINS", "[]")
    monkeypatch.setenv("GHOST_SOURCE_CREDIBILITY", "{}")
    settings = load_settings()
    assert (settings.max_searches, settings.max_fetches, settings.max_tokens, settings.max_cost_usd) == (0, 0, 0, 0.0)
    assert (settings.llm_temperature, settings.credibility_boost, settings.min_relevance_score) == (0.0, 0.0, 0.0)
    assert (settings.chroma_url, settings.trusted_domains, settings.source_credibility) == ("", (), {})


def test_a_wrong_value_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = (config.PROJECT / "tests" / "data" / "wrong_settings.jsonl").read_text(encoding="utf-8").splitlines()
    for row in map(json.loads, rows):
        with monkeypatch.context() as patch:
            patch.setenv(row["variable"], row["value"])
            with pytest.raises(ConfigError, match=f"^{row['variable']}: ") as caught:
                print(row, "gives", load_settings())
        assert "Value error" not in str(caught.value)
        assert len(str(caught.value)) < 300
    assert len(rows) >= 75


def test_the_search_providers_are_names_in_order_and_what_one_needs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for value, providers in ((" Wikipedia , ddgs", "wikipedia,ddgs"), ("ddgs,ddgs", "ddgs"), ("", "")):
        monkeypatch.setenv("GHOST_SEARCH_PROVIDERS", value)
        assert load_settings().search_providers == providers
    for name, needs in config.SEARCH_PROVIDERS.items():
        if not needs:
            continue
        variables = [f"GHOST_{field.upper()}" for field in needs]
        monkeypatch.setenv("GHOST_SEARCH_PROVIDERS", f"ddgs,{name}")
        with pytest.raises(ConfigError, match=f"^GHOST_SEARCH_PROVIDERS: {name} needs {' and '.join(variables)} "):
            load_settings()
        for variable in variables:
            monkeypatch.setenv(variable, "http://127.0.0.1:8888")
        assert load_settings().search_providers == f"ddgs,{name}"


def test_a_key_is_in_no_error_and_in_no_text_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("GHOST_BRAVE_KEY", "GHOST_TAVILY_KEY"):
        monkeypatch.setenv(variable, "s3cr3t")
    monkeypatch.setenv("GHOST_SEARCH_PROVIDERS", "brave,serpapi")
    with pytest.raises(ConfigError) as caught:
        load_settings()
    assert "s3cr3t" not in str(caught.value)
    monkeypatch.setenv("GHOST_SEARCH_PROVIDERS", "brave")
    assert "s3cr3t" not in repr(load_settings())
    monkeypatch.setenv("GHOST_BRAVE_KEY", "s3cr3t\nX-Other: 1")
    with pytest.raises(ConfigError, match=r"^GHOST_BRAVE_KEY: a key has letters") as caught:
        load_settings()
    assert "s3cr3t" not in str(caught.value)


def test_every_secret_is_one_that_nobody_is_shown() -> None:
    secret = {name for name, field in Settings.model_fields.items() if "SecretStr" in str(field.annotation)}
    assert secret == set(config.SECRETS)


def test_every_wrong_value_is_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GHOST_PORT", "x")
    monkeypatch.setenv("GHOST_MAX_TOKENS", "y")
    with pytest.raises(ConfigError) as caught:
        load_settings()
    assert re.findall(r"^GHOST_\w+", str(caught.value), re.MULTILINE) == ["GHOST_PORT", "GHOST_MAX_TOKENS"]


@pytest.mark.parametrize("name", ["GHOST_TOPK_RERANK", "ghost_topk_rerank", "GHOST_OPENAI_API_KEY", "GHOST_"])
def test_an_unknown_setting_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "7")
    with pytest.raises(ConfigError, match=f"Unknown setting {name.upper()}"):
        load_settings()


def test_an_unknown_setting_in_the_env_file_is_refused(env_file: Path) -> None:
    env_file.write_text("# a comment\nOTHER=1\nGHOST_TYPO=1\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="Unknown setting GHOST_TYPO"):
        load_settings()


def test_an_env_file_that_is_not_text_is_named(env_file: Path) -> None:
    env_file.write_bytes(b"GHOST_PORT=\xff\xfe")
    with pytest.raises(ConfigError, match=re.escape(str(env_file))):
        load_settings()


def test_settings_cannot_be_changed_afterwards() -> None:
    with pytest.raises(ValueError, match="frozen"):
        load_settings().port = 1


def test_the_example_file_names_every_setting_and_shows_the_defaults(
    env_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = (config.PROJECT / ".env.example").read_text(encoding="utf-8").splitlines()
    assignments = {line[2:].partition("=")[0]: line[2:] for line in lines if re.match(r"# [A-Z_]+=", line)}
    fields = {
        "OPENAI_API_KEY" if name == "openai_api_key" else f"GHOST_{name.upper()}" for name in Settings.model_fields
    }
    assert assignments.keys() == fields

    monkeypatch.delenv("GHOST_WEB")  # the tests switch it off
    monkeypatch.delenv("GHOST_PACKS_OFF")
    defaults = load_settings()
    env_file.write_text("\n".join(assignments.values()), encoding="utf-8")
    written = load_settings()
    # The tables are too long to repeat, a folder depends on where the code lies, and "no key" is an empty key.
    examples = {
        "trusted_domains",
        "fact_check_domains",
        "allowed_domains",
        "denied_domains",
        "source_credibility",
        "data_dir",
        "openai_api_key",
    }
    assert written.model_dump(exclude=examples) == defaults.model_dump(exclude=examples)


@pytest.mark.parametrize("written", ["space, old-myths.jsonl,", '["space", "old-myths"]'])
def test_packs_are_named_in_a_list_with_commas_or_in_json(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv("GHOST_PACKS_OFF", written)
    assert load_settings().packs_off == ("space", "old-myths")
    monkeypatch.setenv("GHOST_PACKS_OFF", '["space"')
    with pytest.raises(ConfigError, match="GHOST_PACKS_OFF: is no JSON list"):
        load_settings()


def test_an_empty_key_is_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "  ")
    assert load_settings().openai_api_key is None


def test_prices_are_set_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GHOST_LLM_PRICE_IN", "0.15")
    with pytest.raises(ConfigError, match="together"):
        load_settings()
    monkeypatch.setenv("GHOST_LLM_PRICE_OUT", "0.6")
    assert (load_settings().llm_price_in, load_settings().llm_price_out) == (0.15, 0.6)


def test_the_stance_model_is_bundled_a_folder_or_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    for given, kept in (
        ("bundled", "bundled"),
        (" MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli ", "MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli"),
        ("roberta-large-mnli", "roberta-large-mnli"),
        ("mine", str(tmp_path / "mine")),
        ("./not/there", str(tmp_path / "not" / "there")),
        ("~/models", str(Path.home() / "models")),
    ):
        assert Settings(stance_model=given).stance_model == kept
    for wrong in ("", "  ", "a/b/c", "a b/c", "a/..", "-a/b", "a/b.", "https://example.org/m"):
        monkeypatch.setenv("GHOST_STANCE_MODEL", wrong)
        with pytest.raises(ConfigError, match="GHOST_STANCE_MODEL"):
            load_settings()
