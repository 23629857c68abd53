"""The one place where things are wired together."""

import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import seed_kb
from config import UNKNOWN_CREDIBILITY, Settings
from ghost.budget import Limits
from ghost.claims import tidy_claim
from ghost.errors import JudgeError, ModelError
from ghost.events import Event
from ghost.inference.base import Encoder, RelevanceScorer, StanceReader
from ghost.inference.load import load_claim_head, load_encoder, load_relevance_scorer, load_stance_reader
from ghost.judges.base import Judge
from ghost.judges.claim_reader import ClaimReader
from ghost.judges.embedded import EmbeddedJudge
from ghost.judges.polarity import PolarityGuard
from ghost.knowledge.base import KnowledgeBase
from ghost.knowledge.credibility import CredibilityBook
from ghost.records.runs import RunStore
from ghost.steps.rerank import RerankRules
from ghost.types import Claim, JudgeInfo
from ghost.verify import Tools, verify

MODELS = Path(__file__).parent / "models"
BUNDLED = "bundled"


class Workbench:
    """A knowledge base, the records of all runs, and a judge, ready to verify claims. Safe to share by threads."""

    def __init__(
        self,
        settings: Settings,
        knowledge: KnowledgeBase,
        runs: RunStore,
        judge: Judge,
        encoder: Encoder,
        reader: StanceReader,
        scorer: RelevanceScorer | None = None,
        web: bool = True,
        claims: ClaimReader | None = None,
    ) -> None:
        self.settings = settings
        self.knowledge = knowledge
        self.runs = runs
        self._judge = judge
        self._encoder = encoder
        self._reader = reader
        self._scorer = scorer
        self._web = web
        self._claims = claims
        self._snapshot: dict[str, Any] | None = None
        self._snapshot_lock = threading.Lock()

    @property
    def judge_info(self) -> JudgeInfo:
        """Who judges, and why."""
        return self._judge.info

    def verify(
        self, claim: Claim, *, run_id: str | None = None, cancelled: Callable[[], bool] = lambda: False
    ) -> Iterator[Event]:
        """Check a claim; every event is recorded before it is handed on.

        Raises ClaimError at once when the claim cannot be used. A run whose events are not read to the end stays
        open and is shown as interrupted after the next start.
        """
        claim = tidy_claim(claim, self.settings.max_claim_chars)
        return self._recorded(verify(claim, self._tools(), run_id or new_run_id(), cancelled))

    def check_worthiness(self, sentences: Sequence[str]) -> list[float]:
        """How much a check of each sentence is worth, 0..1, in the order given; to list the claims of an article.

        Raises ModelError when the models cannot be run, or when this workbench was made without a claim classifier.
        """
        if self._claims is None:
            raise ModelError("This workbench was made without a claim classifier. Make it with ghost.workbench.build.")
        return [reading.check_worthiness for reading in self._claims.read(sentences)]

    def close(self) -> None:
        """Let go of the stores; another process may open them afterwards."""
        self.knowledge.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def _recorded(self, events: Iterator[Event]) -> Iterator[Event]:
        yield from self.runs.record(events)

    def _tools(self) -> Tools:
        s = self.settings
        return Tools(
            knowledge=self.knowledge,
            judge=self._judge,
            reader=self._reader,
            scorer=self._scorer,
            providers=(),
            web=self._web,
            top_k=s.top_k_retrieval,
            rules=RerankRules(s.top_k_rerank, s.min_relevance_score, s.credibility_boost, s.max_per_domain),
            limits=Limits(s.max_searches, s.max_fetches, s.max_tokens, s.max_cost_usd, s.max_seconds),
            settings=self._kept_settings(),
        )

    def _kept_settings(self) -> dict[str, Any]:
        """What a run keeps so that its decision can be recomputed; made once, since checksums read the weights."""
        with self._snapshot_lock:
            if self._snapshot is None:
                self._snapshot = {
                    **self.settings.model_dump(
                        mode="json", exclude={"openai_api_key", "data_dir", "chroma_url", "host", "port"}
                    ),
                    "web": self._web,
                    "models": {
                        "encoder": _identity(self._encoder),
                        "stance": _identity(self._reader),
                        **({"relevance": _identity(self._scorer)} if self._scorer else {}),
                        **({"claim_types": _identity(self._claims)} if self._claims else {}),
                    },
                    "versions": {name: version(name) for name in ("chromadb", "onnxruntime", "tokenizers")},
                }
            return self._snapshot


def build(
    settings: Settings,
    *,
    judge: str | None = None,
    web: bool = True,
    progress: Callable[[str, int, int], None] | None = None,
) -> Workbench:
    """Open everything that the settings name and seed an empty knowledge base.

    ``progress(what, done, total)`` is told about work that can take long (seeding, rebuilding, migrating).
    Raises StoreError, ModelError or JudgeError with what to do.
    """
    encoder = load_encoder(settings.embedding_model, MODELS, settings.threads)
    reader = load_stance_reader(MODELS, settings.threads)
    scorer = None if settings.reranker_model == BUNDLED else load_relevance_scorer(settings.reranker_model, reader)
    claims = ClaimReader(*load_claim_head(MODELS, encoder, settings.threads))
    chosen = _judge(judge or settings.judge, reader, claims)
    book = CredibilityBook(settings.source_credibility, settings.fact_check_domains, UNKNOWN_CREDIBILITY)
    knowledge = KnowledgeBase.open(
        settings.database_path, settings.chroma_path, settings.chroma_url, encoder, book, progress
    )
    try:
        runs = RunStore(knowledge.database)
        runs.mark_interrupted()
        seed_kb.seed_if_changed(knowledge)
    except BaseException:
        knowledge.close()
        raise
    return Workbench(settings, knowledge, runs, chosen, encoder, PolarityGuard(reader), scorer, web, claims)


def _judge(kind: str, reader: StanceReader, claims: ClaimReader) -> Judge:
    """The judge that the settings ask for; this version knows one."""
    if kind == "auto":
        return EmbeddedJudge(
            reader.name, "auto: this version has no LLM judge yet, so the embedded models judge", claims
        )
    if kind == "embedded":
        return EmbeddedJudge(reader.name, "embedded: chosen by the setting or the command line", claims)
    raise JudgeError(f"The judge “{kind}” is not part of this version. Use auto or embedded (GHOST_JUDGE or --judge).")


def _identity(model: Encoder | StanceReader | RelevanceScorer | ClaimReader) -> dict[str, str]:
    return {"name": model.name, "sha256": model.checksum}


def new_run_id() -> str:
    """A fresh id for a run."""
    return uuid.uuid4().hex
