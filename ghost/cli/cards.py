"""``python -m ghost cards …``: claim cards from the command line."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from config import load_settings
from ghost.cards import Found
from ghost.cli.arguments import UsageError
from ghost.cli.terminal import print_json, progress, show, typed, width
from ghost.errors import StoreError
from ghost.records import CardChange, CardFilter, CardOrder, utc_now
from ghost.reports import card_value, confidence, counted, day, iso, wrap
from ghost.text import one_line
from ghost.types import CardOrigin, CardState, Category, ClaimCard, Label, quoted

if TYPE_CHECKING:
    from ghost.cards import Cards

_FIELDS = ("claim", "answer", "category", "limitations", "would_change")


def cards(args: Namespace) -> int:
    """Do what ``args.action`` says and print what came of it."""
    from ghost.workbench import build  # large, and not needed to refuse an argument

    with build(load_settings(), progress=progress) as workbench:
        kept = workbench.cards
        match args.action:
            case "list":
                return _list(kept, args)
            case "search":
                return _print_found(typed(args.query), kept.search(typed(args.query), args.limit), args.json)
            case "show":
                return _print_card(_known(kept, args.id), args.json)
            case "history":
                return _print_history(kept.history(_known(kept, args.id).id), args.json)
            case _:
                return _done(_change(kept, args), args)


def _change(kept: "Cards", args: Namespace) -> ClaimCard:
    """The card after what was asked for."""
    note = typed(args.note) or "from the command line"
    name = typed(args.undo if args.action == "undo" else args.id)
    match args.action:
        case "approve":
            if kept.get(name) is not None:
                return kept.approve(name, note=note)
            return kept.approve_run(name, typed(args.claim), typed(args.answer), note=note)
        case "edit":
            given = {field: typed(value) for field in _FIELDS if (value := getattr(args, field)) is not None}
            if not given:
                raise UsageError("Say what to change: --claim, --answer, --category, --limitations or --would-change.")
            return kept.edit(name, note=note, **given)
        case "expire":
            # Until the end of the day that is named.
            until = datetime.combine(args.on, time(), UTC) + timedelta(days=1) if args.on else None
            return kept.expire(name, until, note=note)
        case "retire":
            return kept.retire(name, note=note)
        case "restore":
            return kept.restore(name, note=note)
        case _:
            return kept.undo(name, note=note)


def _list(kept: "Cards", args: Namespace) -> int:
    which = CardFilter(
        text=typed(args.text),
        state=CardState(args.state) if args.state else None,
        category=Category(args.category) if args.category else None,
        label=next((label for label in Label if label.value.lower() == args.label), None) if args.label else None,
        origin=CardOrigin(args.origin) if args.origin else None,
    )
    found, total = kept.browse(which, CardOrder.NEWEST, args.limit, args.offset), kept.count(which)
    if args.json:
        print_json({"total": total, "states": kept.states(), "cards": [card_value(card) for card in found]})
        return 0
    for card in found:
        print(_line(card))
    print(f"{len(found):,} of {counted(total, 'card', 'cards')}")
    return 0


def _print_found(query: str, found: Sequence[Found], as_json: bool) -> int:
    if as_json:
        print_json({"query": query, "results": [{"cosine": f.cosine, **card_value(f.card)} for f in found]})
        return 0
    for f in found:
        print(f"{f.cosine:5.2f}  {_line(f.card)}")
    if not found:
        print("No card was found.")
    return 0


def _print_card(card: ClaimCard, as_json: bool) -> int:
    if as_json:
        print_json(card_value(card))
        return 0
    state = card.state(utc_now())
    whose = card.answered_by or "this workbench"
    sure = f", {confidence(card).lower()}" if card.confidence is not None else ""
    lines = [
        ("", card.claim),
        ("", f"{card.label.value}{sure}, by {whose}, {day(card.checked_at)}. {card.answer}"),
        *(("", f"[{c.n}] {c.named}: {quoted(c.quote, c.kind)}") for c in card.citations),
        ("Limits: ", card.limitations),
        ("What would change it: ", card.would_change),
        ("State: ", f"{state.value}. {card.stale}" if card.stale else state.value),
        ("Reviewed: ", "" if card.reviewed else "no, nobody has reviewed it"),
        ("Holds until: ", day(card.expires_at) if card.expires_at else "no end date"),
        ("Checked as of: ", day(card.as_of) if card.as_of else ""),
        (
            "",
            f"{card.category.value}, {card.origin.value}, id {card.id}{f', run {card.run_id}' if card.run_id else ''}",
        ),
    ]
    for head, words in lines:
        if words:
            print("\n".join(wrap(head + words, width(), "", 3)))
    return 0


def _print_history(changes: Sequence[CardChange], as_json: bool) -> int:
    if as_json:
        print_json({"changes": [{**asdict(change), "at": iso(change.at)} for change in changes]})
        return 0
    for c in changes:
        note = f": {one_line(c.note)}" if c.note else ""
        what = f" {', '.join(n for n in c.after if n in _FIELDS)}" if c.action == "edited" else ""
        print(
            f"{c.id}  {day(c.at)}  {c.action}{what} by {one_line(c.who)}{note}{' (taken back)' if c.undone_by else ''}"
        )
    return 0


def _done(card: ClaimCard, args: Namespace) -> int:
    return show(args.json, card_value(card), _line(card))


def _known(kept: "Cards", name: str) -> ClaimCard:
    card = kept.get(typed(name))
    if card is None:
        raise StoreError(f"There is no card {typed(name)}.")
    return card


def _line(card: ClaimCard) -> str:
    state = card.state(utc_now())
    notes = [*([] if card.reviewed else ["not reviewed"]), *([] if state is CardState.ACTIVE else [state.value])]
    marked = f" ({', '.join(notes)})" if notes else ""
    return f"{card.id}  {card.label.value:<15} {one_line(card.claim)}{marked}"
