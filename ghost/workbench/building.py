"""Opens a workbench with what the settings name."""

import os
import socket
from collections.abc import Callable, Mapping
from typing import Any

import seed_kb
from config import UNKNOWN_CREDIBILITY, ConfigError, Settings
from ghost.errors import GhostError
from ghost.inference import (
    HubModels,
    RememberingEncoder,
    StanceChoice,
    StanceReader,
    choose_stance_reader,
    load_claim_head,
    load_encoder,
    load_relevance_scorer,
    load_screener,
    load_stance_reader,
)
from ghost.judges import AmountReader, ClaimReader, DenialReader, Odds, RatingReader, known_shares, odds_for
from ghost.knowledge import CredibilityBook, KnowledgeBase, discard_interrupted, id_of_database, no_progress
from ghost.matching import load_matcher
from ghost.records import DatabaseCache, Heartbeat, ImportStore, RunStore, batch_queue_of
from ghost.telemetry import otlp_endpoint
from ghost.web import Archive
from ghost.workbench.parts import MODELS, make_fetcher, make_judges, make_providers
from ghost.workbench.workbench import Workbench

BUNDLED = "bundled"
_MAY_DIFFER = {"threads", "language_models"}
"""What of the settings that a run keeps has no part in the verdicts of the embedded judge."""


def build(
    settings: Settings,
    *,
    judge: str | None = None,
    web: bool = True,
    progress: Callable[[str, int, int], None] | None = None,
    frozen: bool = False,
    served_at: str = "",
    retried: bool = False,
) -> Workbench:
    """Open everything that the settings name and seed an empty knowledge base. Without ``web`` no run searches it.

    ``progress(what, done, total)`` is told about work that can take long (seeding, rebuilding, migrating).
    A ``frozen`` one was opened by somebody else before, and only reads; ``served_at`` is the Chroma server that they
    run over the embedded index. What is ``retried``, as by a worker, does not end when the records or the index fail.
    Raises StoreError or ModelError with what to do.
    """
    settings = settings if web else settings.model_copy(update={"web": False})
    encodes = load_encoder(settings.embedding_model, MODELS, settings.threads)
    encoder = RememberingEncoder(encodes, seed_kb.VECTORS.find)
    hub = HubModels(settings.fetched_models_path)
    bundled = load_stance_reader(MODELS, settings.threads)
    chosen = choose_stance_reader(settings.stance_model, bundled, hub, settings.threads)
    reader, reranker = _with_rules(chosen.reader), load_screener(MODELS, settings.threads)
    scorer = None if settings.reranker_model == BUNDLED else load_relevance_scorer(settings.reranker_model, reranker)
    claims = ClaimReader(load_claim_head(MODELS, encoder, settings.threads))
    odds = odds_for(reader.checksum, settings.calibration_path)
    shares = known_shares(odds.reader, settings.calibration_path)
    judges = make_judges(settings, judge or settings.judge, _shown(chosen, settings.stance_model, odds), claims, odds)
    book = CredibilityBook(settings.source_credibility, settings.fact_check_domains, UNKNOWN_CREDIBILITY)
    knowledge = KnowledgeBase.open(
        settings.database_place, settings.chroma_path, settings.chroma_url, encoder, book, progress,
        settings.min_credibility, frozen, served_at,
    )  # fmt: skip
    shared, heartbeat = knowledge.database.dialect == "postgresql", None
    try:
        # Before anything else is written: what a process begins belongs to one that is known to be alive.
        heartbeat = Heartbeat(knowledge.database, "other") if shared and not frozen else None
        runs, seeded = RunStore(knowledge.database), None
        if not frozen:
            runs.mark_interrupted()
            discard_interrupted(knowledge, ImportStore(knowledge.database), progress or no_progress)
            batch_queue_of(knowledge.database).recover()
            seeded = seed_kb.seed_if_changed(knowledge, _packs_off(settings), progress)
    except BaseException:
        if heartbeat:
            heartbeat.stop()
        knowledge.close()
        raise
    cache = DatabaseCache(knowledge.database)
    providers, fetcher = make_providers(settings, cache), make_fetcher(settings, cache)
    archive = Archive(fetcher) if settings.archive_copies and not settings.demo_web else None
    workbench = Workbench(
        settings, knowledge, runs, judges, encoder, RatingReader(reader), scorer, book, providers, claims, fetcher,
        archive, RatingReader(_with_rules(reranker)), reader, odds, chosen.missing, seeded,
        load_matcher(MODELS, settings.threads, encoder, bundled), lambda: seed_kb.packs_on(knowledge), heartbeat,
        retried, shares,
    )  # fmt: skip
    if frozen:
        return workbench
    try:
        workbench.research.mark_interrupted()
        workbench.cards.start(progress or no_progress)
        if otlp_endpoint(os.environ):
            workbench.send_telemetry()
    except BaseException:
        workbench.close()
        raise
    return workbench


def open_frozen(settings: Settings, served_at: str = "", like: Mapping[str, Any] | None = None) -> Workbench:
    """The workbench of one process of many that check a list: one thread, the embedded judge, nothing is written.

    Raises GhostError when its runs would not keep the same settings as those that it must be ``like``: another machine
    may have other models, another calibration or another version.
    """
    settings = settings.model_copy(update={"threads": 1})
    workbench = build(settings, judge="embedded", web=False, frozen=True, served_at=served_at)
    mine = workbench.tools.settings | {"knowledge_base": id_of_database(workbench.knowledge.database)}
    other = [] if like is None else [n for n in mine if n not in _MAY_DIFFER and mine[n] != like.get(n)]
    if other:
        workbench.close()
        raise GhostError(
            f"The machine {socket.gethostname()} may give other verdicts than the one with the list, as these differ: "
            f"{', '.join(other)}. Install the same version of Ghost there, with the same models and calibration."
        )
    return workbench


def _with_rules(reader: StanceReader) -> StanceReader:
    """A stance model with what it cannot do: arithmetic, and statements that deny another one."""
    return DenialReader(AmountReader(reader))


def _packs_off(settings: Settings) -> tuple[str, ...]:
    """The packs that the settings switch off. Raises ConfigError for one that is not there, so that no typo passes."""
    names = [pack.name for pack in seed_kb.packs()]
    unknown = sorted(set(settings.packs_off) - set(names))
    if unknown:
        raise ConfigError(f"GHOST_PACKS_OFF: there is no pack {', '.join(unknown)}; there are {', '.join(names)}")
    return settings.packs_off


def _shown(chosen: StanceChoice, wanted: str, odds: Odds) -> str:
    """The stance model as runs and reports name it."""
    name = f"{chosen.reader.name} in place of {wanted}" if chosen.missing else chosen.reader.name
    return name if odds.reader else f"{name}, not calibrated"
