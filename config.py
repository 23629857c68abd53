"""Every setting of Ghost, typed and validated, read once from the environment and ``.env``.

The name of the variable is ``GHOST_`` and the field's name in capitals (``GHOST_TOP_K_RERANK=7``); lists and
tables are JSON. ``OPENAI_API_KEY`` is read under its own name. This file imports nothing of ours.
"""

import ipaddress
import json
import os
import re
import tomllib
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from dotenv import dotenv_values
from platformdirs import user_data_path
from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from pydantic_settings.exceptions import SettingsError

PROJECT = Path(__file__).resolve().parent
"""The folder with the code and what comes with it. In an installed Ghost nothing is ever written there."""

INSTALLED = not (PROJECT / "pyproject.toml").exists()
"""Whether this is an installed package and not a checkout."""

HOME = user_data_path("ghost", appauthor=False) if INSTALLED else PROJECT
"""Where data and `.env` are kept unless the settings say otherwise."""

_SITES = tomllib.loads((PROJECT / "sites.toml").read_text(encoding="utf-8"))
TRUSTED_DOMAINS: tuple[str, ...] = tuple(_SITES["trusted"])
"""Hosts of the first search stage. Entries are host suffixes, optionally with a path."""

FACT_CHECK_DOMAINS: tuple[str, ...] = tuple(_SITES["fact_check"])
"""Hosts of the second search stage."""

DENIED_DOMAINS: tuple[str, ...] = tuple(_SITES["denied"])
"""Where anybody says anything: what is found there repeats a claim more often than it checks it."""

SEARCH_PROVIDERS: dict[str, tuple[str, ...]] = {
    "ddgs": (),
    "wikipedia": (),
    "searxng": ("searxng_url",),
    "google_pse": ("google_pse_key", "google_pse_id"),
    "serpapi": ("serpapi_key",),
    "brave": ("brave_key",),
    "tavily": ("tavily_key",),
    "fact_check_tools": ("fact_check_tools_key",),
}
"""The search engines that there are, each with the settings without which it cannot be asked."""

SOURCE_CREDIBILITY: dict[str, float] = _SITES["credibility"]
"""Credibility by host suffix, optionally with a path; the longest match wins."""

UNKNOWN_CREDIBILITY = 0.5

_HUB_NAME = re.compile(r"(?:[A-Za-z0-9][\w.-]{0,95}/)?[A-Za-z0-9][\w.-]{0,95}", re.ASCII)
_LOGIN = re.compile(".*@", re.DOTALL)
_DATABASE = "must be an address such as postgresql+psycopg://USER:PASSWORD@HOST:5432/DATABASE"
_HOST = re.compile(r"[\w-]+(\.[\w-]+)*")
"""Letters of any script: names such as bücher.example are written as people read them."""

SECRETS = ("openai_api_key", "google_pse_key", "serpapi_key", "brave_key", "tavily_key", "fact_check_tools_key")
"""Settings that nobody is shown: no error, no record."""


ADDRESSES = (
    "database_url",
    "chroma_url",
    "cloud_base_url",
    "local_base_url",
    "ddgs_url",
    "wikipedia_url",
    "searxng_url",
    "publisher_url",
)
"""Settings that may hold a password or a token: only where they lead is shown."""


class ConfigError(ValueError):
    """A setting cannot be used; the message names the variable."""


