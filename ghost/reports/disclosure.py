"""What left the machine during a run, said in sentences."""

import ipaddress
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ghost.reports.formatting import counted
from ghost.text import one_line
from ghost.types import JudgeInfo, Run, TraceStep, host_of


def left_the_machine(run: Run) -> list[str]:
    """One sentence for each kind of thing that was sent out, or the one sentence that nothing was."""
    used = run.usage
    sentences = []
    if used.searches:
        sentences += _searches(run)
    sentences += _pages(run)
    sentences += _to_archive(run)
    sentences += _cut_off(run)
    sentences += _to_models(run)
    return sentences or ["Nothing: no search was made, no page was fetched, and no text went to a language model."]


def _searches(run: Run) -> list[str]:
    """Who was searched, and how often, as the trace has it; a provider that could not be reached received nothing."""
    rows = [row for step in run.steps if step.name == "investigate" for row in step.outputs.get("searches", ())]
    received, missed = Counter[str](), Counter[str]()
    for row in rows:
        if row.get("state") in ("answered", "failed"):
            lost = row.get("kind") == "ProviderUnreachableError"
            made = row.get("requests", 1)  # a search that was tried again went out twice; older runs do not count them
            (missed if lost else received)[one_line(str(row.get("sent_to")))] += made if isinstance(made, int) else 1
    total = sum(received.values()) or run.usage.searches - sum(missed.values())
    sentences = []
    if total > 0:
        what = counted(total, "search", "searches")
        sentences.append(f"{what} with the words of its statements went to {_names(received) or 'search providers'}.")
    if missed:
        sentences.append(f"{_names(missed)} could not be reached, so no words went there.")
    return sentences


def _pages(run: Run) -> Iterator[str]:
    """From which sites pages were asked for, by the trace; the cache and what was refused at once asked nobody."""
    rows = [row for step in run.steps if step.name == "investigate" for row in step.outputs.get("sources", ())]
    asked = [row for row in rows if _was_asked(row) and row.get("kind") not in _ASKED_NOBODY]
    sites = Counter(host_of(str(row.get("url"))) for row in asked if row.get("bytes") or not row.get("from_cache"))
    if sites:
        what = counted(sum(sites.values()), "page was", "pages were")
        yield f"{what} asked for at {_names(sites)}; a site learns the address of this machine and which page is read."


def _was_asked(row: dict[str, Any]) -> bool:
    """Whether a page was asked for; one that was cut off by the clock of the run was, and says of what kind it is."""
    return row.get("state") != "not read" or bool(row.get("kind"))


def _cut_off(run: Run) -> Iterator[str]:
    """What was spent and is in no row of the trace, because the run or its time for reading ended meanwhile."""
    steps = [step for step in run.steps if step.name == "investigate"]
    rows = [row for step in steps for row in step.outputs.get("searches", ())]
    made = [row.get("requests", 1) for row in rows if row.get("state") in ("answered", "failed")]
    pages = [row for step in steps for row in step.outputs.get("sources", ())]
    told = sum(_was_asked(row) and row.get("kind") != "not asked" for row in pages)
    told += sum(bool(row.get("sent", True)) for row in _look_ups(run))
    end = "the run was stopped" if any(s.decision == "stopped" for s in run.steps) else "the time for reading was over"
    searches = run.usage.searches - sum(n if isinstance(n, int) else 1 for n in made)
    if made and searches > 0:  # without any row the sentence on searches has counted them
        yield f"Up to {counted(searches, 'more search', 'more searches')} went out before {end}."
    fetches = run.usage.fetches - told
    if fetches > 0 and not pages:  # a run without rows; better a coarse sentence than none
        yield f"{counted(fetches, 'page was', 'pages were')} fetched from the web."
    elif fetches > 0:
        yield f"Up to {counted(fetches, 'more page', 'more pages')} may have been asked for before {end}."


def _look_ups(run: Run) -> list[dict[str, Any]]:
    rows = [row for step in run.steps if step.name == "verdict" for row in step.outputs.get("archived", ())]
    return [row for row in rows if isinstance(row, dict)]


