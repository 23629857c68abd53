"""Step 3: screen every candidate, read the best closely, and keep a small, diverse set as evidence.

Two models share the work. The reranker is small and screens all candidates: what is off topic or too far goes at once.
The stance model is larger and reads only what is left, whole and sentence by sentence (``focus.py``); it decides what a
passage says, and what it reads as being about something else is no evidence either.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from ghost.inference import RelevanceScorer, StanceReader
from ghost.judges import timed
from ghost.knowledge import SATIRE_SITE, is_satire_site, origins
from ghost.steps.rerank.close_reading import read_by_sentence
from ghost.steps.rerank.exclusions import (
    RETRACTED,
    FoundPageCopies,
    found_page_copies,
    is_about_retraction,
    why_disowned,
)
from ghost.steps.rerank.report import candidate_rows, date_notes, dropped_row, evidence_row, reason_of, renumbered
from ghost.steps.rerank.selection import RerankRules, below_relevance, by_weight, drop, final_weight, select_evidence
from ghost.steps.retrieve import Candidates
from ghost.steps.trace import Outcome, count
from ghost.types import Candidate, DropCode, Dropped, Evidence, Stance, StanceLabel, Statement
from ghost.web import Notice, canonical, of_title

ACCESS_STEP = 0.02
ACCESS_CAP = 0.04
"""Popularity helps a little and is capped, so that it can never outweigh what a passage says."""

ON_TOPIC = 0.2
"""From this probability of being on the topic a passage counts as wholly on it.

The stance model is a poor ranker: it cannot tell two passages on the topic apart. It only pushes down what is off
topic; among the rest the first stage keeps its order. These five numbers were chosen on every second claim of SciFact
and Check-COVID so that reranking costs no nDCG, and looked at on the others.
"""
RANK_SHARE = 0.4
"""Part of the relevance that comes from the first-stage rank."""
RANK_CONSTANT = 30

OFF_TOPIC = "it is about something else"
SIDE = 0.4
"""From this probability of a side on, what the stance model reads counts more than that the reranker sees no topic."""

NEAR = 0.2
FAR = 0.1
"""Cosines of passage and statement: from NEAR on they may be about the same, from FAR down they are not."""
NEARNESS_UNKNOWN = 0.5
"""For a candidate whose cosine nobody has measured."""


@dataclass(frozen=True, slots=True)
class RerankContext:
    """What the run knows beside the candidates."""

    found_at: str | None = None
    """The page the claim was found at: neither it nor a copy of it is evidence."""
    found_text: str = ""
    """The text of that page, where somebody has read it."""
    as_of: date | None = None
    today: date | None = None
    """The day of the run; without it nothing is too old."""
    pages: Mapping[str, str] = field(default_factory=dict)
    """Address -> whole text of the pages that were read, by which copies of pages are known."""
    disowned: Mapping[str, Sequence[Notice]] = field(default_factory=dict)
    """Address -> the notices in each page that was read and says that it was retracted, or is satire."""
    claim: str = ""
    """The text that the statements were made of."""

    def no_support(self, e: Evidence, statement: str) -> str:
        """Why a passage is of a page that supports nothing; empty for one that may count.

        It may have been kept in an earlier run, before the retraction. What such a page says of the retraction stands,
        but speaks for nothing else than that there was one.
        """
        passage = e.passage
        if is_satire_site(passage.source_url):
            return SATIRE_SITE
        notices = self.disowned.get(canonical(passage.source_url), ()) if self.disowned else ()
        if why := why_disowned(passage.text, passage.title, notices):
            return why
        if (notices or of_title(passage.title)) and e.stance.supports > e.stance.refutes:
            return "" if is_about_retraction(statement) else RETRACTED
        return ""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What became evidence, and what did not and why."""

    evidence: tuple[Evidence, ...]
    dropped: tuple[Dropped, ...]


def relevance_of(on_topic: float, rank: int, nearness: float = 1.0) -> float:
    """Relevance 0..1 from the probability of being on topic, the 1-based first-stage rank, and the nearness."""
    prior = (RANK_CONSTANT + 1) / (RANK_CONSTANT + rank)
    return min(1.0, on_topic / ON_TOPIC) * nearness * (1 - RANK_SHARE + RANK_SHARE * prior)


