"""A claim card and how a question was routed, as several pages draw them."""

import streamlit as st

from ghost.reports import answered_by, confidence
from ghost.types import CardState, ClaimCard, Relation, RouteMode, RouterDecision
from ghost.ui.shared import theme
from ghost.ui.shared.parts import table
from ghost.ui.shared.text import host_link, plain, shorten

MODES: dict[RouteMode, theme.Badge] = {
    RouteMode.EXACT: theme.Badge("Answered before", "history", "green", "A card answers exactly this question."),
    RouteMode.CONTEXTUAL: theme.Badge(
        "From earlier answers", "join_inner", "orange", "Put together from earlier answers; not audited as a whole."
    ),
    RouteMode.NOVEL: theme.Badge("Newly checked", "fact_check", "blue", "Checked now, step by step."),
}
STATES: dict[CardState, theme.Badge] = {
    CardState.ACTIVE: theme.Badge("Active", "check", "green", "It answers questions."),
    CardState.STALE: theme.Badge("Stale", "sync_problem", "orange", "What it rests on was changed since."),
    CardState.EXPIRED: theme.Badge("Expired", "event_busy", "orange", "Such facts change, and it is too old."),
    CardState.RETIRED: theme.Badge("Retired", "archive", "gray", "It answers nothing."),
}
RELATIONS: dict[Relation, theme.Badge] = {
    Relation.SAME: theme.Badge("Same", "equal", "green"),
    Relation.OPPOSITE: theme.Badge("Opposite", "swap_horiz", "red"),
    Relation.RELATED: theme.Badge("Related", "adjust", "gray"),
    Relation.DIFFERENT: theme.Badge("Different", "close", "gray"),
}
QUOTE = 300


def card_box(card: ClaimCard, state: CardState, key: str, number: int = 0) -> None:
    """A card with its claim, verdict, sources and whose it is; ``number`` is that of ``[n]`` in an answer."""
    with st.container(border=True, gap="small", key=key):
        mark = f"**\\[{number}\\]** " if number else ""
        verdict = theme.VERDICTS[card.label]
        badges = [verdict.badge] if state is CardState.ACTIVE else [verdict.badge, STATES[state].badge]
        st.markdown(f"{mark}:small[:gray[Claim:]]  \n**{plain(shorten(card.claim, 300))}**")
        st.markdown(" ".join(badges))
        if card.stale:
            st.caption(f":orange[:material/sync_problem:] {plain(card.stale)}")
        notes = [plain(answered_by(card, theme.day))]
        if card.as_of:
            notes.append(f"evidence up to {theme.day(card.as_of)}")
        if card.confidence is not None:
            notes.append(confidence(card))
        if card.expires_at and state is CardState.ACTIVE:
            notes.append(f"holds until {theme.day(card.expires_at)}")
        st.caption(" · ".join(notes) + host_link(card.url, " · "))
        _sources(card, key)
        if card.run_id:
            st.page_link(
                "pages/verify.py", label="Open the check", icon=":material/fact_check:",
                query_params={"run": card.run_id},
            )  # fmt: skip


def _sources(card: ClaimCard, key: str) -> None:
    if not (card.citations or card.limitations or card.would_change):
        return
    label = f"Sources and limits · {len(card.citations)}" if card.citations else "Limits"
    with st.expander(label, icon=":material/format_quote:", type="compact", key=f"{key}_sources"):
        for c in card.citations:
            title = plain(shorten(c.named, 140))
            st.markdown(
                f"**\\[{c.n}\\]** {theme.STANCES[c.stance].text}  \n"
                f"{theme.quotation(c.quote, c.kind, QUOTE)}  \n"
                f":small[{title}{host_link(c.url, ' · ' if title else '')}]"
            )
        if card.limitations:
            st.markdown(f"**Limits.** {plain(card.limitations)}")
        if card.would_change:
            st.markdown(f"**What would change it.** {plain(card.would_change)}")


def routing(decision: RouterDecision, key: str) -> None:
    """How a question was routed: what it was understood as, the cards that were looked at, and why."""
    badge = MODES[decision.mode]
    with st.expander("How this was routed", icon=":material/alt_route:", type="compact", key=key):
        who = "the claim match" if decision.decided_by == "embedded" else f"the {decision.decided_by} model"
        st.markdown(
            f"{badge.badge} by {plain(who)} in {theme.seconds(decision.seconds)}.  \n{plain(decision.reasoning)}"
        )
        if decision.reformulated != decision.question:
            st.markdown(f":small[:gray[Understood as:]] {plain(decision.reformulated)}")
        if not decision.candidates:
            st.caption("No earlier answers were compared.")
            return
        table([
            {
                "Earlier claim": plain(shorten(c.claim, 160)),
                "Relation": f"{RELATIONS[c.match.relation].text} {theme.percent(c.match.probability)}",
                "Similarity": f"{c.match.cosine:.2f}",
                "Differs in": plain(", ".join(slot.name for slot in c.match.differing)) or "–",
            }
            for c in decision.candidates
        ])  # fmt: skip
        st.caption("Similarity says what a claim is about, never whether it is the same claim.")