class Settings(BaseSettings):
    """All settings; unknown ``GHOST_`` variables are refused so that a typo cannot pass unnoticed."""

    model_config = SettingsConfigDict(
        env_prefix="GHOST_",
        env_file=HOME / ".env",
        env_file_encoding="utf-8",
        extra="ignore",
        frozen=True,
        use_attribute_docstrings=True,
    )

    data_dir: Path = HOME
    """Folder that holds `data/` and `chroma_db/`. Both move together."""
    database_url: str = Field(default="", repr=False)
    """A PostgreSQL database instead of SQLite, such as `postgresql+psycopg://ghost:PASSWORD@db.example.org/ghost`.
    It needs `GHOST_CHROMA_URL` too."""
    chroma_url: str = Field(default="", repr=False)
    """A Chroma server instead of the embedded index, such as `http://127.0.0.1:8000`."""
    host: str = Field(default="127.0.0.1", min_length=1)
    """Address the page listens on. There is no login."""
    port: int = Field(default=8501, ge=1, le=65535)
    """Port of the page."""
    host_names: tuple[str, ...] = ()
    """Further names the page and the API answer to, such as that of a proxy in front of them."""
    open_browser: bool = True
    """Opens the page in a browser when it is started from a terminal of a machine with a screen."""
    log_format: Literal["text", "json"] = "text"
    """`json` writes the log of servers and workers as JSON lines, for programs that collect logs."""
    grace_seconds: float = Field(default=8.0, ge=0.0, le=3600.0, allow_inf_nan=False)
    """How long running checks may take to finish once a server is asked to end. The rest is stored as interrupted."""

    api_host: str = Field(default="127.0.0.1", min_length=1)
    """Address the HTTP API listens on. Anywhere but on this machine, every request needs a key."""
    api_port: int = Field(default=5000, ge=1, le=65535)
    """Port of the HTTP API."""
    api_require_key: bool = False
    """Whether reading and checking from this machine need a key too. Changing something always does."""
    api_origins: tuple[str, ...] = ()
    """Websites whose scripts may call the API, such as `https://newsroom.example.org`. Extensions need a key."""
    api_requests_per_second: int = Field(default=300, ge=1, le=100_000)
    """Requests of one key, or of one address without a key, before the API asks to wait."""
    api_log_claims: bool = False
    """Whether the log of the API may hold the text of claims and questions."""

    embedding_model: str = Field(default="all-MiniLM-L6-v2", min_length=1)
    """The bundled encoder, or any sentence-transformers model by name or path."""
    reranker_model: str = Field(default="bundled", min_length=1)
    """Scores relevance: `bundled`, or any sentence-transformers cross-encoder by name or path."""
    stance_model: str = Field(default="bundled", min_length=1)
    """Reads what a passage says about a claim: `bundled`, or a three-way NLI model as a folder or by its name on
    the Hugging Face hub."""
    packs_off: Annotated[tuple[str, ...], NoDecode] = ()
    """Packs of the starter library to switch off, such as `space,health`, or a JSON list."""
    threads: int = Field(default=0, ge=0, le=256)
    """Threads for the embedded models; 0 uses all cores."""

    judge: Literal["auto", "cloud", "local", "embedded"] = "auto"
    """`auto`, `cloud`, `local` or `embedded`."""
    llm_model: str = Field(default="gpt-4o-mini", min_length=1)
    """Model of the cloud judge."""
    llm_temperature: float = Field(default=0.1, ge=0.0, le=2.0)
    """Temperature of the language models, 0 to 2."""
    openai_api_key: SecretStr | None = Field(default=None, validation_alias="OPENAI_API_KEY")
    """Key of the cloud judge. Never stored."""
    cloud_base_url: str = Field(default="https://api.openai.com/v1", repr=False)
    """Any server that speaks the OpenAI protocol. It gets the key."""
    local_base_url: str = Field(default="", repr=False)
    """A model server of your own, such as `http://127.0.0.1:11434/v1`. It gets no key."""
    local_model: str = ""
    """Model of the local server; empty uses the first one that the server lists."""
    allow_cloud_fallback: bool = False
    """Whether a run with a local judge may fall back to the cloud."""
    llm_timeout_seconds: float = Field(default=60.0, gt=0.0, le=3600.0, allow_inf_nan=False)
    """Timeout of one answer."""
    llm_retries: int = Field(default=2, ge=0, le=10)
    """Retries after a passing failure (429, 5xx)."""
    llm_price_in: float | None = Field(default=None, ge=0.0, allow_inf_nan=False)
    """US dollars per million tokens sent to the cloud model, where Ghost does not know the price."""
    llm_price_out: float | None = Field(default=None, ge=0.0, allow_inf_nan=False, validate_default=True)
    """US dollars per million tokens that come back. Set both prices or neither."""

    top_k_retrieval: int = Field(default=20, ge=1, le=200)
    """Candidates for each statement."""
    top_k_rerank: int = Field(default=5, ge=1, le=50)
    """Pieces of evidence for each statement."""
    min_relevance_score: float = Field(default=0.3, ge=0.0, le=1.0)
    """Passages below this relevance are dropped."""
    credibility_boost: float = Field(default=0.3, ge=0.0, le=2.0)
    """Weight of the source's credibility in the ranking."""
    min_credibility: float = Field(default=0.3, ge=0.0, le=1.0)
    """What a run fetches from a less credible source is quarantined."""
    max_per_domain: int = Field(default=2, ge=1, le=50)
    """Pieces of evidence from one domain for each statement (without a domain: from one document)."""

    trusted_domains: tuple[str, ...] = TRUSTED_DOMAINS
    """Host suffixes for the first search stage."""
    fact_check_domains: tuple[str, ...] = FACT_CHECK_DOMAINS
    """Host suffixes of fact-checkers, for the second search stage."""
    source_credibility: dict[str, float] = SOURCE_CREDIBILITY
    """Host suffix to credibility, 0 to 1. The longest match wins, and other sources get 0.5."""

    web: bool = True
    """Search the web for what the knowledge base leaves open."""
    search_hits: int = Field(default=5, ge=1, le=10)
    """Hits of one search to keep."""
    search_seconds: float = Field(default=5.0, ge=0.5, le=60.0, allow_inf_nan=False)
    """Timeout of one search."""
    ddgs_url: str = Field(default="https://html.duckduckgo.com/html/", repr=False)
    """The page that the library `ddgs` asks."""
    wikipedia_url: str = Field(default="https://en.wikipedia.org/w/api.php", repr=False)
    """`api.php` of the Wikipedia in your language."""
    searxng_url: str = Field(default="", repr=False)
    """A SearXNG of your own with the JSON format enabled, for the provider `searxng`."""
    google_pse_key: SecretStr | None = None
    """Key for `google_pse`. Never stored, like all keys."""
    google_pse_id: str = ""
    """Id of the Programmable Search Engine (`cx`)."""
    serpapi_key: SecretStr | None = None
    """Key for `serpapi`."""
    brave_key: SecretStr | None = None
    """Key for `brave`."""
    tavily_key: SecretStr | None = None
    """Key for `tavily`."""
    fact_check_tools_key: SecretStr | None = None
    """Key for `fact_check_tools` (published fact-checks)."""
    search_providers: str = "ddgs,wikipedia"
    """Search providers in order. The next one is asked only when one fails or finds nothing."""
    search_cache_hours: float = Field(default=6.0, ge=0.0, le=24.0 * 365, allow_inf_nan=False)
    """How long the answer to a search is reused; 0 asks every time."""
    allowed_domains: tuple[str, ...] = ()
    """When set, hits from other sites are dropped in every stage."""
    denied_domains: tuple[str, ...] = DENIED_DOMAINS
    """Sites whose hits are dropped, with all hosts below them. By default social networks."""

    page_seconds: float = Field(default=10.0, ge=0.5, le=60.0, allow_inf_nan=False)
    """Timeout of one page, from the lookup of its name to its text."""
    archive_copies: bool = False
    """Ask the Internet Archive for copies of cited pages. Off, the report only links to a search there."""
    demo_web: int = Field(default=0, ge=0, le=65535)
    """Port of the demo web (`python -m ghost demo`). When set, no page of the real web is fetched."""

    publisher_name: str = Field(default="", max_length=200)
    """Publisher named in an exported ClaimReview."""
    publisher_url: str = Field(default="", repr=False)
    """Home page of the publisher."""

    max_claim_chars: int = Field(default=5000, ge=50, le=100_000)
    """Longer claims are refused."""
    max_searches: int = Field(default=8, ge=0)
    """Searches in one run."""
    max_fetches: int = Field(default=10, ge=0)
    """Pages fetched in one run."""
    max_rounds: int = Field(default=5, ge=0)
    """Open statements of a claim that are searched on the web."""
    max_tokens: int = Field(default=60_000, ge=0)
    """Tokens in one run."""
    max_cost_usd: float = Field(default=0.25, ge=0.0, allow_inf_nan=False)
    """US dollars in one run, where the price of the model is known."""
    max_seconds: float = Field(default=180.0, gt=0.0, allow_inf_nan=False)
    """Seconds in one run."""
    pipeline: Literal["seven-steps", "single-conversation"] = "seven-steps"
    """How to check a claim, unless a run says otherwise. `single-conversation` needs a language model."""
    max_iterations: int = Field(default=5, ge=1, le=50)
    """Turns of the model in a single conversation, not counting the verdict."""

    research_max_searches: int = Field(default=24, ge=0)
    """Searches in one research."""
    research_max_fetches: int = Field(default=30, ge=0)
    """Pages fetched in one research."""
    research_max_tokens: int = Field(default=200_000, ge=0)
    """Tokens in one research."""
    research_max_cost_usd: float = Field(default=1.0, ge=0.0, allow_inf_nan=False)
    """US dollars in one research, where the price of the model is known."""
    research_max_seconds: float = Field(default=600.0, gt=0.0, allow_inf_nan=False)
    """Seconds in one research."""

    @field_validator("packs_off", mode="before")
    @classmethod
    def _names(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        if value.lstrip().startswith("["):
            try:
                return json.loads(value)
            except json.JSONDecodeError as error:
                raise ValueError('is no JSON list of names such as ["space", "health"]') from error
        return [name.strip().removesuffix(".jsonl") for name in value.split(",") if name.strip()]

    @field_validator("data_dir")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        return _expanded(value).resolve()

    @field_validator("stance_model")
    @classmethod
    def _folder_or_name(cls, value: str) -> str:
        value = value.strip()
        if value == "bundled":
            return value
        folder = _expanded(Path(value)) if value else Path()
        if value.startswith(("/", "~", ".", "\\")) or folder.is_absolute() or (value and folder.is_dir()):
            return str(folder.resolve())
        if not _HUB_NAME.fullmatch(value) or "--" in value or ".." in value or value.endswith((".", "-")):
            raise ValueError("must be bundled, a folder, or the name of a model on the Hugging Face hub: OWNER/NAME")
        return value

    @field_validator("database_url")
    @classmethod
    def _postgresql(cls, value: str) -> str:
        value = value.strip()
        scheme, _, rest = value.partition("://")
        if value and (scheme not in ("postgresql+psycopg", "postgresql", "postgres") or not rest.strip("/")):
            raise ValueError(_DATABASE)
        return value

    @field_validator("chroma_url")
    @classmethod
    def _http(cls, value: str) -> str:
        if value and not _is_server(value):
            raise ValueError("must be an address such as http://127.0.0.1:8000")
        return value.rstrip("/")

    @field_validator("ddgs_url", "wikipedia_url", "searxng_url")
    @classmethod
    def _web_address(cls, value: str, info: ValidationInfo) -> str:
        if not value and info.field_name == "searxng_url":
            return value
        if not _is_web_address(value):
            raise ValueError("must be a web address that starts with http:// or https://")
        if info.field_name == "searxng_url" and not _is_server(value):
            raise ValueError("must be the address of a SearXNG, without ? or #")
        return value

    @field_validator("publisher_url")
    @classmethod
    def _home_page(cls, value: str) -> str:
        if value and not _is_web_address(value):
            raise ValueError("must be a web address that starts with http:// or https://")
        return value

    @field_validator("search_providers")
    @classmethod
    def _providers(cls, value: str, info: ValidationInfo) -> str:
        names = [name.strip().lower() for name in value.split(",") if name.strip()]
        unknown = sorted(set(names) - set(SEARCH_PROVIDERS))
        if unknown:
            raise ValueError(f"there is no provider {', '.join(unknown)}; there are {', '.join(SEARCH_PROVIDERS)}")
        for name in names:
            lacking = [_variable((field,)) for field in SEARCH_PROVIDERS[name] if not info.data.get(field)]
            if lacking:
                raise ValueError(f"{name} needs {' and '.join(lacking)}")
        return ",".join(dict.fromkeys(names))

    @field_validator("cloud_base_url", "local_base_url")
    @classmethod
    def _address(cls, value: str, info: ValidationInfo) -> str:
        if not value and info.field_name == "local_base_url":
            return value
        if not _is_server(value):
            raise ValueError("must be an address such as http://127.0.0.1:11434/v1")
        return value.rstrip("/")

    @field_validator(*SECRETS)
    @classmethod
    def _no_blank_key(cls, value: SecretStr | None) -> SecretStr | None:
        return SecretStr(value.get_secret_value().strip()) if value and value.get_secret_value().strip() else None

    @field_validator(*(name for name in SECRETS if name != "openai_api_key"))
    @classmethod
    def _sendable_key(cls, value: SecretStr | None) -> SecretStr | None:
        if value and not (value.get_secret_value().isascii() and value.get_secret_value().isprintable()):
            raise ValueError("a key has letters, digits and signs only")
        return value

    @field_validator("llm_price_in", "llm_price_out", mode="before")
    @classmethod
    def _unset(cls, value: object) -> object:
        return None if value == "" else value

    @field_validator("llm_price_out")
    @classmethod
    def _both_prices(cls, value: float | None, info: ValidationInfo) -> float | None:
        if (value is None) != (info.data.get("llm_price_in") is None):
            raise ValueError("GHOST_LLM_PRICE_IN and GHOST_LLM_PRICE_OUT are set together or not at all")
        return value

    @field_validator("trusted_domains", "fact_check_domains", "allowed_domains", "denied_domains")
    @classmethod
    def _hosts(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(host_entry(entry) for entry in value)

    @field_validator("host_names")
    @classmethod
    def _host_names(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(_host_name(entry) for entry in value)

    @field_validator("api_origins")
    @classmethod
    def _origins(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for origin in value:
            parts = urlsplit("" if "@" in origin else origin)  # there is no login, nor an error of Python's that has it
            if not parts.scheme or not parts.netloc or parts.path or parts.query or parts.fragment:
                raise ValueError(f"{origin!r} is no origin such as https://newsroom.example.org")
        return tuple(origin.lower() for origin in value)

    @field_validator("source_credibility")
    @classmethod
    def _ratings(cls, value: dict[str, float]) -> dict[str, float]:
        for entry, rating in value.items():
            if not 0.0 <= rating <= 1.0:
                raise ValueError(f"{entry}: {rating} is not between 0 and 1")
        return {host_entry(entry): rating for entry, rating in value.items()}

    @property
    def database_path(self) -> Path:
        return self.data_dir / "data" / "ghost.db"

    @property
    def database_place(self) -> Path | str:
        """Where the records are: the file of an SQLite database, or the address of a PostgreSQL database."""
        return self.database_url or self.database_path

    @property
    def skills_path(self) -> Path:
        """The analyst's own skills for research; need not be there."""
        return self.data_dir / "data" / "skills.yaml"

    @property
    def chroma_path(self) -> Path:
        return self.data_dir / "chroma_db"

    @property
    def calibration_path(self) -> Path:
        return self.data_dir / "data" / "calibration"

    @property
    def fetched_models_path(self) -> Path:
        return self.data_dir / "data" / "models.json"


def _expanded(path: Path) -> Path:
    """The path with ``~`` replaced; raises ValueError for a user that does not exist."""
    try:
        return path.expanduser()
    except RuntimeError:
        raise ValueError(f"there is no user {path.parts[0]!r} on this machine") from None


def _is_web_address(url: str) -> bool:
    """Whether it starts like a web address and has a host, and a valid port if any."""
    try:
        parts = urlsplit(url)
        fits = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return fits and url.startswith(("http://", "https://")) and not any(c.isspace() for c in url)


def _is_server(url: str) -> bool:
    """Whether paths can be put behind the address: it has a host, a port that is one if any, and no parameters."""
    try:
        parts = urlsplit(url)
        return (
            parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and not set("?#") & set(url)
        )
    except ValueError:
        return False


def _host_name(entry: str) -> str:
    """A name or an address as it stands in the address bar, in lower case; raises ValueError for anything else."""
    name = entry.strip().lower().strip("[]")
    if not _HOST.fullmatch(name.removeprefix("*.")):
        try:
            return str(ipaddress.ip_address(name))
        except ValueError:
            raise ValueError("each must be a host name such as ghost.example.org, without a port") from None
    return name


def host_entry(entry: str) -> str:
    """``host`` or ``host/path`` in lower-case host form; raises ValueError for anything else.

    An entry holds for all hosts below it, so ``*.host/*`` says no more than ``host``; any other star would never match.
    """
    host, slash, path = entry.strip().removesuffix("/*").partition("/")
    host = host.lower().removeprefix("*.").strip(".")
    if not _HOST.fullmatch(host) or "*" in path or any(c.isspace() for c in path):
        raise ValueError(f"{entry!r} is not a host suffix with an optional path, such as bbc.com/news")
    return host + slash + path.rstrip("/")


def load_settings() -> Settings:
    """Read the environment and ``.env`` once; raises ConfigError naming each wrong variable."""
    known = {f"GHOST_{name.upper()}" for name in Settings.model_fields if name != "openai_api_key"}
    given = {name.upper() for name in (*os.environ, *_names_in_file())}  # names count in any case
    unknown = sorted(name for name in given if name.startswith("GHOST_") and name not in known)
    if unknown:
        more = f" and {len(unknown) - 5:,} more" if len(unknown) > 5 else ""
        raise ConfigError(f"Unknown setting {', '.join(unknown[:5])}{more}. docs/settings.md lists the names.")
    try:
        return Settings()
    except ValidationError as error:
        raise ConfigError("\n".join(_problem(e) for e in error.errors())) from error
    except SettingsError as error:
        name = str(error).split('"')[1] if '"' in str(error) else "a setting"
        raise ConfigError(f"GHOST_{name.upper()}: not valid JSON (lists and tables are written as JSON)") from error


def _names_in_file() -> list[str]:
    """The variables that ``.env`` sets; none when there is no such file."""
    path = Settings.model_config.get("env_file")
    try:
        return list(dotenv_values(path, encoding="utf-8")) if isinstance(path, Path) else []
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read as UTF-8 text ({error}). Mend it, or move it away.") from error


def _problem(error: ErrorDetails) -> str:
    # An address may hold a password, and a mistyped one is not easily told apart from it.
    said, value = error["msg"].removeprefix("Value error, "), repr(error["input"])
    said = said if said == _DATABASE else _LOGIN.sub("…@", said)
    if "@" in value or (error["loc"] and str(error["loc"][0]).lower() in (*SECRETS, *ADDRESSES, "host_names")):
        return f"{_variable(error['loc'])}: {said}"
    shown = value if len(value) <= 80 else value[:77] + "..."
    return f"{_variable(error['loc'])}: {said} (it is {shown})"


def _variable(loc: tuple[int | str, ...]) -> str:
    name = str(loc[0]) if loc else "settings"
    return name if name == "OPENAI_API_KEY" else f"GHOST_{name.upper()}"
