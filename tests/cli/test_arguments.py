"""What can be typed, and what is refused before anything is opened."""

import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from config import PROJECT
from ghost.cli.arguments import UsageError, parser
from ghost.cli.main import main


def test_verify_takes_all_that_can_be_said_about_a_claim() -> None:
    args = parser().parse_args(
        ["verify", "A claim.", "--as-of", "2024-05-31", "--found-at", "https://a.example", "--context", "c",
         "--judge", "embedded", "--no-web", "--json"]
    )  # fmt: skip
    assert (args.command, args.claim, args.as_of) == ("verify", "A claim.", date(2024, 5, 31))
    assert (args.found_at, args.context, args.judge, args.no_web, args.json) == (
        "https://a.example", "c", "embedded", True, True,
    )  # fmt: skip


def test_a_claim_may_begin_with_a_minus() -> None:
    assert parser().parse_args(["verify", "-40 Celsius is -40 Fahrenheit."]).claim.startswith("-40")


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["verfy"],
        ["verify"],
        ["verify", "two", "words"],
        ["verify", "c", "--as-of", "2024-13-01"],
        ["verify", "c", "--as-of", "yesterday"],
        ["verify", "c", "--judge", "robot"],
        ["verify", "c", "--bogus"],
        ["kb"],
        ["kb", "burn"],
        ["kb", "search"],
        ["kb", "search", "q", "--limit", "0"],
        ["kb", "search", "q", "--limit", "²"],
        ["kb", "search", "q", "--limit", "9" * 30],
        ["kb", "add", "text"],
        ["kb", "add", "--source", "https://a.example"],
        ["kb", "add", "text", "--file", "f", "--source", "https://a.example"],
        ["kb", "add", "text", "--source", "https://a.example", "--published", "1"],
        ["kb", "retire"],
    ],
)
def test_what_cannot_be_used_is_refused(words: list[str]) -> None:
    with pytest.raises(UsageError) as caught:
        parser().parse_args(words)
    assert caught.value.usage.startswith("usage: ")


def test_help_loads_nothing_large() -> None:
    code = (
        "import sys\n"
        "from ghost.cli.main import main\n"
        "try:\n    main(['verify', '--help'])\nexcept SystemExit:\n    pass\n"
        "large = {'chromadb', 'streamlit', 'pandas', 'numpy', 'onnxruntime', 'sqlalchemy', 'torch'}\n"
        "print(sorted(large & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


def test_the_module_can_be_run(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ghost", "--version"], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "ghost 0.1.0\n")


def test_links_are_repeatable_and_need_the_web() -> None:
    assert parser().parse_args(["verify", "x", "--link", "a.example", "--link", "b.example"]).link == [
        "a.example",
        "b.example",
    ]
    assert parser().parse_args(["verify", "x"]).link == []
    with pytest.raises(UsageError, match="not allowed with"):
        parser().parse_args(["verify", "x", "--no-web", "--link", "a.example"])


def test_an_address_in_the_place_of_a_claim_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "https://news.example/story"]) == 2
    said = capsys.readouterr().err
    assert "not a claim" in said
    assert "--found-at" in said