def _to_archive(run: Run) -> Iterator[str]:
    """Whether an archive was asked for copies of pages."""
    if asked := [row for row in _look_ups(run) if row.get("asked")]:
        what = counted(len(asked), "copy was", "copies were")
        yield f"{what} asked for at the Internet Archive (archive.org), to find copies."


_ASKED_NOBODY = ("forbidden address", "unknown host", "not asked")


def _names(of: Counter[str]) -> str:
    return " and ".join(f"{name} ({times})" if len(of) > 1 else name for name, times in of.items())


def _to_models(run: Run) -> Iterator[str]:
    """One sentence for each model that was sent something, whether it was of use or not."""
    sent: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    kept = calls(run.steps)
    if run.usage.tokens and not kept:  # a run without receipts; better a coarse sentence than none
        yield (
            f"The claim and the evidence went to the language model {one_line(run.judge.model)} "
            f"({one_line(run.judge.name)} judge, {run.usage.tokens:,} tokens)."
        )
    for call in kept:
        if call.get("sent"):
            key = (str(call.get("judge")), str(call.get("model")), str(call.get("host")))
            sent.setdefault(key, []).append(call)
    for (judge, model, host), made in sent.items():
        purposes = {str(c.get("purpose")) for c in made}
        what = "The claim and its evidence" if purposes - {"classify"} else "The claim"
        what += ", with text of the pages that were read," if "reading" in purposes else ""
        tokens = sum(int(c.get("tokens_in", 0)) + int(c.get("tokens_out", 0)) for c in made)
        spent = f"{tokens:,} tokens" if tokens else "no usable answer"
        detail = f"{one_line(judge)} judge, {counted(len(made), 'question', 'questions')}, {spent}"
        where = f"the language model {one_line(model)} at {one_line(host)}"
        if is_this_machine(host):
            yield f"{what} did not leave it, but went to {where}, which is this machine ({detail})."
        else:
            yield f"{what} went to {where}, over the network ({detail})."


def may_leave(judge: JudgeInfo, searched: Sequence[str], pages: int, archive: bool = False) -> list[tuple[bool, str]]:
    """What can leave this machine when a claim is checked, and to whom: sentences, each with whether something leaves.

    ``searched`` are those who receive searches, ``pages`` is how many pages a run asks for at most, ``archive`` is
    whether copies of cited pages are looked up.
    """
    model, host = one_line(judge.model), one_line(judge.host or judge.name)
    found = []
    if judge.name == "embedded":
        found.append((False, "The judge is part of this program: claim and evidence stay here."))
    elif is_this_machine(judge.host):
        found.append((False, f"The language model {model} at {host} is on this machine: claim and evidence stay here."))
    else:
        found.append(
            (True, f"The claim with its context, and the evidence, go to the language model {model} at {host}.")
        )
    if judge.next:
        found.append((True, f"When that judge fails, they may go to {one_line(judge.next)}."))
    if not searched:
        return [*found, (False, "Nothing is searched, and no page is fetched.")]
    names = ", then ".join(one_line(name) for name in searched)
    words = f"Statements that your knowledge base does not settle are sent as search words to {names}, who"
    found.append((True, f"{words} also see the address of this machine."))
    if pages:
        asked = f"Up to {counted(pages, 'page', 'pages')} that a search finds are asked for at their sites, which"
        found.append((True, f"{asked} learn the address of this machine and which page is read."))
    if archive:
        found.append((True, "The addresses of pages that a verdict cites are looked up at the Internet Archive."))
    return found


def calls(steps: Sequence[TraceStep]) -> list[dict[str, Any]]:
    """What the trace keeps of the questions to language models."""
    return [call for step in steps for call in step.outputs.get("calls", []) if isinstance(call, dict)]


def is_this_machine(host: str) -> bool:
    """Whether ``host:port`` can only be this machine."""
    name = host.rpartition(":")[0] if ":" in host and not host.endswith("]") else host
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return name == "localhost"
