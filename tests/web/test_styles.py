"""Style rules of a page, as far as they are simple."""

import pytest
from lxml import html as lxml_html

from ghost.web.declarations import declarations
from ghost.web.styles import sheet

PAGE = lxml_html.document_fromstring(
    "<body class=b><div id=d class='one two' data-k='left right'><p>1</p><p class=q>2</p><span>3</span></div></body>"
)


@pytest.mark.parametrize(
    ("selector", "fits"),
    [
        ("p.q", True), (".q", True), ("#d > .q", True), ("body .one.two p", True), ("div p + .q", True),
        ("p ~ p", True), ("[data-k] .q", True), ("[data-k~=right] .q", True), ("[data-k^='left'] > p", True),
        ("[data-k='left right'] .q", True), ("p:nth-child(2)", True), ("*", True), ("a, .q, b", True), ("P.Q", False),
        (".three .q", False), ("#d > #d .q", False), ("span + .q", False), ("p:first-child", False), ("p:hover", False),
        (".q::before", False), ("[data-k='left'] .q", False), ("> .q >", False), (":not(.q)", False),
        ("p:last-child", False), (":is(a, .q)", True), ("p:where(.x)", False), ("div :not(a, b).q", True),
        ("p:not(.q)", False), (":is(p:nth-child(2n), b)", True), ("p:nth-of-type(2)", True),
        ("p:nth-child(3n+1)", False), ("p:nth-child(even)", True), ("p:nth-child(-n+2)", True),
        ("p:nth-child(0n)", False), ("p:last-of-type", True),
        (":not(p q)", True), (":not(div p)", False), (":is()", False),
    ],
)  # fmt: skip
def test_which_elements_a_rule_is_about(selector: str, fits: bool) -> None:
    q = PAGE.find(".//p[2]")
    assert bool(sheet(f"{selector}{{display:none}}").declared_for(q)) is fits


@pytest.mark.parametrize(
    ("css", "value"),
    [
        (".q{display:none} p{display:block}", "none"),
        ("p{display:none} p{display:block}", "block"),
        ("p{display:none!important} .q{display:block}", "none"),
        ("#d .q{display:block} .q.q{display:none}", "block"),
        ("@media print{.q{display:none}}", None),
        ("@media (min-width:3000px){.q{display:none}}", None),
        ("@media screen and (max-width: 90em){.q{display:none}}", "none"),
        ("@media (width>=1px) and (max-height:900px){.q{display:none}}", "none"),
        ("@media (width<1px){.q{display:none}}", None),
        ("@media (prefers-color-scheme:dark){.q{display:none}}", None),
        ("@media not print{.q{display:none}}", "none"),
        ("@media not screen{.q{display:none}}", None),
        (".q{display:none} :where(#d .q, #d > p, .q){display:block}", "none"),
        (".q{display:none} :is(#x, .q){display:block}", "block"),
        (".q{display:none;display:bogus}", "none"),
        ("@supports (display:grid){@layer z{.q{display:none}}}", "none"),
        ("@supports (x:y){@layer z{.q{display:none}}}", None),
        ("@supports not (display:grid){.q{display:none}}", None),
        ("@keyframes k{.q{display:none}} @font-face{display:none}", None),
        ("@import 'x.css'; .q{display:none}", "none"),
        ("/* .q{display:none} */", None),
        ("x{content:'}/*{'} .q{display:none}", "none"),
        (r".\71{d\69splay:none}", "none"),
        ("div{color:red; .q{display:none}}", "none"),
        ("div{color:red; &.one .q{display:none}}", "none"),
        ("<!-- .q{display:none} -->", "none"),
        ("x{content:'} .q{display:block}\n y{} } .q{display:none}", "none"),
        ("a{top:0; b{top:1px} ;left:0} .q{x{top:0} display:none; y{top:0}}", "none"),
        (".q{display:none", "none"),
        ("} .q{display:none}", None),
    ],
)
def test_what_rules_come_to(css: str, value: str | None) -> None:
    declared = sheet(css).declared_for(PAGE.find(".//p[2]"))
    assert declared.get("display", (None, False))[0] == value


def test_an_attribute_weighs_more_than_a_rule_unless_it_is_important() -> None:
    p = lxml_html.fragment_fromstring("<p style='display:block; color: red'>x</p>")
    assert sheet("p{display:none}").declared_for(p)["display"] == ("block", False)
    assert sheet("p{display:none !important}").declared_for(p)["display"] == ("none", True)


