"""What the settings of the theme cannot say: a few rules so that everything can be read by everybody."""

import streamlit as st

RULES = """<style>
/* Captions and quotations are drawn at 60% opacity, links and badges in them too; only plain words are paler here. */
[data-testid="stCaptionContainer"][data-testid], [data-testid="stMarkdownContainer"][data-testid] blockquote {
    opacity: 1;
    color: color-mix(in srgb, currentColor 72%, transparent);
}
/* The chosen one of several is written in the primary colour, too dark on the dark theme; tint and weight tell it. */
button[data-variant][data-selected="true"][type="button"] { color: inherit; font-weight: 600; }
/* So are the chosen tab, which has a line below it, and the value above a slider. */
[data-testid="stTab"][aria-selected="true"][role="tab"], [data-testid="stSliderThumbValue"][data-testid] {
    color: inherit;
}
/* A row that does not wrap becomes a box that scrolls by some pixels, which a keyboard cannot do. */
[data-testid="stHorizontalBlock"][data-test-wrap="false"][data-testid] { overflow: visible; }
/* The keys that press a button are written paler than its words, too pale for its colour. */
[data-testid="stBaseButton-primary"] kbd[class] { color: inherit; opacity: 1; }
/* A link with a claim in it is cut off without a sign where it is longer than its line; it goes on in the next one. */
[data-testid="stPageLink-NavLink"][data-testid] { height: auto; }
[data-testid="stPageLink-NavLink"][data-testid] :is(span, div, p):not([data-testid="stIconMaterial"]) {
    white-space: normal;
    height: auto;
}
/* A report begins with its claim, so that is its first heading; the verdict below it is the one that is seen first. */
.st-key-verify_headline[data-testid] h1 { padding: 1rem 0; font-size: 1.625rem; letter-spacing: -0.005em; }
.st-key-verify_verdict[data-testid] h2 { padding: 1.25rem 0 1rem; font-size: 2.5rem; letter-spacing: normal; }
</style>"""
"""Constant and ours; nothing from outside may ever be put into it."""


def refine() -> None:
    """Apply the rules to the page that is drawn."""
    st.html(RULES)
