"""Step 7: the judge decides, the citation gate checks, and only what passes is shown."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace

from ghost.budget import Budget
from ghost.events import Event, SentenceAccepted, SentencesWithdrawn
from ghost.inference import StanceReader
from ghost.judges import Decides, Shares, Withdrawn
from ghost.reports import confidence
from ghost.steps.gate import GateReport, QuoteReader, check_sentence, pass_gate
from ghost.steps.harm import harm_of
from ghost.steps.sufficiency import KNOWLEDGE_BASE_ONLY, SearchCoverage
from ghost.steps.trace import Outcome
from ghost.types import (
    BOUND,
    Claim,
    Classification,
    Draft,
    Evidence,
    Label,
    Reason,
    ReasonCode,
    Statement,
    StatementVerdict,
    Sufficiency,
    Verdict,
)


def verdict(
    claim: Claim,
    statements: Sequence[Statement],
    evidence: Sequence[Evidence],
    open_statements: Sequence[Sufficiency],
    search_reasons: Sequence[Reason],
    judge: Decides,
    budget: Budget,
    coverage: SearchCoverage = KNOWLEDGE_BASE_ONLY,
    bound: float = BOUND,
    reader: StanceReader | None = None,
    plain: StanceReader | None = None,
    shares: Callable[[], Shares | None] = lambda: None,
) -> Generator[Event, None, Outcome[GateReport]]:
    """The verdict on the claim. Each sentence is reported as soon as the gate has accepted it.

    ``open_statements`` are those that step 4 did not settle, ``search_reasons`` come from step 5, and ``coverage`` is
    where the run has searched. With no evidence no judge is asked. Sentences that the finished draft does not support
    are withdrawn, and a label less probable than ``bound`` is left open. ``reader`` reads each quote by itself, and
    ``plain`` what the judge writes about it; without ``reader`` the gate only reads whole passages. ``shares`` gives
    those of whoever has judged, once that is known.
    """
    known = (claim.text, claim.context, *(s.text for s in statements))
    quotes = QuoteReader(reader, {s.number: s.text for s in statements}, plain) if reader else None
    draft = _open_draft(statements, [Reason(ReasonCode.NO_SOURCES, coverage.nothing, coverage.remedy)])
    shown: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()
    if evidence:
        draft, shown, withdrawn = yield from _draft(judge, claim, statements, evidence, known, budget, quotes)
    draft = _with_reasons(draft, open_statements, search_reasons, coverage)
    report = pass_gate(draft, evidence, known, bound, quotes, shares())
    harm, words = harm_of(claim.text)
    report = replace(report, verdict=replace(report.verdict, harm=harm))
    if report.sentences != shown:
        if shown:
            why = "The finished answer does not bear out what was shown while it was written."
            withdrawn = (*withdrawn, why)
            yield SentencesWithdrawn(why)
        for text in report.sentences:
            yield SentenceAccepted(text)
    outcome = _outcome(report, statements, evidence, withdrawn)
    return replace(outcome, outputs=outcome.outputs | {"harm": harm, "harm_words": words})


def _draft(
    judge: Decides,
    claim: Claim,
    statements: Sequence[Statement],
    evidence: Sequence[Evidence],
    known: Sequence[str],
    budget: Budget,
    quotes: QuoteReader | None,
) -> Generator[Event, None, tuple[Draft, tuple[str, ...], tuple[str, ...]]]:
    """The judge's draft, its sentences that are on the screen, and why earlier ones were withdrawn."""
    drafting = judge.decide(claim, statements, evidence, budget)
    shown: list[str] = []
    withdrawn: list[str] = []
    try:
        while True:
            said = next(drafting)
            if isinstance(said, Withdrawn):
                if shown:
                    withdrawn.append(said.reason)
                    shown.clear()
                    yield SentencesWithdrawn(said.reason)
            elif text := check_sentence(said, evidence, known, quotes).text:
                shown.append(text)
                yield SentenceAccepted(text)
    except StopIteration as end:
        return end.value, tuple(shown), tuple(withdrawn)
    except Exception as failure:
        if shown:  # the run goes on or ends without this draft, so none of it may stay on the screen
            yield SentencesWithdrawn(str(failure))
        raise
    finally:
        drafting.close()


