"""Step 3: weigh every candidate, read the best closely, and keep a small, diverse set as evidence.

Two models share the work. The screener is small and reads all candidates; what is off topic or too far from the
statement is dropped at once. The stance model is larger and reads only what is left, whole and sentence by sentence
(``close_reading.py``). It decides what a passage says. What it reads as off topic is no evidence either.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial

from ghost.inference import RelevanceScorer, StanceReader
from ghost.judges import read_framed, timed, with_frame
from ghost.knowledge import SATIRE_SITE, is_satire_site, origins
from ghost.matching import Matcher
from ghost.steps.rerank.close_reading import read_by_sentence
from ghost.steps.rerank.corrections import Corrections, StandingReadings, corrected, find_corrections
from ghost.steps.rerank.exclusions import (
    OUTDATED,
    RETRACTED,
    FoundPageCopies,
    found_page_copies,
    is_about_retraction,
    why_disowned,
)
from ghost.steps.rerank.report import candidate_rows, date_notes, frame_notes, reason_of
from ghost.steps.rerank.selection import RerankRules, below_relevance, by_weight, drop, final_weight, select_evidence
from ghost.steps.retrieve import Candidates
from ghost.steps.trace import Outcome, count
from ghost.types import Candidate, DropCode, Dropped, Evidence, PageCheck, StanceLabel, Statement, canonical
from ghost.web import Notice, of_title

ACCESS_STEP = 0.02
ACCESS_CAP = 0.04
"""Popularity helps a little. The cap keeps it from outweighing what a passage says."""

ON_TOPIC = 0.2
"""From this probability of being on the topic a passage counts as fully on it.

The stance model is a poor ranker: it cannot tell two passages on the topic apart. It only pushes down what is off
topic, and among the rest the first stage keeps its order. These five numbers were chosen on every second claim of
SciFact and Check-COVID so that reranking costs no nDCG, and checked on the others.
"""
RANK_SHARE = 0.4
"""Part of the relevance that comes from the first-stage rank."""
RANK_CONSTANT = 30

OFF_TOPIC = "it is about something else"
SIDE = 0.4
"""From this probability of a side on, the stance model outvotes a screener that sees no topic."""

NEAR = 0.2
FAR = 0.1
"""Cosines of passage and statement: from NEAR up they may be about the same thing, from FAR down they are not."""
UNKNOWN_FACTOR = 0.5
"""For a candidate without a cosine."""


@dataclass(frozen=True, slots=True)
class RerankContext:
    """What the run knows besides the candidates."""

    found_at: str | None = None
    """The page the claim was found at: neither it nor a copy of it is evidence."""
    found_text: str = ""
    """The text of that page, where it was read."""
    as_of: date | None = None
    today: date | None = None
    """The day of the run; without it nothing is too old."""
    pages: Mapping[str, str] = field(default_factory=dict)
    """Address -> full text of the pages that were read, for recognizing copies of pages."""
    disowned: Mapping[str, Sequence[Notice]] = field(default_factory=dict)
    """Address -> the notices in each page that was read and says that it was retracted, or is satire."""
    claim: str = ""
    """The claim that the statements come from."""
    readings: StandingReadings = lambda _: ()
    """People's readings, which count before the models'."""
    matcher: Matcher | None = None
    """Says for which statements they count."""
    shown: Callable[[Sequence[Statement], Sequence[Evidence]], Hashable] = lambda *_: None
    """What the run would show of the decision on such evidence; None where only its judge can tell."""

    def why_disowned(self, e: Evidence, statement: str) -> str:
        """Why a passage comes from a page that supports nothing; empty for one that may count.

        The passage may have been kept by an earlier run, before the retraction. What such a page says about the
        retraction still counts, but only as evidence that there was one.
        """
        passage = e.passage
        if is_satire_site(passage.source_url):
            return SATIRE_SITE
        if passage.can_be_read_again and passage.page_check in (PageCheck.NOT_FOUND, PageCheck.CONTRADICTED):
            return OUTDATED
        notices = self.disowned.get(canonical(passage.source_url), ()) if self.disowned else ()
        if why := why_disowned(passage.text, passage.title, notices):
            return why
        if (notices or of_title(passage.title)) and e.stance.supports > e.stance.refutes:
            return "" if is_about_retraction(statement) else RETRACTED
        return ""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What became evidence, and what was dropped and why."""

    evidence: tuple[Evidence, ...]
    dropped: tuple[Dropped, ...]


