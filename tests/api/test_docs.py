"""docs/api.md names every route, every problem and every event there is, and no others."""

import re

from config import PROJECT, Settings
from ghost.api import KINDS, Opening, create_app

PAGE = (PROJECT / "docs" / "api.md").read_text(encoding="utf-8")


def test_every_route_is_in_the_table() -> None:
    described = create_app(Settings(), Opening()).openapi()
    routes = {f"{method.upper()} {path}" for path, operations in described["paths"].items() for method in operations}
    assert set(re.findall(r"^\| `([A-Z]+ /api/[^`]+)` \|", PAGE, re.MULTILINE)) == routes | {"WS /api/ws"}


def test_every_problem_is_in_the_table_of_its_status() -> None:
    rows = re.findall(r"^\| (\d{3}) \| (.+) \|$", PAGE, re.MULTILINE)
    told = {code: int(status) for status, codes in rows for code in re.findall(r"`(\w+)`", codes)}
    assert told == {code: kind.status for code, kind in KINDS.items()}


def test_every_event_is_in_the_table() -> None:
    described = create_app(Settings(), Opening()).openapi()
    stream = described["paths"]["/api/runs/{run_id}/events"]["get"]["responses"]["200"]["content"]["text/event-stream"]
    table = PAGE.partition("| Event |")[2].partition("\n\n")[0]
    assert re.findall(r"`(\w+)`", table) == stream["schema"]["properties"]["event"]["enum"]


def test_every_event_of_a_research_is_in_its_table() -> None:
    described = create_app(Settings(), Opening()).openapi()
    events = described["paths"]["/api/research/{research_id}/events"]["get"]["responses"]["200"]
    table = PAGE.partition("| Research event |")[2].partition("\n\n")[0]
    assert (
        re.findall(r"`(\w+)`", table) == events["content"]["text/event-stream"]["schema"]["properties"]["event"]["enum"]
    )
