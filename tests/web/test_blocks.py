"""A style sheet as its rules: nesting, conditions, layers and scopes."""

import pytest

from ghost.web.blocks import Block, Keyframes, Sheets, inside, scoped, split
from ghost.web.declarations import readable


def told(css: str) -> list[tuple[str, str]]:
    """Selectors and declarations of the rules that hold."""
    found = Sheets().blocks(readable(css))
    return [(b.selectors, b.declared.strip()) for b in found if isinstance(b, Block)]


@pytest.mark.parametrize(
    ("css", "rules"),
    [
        ("a{x:1} b{y:2}", [("a", "x:1"), ("b", "y:2")]),
        ("a{x:1;b{y:2}z:3}", [("a", "x:1"), ("a b", "y:2"), ("a", "z:3")]),
        ("a,b{c{y:2}}", [("a,b", ""), (":is(a,b) c", "y:2"), ("a,b", "")]),
        ("a{b,&.d{y:2}}", [("a", ""), ("a b,a.d", "y:2"), ("a", "")]),
        ("a{@media screen{x:1}}", [("a", ""), ("a", "x:1"), ("a", "")]),
        ("@media print{a{x:1}} b{y:2}", [("b", "y:2")]),
        ("@media print{@media screen{a{x:1}}}", []),
        ("@container (width>0px){a{x:1}} @starting-style{a{x:1}} @font-face{x:1}", []),
        ("a{x:(;} b{y:2} );y:3} c{z:4}", [("a", "x:(;} b{y:2} );y:3"), ("c", "z:4")]),
        ("a{--x:{b:c};y:2}", [("a", "--x:{b:c};y:2")]),
        ("x; a{x:1}", [("x; a", "x:1")]),
        ("@import 'x;y'; a{x:1}", [("a", "x:1")]),
        ("} a{x:1}", [("} a", "x:1")]),
        ("a{x:1", [("a", "x:1")]),
        ("a{x:(", [("a", "x:(")]),
        ("@media screen{a{x:1", [("a", "x:1")]),
        ("a{b:'}';c:d}", [("a", f"b:'{chr(0xF0000 + ord('}'))}';c:d")]),
    ],
)  # fmt: skip
def test_the_rules_of_a_sheet(css: str, rules: list[tuple[str, str]]) -> None:
    assert [r for r in told(css) if r[1]] == [r for r in rules if r[1]]


def test_layers_go_by_the_order_in_which_they_are_named() -> None:
    sheets = Sheets()
    css = ["@layer b,a;@layer a{x{y:1}} z{y:2}", "@layer b{x{y:3} @layer c{x{y:4}}} @layer{x{y:5}}"]
    places = {b.declared: b.layer for text in css for b in sheets.blocks(text) if isinstance(b, Block)}
    assert sorted(places, key=lambda d: places[d]) == ["y:4", "y:3", "y:1", "y:5", "y:2"]


def test_animations_are_told_apart() -> None:
    found = list(Sheets().blocks("@-webkit-keyframes In{from{x:1}to{x:2}}"))
    assert found == [Keyframes("in", "from{x:1}to{x:2}")]


def test_what_is_in_brackets_separates_nothing() -> None:
    assert split("a,:is(b,c),[d,e],f") == ["a", ":is(b,c)", "[d,e]", "f"]


def test_rules_inside_rules_have_an_end() -> None:
    assert inside("a" * 1_500, "& &") == ""
    assert inside("b", ".x&") == ".x:is(b)"
    assert inside("p", "&.q") == "p.q"


def test_a_scope_bounds_what_a_rule_is_about() -> None:
    assert scoped("p", ".a") == "p:where(:is(.a), :is(.a) *)"
    assert scoped("p", "a" * 1_000) == ""
    assert told("@scope (.a) to (.b){p{x:1}} @scope{p{x:1}}") == []
