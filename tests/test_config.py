"""Settings: where they are read from, what is refused, and that each refusal names its variable."""

import json
import re
from pathlib import Path

import pytest

import config
from config import ConfigError, Settings, host_entry, load_settings


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


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("GHOST_PORT", "0"),
        ("GHOST_PORT", "65536"),
        ("GHOST_PORT", "99999"),
        ("GHOST_DATA_DIR", "~nobody-of-this-name/x"),
        ("GHOST_STANCE_MODEL", "~nobody-of-this-name/x"),
        ("GHOST_DDGS_URL", "http://[::1"),
        ("GHOST_WIKIPEDIA_URL", "http://a.example:99999/"),
        ("GHOST_SEARXNG_URL", "http://[::1"),
        ("GHOST_PUBLISHER_URL", "http://[::1"),
        ("GHOST_CLOUD_BASE_URL", "http://[::1"),
        ("GHOST_LOCAL_BASE_URL", "http://[::1"),
        ("GHOST_CHROMA_URL", "http://[::1"),
        ("GHOST_PORT", ""),
        ("GHOST_HOST", ""),
        ("GHOST_JUDGE", "robot"),
        ("GHOST_THREADS", "-1"),
        ("GHOST_EMBEDDING_MODEL", ""),
        ("GHOST_RERANKER_MODEL", ""),
        ("GHOST_LLM_MODEL", ""),
        ("GHOST_LLM_TEMPERATURE", "2.1"),
        ("GHOST_CLOUD_BASE_URL", ""),
        ("GHOST_CLOUD_BASE_URL", "api.openai.com/v1"),
        ("GHOST_CLOUD_BASE_URL", "https://"),
        ("GHOST_LOCAL_BASE_URL", "ftp://127.0.0.1/v1"),
        ("GHOST_LOCAL_BASE_URL", "127.0.0.1:11434"),
        ("GHOST_ALLOW_CLOUD_FALLBACK", "perhaps"),
        ("GHOST_LLM_TIMEOUT_SECONDS", "0"),
        ("GHOST_LLM_RETRIES", "-1"),
        ("GHOST_LLM_PRICE_IN", "-1"),
        ("GHOST_LLM_PRICE_OUT", "0.6"),  # without the price of what is sent
        ("GHOST_TOP_K_RETRIEVAL", "0"),
        ("GHOST_TOP_K_RETRIEVAL", "twenty"),
        ("GHOST_TOP_K_RERANK", "5.5"),
        ("GHOST_MIN_RELEVANCE_SCORE", "1.01"),
        ("GHOST_MIN_RELEVANCE_SCORE", "nan"),
        ("GHOST_CREDIBILITY_BOOST", "-0.1"),
        ("GHOST_MAX_PER_DOMAIN", "0"),
        ("GHOST_MAX_CLAIM_CHARS", "10"),
        ("GHOST_MAX_SEARCHES", "-1"),
        ("GHOST_MAX_FETCHES", "many"),
        ("GHOST_MAX_TOKENS", "1e4"),
        ("GHOST_MAX_COST_USD", "inf"),
        ("GHOST_MAX_SECONDS", "0"),
        ("GHOST_MAX_SECONDS", "nan"),
        ("GHOST_CHROMA_URL", "localhost:8000"),
        ("GHOST_TRUSTED_DOMAINS", "bbc.com, npr.org"),
        ("GHOST_TRUSTED_DOMAINS", '{"bbc.com": 1}'),
        ("GHOST_TRUSTED_DOMAINS", '["https://bbc.com"]'),
        ("GHOST_FACT_CHECK_DOMAINS", '["snopes.com:443"]'),
        ("GHOST_FACT_CHECK_DOMAINS", '["  "]'),
        ("GHOST_WEB", "perhaps"),
        ("GHOST_SEARCH_PROVIDERS", "ddgs,bing"),
        ("GHOST_SEARCH_HITS", "0"),
        ("GHOST_SEARCH_SECONDS", "0"),
        ("GHOST_SEARCH_SECONDS", "inf"),
        ("GHOST_DDGS_URL", "ftp://example.org"),
        ("GHOST_WIKIPEDIA_URL", ""),
        ("GHOST_DENIED_DOMAINS", '["https://x.com"]'),
        ("GHOST_ALLOWED_DOMAINS", "example.org"),
        ("GHOST_SOURCE_CREDIBILITY", ""),
        ("GHOST_SOURCE_CREDIBILITY", '{"example.org": 1.5}'),
        ("GHOST_SOURCE_CREDIBILITY", '{"example.org": "high"}'),
        ("GHOST_SOURCE_CREDIBILITY", '{"http://example.org": 0.5}'),
    ],
)
def test_a_wrong_value_is_refused_by_name(variable: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigError, match=f"^{variable}: ") as caught:
        load_settings()
    assert "Value error" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("value", "providers"),
    [(" Wikipedia , ddgs", "wikipedia,ddgs"), ("ddgs,ddgs", "ddgs"), ("", ""), ("wikipedia", "wikipedia")],
)
def test_the_search_providers_are_names_in_order(value: str, providers: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GHOST_SEARCH_PROVIDERS", value)
    assert load_settings().search_providers == providers


@pytest.mark.parametrize(
    ("name", "needs"),
    [
        ("searxng", "GHOST_SEARXNG_URL"),
        ("google_pse", "GHOST_GOOGLE_PSE_KEY and GHOST_GOOGLE_PSE_ID"),
        ("serpapi", "GHOST_SERPAPI_KEY"),
        ("brave", "GHOST_BRAVE_KEY"),
        ("tavily", "GHOST_TAVILY_KEY"),
        ("fact_check_tools", "GHOST_FACT_CHECK_TOOLS_KEY"),
    ],
)
def test_a_provider_without_what_it_needs_is_named_with_the_variable(
    name: str, needs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GHOST_SEARCH_PROVIDERS", f"ddgs,{name}")
    with pytest.raises(ConfigError, match=f"^GHOST_SEARCH_PROVIDERS: {name} needs {needs} "):
        load_settings()
    for variable in needs.split(" and "):
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


@pytest.mark.parametrize(
    ("entry", "host"),
    [
        ("*.Bad.test", "bad.test"),
        (".bad.test.", "bad.test"),
        ("bad.test/*", "bad.test"),
        ("*.bad.test/blog/", "bad.test/blog"),
        ("bücher.example", "bücher.example"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("my_site.gov", "my_site.gov"),
        ("gov", "gov"),
    ],
)
def test_an_entry_holds_for_all_hosts_below_it_with_a_star_or_without(entry: str, host: str) -> None:
    assert host_entry(entry) == host


@pytest.mark.parametrize(
    "entry",
    ["", "*", "*.", "bad.*", "*bad.test", "a.*.test", "bad..test", "bad.test/b*g", "https://bad.test", "bad.test:80",
     "bad test", "a@bad.test", "bad.test?x", "bad,test", "/blog", "\"bad.test\""],
)  # fmt: skip
def test_an_entry_that_would_never_match_is_refused(entry: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="is not a host suffix"):
        host_entry(entry)
    monkeypatch.setenv("GHOST_DENIED_DOMAINS", json.dumps([entry]))
    with pytest.raises(ConfigError, match=r"GHOST_DENIED_DOMAINS: .* is not a host suffix"):
        load_settings()


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
