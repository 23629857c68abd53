"""What a run keeps of the settings, so that its decision can be recomputed."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from config import SECRETS, Settings
from ghost.inference import Encoder, InjectionHead, RelevanceScorer, StanceReader
from ghost.judges import ClaimReader, Endpoint, Odds, Shares, conversation_prompts, prompts
from ghost.matching import ClaimMatcher

Model = Encoder | StanceReader | RelevanceScorer | ClaimReader | InjectionHead | ClaimMatcher

_NOT_KEPT = {*SECRETS, "data_dir", "host", "port", "host_names", "open_browser", "log_format",
    "grace_seconds"} | {
    "api_host", "api_port", "api_require_key", "api_origins", "api_requests_per_second", "api_log_claims",
    "cloud_base_url", "local_base_url", "ddgs_url", "wikipedia_url", "searxng_url", "database_url", "chroma_url",
    "demo_web", "publisher_name", "publisher_url", "pipeline", "research_max_searches", "research_max_fetches",
    "research_max_tokens", "research_max_cost_usd", "research_max_seconds",
}  # fmt: skip
"""Settings that a run does not keep: secrets, addresses, which may hold a password, and what has no part in it."""


def kept_settings(
    settings: Settings,
    models: Mapping[str, Model | None],
    language_models: Sequence[Endpoint],
    odds: Odds,
    shares: Sequence[Shares],
    stance_missing: str,
) -> dict[str, Any]:
    """Settings, models with their checksums, prompts and versions, as JSON has them. Reads the weights.

    ``models`` are named by what they do, and those that are None are left out; ``stance_missing`` says why another
    stance model reads than the settings name.
    """
    return {
        **settings.model_dump(mode="json", exclude=_NOT_KEPT),
        "models": {
            use: {"name": model.name, "sha256": model.checksum} for use, model in models.items() if model is not None
        },
        "language_models": [
            {
                "judge": to.judge,
                "model": to.model,
                "host": to.host,
                "price": None if to.price is None else [to.price.tokens_in, to.price.tokens_out],
            }
            for to in language_models
        ],
        "odds": asdict(odds),
        "shares": [measured.model_dump(mode="json") for measured in shares],
        **({"stance_missing": stance_missing} if stance_missing else {}),
        "prompts": prompts.hashes() | conversation_prompts.hashes(),
        "versions": {name: version(name) for name in ("chromadb", "onnxruntime", "openai", "tokenizers")},
    }
