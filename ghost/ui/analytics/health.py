"""Findings about the knowledge base, each with links to what it is about."""

from dataclasses import dataclass

import streamlit as st

from ghost.knowledge import Alerts, RunNote
from ghost.types import Label
from ghost.ui.analytics.bars import browse
from ghost.ui.shared import theme
from ghost.ui.shared.charts import KNOWLEDGE, Target
from ghost.ui.shared.text import count, plain, shorten
from ghost.ui.shared.theme import share

SHOWN = 10
"""Runs or topics that are listed."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to review."""

    number: int
    """Of passages, verdicts or topics; 0 where there is nothing to review."""
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
    """More links (hostile text), each to its passages."""
    runs: tuple[RunNote, ...] = ()

    @property
    def more(self) -> int:
        """Topics or runs beyond those listed."""
        return max(0, self.number - SHOWN) if self.topics or self.runs else 0


def findings(alerts: Alerts) -> list[Finding]:
    """All findings, serious ones first."""
    found = [finding for finding in (*_verdicts(alerts), *_passages(alerts), *_balance(alerts)) if finding.number]
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
    urgency = ("Review", "priority_high", "orange") if finding.serious else ("Note", "info", "gray")
    with st.container(border=True, gap="small", key=f"analytics_alert_{finding.key}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.subheader(finding.heading, icon=f":material/{finding.icon}:", anchor=False, width="content")
            st.markdown(theme.badge(*urgency), width="content")
        st.markdown(finding.says)
        if finding.target:
            st.page_link(
                KNOWLEDGE, label=finding.link, icon=":material/arrow_forward:", query_params=dict(finding.target)
            )
        for words, target in finding.topics:
            st.page_link(KNOWLEDGE, label=plain(words), icon=":material/sell:", query_params=dict(target))
        for run in finding.runs:
            badge = theme.VERDICTS[Label(run.label)] if run.label in set(Label) else None
            words = f"{badge.word}: " if badge else ""
            st.page_link(
                "pages/verify.py", label=f"{words}{plain(shorten(run.claim, 90))} ({plain(run.why)})",
                icon=f":material/{badge.icon if badge else 'fact_check'}:", query_params={"run": run.run_id},
            )  # fmt: skip
        if finding.more:
            st.caption(f"And {finding.more:,} more.")


def _verdicts(alerts: Alerts) -> list[Finding]:
    weak, retired = alerts.weak_in_all, alerts.retired_in_all
    return [
        Finding(
            weak, "weak", "Verdicts on one weak source", "foundation", True,
            f"**{count(weak, 'verdict')}** {'rests' if weak == 1 else 'rest'} on a single origin rated below 0.6. "
            "A second, better source would make it safe.", runs=alerts.weak[:SHOWN],
        ),
        Finding(
            retired, "retired", "Verdicts on retired evidence", "history_toggle_off", True,
            f"**{count(retired, 'verdict')}** {'cites' if retired == 1 else 'cite'} a passage that has since been "
            "retired. Check the claim again to see whether it still holds.", runs=alerts.retired[:SHOWN],
        ),
    ]  # fmt: skip


def _passages(alerts: Alerts) -> list[Finding]:
    waiting, stale, undated = alerts.quarantined, alerts.stale, alerts.undated
    return [
        Finding(
            waiting, "quarantine", "In quarantine", "shield", True,
            f"**{count(waiting, 'passage')}** {'waits' if waiting == 1 else 'wait'} for your decision. "
            "Checks do not use them until then.", {"section": "quarantine"}, "Open the quarantine",
        ),
        Finding(
            stale, "stale", "Old evidence", "hourglass_bottom", False,
            f"{_of(stale, alerts)} {'was' if stale == 1 else 'were'} published before "
            f"{theme.day(alerts.stale_before)}. Facts that change may be out of date.",
            browse(published_to=alerts.stale_before.isoformat()),
        ),
        Finding(
            undated, "undated", "Undated evidence", "event_busy", False,
            f"{_of(undated, alerts)} {'carries' if undated == 1 else 'carry'} no publication date. Undated evidence "
            "weighs less for claims about the present and cannot be excluded by an as-of date.", browse(undated="1"),
        ),
    ]  # fmt: skip


def _balance(alerts: Alerts) -> list[Finding]:
    unrated, nowhere, topics = alerts.unrated, alerts.without_address, len(alerts.topics)
    domain, dominant = alerts.dominant or ("", 0)
    return [
        Finding(
            unrated, "unrated", "Unrated sources", "star_half", unrated * 2 > alerts.active,
            f"{_of(unrated, alerts)} {'comes' if unrated == 1 else 'come'} from domains without a rating, which count "
            "as half credible.", browse(credibility_from="0.5", credibility_to="0.5"),
        ),
        Finding(
            nowhere, "address", "Without an address", "link_off", False,
            f"{_of(nowhere, alerts)} {'names' if nowhere == 1 else 'name'} no page to look it up.", browse(domain=""),
        ),
        Finding(
            dominant, "dominant", "One domain dominates", "pie_chart", False,
            f"**{share(dominant, alerts.active)}** of the passages come from **{plain(domain)}**. What that domain "
            "gets wrong, the knowledge base gets wrong too.", browse(domain=domain),
        ),
        Finding(
            topics, "topics", "Topics from one domain", "filter_1", True,
            f"**{topics:,}** of {count(alerts.topics_in_all, 'topic')} {'depends' if topics == 1 else 'depend'} on a "
            "single domain.",
            topics=tuple(
                (f"{t.name}: {count(t.passages, 'passage')}, all from {t.domain}", browse(topic=t.name))
                for t in alerts.topics[:SHOWN]
            ),
        ),
    ]  # fmt: skip


def _of(number: int, alerts: Alerts) -> str:
    return f"**{count(number, 'passage')}** ({share(number, alerts.active)})"
