"""Findings about the knowledge base, each with links to what it is about."""

from dataclasses import dataclass, field

import streamlit as st

from ghost.knowledge import Alerts, RunNote
from ghost.types import Label
from ghost.ui.analytics.cards import browse, share
from ghost.ui.shared import theme
from ghost.ui.shared.charts import KNOWLEDGE, Target
from ghost.ui.shared.text import count, plain, shorten

SHOWN = 10
"""Runs or topics that are listed."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to review."""

    key: str
    heading: str
    icon: str
    serious: bool
    says: str
    """Markdown: what it is and why it matters."""
    target: Target | None = None
    """The passages concerned."""
    link: str = "Show these passages"
    topics: tuple[tuple[str, Target], ...] = ()
    """More links (untrusted text), each to its passages."""
    runs: tuple[RunNote, ...] = field(default_factory=tuple)
    more: int = 0
    """Topics or runs beyond those listed."""

    @property
    def badge(self) -> str:
        """How urgent it is, as Markdown."""
        return theme.badge("Review", "priority_high", "orange") if self.serious else theme.badge("Note", "info", "gray")


def findings(alerts: Alerts) -> list[Finding]:
    """All findings, serious ones first."""
    found = [*_verdicts(alerts), *_passages(alerts), *_balance(alerts)]
    return sorted(found, key=lambda finding: not finding.serious)


def view(alerts: Alerts, found: list[Finding]) -> None:
    """The findings as cards."""
    if not found:
        st.success(
            "No findings: the evidence is dated, comes from several rated sources, and no verdict depends on one weak "
            "source.", icon=":material/verified:",
        )  # fmt: skip
        return
    st.caption(
        f"{count(len(found), 'finding')} about {count(alerts.active, 'active passage')}. "
        "These are hints, not errors: old or single sources are often right."
    )
    for finding in found:
        _card(finding)


def _card(finding: Finding) -> None:
    with st.container(border=True, gap="small", key=f"analytics_alert_{finding.key}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.subheader(finding.heading, icon=f":material/{finding.icon}:", anchor=False, width="content")
            st.markdown(finding.badge, width="content")
        st.markdown(finding.says)
        if finding.target:
            st.page_link(
                KNOWLEDGE, label=finding.link, icon=":material/arrow_forward:", query_params=dict(finding.target)
            )
        for words, target in finding.topics:
            st.page_link(KNOWLEDGE, label=plain(words), icon=":material/sell:", query_params=dict(target))
        for run in finding.runs:
            _run(run)
        if finding.more:
            st.caption(f"And {finding.more:,} more.")


def _run(run: RunNote) -> None:
    badge = theme.VERDICTS[Label(run.label)] if run.label in set(Label) else None
    icon = badge.icon if badge else "fact_check"
    words = f"{badge.word}: " if badge else ""
    words += f"{plain(shorten(run.claim, 90))} ({plain(run.why)})"
    st.page_link("pages/verify.py", label=words, icon=f":material/{icon}:", query_params={"run": run.run_id})


def _verdicts(alerts: Alerts) -> list[Finding]:
    found = []
    if alerts.weak:
        n = alerts.weak_in_all
        found.append(
            Finding(
                "weak", "Verdicts on one weak source", "foundation", True,
                f"**{count(n, 'verdict')}** {'rests' if n == 1 else 'rest'} on a single origin rated below 0.6. "
                "A second, better source would make it safe.",
                runs=alerts.weak[:SHOWN], more=max(0, n - SHOWN),
            )
        )  # fmt: skip
    if alerts.retired:
        n = alerts.retired_in_all
        found.append(
            Finding(
                "retired", "Verdicts on retired evidence", "history_toggle_off", True,
                f"**{count(n, 'verdict')}** {'cites' if n == 1 else 'cite'} a passage that has since been retired. "
                "Check the claim again to see whether it still holds.",
                runs=alerts.retired[:SHOWN], more=max(0, n - SHOWN),
            )
        )  # fmt: skip
    return found


def _passages(alerts: Alerts) -> list[Finding]:
    found = []
    if n := alerts.quarantined:
        found.append(
            Finding(
                "quarantine", "In quarantine", "shield", True,
                f"**{count(n, 'passage')}** {'waits' if n == 1 else 'wait'} for your decision. "
                "Checks do not use them until then.",
                {"section": "quarantine"}, "Open the quarantine",
            )
        )  # fmt: skip
    if n := alerts.stale:
        found.append(
            Finding(
                "stale", "Old evidence", "hourglass_bottom", False,
                f"**{count(n, 'passage')}** ({share(n, alerts.active)}) {'was' if n == 1 else 'were'} published before "
                f"{theme.day(alerts.stale_before)}. Facts that change may be out of date.",
                browse(published_to=alerts.stale_before.isoformat()),
            )
        )  # fmt: skip
    if n := alerts.undated:
        found.append(
            Finding(
                "undated", "Undated evidence", "event_busy", False,
                f"**{count(n, 'passage')}** ({share(n, alerts.active)}) {'carries' if n == 1 else 'carry'} no "
                "publication date. Undated evidence weighs less for claims about the present and cannot be "
                "excluded by an as-of date.",
                browse(undated="1"),
            )
        )  # fmt: skip
    return found


def _balance(alerts: Alerts) -> list[Finding]:
    found = []
    if n := alerts.unrated:
        found.append(
            Finding(
                "unrated", "Unrated sources", "star_half", n * 2 > alerts.active,
                f"**{count(n, 'passage')}** ({share(n, alerts.active)}) {'comes' if n == 1 else 'come'} from domains "
                "without a rating, which count as half credible.",
                browse(credibility_from="0.5", credibility_to="0.5"),
            )
        )  # fmt: skip
    if n := alerts.without_address:
        found.append(
            Finding(
                "address", "Without an address", "link_off", False,
                f"**{count(n, 'passage')}** ({share(n, alerts.active)}) {'names' if n == 1 else 'name'} no page to "
                "look it up.",
                browse(domain=""),
            )
        )  # fmt: skip
    if alerts.dominant:
        domain, n = alerts.dominant
        found.append(
            Finding(
                "dominant", "One domain dominates", "pie_chart", False,
                f"**{share(n, alerts.active)}** of the passages come from **{plain(domain)}**. What that domain gets "
                "wrong, the knowledge base gets wrong too.",
                browse(domain=domain),
            )
        )  # fmt: skip
    if alerts.topics:
        n = len(alerts.topics)
        found.append(
            Finding(
                "topics", "Topics from one domain", "filter_1", True,
                f"**{n:,}** of {count(alerts.topics_in_all, 'topic')} "
                f"{'depends' if n == 1 else 'depend'} on a single domain.",
                topics=tuple(
                    (f"{t.name}: {count(t.passages, 'passage')}, all from {t.domain}", browse(topic=t.name))
                    for t in alerts.topics[:SHOWN]
                ),
                more=max(0, n - SHOWN),
            )
        )  # fmt: skip
    return found
