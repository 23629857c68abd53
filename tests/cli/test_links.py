"""``seed --check-links`` from the command line, over sites of this machine."""

import json
from pathlib import Path
from typing import Any

import pytest

import seed_kb
from config import Settings
from ghost.cli import links
from ghost.cli.main import main
from ghost.web import Fetcher, FetchLimits, Memory, NotFetched, Problem
from tests.web.sites import Request, no_names, page, site


def answers(request: Request) -> bytes:
    if request.path == "/moved":
        return page(b"", 301, Location="/here")
    return page(status=404 if request.path in ("/robots.txt", "/none") else 200)


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Writes the one pack of the library, of facts with these addresses."""
    folder = tmp_path / "packs"
    folder.mkdir()
    monkeypatch.setattr(seed_kb, "FOLDER", folder)

    def write(*urls: str) -> None:
        lines = (json.dumps({"text": f"Fact number {n} of this pack.", "source": url}) for n, url in enumerate(urls))
        (folder / "animals.jsonl").write_text("\n".join(lines), encoding="utf-8")

    return write


def test_dead_and_moved_addresses_are_reported_with_their_packs(pack: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with site(answers) as one:
        looker = Fetcher(Memory(), FetchLimits(gap=0.0), resolve=no_names, local=[(one.host, one.port)])
        pack(f"{one.url}/fine", f"{one.url}/moved", f"{one.url}/none")
        assert links.check(Settings(web=True), False, looker) == 1
        shown = capsys.readouterr().out
        assert f"Dead (1)\n  {one.url}/none  (animals)\n" in shown
        assert f"now {one.url}/here" in shown
        assert shown.endswith("1 fine, 1 moved, 1 dead\n")
        assert links.check(Settings(web=True), True, looker) == 1
        found = json.loads(capsys.readouterr().out)
        assert found["counts"]["dead"] == 1
        assert found["links"][2] | {"why": ""} == {
            "url": f"{one.url}/none", "state": "dead", "status": 404, "final_url": "", "why": "", "packs": ["animals"],
        }  # fmt: skip
        pack(f"{one.url}/fine", f"{one.url}/moved")
        assert links.check(Settings(web=True), False, looker) == 0


def test_without_a_network_it_says_so(pack: Any, capsys: pytest.CaptureFixture[str]) -> None:
    class Nobody:
        """Reaches no host."""

        def look(self, url: str, seconds: float, check: Any) -> NotFetched:
            return NotFetched(url, Problem.HOST, "The name cannot be looked up.", 0.0, 0)

    pack("https://a.example/", "https://b.example/")
    assert links.check(Settings(web=True), True, Nobody()) == 1
    told = capsys.readouterr()
    assert "there seems to be no network" in json.loads(told.out)["error"]
    assert "No address was checked" in told.err


def test_with_the_web_switched_off_nothing_is_asked_for(pack: Any, capsys: pytest.CaptureFixture[str]) -> None:
    pack("https://a.example/")
    assert main(["seed", "--check-links"]) == 2
    assert "GHOST_WEB is false" in capsys.readouterr().err
