"""``python -m ghost seed``: the facts that come with Ghost, and whether their sources still lead to a page."""

from argparse import Namespace
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict

import seed_kb
from config import Settings, load_settings
from ghost.cli.arguments import UsageError
from ghost.cli.terminal import interrupt_asks, print_json, progress, say, width
from ghost.knowledge import Action, Pack, switched_off
from ghost.reports import added_value, counted, wrap
from ghost.text import one_line
from ghost.web import LIMITS, Fetcher, Link, LinkState, Looker, Memory, NoNetwork, check_links

_WRONG = (LinkState.DEAD, LinkState.UNREACHABLE)
STOPPED = 130


def seed(args: Namespace) -> int:
    """Put all packs in, which opening has done where they are new, or only check the links of their facts."""
    settings = load_settings()
    if args.check_links:
        return check_library_links(settings, args.json)

    from ghost.workbench import build  # large, and not needed to check links

    with build(settings, progress=progress) as workbench:
        report = workbench.seeded or seed_kb.seed(workbench.knowledge, progress=progress)
        off = sorted(switched_off(workbench.knowledge))
    if args.json:
        print_json(added_value(report) | {"off": off})
    else:
        print(f"{counted(report.added, 'fact', 'facts')} added, {report.merged:,} there already.")
        if off:
            print(f"Switched off: {', '.join(off)}")
    for o in report.outcomes:
        if o.action in (Action.QUARANTINED, Action.REFUSED):
            say(f"ghost: a fact was {o.action.value}: {one_line(o.reason)}")
    return 1 if report.outcomes and report.refused == len(report.outcomes) else 0


def check_library_links(settings: Settings, as_json: bool, looker: Looker | None = None) -> int:
    """Ask for every address and print what came of it; 1 when one is dead or out of reach, or there is no network."""
    if not settings.web or settings.demo_web:
        variable = "GHOST_DEMO_WEB is set" if settings.web else "GHOST_WEB is false"
        raise UsageError(f"Nothing was asked for: {variable}, so no page of the web is fetched.")
    packs = seed_kb.packs()
    used = _used(packs)
    say(f"Asking for {counted(len(used), 'address', 'addresses')}, one after the other at each host. Ctrl-C stops.")
    with interrupt_asks() as asked:
        try:
            links = check_links(
                used, looker or Fetcher(Memory(), LIMITS), lambda n, of: progress("Addresses", n, of), asked.is_set
            )
        except NoNetwork as error:
            message = f"No address was checked: there seems to be no network. {one_line(str(error))}"
            if as_json:
                print_json({"error": message})
            say(f"ghost: {message}")
            return 1
    stopped = asked.is_set()
    counts = Counter(link.state for link in links)
    if as_json:
        rows = [{**asdict(link), "packs": list(used[link.url])} for link in links]
        print_json({"counts": {state.value: counts[state] for state in LinkState}, "stopped": stopped, "links": rows})
    else:
        _print(links, used)
        print(", ".join(f"{counts[state]:,} {state.value}" for state in LinkState if counts[state]) or "No address.")
    if stopped:
        return STOPPED
    return 1 if any(link.state in _WRONG for link in links) else 0


def _used(packs: Sequence[Pack]) -> dict[str, list[str]]:
    """Address -> the packs that have it, in the order of the packs."""
    used: dict[str, list[str]] = {}
    for pack in packs:
        for fact in pack.facts:
            url = str(fact.get("source", "")).partition("#")[0]
            if url and pack.name not in used.setdefault(url, []):
                used[url].append(pack.name)
    return used


def _print(links: Sequence[Link], used: Mapping[str, Sequence[str]]) -> None:
    for state in (LinkState.DEAD, LinkState.MOVED, LinkState.UNREACHABLE, LinkState.REFUSED):
        mine = [link for link in links if link.state is state]
        if mine:
            print(f"{state.value.capitalize()} ({len(mine):,})")
        for link in mine:
            print(f"  {one_line(link.url)}  ({', '.join(used[link.url])})")
            told = one_line(f"now {link.final_url}" if link.final_url else link.why)
            print("\n".join(wrap(told, width(), "    ")))
