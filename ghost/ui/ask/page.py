"""The Ask page: the conversation in the address, with the question that is being answered at its end."""

import uuid

import streamlit as st

from ghost.cards import MAX_QUESTION_CHARS
from ghost.errors import GhostError
from ghost.jobs import Asker, AskView
from ghost.records import DecisionFilter
from ghost.reports import Exchange, conversation_markdown
from ghost.types import RouterDecision
from ghost.ui.ask.turns import ended_badly, past_turn, watch
from ghost.ui.shared import theme
from ghost.ui.shared.actions import notify_error, show_notice
from ghost.ui.shared.parts import Workbench, button, download, open_item, opened
from ghost.ui.shared.runs import privacy_line
from ghost.ui.shared.sharing import shared_records
from ghost.ui.shared.text import count, plain, shorten

RECENT = 6
EXAMPLES = (
    "Can you see the Great Wall of China from the Moon?",
    "Do vaccines cause autism?",
    "Did Napoleon lose at Waterloo?",
    "Was the Moon landing faked?",
)
PAGE = "ask"
_LIVE = "ask_live"


def ask_page(workbench: Workbench, asker: Asker) -> None:
    """The conversation in the address or the one this visitor saw last; without one, how to begin."""
    conversation = opened(PAGE, "conversation")
    with theme.errors_shown():
        # Read before the records: of what has ended by now they have the answer.
        live = _live(asker, conversation)
        busy = bool(live and not live.ended)
        decisions = workbench.asking.conversation(conversation)
        _head(workbench, decisions)
        if not decisions and live is None:
            _empty(workbench, asker, conversation)
        _hidden(workbench, conversation, len(decisions))
        for decision in decisions:
            if not (live and busy and decision.created_at >= live.asked_at):
                past_turn(workbench, decision, lambda d: _ask(workbench, asker, d.question, anew=True), busy)
        if live and busy:
            watch(asker, live)
        elif live and (live.error or (live.cancelled and live.decision is None)):
            ended_badly(live, lambda: _ask(workbench, asker, live.question))
    show_notice(PAGE, conversation)


def ask_box(workbench: Workbench, asker: Asker) -> None:
    """The field for a question. Outside of all containers, where Streamlit keeps the end of a conversation in sight."""
    live = _live(asker, str(st.session_state.get(f"{PAGE}_open") or ""))
    asked = st.chat_input(
        "Ask a question, or state what you want checked", key="ask_input", max_chars=MAX_QUESTION_CHARS,
        disabled=bool(live and not live.ended),
    )  # fmt: skip
    if asked:
        _ask(workbench, asker, asked)
        st.rerun()


def _live(asker: Asker, conversation: str) -> AskView | None:
    """What this visitor asked last in this conversation, as it stands now; None when that was in another visit."""
    return asker.snapshot(str(st.session_state.get(f"{_LIVE}_{conversation}", "")))


def _head(workbench: Workbench, decisions: list[RouterDecision]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.title("Ask", anchor=False, width="content")
        if decisions:
            with st.container(horizontal=True, width="content"):
                download(
                    "Markdown", lambda: conversation_markdown(_exchanges(workbench, decisions)),
                    "ghost-conversation.md", "text/markdown", "ask_export", type="tertiary",
                    help="The conversation with its cards and sources.",
                )  # fmt: skip
                button("New conversation", "ask_new", "add", open_item, PAGE, "conversation", "", type="tertiary")
    if decisions:
        st.set_page_config(page_title=f"{shorten(decisions[0].question, 60)} · Ghost")
    else:
        st.markdown(
            "Ask a question, or state a claim. If it was answered before, you get that answer with its sources. "
            "Otherwise it is checked, step by step. You can also ask about earlier answers."
        )


def _exchanges(workbench: Workbench, decisions: list[RouterDecision]) -> list[Exchange]:
    return [
        Exchange(d, tuple(workbench.cards.store.many(d.cards)), workbench.runs.get(d.run_id) if d.run_id else None)
        for d in decisions
    ]


def _hidden(workbench: Workbench, conversation: str, drawn: int) -> None:
    """Say that a long conversation began earlier than what is drawn."""
    if drawn and (total := workbench.asking.decisions.count(DecisionFilter(conversation_id=conversation))) > drawn:
        st.caption(f"The latest {drawn:,} of {total:,} questions. The Trace page lists the earlier ones.")


def _empty(workbench: Workbench, asker: Asker, conversation: str) -> None:
    if conversation:
        st.info("There is no conversation at this address. A question begins it.", icon=":material/search_off:")
    st.markdown("**Try one of these**")
    with st.container(horizontal=True, gap="small"):
        for number, example in enumerate(EXAMPLES):
            button(example, f"ask_example_{number}", "", _ask, workbench, asker, example)
    st.caption(
        privacy_line(
            workbench.judge_info,
            workbench.search_recipients,
            pipeline=workbench.settings.pipeline,
            records=shared_records(workbench),
        )
    )
    recent = workbench.asking.decisions.conversations(RECENT)
    if not recent:
        return
    theme.kicker("Recent conversations")
    with st.container(gap=None, key="ask_recent"):
        for talk in recent:
            label = f"{plain(shorten(talk.question, 90))} :gray[· {count(talk.questions, 'question')}]"
            button(
                label, f"ask_recent_{talk.id}", "forum", open_item, PAGE, "conversation", talk.id,
                type="tertiary", help=theme.moment(talk.last_at), wrap=False,
            )  # fmt: skip


def _ask(workbench: Workbench, asker: Asker, question: str, anew: bool = False) -> None:
    """Ask in the conversation that is shown, or begin one. For callbacks too."""
    conversation = str(st.session_state.get(f"{PAGE}_open") or "") or uuid.uuid4().hex
    try:
        turns = workbench.asking.turns(conversation)
        st.session_state[f"{_LIVE}_{conversation}"] = asker.start(question, conversation, turns, anew=anew)
    except GhostError as error:
        notify_error(PAGE, error)
        return
    open_item(PAGE, "conversation", conversation)
