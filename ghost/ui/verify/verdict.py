"""The verdict card: the answer first, then why, then what it rests on."""

import re
from collections.abc import Sequence

import streamlit as st

from ghost.jobs import RunView
from ghost.reports import confidence, is_this_machine, leaning, on_topic, scope, what_would_change
from ghost.types import JudgeInfo, Label, Origin, Override, Review, RunStatus, Statement, StatementVerdict, Verdict
from ghost.ui.shared import theme
from ghost.ui.shared.text import cited, link, plain, shorten
from ghost.ui.verify.track_record import track_record

_LEADING_MARKS = re.compile(r" (?=\[\d+\] )")
NO_REVIEW = Review()
HEADLINE = 220
"""Longer claims are shortened in the headline and shown in full below it."""


def headline(view: RunView) -> None:
    """The claim as the title of its report, with what the analyst added to it."""
    claim = view.claim
    with st.container(key="verify_headline"):  # style.py draws it smaller than the verdict, which is what is looked for
        st.title(f"“{plain(shorten(claim.text, HEADLINE))}”", anchor="claim")
    if len(claim.text) > HEADLINE:
        with st.expander("The whole claim"):
            st.text(claim.text)
    notes = []
    if claim.as_of:
        notes.append(f"Evidence up to {theme.day(claim.as_of)} only")
    if claim.found_at:
        notes.append(f"Found at {link(shorten(claim.found_at, 80), claim.found_at)}")
    if claim.context:
        notes.append(f"Context: {plain(shorten(claim.context, 300))}")
    notes += [plain(shorten(note, 600)) for note in scope(view.scope, view.classification)]
    if notes:
        st.caption("  \n".join(notes))


def verdict_card(view: RunView, verdict: Verdict, review: Review = NO_REVIEW) -> None:
    """Label, confidence, badges, and the explanation with links to the evidence; the analyst's verdict leads."""
    look = theme.VERDICTS[verdict.label]
    mine = review.override
    sure = confidence(verdict.confidence)
    with st.container(border=True, key="verify_verdict"):
        if mine and mine.label is not verdict.label:
            _yours(mine)
            own = f":{look.colour}[:material/{look.icon}: **{look.word}**]"
            st.markdown(f"Ghost's own verdict, kept as it was: {' · '.join(filter(None, (own, sure)))}")
        else:
            note = f"**{sure}.** {look.note}" if sure else look.note
            if mine:
                note += (
                    f"\n\n:material/gavel: You confirmed this verdict on {theme.moment(mine.at)}. {plain(mine.reason)}"
                )
            _BANDS[verdict.label](f"## :material/{look.icon}: {look.word}\n\n{note}")
        if line := track_record(verdict.confidence, view.judge, view.settings, _from_library(view, verdict)):
            st.markdown(line)
        if verdict.leaning:
            st.markdown(f":gray[:small[{leaning(verdict.leaning)}]]")
        st.markdown(" ".join(_badges(view, verdict)))
        for line in left_judges(view.judge):
            st.markdown(
                f":orange[:material/alt_route:] **The judge that was meant to decide could not.** {plain(line)}"
            )
        numbers = frozenset(e.number for e in on_topic(view.evidence))
        for paragraph in paragraphs(verdict.explanation):
            st.markdown(cited(paragraph, numbers))


def _yours(mine: Override) -> None:
    look = theme.VERDICTS[mine.label]
    _BANDS[mine.label](
        f"## :material/{look.icon}: {look.word}\n\n:material/gavel: **Your verdict** of {theme.moment(mine.at)}: "
        f"{plain(mine.reason)}"
    )


def verdict_words(status: RunStatus, label: Label | None, override: Label | None = None) -> str:
    """The verdict of a run in a list, as Markdown; with an override both, the analyst's first."""
    if label is None:
        look = theme.STATUSES[status]
        return f":{look.colour}[**{look.word}**]"
    look = theme.VERDICTS[override or label]
    words = f":{look.colour}[**{look.word}**]"
    if override is None:
        return words
    return f"{words} :gray[(confirmed)]" if override is label else f"{words} :gray[(yours; Ghost: {label.value})]"


_BANDS = {
    Label.TRUE: st.success,
    Label.FALSE: st.error,
    Label.PARTIALLY_TRUE: st.warning,
    Label.MISLEADING: st.warning,
    Label.NOT_ENOUGH_EVIDENCE: st.info,
    Label.NOT_VERIFIABLE: st.info,
}
"""The coloured band behind the verdict; those of one colour differ by word and icon."""


def paragraphs(explanation: str) -> list[str]:
    """One paragraph per quoted source where each sentence leads with its mark, else the text as it is."""
    if re.match(r"\[\d+\] ", explanation):
        return _LEADING_MARKS.split(explanation)
    return [explanation] if explanation else []


