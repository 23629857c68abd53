"""From a finished run to a claim card: what may become one, and what it says."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ghost.cards.conversation import leans_on_others
from ghost.cards.expiry import expires
from ghost.errors import ClaimError
from ghost.knowledge import key_of
from ghost.records import utc_now
from ghost.steps import QuoteReader, contradicts_label, has_needed_stances, only_quotes
from ghost.text import normalise, spans
from ghost.types import (
    DECIDED,
    CardCitation,
    CardOrigin,
    CardSource,
    Category,
    Citation,
    ClaimCard,
    ClaimType,
    Evidence,
    Label,
    Passage,
    Run,
    RunStatus,
    StanceLabel,
    Status,
)

CategoryOf = Callable[[Sequence[str]], Sequence[Category]]
"""What kind of knowledge each of these claims asks for."""
Stored = Callable[[Sequence[str]], Sequence[Passage]]
"""Those of the passages with these ids that are in the knowledge base."""
ANSWER_SENTENCES = 3
ANSWER_CHARS = 600
_NARROWING = ("allowed_here", "denied_here")
_OPPOSITE = 0.5
"""From this probability on a source counts as saying the opposite."""
_FITTING = {Label.TRUE: StanceLabel.SUPPORTS, Label.FALSE: StanceLabel.REFUTES}


@dataclass(frozen=True, slots=True)
class Made:
    """A card before it is kept."""

    card: ClaimCard
    sources: tuple[CardSource, ...]
    """What it rests on."""


class CardMaker:
    """Makes cards of runs."""

    def __init__(self, category_of: CategoryOf, stored: Stored, quotes: QuoteReader) -> None:
        """``quotes`` reads whether an answer says the opposite of a label."""
        self._category_of = category_of
        self._stored = stored
        self._quotes = quotes

    def from_run(self, run: Run) -> Made | None:
        """The card of a run that may become one by itself, else None; ``refusal`` says why."""
        return None if refusal(run) else self._watched(self._made(run, claim_of(run), "", reviewed=False))

    def decided(self, run: Run) -> Made | None:
        """The card of the verdict that the analyst gave a check; None where its claim cannot be understood alone."""
        said = run.review.override
        if said is None or run.verdict is None or run.claim.context or leans_on_others(run.claim.text):
            return None
        made = self._made(replace(run, finished_at=said.at), claim_of(run), "")
        answer = made.card.answer or f"The analyst's verdict is “{said.label}”."
        return replace(made, card=replace(made.card, origin=CardOrigin.ANALYST, answer=answer, approved_at=said.at))

    def approved(self, run: Run, claim: str = "", answer: str = "") -> Made:
        """The card of a run whose verdict an analyst stands behind: their own, or else Ghost's.

        ``claim`` words it so that it can be understood alone, ``answer`` says it in the analyst's words. Raises
        ClaimError when there is no such verdict, or the answer would say something else than its label.
        """
        if run.status is not RunStatus.FINISHED or run.verdict is None or run.label is None:
            raise ClaimError("No card was made: this check has no verdict.")
        if run.label not in DECIDED:
            raise ClaimError(f"No card was made: “{run.label}” answers nothing. Give the check your own verdict first.")
        accepted = [c for c in run.verdict.citations if c.accepted]
        if not claim and leans_on_others(run.claim.text):
            raise ClaimError("No card was made: the question leans on others. Word the claim so that it stands alone.")
        self.check_claim(normalise(claim), run.label, accepted)
        made = self._made(run, normalise(claim) or claim_of(run), normalise(answer))
        if not made.card.answer:
            raise ClaimError(
                "No card was made: nothing in this check says what you decided. Write the answer yourself."
            )
        return made

    def check_answer(self, answer: str, label: Label, citations: Sequence[Citation] = ()) -> None:
        """Raise ClaimError where a sentence of an answer says the opposite of the label."""
        for sentence in sentences_of(answer):
            if contradicts_label(sentence, citations, label, self._quotes):
                raise ClaimError(f"Nothing was changed: “{sentence}” says the opposite of “{label}”.")

    def check_claim(self, claim: str, label: Label, citations: Sequence[CardCitation | Citation]) -> None:
        """Raise ClaimError where what carries a label is read as saying the opposite of a claim in other words."""
        carrying = [c for c in citations if c.stance is _FITTING.get(label)] if claim else []
        for c in carrying:
            read = self._quotes.says(c.quote, claim)
            if (read.refutes if label is Label.TRUE else read.supports) >= _OPPOSITE:
                raise ClaimError(
                    f"Nothing was changed: “{c.quote}” is cited for “{label}” and says otherwise of it now."
                )

    def _made(self, run: Run, claim: str, answer: str, reviewed: bool = True) -> Made:
        assert run.verdict
        assert run.label
        label, verdict = run.label, run.verdict
        accepted = [c for c in verdict.citations if c.accepted]
        if answer:
            self.check_answer(answer, label, accepted)
        elif label is verdict.label:
            answer = self._short(verdict.explanation, label, accepted, run.evidence)
        else:
            accepted = [c for c in accepted if c.stance in (_FITTING.get(label, c.stance), StanceLabel.NEUTRAL)]
            reason = run.review.override.reason if run.review.override else ""
            answer = self._short(normalise(reason), label, accepted, run.evidence)
        (category,), now = self._category_of([claim]), utc_now()
        found_at = run.finished_at or run.started_at
        card = ClaimCard(
            id="",
            claim=claim,
            category=category,
            label=label,
            answer=answer,
            confidence=verdict.confidence if label is verdict.label else None,
            origin=CardOrigin.RUN,
            checked_at=found_at,
            citations=tuple(_citation(c) for c in _once(accepted)),
            run_id=run.id,
            limitations=_limitations(run),
            would_change=_would_change(run, label),
            as_of=run.claim.as_of,
            expires_at=expires(claim, category, min(found_at, now), run.claim.as_of, reviewed),
        )
        return self._with_sources(card, run.evidence, accepted)

    def _short(self, text: str, label: Label, accepted: Sequence[Citation], evidence: Sequence[Evidence]) -> str:
        """The first sentences that say nothing against the label; where none is left, what the sources say."""
        chosen: list[str] = []
        for sentence in sentences_of(text):
            if contradicts_label(sentence, accepted, label, self._quotes):
                continue
            if chosen and len(" ".join((*chosen, sentence))) > ANSWER_CHARS:
                break
            chosen.append(sentence)
            if len(chosen) == ANSWER_SENTENCES:
                break
        return " ".join(chosen or only_quotes(accepted, evidence)[:ANSWER_SENTENCES])

    def _with_sources(self, card: ClaimCard, evidence: Sequence[Evidence], accepted: Sequence[Citation]) -> Made:
        """What the card rests on; what is not in the knowledge base is named by its address only."""
        cited = {c.n for c in accepted}
        used = {e.passage.id: e.passage for e in evidence if e.number in cited}
        there = {p.id for p in self._stored(list(used))}
        sources = tuple(
            CardSource(i if i in there else "", key_of(p.text, p.source_url), p.source_url, p.credibility)
            for i, p in used.items()
        )
        citations = tuple(c if c.passage_id in there else replace(c, passage_id="") for c in card.citations)
        return Made(replace(card, citations=citations), sources)

    def _watched(self, made: Made) -> Made | None:
        """None where no source that carries the label is in the knowledge base, so that nobody would see it change.

        And where one of them is not what the run has read any more.
        """
        keys = {s.passage_id: s.key for s in made.sources if s.passage_id}
        there = self._stored(list(keys))
        same = all(p.status is Status.ACTIVE and key_of(p.text, p.source_url) == keys[p.id] for p in there)
        stances = {c.stance for c in made.card.citations if c.passage_id}
        return made if same and made.card.answer and has_needed_stances(made.card.label, stances) else None


def claim_of(run: Run) -> str:
    """The claim of a run; of a question that is one statement, the statement, so that a verdict can be said of it."""
    text, found = run.claim.text, run.classification
    if text.rstrip().endswith("?") and found and len(found.statements) == 1:
        return found.statements[0].text.rstrip(".")
    return text


def refusal(run: Run) -> str:
    """Why a run does not become a card by itself; empty for one that does."""
    verdict, claim = run.verdict, run.claim
    if run.status is not RunStatus.FINISHED or verdict is None:
        return "it has no verdict"
    if verdict.label not in DECIDED:
        return "its verdict decides nothing"
    if not has_needed_stances(verdict.label, {c.stance for c in verdict.citations if c.accepted}):
        return "no accepted citation carries its verdict"
    if claim.context or leans_on_others(claim.text):
        return "its claim needs its context"
    if claim.statements:
        return "other statements were checked than those of its claim"
    if any(run.settings.get(name) for name in _NARROWING):
        return "some sites were left out of it"
    if run.review.errors or (run.review.override and run.review.override.label is not verdict.label):
        return "the analyst disagrees with it"
    return ""


def sentences_of(text: str) -> list[str]:
    """The sentences of an explanation; a quotation of several is not torn apart."""
    found: list[str] = []
    for start, end in spans(text):
        if found and _is_open(found[-1]):
            found[-1] += f" {text[start:end]}"
        else:
            found.append(text[start:end])
    return found


def _is_open(text: str) -> bool:
    return text.count("“") > text.count("”") or text.count('"') % 2 == 1


def _once(citations: Sequence[Citation]) -> list[Citation]:
    """Each quote once; a passage may be cited for several statements."""
    return list({(c.n, c.quote): c for c in citations}.values())


def _citation(c: Citation) -> CardCitation:
    return CardCitation(c.n, c.passage_id, c.quote, c.stance, c.url, c.title, c.published_at, c.kind, c.intake)


def _limitations(run: Run) -> str:
    assert run.verdict
    found = ["Sources disagree."] if run.verdict.contested else []
    if run.classification and run.classification.type is ClaimType.MIXED:
        found.append("Only what can be checked in it was checked.")
    if run.claim.as_of:
        found.append(f"Sources published after {run.claim.as_of} were left out.")
    if not run.settings.get("searched"):
        found.append("Only the knowledge base was searched.")
    found += [reason.text for reason in run.verdict.reasons]
    return " ".join(dict.fromkeys(found))


_AGAINST = {
    Label.TRUE: "A credible source that contradicts the claim",
    Label.FALSE: "A credible source that supports the claim",
    Label.PARTIALLY_TRUE: "Credible sources that settle the whole claim one way",
    Label.MISLEADING: "Credible sources that show the claim in another light",
}


def _would_change(run: Run, label: Label) -> str:
    assert run.verdict
    remedies = [reason.remedy for reason in run.verdict.reasons if reason.remedy]
    other = _AGAINST.get(label, "A credible source that settles the claim")
    day: datetime = run.finished_at or run.started_at
    return " ".join((f"{other}, such as one published after {day:%Y-%m-%d}.", *dict.fromkeys(remedies)))
