"""``python -m ghost keys``: made, listed and revoked while something else has the knowledge base open."""

from pathlib import Path

import pytest

from ghost.cli.main import main
from ghost.records import ApiKeys, Database, Role
from tests.cli.conftest import Captured, Run


def test_a_key_is_shown_once_and_only_on_standard_output(capsys: Captured, tmp_path: Path) -> None:
    assert main(["keys", "add", "Browser\x1b[31m extension", "--role", "verify", "--days", "90"]) == 0
    shown = capsys.readouterr()
    text = shown.out.removesuffix("\n")
    assert "not shown again" in shown.err
    assert "until" in shown.err
    assert text not in shown.err
    database = Database.open(tmp_path / "data" / "ghost.db")
    assert ApiKeys(database).find(text).role is Role.VERIFY
    database.close()
    assert main(["keys", "list"]) == 0
    listed = capsys.readouterr().out
    assert "verify" in listed
    assert "\x1b" not in listed
    assert text.rpartition("_")[2] not in listed
    key_id = listed.split()[0]
    assert main(["keys", "revoke", key_id]) == 0
    assert "cannot be undone" in capsys.readouterr().out
    assert main(["keys", "list"]) == 0
    assert "(revoked)" in capsys.readouterr().out


def test_as_json(run: Run, capsys: Captured) -> None:
    assert run("keys", "list") == {"keys": []}
    made = run("keys", "add", "a", "--role", "read")
    assert made["key"].startswith(f"ghost_{made['id']}_")
    assert (made["role"], made["expires_at"], made["state"]) == ("read", None, "active")
    (listed,) = run("keys", "list")["keys"]
    assert listed == {name: value for name, value in made.items() if name != "key"}
    assert run("keys", "revoke", made["id"])["state"] == "revoked"
    assert "no key nothing" in run("keys", "revoke", "nothing", code=1)["error"]
    assert "needs a name" in run("keys", "add", " ", "--role", "read", code=2)["error"]


def test_a_code_and_the_token_of_this_machine(run: Run, capsys: Captured, tmp_path: Path) -> None:
    assert main(["keys", "pair"]) == 0
    shown = capsys.readouterr()
    assert "within 10 minutes" in shown.err
    database = Database.open(tmp_path / "data" / "ghost.db")
    keys = ApiKeys(database, tmp_path / "data")
    keys.pairing.use(shown.out)
    assert main(["keys", "token"]) == 0
    assert keys.find(capsys.readouterr().out.strip()).role is Role.CURATE
    database.close()
    (tmp_path / "data" / "api-token").chmod(0o604)
    assert "can be read by others. Delete the file" in run("keys", "token", code=1)["error"]


@pytest.mark.parametrize("words", ["add", "add x", "add x --role boss", "add x --role read --days 0", "revoke", ""])
def test_what_cannot_be_used_is_refused(words: str) -> None:
    assert main(["keys", *words.split()]) == 2


def test_no_model_is_loaded_and_no_index_is_opened(built: list[dict[str, object]], capsys: Captured) -> None:
    assert main(["keys", "list"]) == 0
    assert capsys.readouterr().out == "There are no keys.\n"
    assert built == []
