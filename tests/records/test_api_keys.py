"""API keys: who is let in, who is refused and why, and what is kept of a key."""

import time
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from ghost.errors import ClaimError, KeyRefused, StoreError
from ghost.records import FRESH_SECONDS, MAX_KEY_NAME, ApiKeys, Database, Role, utc_now


def refusal(keys: ApiKeys, text: str) -> str:
    with pytest.raises(KeyRefused) as caught:
        keys.find(text)
    assert "ghost keys add" in str(caught.value)
    assert text not in str(caught.value) or not text
    return caught.value.reason


def test_each_role_includes_the_ones_before() -> None:
    allowed = {(role, needed) for role in Role for needed in Role if role.allows(needed)}
    r, v, c = Role
    assert allowed == {(r, r), (v, r), (v, v), (c, r), (c, v), (c, c)}


def test_a_key_is_found_by_its_text_and_only_a_hash_of_it_is_stored(database: Database) -> None:
    keys = ApiKeys(database)
    assert not keys.any_active()
    key, secret = keys.add("  The \u200bbrowser\nextension ", Role.VERIFY)
    assert (key.name, key.role, key.expires_at, key.revoked_at) == ("The browser extension", Role.VERIFY, None, None)
    assert secret.startswith(f"ghost_{key.id}_")
    assert len(secret.split("_")) == 3
    assert keys.find(secret).id == key.id
    assert keys.any_active()
    assert keys.add("The browser extension", Role.READ)[1] != secret
    with database.read() as connection:
        kept = str(connection.execute(text("SELECT * FROM api_keys")).all())
    assert key.id in kept
    assert secret.rpartition("_")[2] not in kept


def test_the_text_of_a_key_is_in_no_file(sqlite_database: Database) -> None:
    _, secret = ApiKeys(sqlite_database).add("x", Role.READ)
    sqlite_database.close()
    files = [path for path in sqlite_database.path.parent.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if secret.rpartition("_")[2].encode() in path.read_bytes()]


def test_a_refused_key_says_why_only_to_who_has_its_secret(database: Database) -> None:
    keys = ApiKeys(database)
    key, secret = keys.add("x", Role.READ, utc_now() + timedelta(days=1))
    wrong = secret[:-1] + ("0" if secret[-1] != "0" else "1")
    for other in ("", "x", wrong, secret + "0", secret.upper(), f"ghost_00000000_{'0' * 64}", "ghost_" * 100_000,
                  "\udcff", secret.replace(key.id, "00000000")):  # fmt: skip
        assert refusal(keys, other) == "unknown"
    with database.write() as connection:
        connection.execute(text("UPDATE api_keys SET expires_at = :t"), {"t": "2020-01-01 00:00:00.000000"})
    assert refusal(ApiKeys(database), secret) == "expired"
    assert not keys.any_active()
    revoked = keys.revoke(key.id)
    assert revoked.revoked_at
    assert keys.revoke(key.id) == revoked
    assert refusal(keys, secret) == "revoked"
    assert refusal(keys, wrong) == "unknown"
    with pytest.raises(StoreError, match="no key nothing"):
        keys.revoke("nothing")


def test_a_key_that_was_revoked_elsewhere_stops_within_seconds(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys, elsewhere = ApiKeys(database), ApiKeys(database)
    key, secret = elsewhere.add("x", Role.READ)
    keys.find(secret)
    elsewhere.revoke(key.id)
    assert keys.find(secret).id == key.id
    assert FRESH_SECONDS <= 5
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + FRESH_SECONDS)
    assert refusal(keys, secret) == "revoked"


def test_when_it_was_used_is_written_once_a_minute(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = ApiKeys(database)
    _, secret = keys.add("x", Role.READ)
    assert keys.list()[0].last_used_at is None
    keys.find(secret)
    first = keys.list()[0].last_used_at
    assert first is not None
    keys.find(secret)
    assert keys.list()[0].last_used_at == first
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 60)
    keys.find(secret)
    later = keys.list()[0].last_used_at
    assert later is not None
    assert later > first


def test_a_database_that_cannot_be_written_lets_readers_in(sqlite_database: Database) -> None:
    keys, database = ApiKeys(sqlite_database), sqlite_database
    _, secret = keys.add("x", Role.READ)
    with database.write() as connection:
        connection.execute(text("CREATE TRIGGER full BEFORE UPDATE ON api_keys BEGIN SELECT raise(ABORT, 'no'); END"))
    assert keys.find(secret).name == "x"


@pytest.mark.parametrize("name", ["", " \n", "\u200b", "x" * (MAX_KEY_NAME + 1)])
def test_a_key_needs_a_name(database: Database, name: str) -> None:
    with pytest.raises(ClaimError, match="No key was made"):
        ApiKeys(database).add(name, Role.READ)


def test_a_key_that_would_have_expired_is_not_made(database: Database) -> None:
    with pytest.raises(ClaimError, match="expired"):
        ApiKeys(database).add("x", Role.READ, utc_now())


def test_the_keys_are_listed_newest_first(database: Database, tmp_path: Path) -> None:
    keys = ApiKeys(database)
    made = [keys.add(name, Role.READ)[0] for name in ("a", "b", "c")]
    assert [key.name for key in keys.list()] == ["c", "b", "a"]
    assert keys.list()[0] == made[-1]