def cosine_factor(cosine: float | None) -> float:
    """0 at FAR, 1 at NEAR."""
    if cosine is None:
        return NEARNESS_UNKNOWN
    return min(1.0, max(0.0, (cosine - FAR) / (NEAR - FAR)))


def rerank(
    statements: Sequence[Statement],
    candidates: Candidates,
    reader: StanceReader,
    scorer: RelevanceScorer | None,
    rules: RerankRules,
    context: RerankContext | None = None,
    screener: StanceReader | None = None,
) -> Outcome[Weighed]:
    """Weigh all candidates of all statements; at most ``rules.keep`` per statement become evidence.

    ``screener`` reads every candidate, ``reader`` only the best of them; without a ``screener`` the ``reader`` does
    both. Without a ``scorer`` the screener's own probability of being on topic is the relevance.
    """
    context = context or RerankContext()
    rows = [(s, c) for s in statements for c in candidates.get(s.number, [])]
    screened = _screened(rows, screener or reader, scorer, rules)
    kept: list[Evidence] = []
    dropped: list[Dropped] = []
    copies = FoundPageCopies.among(context.pages, context.found_text)
    close: list[Evidence] = []
    for statement in statements:
        mine = [e for e in screened if e.statement == statement.number]
        relevant, left = _relevant(statement, mine, rules, context, copies)
        close += relevant
        dropped += left
    read = _read_closely(close, statements, reader, context.claim)
    elsewhere = _elsewhere(close, read)
    for statement in statements:
        about = [e for e in read if e.statement == statement.number]
        chosen, left = select_evidence([e for e in about if (e.statement, e.passage.id) not in elsewhere], rules)
        kept += chosen
        dropped += left
        dropped += [drop(e, DropCode.OFF_TOPIC, OFF_TOPIC) for e in about if (e.statement, e.passage.id) in elsewhere]
    weighed = _latest(screened, read)
    evidence = _number(_timed(statements, kept, context), context)
    passages = len({e.passage.id for e in evidence})
    origins = len({e.group for e in evidence})
    return Outcome(
        Weighed(evidence, tuple(dropped)),
        decision=f"{count(passages, 'passage')} kept, {count(origins, 'independent origin')}",
        reason=" ".join((reason_of(len(rows), evidence, dropped, rules), *date_notes(evidence))),
        inputs={
            "candidates": len(rows),
            "min_relevance": rules.min_relevance,
            "credibility_boost": rules.credibility_boost,
            "read": rules.read,
            "keep": rules.keep,
            "max_per_domain": rules.max_per_domain,
        },
        outputs={
            "evidence": [evidence_row(e) for e in evidence],
            "dropped": [dropped_row(d) for d in dropped],
            "candidates": candidate_rows(
                ((c, e) for (_, c), e in zip(rows, weighed, strict=True)), kept, evidence, dropped, read
            ),
        },
    )


def _screened(
    rows: Sequence[tuple[Statement, Candidate]],
    screener: StanceReader,
    scorer: RelevanceScorer | None,
    rules: RerankRules,
) -> list[Evidence]:
    """Every candidate with the relevance and the stance that the small model gives it."""
    pairs = [(c.passage.text, s.text) for s, c in rows]
    stances = screener.read(pairs) if pairs else []
    on_topic = scorer.score(pairs) if scorer and pairs else [s.relevance for s in stances]
    # A scorer of the analyst's own choice is taken at its word; only the bundled one needs the cosine's help.
    nearness = [1.0 if scorer else cosine_factor(c.semantic) for _, c in rows]
    return [
        _weigh(s, c, stance, relevance_of(topic, c.rank, near), rules)
        for (s, c), stance, topic, near in zip(rows, stances, on_topic, nearness, strict=True)
    ]


def _read_closely(
    screened: Sequence[Evidence], statements: Sequence[Statement], reader: StanceReader, claim: str
) -> list[Evidence]:
    """The same evidence as the stance model reads it: whole, and sentence by sentence."""
    texts = {s.number: s.text for s in statements}
    pairs = [(e.passage.text, texts[e.statement]) for e in screened]
    stances = reader.read(pairs) if pairs else []
    read = [replace(e, stance=stance) for e, stance in zip(screened, stances, strict=True)]
    return read_by_sentence(read, statements, reader, claim)


