"""Skills, shipped and the analyst's own, and what is wrong with the file of the latter."""

import streamlit as st

from ghost.types import Policy, Skill
from ghost.ui.shared import theme
from ghost.ui.shared.parts import Workbench
from ghost.ui.shared.text import count, plain, shorten

EXAMPLE = """skills:
  - name: city-council
    title: City council
    description: Minutes and budgets first, then local news.
    categories: [political, institutional]
    policy:
      freshness_days: 60
      max_sources: 4
      allowed_sites: [city.example.org]
      guardrails:
        - If sources disagree, present both.
    questions:
      - What did the council decide about {topic}?
      - When did the council decide about {topic}?
      - What does {topic} cost?
      - Who opposed {topic}, and why?
"""
"""What the analyst is shown; a test keeps it readable."""


def skills_section(workbench: Workbench) -> None:
    """All skills with their policies, and where the analyst's file is."""
    st.header("Skills", anchor=False)
    st.markdown(
        "A skill says how to research a kind of topic: how old evidence may be, which sources count, which questions "
        "to ask, and rules for the answers."
    )
    skills_problem(workbench)
    with st.container(gap="small"):
        for skill in workbench.research.skills.all():
            _skill(skill)
    with st.expander("Add your own", icon=":material/add:", key="research_skill_add"):
        st.markdown(
            f"Write them to **{plain(str(workbench.research.skills.path))}** and reload this page. A skill with the "
            "name of a shipped one replaces it."
        )
        st.code(EXAMPLE, language="yaml", wrap_lines=True)


def _skill(skill: Skill) -> None:
    words = ("Comes with Ghost", "potted_plant", "gray") if skill.shipped else ("Yours", "person", "blue")
    with st.container(border=True, gap="xsmall", key=f"research_skill_{skill.name}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.subheader(plain(shorten(skill.title, 80)), anchor=False, width="content")
            st.markdown(f"{theme.badge(*words)} :gray[:small[{plain(skill.name)}]]", width="content")
        st.markdown(plain(shorten(skill.description, 400)))
        with st.expander(policy_line(skill.policy), icon=":material/rule:", type="compact",
                         key=f"research_policy_{skill.name}"):  # fmt: skip
            policy_list(skill)


def skills_problem(workbench: Workbench) -> None:
    """What is wrong with the analyst's file, by line and field; nothing where it is sound."""
    skills = workbench.research.skills
    if problem := skills.problem:
        where = f"line {problem.line}" if problem.line else "the file"
        name = f", field **{plain(shorten(problem.field, 80))}**" if problem.field else ""
        st.warning(
            f"**Your skills.yaml has an error** in {where}{name}: {plain(shorten(problem.message, 400))}  \n"
            f"Ghost keeps using the last valid version. File: {plain(str(skills.path))}",
            icon=":material/edit_note:",
        )


def policy_line(policy: Policy) -> str:
    """The policy in a line, as Markdown."""
    parts = [
        f"evidence up to {count(policy.freshness_days, 'day')} old",
        f"up to {count(policy.max_sources, 'source')} per question",
        "web allowed" if policy.allow_web else "no web",
    ]
    if policy.allowed_sites:
        parts.append(f"only {count(len(policy.allowed_sites), 'site')}")
    return " · ".join(parts)


def policy_list(skill: Skill) -> None:
    """Everything that a policy says."""
    p = skill.policy
    rows = [
        ("Evidence", f"up to {count(p.freshness_days, 'day')} old"),
        ("Sources per question", f"at most {p.max_sources}"),
        ("Questions", f"about {p.depth}"),
        ("Web", "allowed" if p.allow_web else "not allowed"),
    ]
    if p.min_credibility:
        rows.append(("Credibility", f"at least {p.min_credibility:.2f}"))
    if p.allowed_sites:
        rows.append(("Only these sites", plain(shorten(", ".join(p.allowed_sites), 400))))
    if p.denied_sites:
        rows.append(("Never these sites", plain(shorten(", ".join(p.denied_sites), 400))))
    st.markdown("  \n".join(f":gray[{name}:] {value}" for name, value in rows))
    if p.guardrails:
        st.markdown("\n".join(f"- {plain(shorten(rule, 300))}" for rule in p.guardrails))
    if skill.questions:
        st.caption("Its questions: " + " · ".join(plain(shorten(q, 160)) for q in skill.questions))
