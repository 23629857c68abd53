"""What axe-core finds on a page that is open in the browser."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Frame, Page

OURS = {"heading-order", "page-has-heading-one", "empty-heading"}
"""Rules of less weight than serious that are kept all the same."""
_RUN = """async ([known, rules, only]) => {
    const some = only.length ? {runOnly: only} : {}
    const found = await axe.run(document, {resultTypes: ['violations'], ...some})
    const of = (rule, node) => {
        const element = document.querySelector(node.target[0])
        const why = (known[rule.id] || []).find(selector => element && element.matches(selector))
        return {rule: rule.id, impact: rule.impact, known: why || '', at: node.target.join(' '),
                html: node.html.slice(0, 300), summary: (node.failureSummary || '').slice(0, 400)}
    }
    return found.violations.filter(v => rules.includes(v.id) || ['serious', 'critical'].includes(v.impact))
        .flatMap(v => v.nodes.map(node => of(v, node)))
}"""


@dataclass(frozen=True, slots=True)
class Finding:
    """An element that breaks a rule."""

    rule: str
    impact: str
    known: str
    """The selector of the list that covers it; empty when none does."""
    at: str
    html: str
    summary: str


def findings(page: Page | Frame, known: dict[str, list[str]], only: Sequence[str] = ()) -> list[Finding]:
    """What breaks a grave rule or one of OURS; ``known`` has the selectors that are covered, by rule.

    With ``only``, no other rules are tried.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found: list[dict[str, Any]] = page.evaluate(_RUN, [known, sorted(OURS), list(only)])
    return [Finding(**each) for each in found]