def rerank(
    statements: Sequence[Statement],
    candidates: Candidates,
    reader: StanceReader,
    scorer: RelevanceScorer | None,
    rules: RerankRules,
    context: RerankContext | None = None,
    screener: StanceReader | None = None,
    numbers: Mapping[str, int] | None = None,
) -> Outcome[Weighed]:
    """Weigh all candidates of all statements; at most ``rules.keep`` per statement become evidence.

    ``screener`` reads every candidate and ``reader`` only the best of them; without a ``screener`` the ``reader`` does
    both. Without a ``scorer`` the screener's own probability of being on topic is the relevance. ``numbers`` (passage
    id -> ``[n]``) are those of earlier rounds, which are kept.
    """
    context = context or RerankContext()
    rows = [(s, c) for s in statements for c in candidates.get(s.number, [])]
    made = find_corrections([(s, c.passage) for s, c in rows], context.readings, context.matcher)
    screened = [corrected(e, made, rules.credibility_boost) for e in _screened(rows, screener or reader, scorer, rules)]
    dropped: list[Dropped] = []
    close: list[Evidence] = []
    copies = FoundPageCopies.among(context.pages, context.found_text)
    for statement in statements:
        mine = [e for e in screened if e.statement == statement.number]
        relevant, left = _relevant(statement, mine, rules, context, copies)
        close += relevant
        dropped += left

    choose = partial(_chosen, statements, close, made, rules, context, numbers or {})
    found = _read_closely(
        close, statements, reader, context.claim, lambda found: context.shown(statements, choose(found).evidence)
    )
    chosen = choose(found)
    read, evidence = chosen.read, chosen.evidence
    dropped += chosen.dropped
    closely = {_key(e): e for e in read}
    weighed = [(c, closely.get(_key(e), e)) for (_, c), e in zip(rows, screened, strict=True)]
    passages, groups = len({e.passage.id for e in evidence}), len({e.group for e in evidence})
    return Outcome(
        Weighed(evidence, tuple(dropped)),
        decision=f"{count(passages, 'passage')} kept, {count(groups, 'independent origin')}",
        reason=" ".join(
            (reason_of(len(rows), evidence, dropped, rules), *date_notes(evidence), *frame_notes(evidence))
        ),
        inputs={
            "candidates": len(rows),
            "min_relevance": rules.min_relevance,
            "credibility_boost": rules.credibility_boost,
            "read": rules.read,
            "keep": rules.keep,
            "max_per_domain": rules.max_per_domain,
        },
        outputs={"candidates": candidate_rows(weighed, chosen.kept, evidence, dropped, read)},
    )


@dataclass(frozen=True, slots=True)
class _Chosen:
    read: list[Evidence]
    """What the stance model read, with the readings of people in place of its own."""
    kept: list[Evidence]
    dropped: list[Dropped]
    evidence: tuple[Evidence, ...]
    """What was kept, dated and numbered."""


def _chosen(
    statements: Sequence[Statement],
    close: Sequence[Evidence],
    made: Corrections,
    rules: RerankRules,
    context: RerankContext,
    numbers: Mapping[str, int],
    found: Sequence[Evidence],
) -> _Chosen:
    """The evidence from what the stance model has ``found``; ``close`` is the same before it was read."""
    read = [corrected(e, made, rules.credibility_boost) for e in found]
    off_topic = _off_topic(close, read)
    kept: list[Evidence] = []
    dated: list[Evidence] = []
    dropped: list[Dropped] = []
    for statement in statements:
        about = [e for e in read if e.statement == statement.number]
        chosen, left = select_evidence([e for e in about if _key(e) not in off_topic], rules)
        kept += chosen
        dated += timed(statement, chosen, context.as_of, context.today)
        dropped += left
        dropped += [drop(e, DropCode.OFF_TOPIC, OFF_TOPIC) for e in about if _key(e) in off_topic]
    return _Chosen(read, kept, dropped, _to_read_again(_numbered(dated, context, numbers)))


def _cosine_factor(cosine: float | None) -> float:
    """0 at FAR, 1 at NEAR."""
    if cosine is None:
        return UNKNOWN_FACTOR
    return min(1.0, max(0.0, (cosine - FAR) / (NEAR - FAR)))


