"""The head of a report: the claim, the verdict and why, the evidence for and against, and what would change it."""

import re

import streamlit as st

from ghost.jobs import RunView
from ghost.reports import confidence, leaning, of_100, reasons_heading, scope, what_would_change
from ghost.types import Label, Pipeline, ReasonCode, Review, Verdict
from ghost.ui.shared import theme
from ghost.ui.shared.conversation import left_because
from ghost.ui.shared.parts import button
from ghost.ui.shared.runs import judge_badge
from ghost.ui.shared.text import capitalized, cited, link, plain, shorten
from ghost.ui.verify.visit import edit, new_claim_button

_LEADING_MARKS = re.compile(r" (?=\[\d+\] )")
HEADLINE = 220
"""Longer claims are shortened in the headline and shown in full below it."""
TAB = 60
"""Characters of the claim in the title of the browser tab."""


def toolbar(view: RunView, state: str, note: str = "") -> None:
    """What state the run is in, with the buttons that lead back to the form; ``note`` says what becomes of the run."""
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container():
            theme.kicker(f"{state} · {theme.moment(view.started_at)}")
        button(
            "Edit", "verify_edit", "edit", edit, view, type="tertiary", help=f"Back to the form with this claim.{note}",
        )  # fmt: skip
        new_claim_button(f"Back to the form.{note}")


def headline(view: RunView) -> None:
    """The claim as the title of its report and of the browser tab, with what the analyst added to it."""
    claim = view.claim
    st.set_page_config(page_title=f"{shorten(claim.text, TAB)} · Ghost")
    with st.container(key="verify_headline"):  # the theme draws it smaller than the verdict
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


_BANDS = {
    Label.TRUE: st.success,
    Label.FALSE: st.error,
    Label.PARTIALLY_TRUE: st.warning,
    Label.MISLEADING: st.warning,
    Label.NOT_ENOUGH_EVIDENCE: st.info,
    Label.NOT_VERIFIABLE: st.info,
}
"""The coloured band behind the verdict; those of one colour differ by word and icon."""
_ABSTENTIONS = (Label.NOT_ENOUGH_EVIDENCE, Label.NOT_VERIFIABLE)


def verdict_card(view: RunView, verdict: Verdict, shown: frozenset[int], review: Review) -> None:
    """Label, confidence, badges, and the explanation; the analyst's verdict leads.

    ``shown`` are the numbers of the passages below, to which the explanation links.
    """
    badge, mine, sure = theme.VERDICTS[verdict.label], review.override, confidence(verdict)
    with st.container(border=True, key="verify_verdict"):
        if mine and mine.label is not verdict.label:
            _band(mine.label, f":material/gavel: **Your verdict** of {theme.moment(mine.at)}: {plain(mine.reason)}")
            own = f":{badge.colour}[:material/{badge.icon}: **{badge.word}**]"
            st.markdown(f"Ghost's verdict: {' · '.join(filter(None, (own, sure)))}")
        else:
            note = f"**{sure}.** {badge.note}" if sure else badge.note
            if any(r.code is ReasonCode.UNSUPPORTED_LANGUAGE for r in verdict.reasons):
                note = ""  # evidence could settle it
            if mine:
                note += f"\n\n:material/gavel: You confirmed this on {theme.moment(mine.at)}. {plain(mine.reason)}"
            _band(verdict.label, note)
        if verdict.confidence is not None:
            st.markdown(of_100(verdict.confidence))
        if verdict.leaning:
            st.markdown(f":gray[:small[{capitalized(leaning(verdict.leaning))}.]]")
        # A judge that is set up is named with its model; that it is not the last of the route means that it failed.
        for line in (line for line in view.judge.route[:-1] if line.startswith(("cloud (", "local ("))):
            st.markdown(
                f":orange[:material/alt_route:] **The first judge failed, so Ghost used the next.** {plain(line)}"
            )
        _truth(verdict)
        # One paragraph per quoted source where each sentence leads with its mark.
        leads = re.match(r"\[\d+\] ", verdict.explanation)
        for paragraph in _LEADING_MARKS.split(verdict.explanation) if leads else [verdict.explanation]:
            st.markdown(cited(paragraph, shown))
        badges = [theme.TYPES[view.classification.kind].badge] if view.classification else []
        if verdict.contested:
            badges.append(theme.badge("Contested: good sources on both sides", "balance", "orange"))
        if verdict.harm:
            badges.append(theme.HARMS[verdict.harm].badge)
        if view.pipeline is not Pipeline.SEVEN_STEPS:
            badges.append(theme.PIPELINES[view.pipeline].badge)
        if left_because(view.steps):
            badges.append(theme.badge("Seven steps took over", "alt_route", "orange"))
        st.markdown(" ".join([*badges, judge_badge(view.judge)]))


def _truth(verdict: Verdict) -> None:
    """The truth percentage as a bar, if there is one."""
    if verdict.truth_percentage is None:
        return
    share = max(0.0, min(1.0, verdict.truth_percentage / 100))
    st.progress(share, text=f"**{verdict.truth_percentage:.0f}% true** as a whole")
    st.caption("The average of the statements, weighted by importance.")


def _band(label: Label, note: str) -> None:
    badge = theme.VERDICTS[label]
    _BANDS[label](f"## :material/{badge.icon}: {badge.word}\n\n{note}")


def reasons_section(view: RunView, verdict: Verdict, review: Review, no_model: bool) -> None:
    """Why a verdict abstains or is weak, and what would change it; where ``no_model`` is set up, also to have one."""
    abstains, heading = verdict.label in _ABSTENTIONS, reasons_heading(verdict, review.override)
    if not heading:
        return
    reasons = list(dict.fromkeys((reason.code, reason.text) for reason in verdict.reasons))
    if reasons:
        st.header(heading, anchor="reasons")
        said = verdict.explanation  # a verdict without evidence explains itself by its reason: once is enough
        lines = [(theme.REASONS[code], "" if text == said else plain(text)) for code, text in reasons]
        st.markdown("\n".join(f"- **{reason}.** {text}".rstrip() for reason, text in lines))
    if abstains and (change := _change(view, verdict)):
        st.subheader("What would change this verdict", anchor="change")
        st.markdown(change)
        if no_model and any(code is ReasonCode.UNSUPPORTED_LANGUAGE for code, _ in reasons):
            st.page_link("pages/settings.py", label="Set up a language model", icon=":material/settings:")


def change_section(view: RunView, verdict: Verdict, review: Review) -> None:
    """What would change a verdict that does not abstain; folded."""
    if (
        reasons_heading(verdict, review.override)
        and verdict.label not in _ABSTENTIONS
        and (change := _change(view, verdict))
    ):
        with st.expander("What would change this verdict", icon=":material/published_with_changes:"):
            st.markdown(change)


def _change(view: RunView, verdict: Verdict) -> str:
    change = what_would_change(view.claim, verdict, view.evidence, bool(view.searched or view.usage.searches))
    rephrase = view.classification.rephrase if view.classification else ""
    if rephrase and verdict.label is Label.NOT_VERIFIABLE and not any(rephrase in line for line in change):
        change = [*change, rephrase]
    return "\n".join(f"- {plain(line)}" for line in change)
