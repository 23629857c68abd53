"""The token of this machine, and the one-time codes that are exchanged for keys."""

import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from ghost.errors import KeyRefused, StoreError
from ghost.records import PAIRING_MINUTES, ApiKeys, Database, LocalToken, Role, utc_now


def test_a_token_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path, database: Database) -> None:
    folder = tmp_path / "data" / "new"
    keys = ApiKeys(database, folder)
    with pytest.raises(KeyRefused):
        keys.find(f"ghost_local_{'0' * 64}")
    token = LocalToken(folder).ensure()
    assert LocalToken(folder).ensure() == token
    (file,) = folder.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert (keys.find(token).role, keys.list()) == (Role.CURATE, [])
    with pytest.raises(KeyRefused):
        ApiKeys(database).find(token)
    file.unlink()
    with pytest.raises(KeyRefused):
        keys.find(token)
    assert LocalToken(folder).ensure() != token


@pytest.mark.skipif(os.name != "posix", reason="there are no modes and owners to trust")
@pytest.mark.parametrize("spoiled", ["mode", "owner", "link", "damaged"])
def test_a_file_that_others_may_know_is_no_token_and_is_left_to_a_person(
    tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch, spoiled: str
) -> None:
    keys, token = ApiKeys(database, tmp_path), LocalToken(tmp_path).ensure()
    (file,) = tmp_path.glob("api-token")
    match spoiled:
        case "mode":
            file.chmod(0o640)
        case "owner":
            monkeypatch.setattr("os.geteuid", lambda: file.stat().st_uid + 1)
        case "link":
            file.rename(tmp_path / "elsewhere")
            file.symlink_to(tmp_path / "elsewhere")
        case _:
            file.write_text("x" * 1000)
    with pytest.raises(KeyRefused):
        keys.find(token)
    with pytest.raises(StoreError, match="Delete the file to get a new one"):
        LocalToken(tmp_path).ensure()


def test_a_code_works_once_and_only_the_latest(database: Database) -> None:
    pairing = ApiKeys(database).pairing
    old, code = pairing.new_code(), pairing.new_code()
    with pytest.raises(KeyRefused, match="Attempts left: 4"):
        pairing.use(old)
    ApiKeys(database).pairing.use(code.lower().replace("-", " "))
    with pytest.raises(KeyRefused, match="no longer valid"):
        pairing.use(code)


def test_a_few_wrong_codes_end_the_right_one(database: Database) -> None:
    pairing = ApiKeys(database).pairing
    code = pairing.new_code()
    told = []
    for _ in range(5):
        with pytest.raises(KeyRefused) as refusal:
            pairing.use("")
        told.append(str(refusal.value))
    assert ["Attempts left" in text for text in told] == [True, True, True, True, False]
    with pytest.raises(KeyRefused, match="no longer valid"):
        pairing.use(code)


def test_a_code_expires(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    pairing, now = ApiKeys(database).pairing, utc_now()
    code = pairing.new_code()

    def later() -> datetime:
        return now + timedelta(minutes=PAIRING_MINUTES, seconds=1)

    monkeypatch.setattr("ghost.records.pairing.utc_now", later)
    with pytest.raises(KeyRefused, match="no longer valid"):
        pairing.use(code)
