"""Section Cards: the finished answers that later questions reuse; browse, approve, edit, expire, retire, undo."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time

import streamlit as st

from ghost.records import CardChange, CardFilter, CardOrder
from ghost.reports import answered_by
from ghost.types import CardOrigin, CardState, Category, ClaimCard
from ghost.ui.knowledge.selection import PAGE, show_change
from ghost.ui.shared import theme
from ghost.ui.shared.actions import Result, closing, is_open, notify, open_dialog, run_action, submit
from ghost.ui.shared.cards import STATES, card_box
from ghost.ui.shared.paging import paging
from ghost.ui.shared.parts import Workbench, button, details_button, retry_on_error
from ghost.ui.shared.text import clean, count, plain, shorten

PAGE_SIZE = 15
WIDTH = 180
_ORIGINS = {
    CardOrigin.RUN: "Checked here",
    CardOrigin.ANALYST: "Your verdicts",
    CardOrigin.LIBRARY: "Starter library",
    CardOrigin.FACT_CHECK: "Published fact-checks",
}
_ORDERS = {CardOrder.NEWEST: "Newest", CardOrder.CLAIM: "By claim", CardOrder.EXPIRING: "Soonest to expire"}
_ACTIONS = {
    "made": "Made", "replaced": "Replaced by a newer answer", "edited": "Edited", "approved": "Approved",
    "expiry": "Expiry changed", "margin": "Made stricter or looser", "retired": "Retired", "restored": "Restored",
    "undone": "Undone",
}  # fmt: skip


def section(workbench: Workbench) -> None:
    """Filters and a paged list; says so when there is nothing."""
    st.header("Claim cards", anchor=False)
    st.markdown(
        "Finished answers that later questions reuse. A verdict above the bound becomes a card by itself. A card goes "
        "stale at once when its check is overridden or a source of it is edited, retired or rated down."
    )
    states = workbench.cards.states()
    if not sum(states.values()):
        st.info("There are no cards yet. Check a claim, and its verdict becomes one.", icon=":material/style:")
        st.page_link("pages/verify.py", label="Check a claim", icon=":material/fact_check:")
        return
    st.markdown(" · ".join(f"{STATES[state].text} {n:,}" for state, n in states.items() if n))
    narrow, order = _filters()
    total = workbench.cards.count(narrow)
    if not total:
        st.info("No card passes these filters.", icon=":material/filter_alt_off:")
        button("Clear the filters", "knowledge_cards_clear", "close", _clear)
        return
    part = paging(f"knowledge_cards_page_{hash((narrow, order))}", total, PAGE_SIZE)
    cards = workbench.cards.browse(narrow, order, PAGE_SIZE, part.offset)
    st.caption(f"{part.offset + 1:,} to {part.offset + len(cards):,} of {count(total, 'card')}")
    now = datetime.now(UTC)
    with st.container(gap="small"):
        for card in cards:
            _row(workbench, card, now)
    part.numbers()


def _filters() -> tuple[CardFilter, CardOrder]:
    st.session_state.setdefault("knowledge_cards_order", CardOrder.NEWEST)
    text = st.text_input(
        "Search", key="knowledge_cards_text", icon=":material/search:", max_chars=200, persist_state="session",
        placeholder="Words of the claim or the answer",
    )  # fmt: skip
    with st.container(horizontal=True):
        state = st.selectbox(
            "State", list(CardState), index=None, key="knowledge_cards_state", placeholder="Any", width=WIDTH,
            format_func=lambda value: STATES[value].word, persist_state="session",
        )  # fmt: skip
        category = st.selectbox(
            "Category", list(Category), index=None, key="knowledge_cards_category", placeholder="Any", width=WIDTH,
            format_func=lambda value: value.value.capitalize(), persist_state="session",
        )  # fmt: skip
        origin = st.selectbox(
            "Answered by", list(CardOrigin), index=None, key="knowledge_cards_origin", placeholder="Anyone",
            width=WIDTH, format_func=lambda value: _ORIGINS[value], persist_state="session",
        )  # fmt: skip
        order = st.selectbox(
            "Order", list(CardOrder), key="knowledge_cards_order", width=WIDTH,
            format_func=lambda value: _ORDERS[value], persist_state="session",
        )  # fmt: skip
    return CardFilter(clean(text or ""), state, category, None, origin), order or CardOrder.NEWEST


def _clear() -> None:
    st.session_state.update(
        knowledge_cards_text="", knowledge_cards_state=None, knowledge_cards_category=None, knowledge_cards_origin=None
    )


def _open(card_id: str) -> None:
    st.query_params["card"] = card_id


def _row(workbench: Workbench, card: ClaimCard, now: datetime) -> None:
    state = card.state(now)
    badges = [theme.VERDICTS[card.label].badge] + ([STATES[state].badge] if state is not CardState.ACTIVE else [])
    with st.container(border=True, gap="xxsmall", key=f"knowledge_card_{card.id}"):
        st.markdown(f"{' '.join(badges)} **{plain(shorten(card.claim, 220))}**")
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            facts = [plain(answered_by(card, theme.day)), card.category.value]
            if card.approved_at:
                facts.append("approved by you")
            if card.stale:
                facts.append(f":orange[{plain(card.stale)}]")
            elif card.expires_at and state is CardState.ACTIVE:
                facts.append(f"holds until {theme.day(card.expires_at)}")
            st.caption(" · ".join(facts), width="content")
            with st.container(horizontal=True, vertical_alignment="center", width="content"):
                _switch(workbench, card, state)
                details_button(f"knowledge_card_open_{card.id}", _open, card.id)


def _switch(workbench: Workbench, card: ClaimCard, state: CardState) -> None:
    """Whether it answers: approved, retired, restored."""
    if state is CardState.RETIRED:
        _act(workbench, card, "restore", "Restore", "unarchive", "The card is restored.")
        return
    if card.approved_at is None or state is not CardState.ACTIVE:
        _act(workbench, card, "approve", "Approve", "verified", "The card is approved.")
    _act(workbench, card, "retire", "Retire", "archive", "The card is retired. It answers nothing.")


def _actions(workbench: Workbench, card: ClaimCard, now: datetime) -> None:
    with st.container(horizontal=True, key="knowledge_card_actions"):
        for name, label, icon in (("edit", "Edit", "edit"), ("expiry", "Expiry", "event")):
            button(label, f"knowledge_card_{name}", icon, open_dialog, PAGE, f"card_{name}_{card.id}", type="tertiary")
        _switch(workbench, card, card.state(now))


def _act(workbench: Workbench, card: ClaimCard, name: str, label: str, icon: str, told: str) -> None:
    def act() -> None:
        notify(PAGE, *_change_card(workbench, card.id, told, lambda: getattr(workbench.cards, name)(card.id)))

    button(label, f"knowledge_card_{name}_{card.id}", icon, run_action, PAGE, act, type="tertiary")


def _change_card(workbench: Workbench, card_id: str, told: str, change: Callable[[], object]) -> Result:
    """Change a card; returns what was done with its undo, or that the card is like that already."""
    before = [line.id for line in workbench.cards.history(card_id)]
    change()
    made = [line.id for line in workbench.cards.history(card_id) if line.id not in before]
    if not made:
        return "Nothing was changed.", None
    return told, lambda: workbench.cards.undo(made[0])


def _dialogs(workbench: Workbench) -> None:
    """The dialog that is open, if it is one of a card."""
    name = str(st.session_state.get(f"{PAGE}_dialog") or "")
    kind, _, card_id = name.removeprefix("card_").partition("_")
    if not (name.startswith("card_") and is_open(PAGE, name) and (card := workbench.cards.get(card_id))):
        return
    draw = {"edit": _edit, "expiry": _expiry}[kind]
    title = {"edit": "Edit the card", "expiry": "How long the card holds"}[kind]
    st.dialog(title, on_dismiss=closing(PAGE))(draw)(workbench, card)


def _edit(workbench: Workbench, card: ClaimCard) -> None:
    st.caption("You stand behind the card from then on. What it said before stays in its history.")
    claim, answer = _text(card, "claim", "Claim", 600), _text(card, "answer", "Answer", 2000)
    category = st.selectbox(
        "Category", list(Category), list(Category).index(card.category), key=f"knowledge_card_kind_{card.id}",
        format_func=lambda value: value.value.capitalize(),
    )  # fmt: skip
    limits = _text(card, "limitations", "Limits", 1000)
    change = _text(card, "would_change", "What would change it", 1000)
    if button("Save", f"knowledge_card_save_{card.id}", "check", type="primary"):

        def save() -> Result:
            values = {"claim": claim, "answer": answer, "category": category, "limitations": limits,
                      "would_change": change}  # fmt: skip
            new = {name: str(value) for name, value in values.items() if value != getattr(card, name)}
            if not new:
                return "Nothing was changed.", None
            return _change_card(
                workbench, card.id, "The card was changed.", lambda: workbench.cards.edit(card.id, **new)
            )

        submit(PAGE, save)


def _text(card: ClaimCard, name: str, label: str, most: int) -> str:
    """A field for a text of the card; what the card has always fits, so that saving never cuts it."""
    value = str(getattr(card, name))
    return st.text_area(label, value, key=f"knowledge_card_{name}_{card.id}", max_chars=max(most, len(value)))


def _expiry(workbench: Workbench, card: ClaimCard) -> None:
    holds = card.expires_at.date() if card.expires_at else None
    st.caption(f"It holds {f'until {theme.day(holds)}' if holds else 'for as long as its sources do'} now.")
    until = st.date_input(
        "Holds until", holds, key=f"knowledge_card_until_{card.id}", format="YYYY-MM-DD", min_value=date(2000, 1, 1),
        max_value=date(2099, 12, 31),
    )  # fmt: skip
    with st.container(horizontal=True):
        if button("Save", f"knowledge_card_until_save_{card.id}", "check", type="primary", disabled=until is None):
            end = datetime.combine(until or date.today(), time.max, UTC)
            submit(PAGE, lambda: _expired(workbench, card, end))
        if button("Expire now", f"knowledge_card_expire_{card.id}", "event_busy"):
            submit(PAGE, lambda: _expired(workbench, card, None))


def _expired(workbench: Workbench, card: ClaimCard, until: datetime | None) -> Result:
    told = f"The card holds until {theme.day(until)}." if until else "The card is expired. It is checked again."
    return _change_card(workbench, card.id, told, lambda: workbench.cards.expire(card.id, until))


def one_card(workbench: Workbench, card_id: str) -> None:
    """One card with its history, or that it is not there."""
    button("All cards", "knowledge_cards_back", "arrow_back", _leave, type="tertiary")
    show_change()
    with retry_on_error("knowledge_card_retry"):
        card = workbench.cards.get(card_id)
        if card is None:
            theme.not_here("card", card_id)
            return
        now = datetime.now(UTC)
        st.title(plain(shorten(card.claim, 160)), anchor=False)
        card_box(card, card.state(now), f"knowledge_card_{card.id}")
        st.markdown(plain(card.answer))
        _actions(workbench, card, now)
        st.header("History", anchor=False)
        for change in workbench.cards.history(card_id):
            _change(workbench, change)
        _dialogs(workbench)


def _leave() -> None:
    st.query_params.from_dict({"section": "cards"})


def _change(workbench: Workbench, change: CardChange) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"knowledge_card_change_{change.id}"):
        note = f": {plain(shorten(change.note, 300))}" if change.note else ""
        word = _ACTIONS.get(change.action, plain(change.action.capitalize()))
        st.markdown(f"**{word}** · {theme.moment(change.at)} · {plain(change.who)}{note}", width="stretch")
        if change.undone_by:
            st.markdown(theme.badge("Undone", "undo", "gray"), width="content")
        elif change.before:
            button("Undo this", f"knowledge_card_undo_{change.id}", "undo", run_action, PAGE,
                   lambda: workbench.cards.undo(change.id), "Undone.", type="tertiary")  # fmt: skip
    for name in ("claim", "answer", "label", "limitations", "would_change"):
        if name in change.before:
            old, new = (plain(shorten(str(of.get(name, "")), 200)) or "none" for of in (change.before, change.after))
            st.caption(f"{name.replace('_', ' ').capitalize()}: {old} → {new}")