def _key(e: Evidence) -> tuple[int, str]:
    return e.statement, e.passage.id


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
    weighed = []
    for (statement, candidate), stance, topic in zip(rows, stances, on_topic, strict=True):
        passage = candidate.passage
        bonus = min(ACCESS_CAP, ACCESS_STEP * passage.access_count)
        # A scorer that the analyst chose is believed as it is; only the bundled one needs the cosine's help.
        factor = 1.0 if scorer else _cosine_factor(candidate.semantic)
        prior = (RANK_CONSTANT + 1) / (RANK_CONSTANT + candidate.rank)
        relevance = min(1.0, topic / ON_TOPIC) * factor * (1 - RANK_SHARE + RANK_SHARE * prior)
        weighed.append(
            Evidence(
                number=0,
                statement=statement.number,
                passage=passage,
                stance=stance,
                relevance=relevance,
                credibility=passage.standing,
                access_bonus=bonus,
                final=final_weight(relevance, passage.standing, bonus, rules.credibility_boost),
                group=0,
                rank=candidate.rank,
                nearness=candidate.semantic,
            )
        )
    return weighed


def _relevant(
    statement: Statement, evidence: list[Evidence], rules: RerankRules, context: RerankContext, copies: FoundPageCopies
) -> tuple[list[Evidence], list[Dropped]]:
    """The candidates that are read closely, and the rest with the reason."""
    ordered = by_weight(evidence)
    dropped: list[Dropped] = []
    relevant: list[Evidence] = []
    of_found_page = found_page_copies(ordered, context.found_at, context.found_text, copies)
    for e in ordered:
        if why := of_found_page.get(e.passage.id):
            dropped.append(drop(e, DropCode.FOUND_PAGE, why))
        elif why := context.why_disowned(e, statement.text):
            dropped.append(drop(e, DropCode.RETRACTED, why))
        elif low := below_relevance(e, rules):
            dropped.append(low)
        else:
            relevant.append(e)
    groups = origins([e.passage for e in relevant], context.pages)
    kept, left = select_evidence(
        [replace(e, group=g.group) for e, g in zip(relevant, groups, strict=True)], replace(rules, keep=rules.read)
    )
    return kept, dropped + left


def _read_closely(
    screened: Sequence[Evidence],
    statements: Sequence[Statement],
    reader: StanceReader,
    claim: str,
    shown: Callable[[Sequence[Evidence]], Hashable],
) -> list[Evidence]:
    """The same evidence as the stance model reads it: whole, and sentence by sentence where that may matter."""
    texts = {s.number: s.text for s in statements}
    screened = [replace(e, passage=with_frame(e.passage)) for e in screened]
    stances = read_framed(reader, [(e.passage, texts[e.statement]) for e in screened]) if screened else []
    read = [replace(e, stance=stance) for e, stance in zip(screened, stances, strict=True)]
    return read_by_sentence(read, statements, reader, claim, shown)


def _off_topic(screened: Sequence[Evidence], read: Sequence[Evidence]) -> set[tuple[int, str]]:
    """Statement and passage where either model sees another topic, unless the stance model sees a side.

    The screener learned to tell topics apart. The stance model takes most of what was retrieved for another claim for
    neutral.
    """
    return {
        _key(e)
        for before, e in zip(screened, read, strict=True)
        if e.stance.label is StanceLabel.OFF_TOPIC
        or (before.stance.label is StanceLabel.OFF_TOPIC and max(e.stance.supports, e.stance.refutes) < SIDE)
    }


def _to_read_again(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The evidence with a mark on what has to be read again, unless a person has said how it reads."""
    sides = {(e.statement, e.stance.label, e.group) for e in evidence if e.passage.settles}
    out = []
    for e in evidence:
        alone = not any(side[:2] == (e.statement, e.stance.label) and side[2] != e.group for side in sides)
        if not e.correction and e.passage.must_be_read_again(alone):
            e = replace(e, passage=replace(e.passage, page_check=PageCheck.NOT_REACHED))
        out.append(e)
    return tuple(out)


def _numbered(kept: list[Evidence], context: RerankContext, numbers: Mapping[str, int]) -> tuple[Evidence, ...]:
    """The evidence with the ``[n]`` of each passage, and with origin groups that hold across statements."""
    passages = {e.passage.id: e.passage for e in kept}
    across = dict(zip(passages, origins(list(passages.values()), context.pages), strict=True))
    used = dict(numbers)
    out = []
    for e in kept:
        origin, number = across[e.passage.id], used.setdefault(e.passage.id, len(used) + 1)
        out.append(replace(e, number=number, group=origin.group, kin=origin.why))
    return tuple(out)
