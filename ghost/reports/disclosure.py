"""What left the machine during a run, and what may leave it, said in sentences."""

import ipaddress
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ghost.reports.formatting import counted
from ghost.reports.trace import converses, fell_back, step_rows
from ghost.text import one_line
from ghost.types import JudgeInfo, Pipeline, Run, host_of

_ASKED_NOBODY = ("forbidden address", "unknown host", "not asked")
"""Kinds of failure of a page for which no request went out."""
Row = Mapping[str, Any]


def left_the_machine(run: Run) -> list[str]:
    """One sentence for each kind of thing that was sent out, or the one sentence that nothing was."""
    searches = step_rows(run.steps, "investigate", "searches")
    pages = step_rows(run.steps, "investigate", "sources")
    copies = step_rows(run.steps, "verdict", "archived")
    sentences = [
        *(_searches(run, searches) if run.usage.searches else ()),
        *_pages(pages),
        *_archive(copies),
        *_cut_off(run, searches, pages, copies),
        *_models(run),
    ]
    return sentences or ["Nothing: no search was made, no page was fetched, and no text went to a language model."]


def _searches(run: Run, rows: Sequence[Row]) -> Iterator[str]:
    """Who was searched, and how often; a provider that could not be reached received nothing."""
    received, missed = Counter[str](), Counter[str]()
    for row in rows:
        if row.get("state") in ("answered", "failed"):
            lost = row.get("kind") == "ProviderUnreachableError"
            (missed if lost else received)[one_line(str(row.get("sent_to")))] += _requests(row)
    total = sum(received.values()) or run.usage.searches - sum(missed.values())
    if total > 0:
        what = counted(total, "search", "searches")
        words = "words that the language model chose" if converses(run) else "the words of its statements"
        if fell_back(run):
            words += " or the words of its statements"
        yield f"{what} with {words} went to {_names(received) or 'search providers'}."
    if missed:
        yield f"{_names(missed)} could not be reached, so no words went there."


def _requests(row: Row) -> int:
    """How often a search went out: one that was tried again, twice. Older runs do not count them."""
    made = row.get("requests", 1)
    return made if isinstance(made, int) else 1


def _pages(rows: Sequence[Row]) -> Iterator[str]:
    """From which sites pages were asked for, with all that redirects led to; the cache asked nobody."""
    asked = [hosts for row in rows if (hosts := _recipients(row))]
    if sites := Counter(host for hosts in asked for host in hosts):
        what = counted(len(asked), "page was", "pages were")
        yield f"{what} asked for at {_names(sites)}; a site learns the address of this machine and which page is read."


def _recipients(row: Row) -> Sequence[str]:
    """The hosts that were asked for a page. Older runs do not list them."""
    asked = _was_asked(row) and row.get("kind") not in _ASKED_NOBODY and (row.get("bytes") or not row.get("from_cache"))
    ways = (row.get("url"), *row.get("redirects", ()), row.get("final_url")) if asked else ()
    return row.get("hosts") or list(dict.fromkeys(host_of(str(way)) for way in ways if way))


def _was_asked(row: Row) -> bool:
    """Whether a page was asked for; one that was cut off by the clock of the run was, and says of what kind it is."""
    return row.get("state") != "not read" or bool(row.get("kind"))


def _archive(copies: Sequence[Row]) -> Iterator[str]:
    """Whether an archive was asked for copies of pages."""
    if asked := sum(bool(row.get("asked")) for row in copies):
        what = counted(asked, "copy was", "copies were")
        yield f"{what} asked for at the Internet Archive (archive.org), to find copies."


def _cut_off(run: Run, searches: Sequence[Row], pages: Sequence[Row], copies: Sequence[Row]) -> Iterator[str]:
    """What was spent and is in no row of the trace, because the run or its time for reading ended meanwhile."""
    stopped = any(s.decision == "stopped" for s in run.steps if s.name == "investigate")
    end = "the run was stopped" if stopped else "the time for reading was over"
    made = [_requests(row) for row in searches if row.get("state") in ("answered", "failed")]
    more = run.usage.searches - sum(made)
    if made and more > 0:  # without any row the sentence on searches has counted them
        yield f"Up to {counted(more, 'more search', 'more searches')} went out before {end}."
    told = sum(_was_asked(row) and row.get("kind") != "not asked" for row in pages)
    more = run.usage.fetches - told - sum(bool(row.get("sent", True)) for row in copies)
    if more > 0 and not pages:  # a run without rows; better a coarse sentence than none
        yield f"{counted(more, 'page was', 'pages were')} fetched from the web."
    elif more > 0:
        yield f"Up to {counted(more, 'more page', 'more pages')} may have been asked for before {end}."


