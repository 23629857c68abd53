"""``ghost seed``, and the check of its links over sites of this machine."""

import json
from pathlib import Path
from typing import Any

import pytest

import seed_kb
from config import Settings
from ghost.cli.main import main
from ghost.cli.seed import check_library_links
from ghost.web import Fetcher, FetchLimits, Memory, NotFetched, Problem
from tests.cli.conftest import Captured, Run
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
    facts = ("Bats hang upside down to sleep.", "Honey keeps for years when it is sealed.", "The Moon has no air.")

    def write(*urls: str) -> None:
        lines = (json.dumps({"text": text, "source": url}) for text, url in zip(facts, urls, strict=False))
        (folder / "animals.jsonl").write_text("\n".join(lines), encoding="utf-8")

    return write


def test_seeding_twice_adds_nothing(pack: Any, run: Run) -> None:
    pack("https://a.example/", "https://b.example/")
    first, second = run("seed"), run("seed")
    assert (first["added"], first["off"]) == (2, [])
    assert (second["added"], second["merged"]) == (0, 2)


def test_dead_and_moved_addresses_are_reported_with_their_packs(pack: Any, capsys: Captured) -> None:
    with site(answers) as one:
        looker = Fetcher(Memory(), FetchLimits(gap=0.0), resolve=no_names, local=[(one.host, one.port)])
        pack(f"{one.url}/fine", f"{one.url}/moved", f"{one.url}/none")
        assert check_library_links(Settings(web=True), False, looker) == 1
        shown = capsys.readouterr().out
        assert f"Dead (1)\n  {one.url}/none  (animals)\n" in shown
        assert f"now {one.url}/here" in shown
        assert shown.endswith("1 fine, 1 moved, 1 dead\n")
        assert check_library_links(Settings(web=True), True, looker) == 1
        found = json.loads(capsys.readouterr().out)
        assert found["counts"]["dead"] == 1
        assert found["links"][2] | {"why": ""} == {
            "url": f"{one.url}/none", "state": "dead", "status": 404, "final_url": "", "why": "", "packs": ["animals"],
        }  # fmt: skip
        pack(f"{one.url}/fine", f"{one.url}/moved")
        assert check_library_links(Settings(web=True), False, looker) == 0


def test_without_a_network_or_with_the_web_off_it_says_so(pack: Any, capsys: Captured) -> None:
    class Nobody:
        """Reaches no host."""

        def look(self, url: str, seconds: float, check: Any) -> NotFetched:
            return NotFetched(url, Problem.HOST, "The name cannot be looked up.", 0.0, 0)

    pack("https://a.example/", "https://b.example/")
    assert check_library_links(Settings(web=True), True, Nobody()) == 1
    told = capsys.readouterr()
    assert "there seems to be no network" in json.loads(told.out)["error"]
    assert "No address was checked" in told.err
    assert main(["seed", "--check-links"]) == 2
    assert "GHOST_WEB is false" in capsys.readouterr().err