def _outcome(
    report: GateReport, statements: Sequence[Statement], evidence: Sequence[Evidence], withdrawn: Sequence[str]
) -> Outcome[GateReport]:
    v = report.verdict
    notes = [f"{report.accepted} of {report.proposed} citations passed the gate."] if report.proposed else []
    if report.downgraded_from:
        notes.append(f"The judge said {report.downgraded_from}; the gate could not let it stand.")
    notes += [r.text for r in v.reasons]
    return Outcome(
        report,
        decision=", ".join(filter(None, (v.label, confidence(v).lower()))),
        reason=" ".join(notes) or "The evidence settles the claim.",
        inputs={"statements": [s.text for s in statements], "evidence": sorted({e.number for e in evidence})},
        outputs={
            "label": v.label,
            "confidence": v.confidence,
            "basis": v.basis,
            "leaning": v.leaning and {"label": v.leaning.label},
            "contested": v.contested,
            "citations_proposed": report.proposed,
            "citations_accepted": report.accepted,
            "sentences_dropped": report.dropped_sentences,
            "refused": report.refusals,
            "dropped": [{"sentence": text, "why": why} for text, why in report.dropped],
            "withdrawn": list(withdrawn),
            "downgraded_from": report.downgraded_from,
            "reasons": [r.code for r in v.reasons],
            "statements": [
                {"statement": s.statement, "label": s.label, "support": round(s.support, 4),
                 "refute": round(s.refute, 4)}
                for s in v.statements
            ],
        },
    )  # fmt: skip


def not_verifiable(found: Classification) -> Verdict:
    """The verdict of a run that ends at step 1."""
    code = found.code or ReasonCode.AMBIGUOUS
    return Verdict(
        Label.NOT_VERIFIABLE, None, explanation=found.reason, reasons=(Reason(code, found.reason, found.rephrase),)
    )


def out_of_budget(
    statements: Sequence[Statement], evidence: Sequence[Evidence], reasons: Sequence[Reason]
) -> Outcome[GateReport]:
    """The end of a run that reached a limit before the judge could decide. No judge is asked."""
    report = pass_gate(_open_draft(statements, reasons), evidence)
    return Outcome(
        report,
        decision=f"{report.verdict.label}, limit reached",
        reason=" ".join(r.text for r in reasons),
        inputs={"evidence": sorted({e.number for e in evidence})},
        outputs={"label": report.verdict.label, "reasons": [r.code for r in reasons]},
    )


def _open_draft(statements: Sequence[Statement], reasons: Sequence[Reason]) -> Draft:
    """What is decided where no judge is asked."""
    left = tuple(StatementVerdict(s.number, Label.NOT_ENOUGH_EVIDENCE, None, 0.0, 0.0) for s in statements)
    return Draft(Label.NOT_ENOUGH_EVIDENCE, None, sentences=(), statements=left, reasons=tuple(reasons))


def _with_reasons(
    draft: Draft, open_statements: Sequence[Sufficiency], search_reasons: Sequence[Reason], coverage: SearchCoverage
) -> Draft:
    """An abstention also says where the run has searched and why that did not help.

    A decision only says which limit ended the search while a statement was still open.
    """
    reasons = tuple(coverage.about(r) if r.code is ReasonCode.NO_SOURCES else r for r in draft.reasons)
    if draft.label is not Label.NOT_ENOUGH_EVIDENCE:
        cut = (r for r in search_reasons if r.code is ReasonCode.BUDGET and r not in reasons) if open_statements else ()
        return replace(draft, reasons=reasons + tuple(dict.fromkeys(cut)))
    if reasons and not any(r.code is ReasonCode.NO_SOURCES for r in reasons):
        reasons = (coverage.about(reasons[0]), *reasons[1:])
    have = {r.code for r in reasons}
    more = [r for r in search_reasons if r.code not in have]
    more += [
        Reason(s.code, s.reason, s.missing)
        for s in open_statements
        if s.code and s.code not in have and s.code is not ReasonCode.NO_SOURCES
    ]
    return replace(draft, reasons=reasons + tuple(dict.fromkeys(more)))