def _from_library(view: RunView, verdict: Verdict) -> bool:
    """Whether all that a verdict cites came with the starter library or was entered by the analyst."""
    cited = {c.passage_id for c in verdict.citations if c.accepted}
    origins = {e.passage.origin for e in view.evidence if e.passage.id in cited}
    return bool(origins) and origins <= {Origin.SEED, Origin.CURATED}


def _badges(view: RunView, verdict: Verdict) -> list[str]:
    found = [theme.TYPES[view.classification.type].badge] if view.classification else []
    if verdict.contested:
        found.append(theme.badge("Contested: good sources on both sides", "balance", "orange"))
    return [*found, judge_badge(view.judge)]


def judge_badge(judge: JudgeInfo) -> str:
    """Who judged."""
    if judge.name == "embedded":
        return theme.badge("Embedded judge, on this machine", "computer", "gray")
    icon = "computer" if is_this_machine(judge.host) else "cloud"
    return theme.badge(f"{plain(judge.name)} judge: {plain(shorten(judge.model, 60))}", icon, "blue")


def left_judges(judge: JudgeInfo) -> list[str]:
    """What the route says of judges that are set up, and so have a model, and yet did not decide."""
    return [line for line in judge.route[:-1] if line.startswith(("cloud (", "local ("))]


def judge_section(judge: JudgeInfo) -> None:
    """Who judged, and the route that led there."""
    theme.kicker("Who judged, and why")
    st.markdown(judge_badge(judge))
    for line in judge.route:
        st.caption(plain(line))


def privacy_line(judge: JudgeInfo, searched: Sequence[str] = ()) -> str:
    """What leaves the machine when a claim is checked, as Markdown; ``searched`` are those who receive searches."""
    if judge.name == "embedded":
        if not searched:
            return ":material/lock: Embedded judge: nothing you type leaves this machine."
        words = ":material/travel_explore: The judge runs on this machine."
    elif is_this_machine(judge.host):
        words = (
            f":material/lock: The claim and its evidence go to {plain(shorten(judge.model, 60))} at "
            f"{plain(shorten(judge.host, 80))}, on this machine."
        )
    else:
        words = (
            f":material/cloud_upload: The claim and its evidence are sent to {plain(shorten(judge.model, 60))} at "
            f"{plain(shorten(judge.host or judge.name, 80))} ({plain(judge.name)} judge)."
        )
    if judge.next:
        words += f" If that fails, they may go to {plain(shorten(judge.next, 120))}."
    return f"{words} {search_line(searched)}" if searched else words


def search_line(searched: Sequence[str]) -> str:
    """What a search sends, and to whom, as Markdown."""
    names = plain(", then ".join(searched))
    return (
        f"Statements that your knowledge base does not settle are sent as search words to {names}; "
        "pages that are found are fetched from their sites."
    )


def reasons_section(view: RunView, verdict: Verdict) -> None:
    """Why a verdict abstains or is weak, and what would change it: a sentence each."""
    rephrase = view.classification.rephrase if view.classification else ""
    abstains = verdict.label in (Label.NOT_ENOUGH_EVIDENCE, Label.NOT_VERIFIABLE)
    reasons = list(dict.fromkeys((reason.code, reason.text) for reason in verdict.reasons))
    if reasons:
        st.header("Why there is no verdict" if abstains else "What to keep in mind", anchor="reasons")
        st.markdown("\n".join(f"- **{theme.REASONS[code]}.** {plain(text)}" for code, text in reasons))
    change = what_would_change(view.claim, verdict, view.evidence, bool(view.searched or view.usage.searches))
    if rephrase and verdict.label is Label.NOT_VERIFIABLE and not any(rephrase in line for line in change):
        change = [*change, rephrase]
    if change:
        st.header("What would change this verdict", anchor="change")
        st.markdown("\n".join(f"- {plain(line)}" for line in change))


def statements_section(statements: Sequence[Statement], decided: Sequence[StatementVerdict]) -> None:
    """What was checked, one line per statement, with its own verdict."""
    if not statements:
        return
    found = {d.statement: d for d in decided}
    st.header("What was checked" if len(statements) == 1 else f"{len(statements)} statements", anchor="statements")
    for statement in statements:
        verdict = found.get(statement.number)
        line = f"**{statement.number}** · {plain(statement.text)}"
        if verdict:
            line += f"  \n{theme.VERDICTS[verdict.label].badge}"
            if verdict.contested:
                line += " " + theme.badge("Contested", "balance", "orange")
            line += f" :gray[:small[{' · '.join(_beside(verdict))}]]"
        st.markdown(line)


def _beside(verdict: StatementVerdict) -> list[str]:
    """What stands in small grey text beside the verdict on a statement."""
    first = confidence(verdict.confidence) or leaning(verdict.leaning)
    strengths = f"supporting strength {verdict.support:.2f}", f"contradicting strength {verdict.refute:.2f}"
    return [first, *strengths] if first else [*strengths]
