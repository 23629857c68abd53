"""What can be typed after ``python -m ghost bench``."""

from pathlib import Path

import pytest

from bench.cli import main
from bench.speed_tables import FIGURES, markers


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["velocity"], "choose from 'speed'"),
        ([], "required: NAME"),
        (["speed", "--passages", "0"], "'0' is not a number from 1"),
        (["speed", "--claims", "many"], "'many' is not a number"),
        (["speed", "--growth", "1000,lots"], "'lots' is not a number from 1"),
        (["speed", "--growth", "1000,"], "'' is not a number from 1"),
        (["speed", "--growth", "1000", "--passages", "1000"], "not allowed with"),
        (["speed", "--skip", "page,cellar"], "cellar is no part; the parts are verification, cold, page"),
        (["speed", "--json", "/nowhere/at/all.json"], "cannot be written"),
        (["speed", "--docs", "/nowhere/at/all.md"], "no place for the table"),
    ],
)
def test_what_cannot_be_used_is_said_before_anything_is_measured(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert said in err
    assert not out


def test_growth_needs_a_place_of_its_own_in_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "speed.md"
    page.write_text("\n".join(markers(FIGURES)), encoding="utf-8")
    assert main(["speed", "--growth", "1000", "--docs", str(page)]) == 2
    assert "is not a page with a line <!-- growth: begin -->" in capsys.readouterr().err


def test_a_folder_is_not_a_file_to_write_and_help_names_the_benchmarks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["speed", "--json", str(tmp_path)]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert main(["--help"]) == 0
    assert "speed" in capsys.readouterr().out