def test_declarations_are_read_as_browsers_do() -> None:
    found = declarations("Color : RED ; color:blue;; background: url(a;b) , rgb(1, 2, 3)")
    assert found["color"] == ("blue", False)
    assert found["background-color"] == ("rgb(1, 2, 3)", False)
    assert found["background-image"][0].startswith("url(a")
    assert declarations("") == {}
    assert declarations("nonsense") == {}


def test_brackets_in_brackets_stay_together() -> None:
    value = "oklch(calc(0.1 + (0.1*1)) 0 0)"
    assert declarations(f"color: {value}; width: calc((1px + (2px)))")["color"] == (value, False)


def test_an_animation_that_ends_unseen_shows_nothing() -> None:
    css = "@keyframes a{to{opacity: 0}} @keyframes b{to{opacity: 1}} @keyframes c{to{opacity:  .5}}"
    assert sheet(css).fades_in == {"b", "c"}


@pytest.mark.parametrize("run", ["-", "a", "--a", "a{", "a;", "a:(", "a:()", "a:((", '"', "\\", '"\\', "/*", "{;", " "])
@pytest.mark.parametrize("begin", ["", "a{", "a{x:(", "a{-", '"'])
def test_long_runs_are_read(begin: str, run: str) -> None:
    """Each of them in milliseconds; looking back and forth would take minutes."""
    assert not sheet(begin + (run * 200_000)[:200_000] + "z}").declared_for(PAGE)
    assert "display" not in declarations(begin + (run * 20_000)[:20_000] + "z")


def test_dashes_before_letters_are_read() -> None:
    assert declarations("-" * 10_000 + "a" * 9_000) == {}
    assert not sheet("top" + "a" * 300_000 + "-" * 290_000).by_key


def test_sheets_without_end_are_cut_and_say_so() -> None:
    assert sheet("a{top:0}" * 100_000).cut
    assert not sheet("a{top:0}").cut


def test_rules_inside_rules_do_not_multiply() -> None:
    inside = "&" * 500
    assert not sheet(f".q{{{inside}{{{inside}{{{inside}{{{inside}{{display:none}}}}}}}}}}").declared_for(PAGE)
    found = sheet(f".{'a' * 1_500}{{b{{c{{& &{{display:none}}}}}}}} p{{&.q{{display:none}}}}")
    assert found.declared_for(PAGE.find(".//p[2]"))["display"] == ("none", False)
    assert not found.cut


@pytest.mark.parametrize(
    ("sheets", "value"),
    [
        (["@layer a{div p.q{display:none}}", ".q{display:block}"], "block"),
        (["@layer b,a;@layer a{.q{display:none}}", "@layer b{div p.q.q{display:block}}"], "none"),
        (["@layer a{.q{display:none!important}}", ".q{display:block!important}"], "none"),
        ([".q{display:none", ".z{color:red}"], "none"),
        (["/*", ".q{display:none}"], "none"),
        (["x{content:'", ".q{display:none}"], "none"),
        (["@media print{", ".q{display:none}"], "none"),
        ([".z{color:rgb(", ".q{display:none}"], "none"),
        ([".z{color:rgb(} .q{display:none}"], None),
        ([".q{display:none;@media screen{display:block}}"], "block"),
        ([".q{@media print{display:none}}"], None),
        (["@layer u{.q{@media (width>=1px){display:none}}}"], "none"),
        (["@scope (.ad){p{display:none}}"], None),
        (["@scope (div){p.q{display:none}}"], "none"),
        (["@scope (.q){:scope{display:none}}"], "none"),
        ([".x,#d{.q{display:none}}"], "none"),
        ([".x,.y{.q{display:none}}"], None),
        (["foo; .q{display:none}"], None),
    ],
)  # fmt: skip
def test_what_several_sheets_come_to(sheets: list[str], value: str | None) -> None:
    declared = sheet(*sheets).declared_for(PAGE.find(".//p[2]"))
    assert declared.get("display", (None, False))[0] == value


def test_names_are_escaped_until_they_are_read() -> None:
    p = lxml_html.fragment_fromstring("<p class='hidden md:block w-1/2 1q'>x</p>")
    css = r".hidden{display:none} @media (min-width:768px){.md\:block{display:block}} .w-1\/2{width:50%} .\31 q{top:0}"
    assert {n: v for n, (v, _) in sheet(css).declared_for(p).items()} == {
        "display": "block",
        "width": "50%",
        "top": "0",
    }


def test_the_same_rules_are_put_together_once() -> None:
    page = lxml_html.fragment_fromstring("<div><p style='top:0'>1</p><p style='top:0'>2</p></div>")
    found = sheet("p{left:0;color:var(--x)} div{--x:red}")
    one, two = (found.style_for(p) for p in page)
    assert one is two
    assert one.pending
    assert found.style_for(page).variables == {"--x": "red"}