def _models(run: Run) -> Iterator[str]:
    """One sentence for each model that was sent something, whether it was of use or not."""
    calls = [call for step in run.steps for call in step_rows((step,), step.name, "calls")]
    if run.usage.tokens and not calls:  # a run without receipts; better a coarse sentence than none
        yield (
            f"The claim and the evidence went to the language model {one_line(run.judge.model)} "
            f"({one_line(run.judge.name)} judge, {run.usage.tokens:,} tokens)."
        )
    sent: dict[tuple[str, ...], list[Row]] = {}
    for call in calls:
        if call.get("sent"):
            sent.setdefault(tuple(str(call.get(name)) for name in ("judge", "model", "host")), []).append(call)
    for (judge, model, host), made in sent.items():
        purposes = {str(c.get("purpose")) for c in made}
        what = "The claim and its evidence" if purposes - {"classify", "extraction"} else "The claim"
        if "conversation" in purposes:
            read = any(row.get("state") == "read" for row in step_rows(run.steps, "investigate", "sources"))
            pages = " and the text of pages that were read" if read else ""
            what += f", with passages of the knowledge base, with what its searches returned{pages},"
        elif "reading" in purposes:
            what += ", with text of the pages that were read,"
        tokens = sum(int(c.get("tokens_in", 0)) + int(c.get("tokens_out", 0)) for c in made)
        spent = f"{tokens:,} tokens" if tokens else "no usable answer"
        detail = f"{one_line(judge)} judge, {counted(len(made), 'question', 'questions')}, {spent}"
        where = f"the language model {one_line(model)} at {one_line(host)}"
        if is_this_machine(host):
            yield f"{what} did not leave it, but went to {where}, which is this machine ({detail})."
        else:
            yield f"{what} went to {where}, over the network ({detail})."


def _names(of: Counter[str]) -> str:
    return " and ".join(f"{name} ({times})" if len(of) > 1 else name for name, times in of.items())


def may_leave(
    judge: JudgeInfo,
    searched: Sequence[str],
    pages: int,
    archive: bool = False,
    pipeline: Pipeline = Pipeline.SEVEN_STEPS,
    records: str = "",
) -> list[tuple[bool, str]]:
    """What can leave this machine when a claim is checked, and to whom: sentences, each with whether something leaves.

    ``searched`` are those who receive searches, ``pages`` is how many pages a run asks for at most, ``archive`` is
    whether copies of cited pages are looked up, ``records`` is the address of a shared database.
    """
    found = []
    if records:
        kept = f"All records, with claims and evidence, are in the database {one_line(records)}."
        found.append((True, f"{kept} Its workers check the claims, on the machines where they run."))
    talks = pipeline is Pipeline.SINGLE_CONVERSATION and judge.name != "embedded"
    model, host = one_line(judge.model), one_line(judge.host or judge.name)
    if judge.name == "embedded":
        stay = "no language model sees claim or evidence" if records else "claim and evidence stay here"
        found.append((False, f"The judge is part of this program: {stay}."))
    elif is_this_machine(judge.host):
        where = f"The language model {model} at {host} is on this machine"
        found.append((False, f"{where}{'' if records else ': claim and evidence stay here'}."))
    else:
        found.append(
            (True, f"The claim with its context, and the evidence, go to the language model {model} at {host}.")
        )
        if talks:
            found.append((True, "So do passages of your knowledge base, and the text of pages that it asks to see."))
    if judge.next:
        found.append((True, f"When that judge fails, they may go to {one_line(judge.next)}."))
    if not searched:
        return [*found, (False, "Nothing is searched, and no page is fetched.")]
    names = ", then ".join(one_line(name) for name in searched)
    what = "Search words that the language model chooses" if talks else (
        "Statements that your knowledge base does not settle"
    )  # fmt: skip
    words = f"{what} are sent{'' if talks else ' as search words'} to {names}, who"
    found.append((True, f"{words} also see the address of this machine."))
    if pages:
        whose = "the language model chooses" if talks else "a search finds"
        asked = f"Up to {counted(pages, 'page', 'pages')} that {whose} are asked for at their sites, which"
        found.append((True, f"{asked} learn the address of this machine and which page is read."))
        if not talks:
            notes = (
                "Where a verdict would rest on notes of the library alone, up to three of these are the notes' pages"
            )
            found.append((True, f"{notes}, even when nothing is searched."))
    if archive:
        found.append((True, "The addresses of pages that a verdict cites are looked up at the Internet Archive."))
    return found


def is_this_machine(host: str) -> bool:
    """Whether ``host:port`` can only be this machine."""
    name = host.rpartition(":")[0] if ":" in host and not host.endswith("]") else host
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return name == "localhost"
