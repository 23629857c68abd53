"""``python -m ghost keys …``: API keys. Needs the database only, so it works while a workbench runs."""

from argparse import Namespace
from contextlib import closing
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from config import load_settings
from ghost.cli.terminal import print_json, say, show, typed
from ghost.records import PAIRING_MINUTES, ApiKey, ApiKeys, Database, LocalToken, Role, utc_now
from ghost.reports import day, iso
from ghost.text import one_line


def keys(args: Namespace) -> int:
    """Do what ``args.action`` says and print what came of it."""
    settings = load_settings()
    if args.action == "token":
        token = LocalToken(settings.database_path.parent).ensure()
        return show(args.json, {"token": token}, token)
    with closing(Database.open(settings.database_place)) as database:
        kept = ApiKeys(database)
        match args.action:
            case "add":
                return _add(kept, args)
            case "pair":
                code = kept.pairing.new_code()
                say(f"ghost: enter this code in the extension within {PAIRING_MINUTES} minutes. It works once.")
                return show(args.json, {"code": code}, code)
            case "revoke":
                key = kept.revoke(typed(args.id))
                words = f"The key {key.id} ({one_line(key.name)}) is revoked. This cannot be undone."
                return show(args.json, key_value(key), words)
            case _:
                return _print_list(kept, args.json)


def key_value(key: ApiKey) -> dict[str, Any]:
    """A key as JSON-safe values; its secret is not known here."""
    times = {name: iso(getattr(key, name)) for name in ("created_at", "expires_at", "last_used_at", "revoked_at")}
    return {**asdict(key), "role": key.role.value, **times, "state": _state(key)}


def _add(kept: ApiKeys, args: Namespace) -> int:
    """The key alone goes to standard output, so that a script can take it from there."""
    expires_at = utc_now() + timedelta(days=args.days) if args.days else None
    key, text = kept.add(typed(args.name), Role(args.role), expires_at)
    show(args.json, {"key": text, **key_value(key)}, text)
    until = f" It is accepted until {day(key.expires_at)}." if key.expires_at else ""
    say(f"ghost: keep this key now: only a hash of it is stored, so it is not shown again.{until}")
    return 0


def _print_list(kept: ApiKeys, as_json: bool) -> int:
    found = kept.list()
    if as_json:
        print_json({"keys": [key_value(key) for key in found]})
        return 0
    for key in found:
        used = f"last used {day(key.last_used_at)}" if key.last_used_at else "never used"
        until = f", until {day(key.expires_at)}" if key.expires_at else ""
        state = _state(key)
        marked = "" if state == "active" else f" ({state})"
        print(f"{key.id}  {key.role.value:<6}  {one_line(key.name)}, made {day(key.created_at)}{until}, {used}{marked}")
    if not found:
        print("There are no keys.")
    return 0


def _state(key: ApiKey) -> str:
    if key.revoked_at is not None:
        return "revoked"
    return "active" if key.active(utc_now()) else "expired"
