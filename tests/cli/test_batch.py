"""``ghost batch``: a list from a file, its results as a table, and going on with one."""

import csv
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ghost.cli.main import main
from ghost.events import Event
from ghost.jobs import BatchEngine
from ghost.types import Claim, Pipeline, PipelineChoice
from ghost.workbench import Workbench
from tests.cli.conftest import Captured

LIST = 'id,claim\n1,"The Great Wall of China is visible, from the Moon"\n\n2,Bees dance\n3,\n4,Bees dance\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "march.csv"
    path.write_text(LIST, encoding="utf-8")
    return path


def rows(body: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(body.decode("utf-8-sig"), newline="")))


def test_a_list_is_checked_written_as_csv_and_gone_on_with(
    file: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], built: list[dict[str, Any]]
) -> None:
    out, again = tmp_path / "out.csv", tmp_path / "again.csv"
    assert main(["batch", str(file), "--out", str(out), "--no-web", "--judge", "embedded"]) == 0
    found = rows(out.read_bytes())
    assert [row["id"] for row in found] == ["1", "2", "3", "4"]
    assert found[0]["ghost_verdict"] == "False"
    assert [row["ghost_status"] for row in found] == ["done", "done", "refused", "done"]
    assert found[1]["ghost_run"] == found[3]["ghost_run"] != ""
    said = capfdbinary.readouterr().err.decode()
    assert "1 blank line was left out: 3." in said
    assert "4 lines: False" in said
    assert built == [{"judge": "embedded", "web": False}]
    batch_id = said.split("Batch ")[1].split()[0]
    assert main(["batch", "--resume", batch_id, "--out", str(again)]) == 0
    assert again.read_bytes() == out.read_bytes()
    assert main(["batch", "--resume", batch_id, "--json"]) == 0
    lines = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert [line["line"] for line in lines] == [2, 4, 5, 6]
    assert lines[0]["columns"]["id"] == "1"


def test_the_sentences_of_an_unknown_column_are_checked_and_named(tmp_path: Path, capsys: Captured) -> None:
    path, out = Path(os.fsdecode(bytes(tmp_path) + b"/m\xe4rz.csv")), tmp_path / "out.csv"
    path.write_bytes("Nr;Aussage;Quelle\n1;Die Brücke wurde 2019 verkauft.;https://a.example/x-y\n".encode("cp1252"))
    assert main(["batch", str(path), "--out", str(out), "--no-web"]) == 0
    assert rows(out.read_bytes())[0]["Aussage"] == "Die Brücke wurde 2019 verkauft."
    assert "Claims: column 'Aussage'" in capsys.readouterr().err


@pytest.mark.parametrize(("words", "said"), [
    ([], "Name a file"),
    (["{file}", "--resume", "x"], "Name a file"),
    (["--resume", "x", "--pipeline", "seven-steps"], "A batch keeps the pipeline"),
    (["nowhere.csv"], "nowhere.csv cannot be read"),
    (["{file}", "--column", "nonsense"], "There are: id, claim."),
    (["{empty}"], "The file is empty"),
    (["{links}"], "No column contains sentences. Name the column of the claims with --column: Nr, Quelle."),
    (["{koi}", "--encoding", "nonsense"], "There is no text encoding"),
])  # fmt: skip
def test_what_cannot_be_used_is_refused_before_anything_is_opened(
    words: list[str], said: str, file: Path, tmp_path: Path, capsys: Captured, built: list[dict[str, Any]]
) -> None:
    koi = "claim\nМост открыт\n".encode("koi8-r")
    files = {"empty": b"\n", "links": b"Nr;Quelle\n1;https://a.example/x\n", "koi": koi}
    for name, body in files.items():
        (tmp_path / f"{name}.csv").write_bytes(body)
    filled = [word.format(file=file, **{name: tmp_path / f"{name}.csv" for name in files}) for word in words]
    assert main(["batch", *filled]) == 2
    assert said in capsys.readouterr().err
    assert built == []


def test_an_unknown_batch_is_a_failure_and_a_result_that_cannot_be_written_is_kept(
    file: Path, tmp_path: Path, capsys: Captured
) -> None:
    assert main(["batch", "--resume", "nonsense"]) == 1
    assert "there is no batch nonsense" in capsys.readouterr().err
    assert main(["batch", str(file), "--out", str(tmp_path / "no" / "such" / "out.csv")]) == 1
    assert "The results are kept" in capsys.readouterr().err
    assert main(["batch", str(file), "--out", "."]) == 1
    assert ". cannot be written: Is a directory. The results are kept" in capsys.readouterr().err


def test_a_batch_of_conversations_waits_for_its_model_and_can_be_written_without_one(
    file: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = tuple(PipelineChoice(name, True, "") for name in Pipeline)
    asked: list[str] = []
    verify = Workbench.verify

    def checked(self: Workbench, claim: Claim, **options: Any) -> Iterator[Event]:
        asked.append(options.pop("pipeline"))
        return verify(self, claim, **options)

    with monkeypatch.context() as patched:
        patched.setattr(Workbench, "pipelines", both)
        patched.setattr(Workbench, "verify", checked)
        assert main(["batch", str(file), "--pipeline", "single-conversation", "--no-web"]) == 0
    assert set(asked) == {"single-conversation"}
    done = capsys.readouterr().err.split("Batch ")[1].split()[0]
    assert main(["batch", "--resume", done]) == 0, "nothing is left to check"
    with monkeypatch.context() as patched:
        patched.setattr(Workbench, "pipelines", both)
        patched.setattr(BatchEngine, "resume", lambda *_: None)  # as if it had been killed at once
        assert main(["batch", str(file), "--pipeline", "single-conversation", "--no-web"]) == 1
    begun = capsys.readouterr().err.split("Batch ")[-1].split()[0]
    assert main(["batch", "--resume", begun]) == 2
    assert "A single conversation is not possible" in capsys.readouterr().err