def _elsewhere(screened: Sequence[Evidence], read: Sequence[Evidence]) -> set[tuple[int, str]]:
    """Statement and passage where either model sees something else, unless the stance model sees a side.

    The reranker learned to tell topics apart; the stance model takes most of what was retrieved for another claim for
    neutral.
    """
    return {
        (e.statement, e.passage.id)
        for before, e in zip(screened, read, strict=True)
        if e.stance.label is StanceLabel.OFF_TOPIC
        or (before.stance.label is StanceLabel.OFF_TOPIC and max(e.stance.supports, e.stance.refutes) < SIDE)
    }


def _latest(screened: Sequence[Evidence], read: Sequence[Evidence]) -> list[Evidence]:
    """Every candidate as it was read last, in the order of the screening."""
    closely = {(e.statement, e.passage.id): e for e in read}
    return [closely.get((e.statement, e.passage.id), e) for e in screened]


def _weigh(
    statement: Statement, candidate: Candidate, stance: Stance, relevance: float, rules: RerankRules
) -> Evidence:
    passage = candidate.passage
    bonus = min(ACCESS_CAP, ACCESS_STEP * passage.access_count)
    return Evidence(
        number=0,
        statement=statement.number,
        passage=passage,
        stance=stance,
        relevance=relevance,
        credibility=passage.credibility,
        access_bonus=bonus,
        final=final_weight(relevance, passage.credibility, bonus, rules.credibility_boost),
        group=0,
        rank=candidate.rank,
        nearness=candidate.semantic,
    )


def _relevant(
    statement: Statement, evidence: list[Evidence], rules: RerankRules, context: RerankContext, copies: FoundPageCopies
) -> tuple[list[Evidence], list[Dropped]]:
    """What may be evidence at all, and of that what is read closely; the rest with the reason."""
    ordered = by_weight(evidence)
    dropped: list[Dropped] = []
    relevant: list[Evidence] = []
    of_found = found_page_copies(ordered, context.found_at, context.found_text, copies)
    for e in ordered:
        if why := of_found.get(e.passage.id):
            dropped.append(drop(e, DropCode.FOUND_PAGE, why))
        elif why := context.no_support(e, statement.text):
            dropped.append(drop(e, DropCode.RETRACTED, why))
        elif far := below_relevance(e, rules):
            dropped.append(far)
        else:
            relevant.append(e)
    kin = origins([e.passage for e in relevant], context.pages)
    kept, left = select_evidence(
        [replace(e, group=k.group) for e, k in zip(relevant, kin, strict=True)], replace(rules, keep=rules.read)
    )
    return kept, dropped + left


def _timed(statements: Sequence[Statement], evidence: Sequence[Evidence], context: RerankContext) -> list[Evidence]:
    """What the dates mean, judged by what each statement's evidence says."""
    return [
        e
        for statement in statements
        for e in timed(
            statement, [e for e in evidence if e.statement == statement.number], context.as_of, context.today
        )
    ]


def _number(kept: list[Evidence], context: RerankContext) -> tuple[Evidence, ...]:
    """Give each passage its ``[n]``, and groups that hold across statements."""
    numbers: dict[str, int] = {}
    order = list(dict.fromkeys(e.passage.id for e in kept))
    passages = {e.passage.id: e.passage for e in kept}
    across = dict(zip(order, origins([passages[i] for i in order], context.pages), strict=True))
    out = []
    for e in kept:
        number = numbers.setdefault(e.passage.id, len(numbers) + 1)
        kin = across[e.passage.id]
        out.append(replace(e, number=number, group=kin.group, kin=kin.why))
    return tuple(out)


def keep_numbers(outcome: Outcome[Weighed], numbers: dict[str, int]) -> Outcome[Weighed]:
    """The outcome of step 3 with each passage under the ``[n]`` that it had in an earlier round of the run.

    ``numbers`` (passage id -> n) grows by what is new; a number is never given to another passage.
    """
    for e in outcome.value.evidence:
        numbers.setdefault(e.passage.id, len(numbers) + 1)
    evidence = tuple(replace(e, number=numbers[e.passage.id]) for e in outcome.value.evidence)
    rows = [row | {"n": numbers[row["passage_id"]]} for row in outcome.outputs["evidence"]]
    table = renumbered(outcome.outputs["candidates"], numbers)
    return replace(
        outcome,
        value=replace(outcome.value, evidence=evidence),
        outputs=outcome.outputs | {"evidence": rows, "candidates": table},
    )
