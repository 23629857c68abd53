"""The golden claims run through the command line, and what is kept of each result."""

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from tests.golden.doors import ENV_FILE, DemoWeb, ScriptedLLM, demo_environment, held_open, run_command
from tests.golden.scripted import Script
from tests.seeded import PACKS_OFF

HERE = Path(__file__).parent
CLAIMS, EXPECTED = HERE / "claims.jsonl", HERE / "expected.jsonl"
DIGITS = 4
PATIENCE = {"GHOST_PAGE_SECONDS": "30", "GHOST_SEARCH_SECONDS": "30", "GHOST_MAX_SECONDS": "1800"}
"""On the demo web, so that a busy machine reads as many pages as a quiet one."""
TOP = 3
"""Pieces of evidence that are kept."""
_PORT = re.compile(r"((?:127\.0\.0\.1|localhost|\.test)):\d+")
_CITED = ("statement", "quote", "url", "stance", "accepted", "why")
_MARK = re.compile(r"\[(\d+)\]")
_OPTIONS = ("context", "as_of", "found_at", "statement", "allow_site", "deny_site", "link")

Row = dict[str, Any]


def read_rows(path: Path) -> list[Row]:
    """The objects of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_rows(path: Path, rows: list[Row]) -> None:
    """One object on each line, as people can read it."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def run_claims(claims: list[Row]) -> Iterator[Row]:
    """What is kept of each result, in the order of the claims.

    Claims of one judge share a knowledge base, as an analyst's do: one with the demo web and one without.
    """
    script = Script({claim["claim"]: claim["script"] for claim in claims if "script" in claim})
    with tempfile.TemporaryDirectory() as folder, DemoWeb() as web, ScriptedLLM.serving(script) as llm:
        seeded = Path(folder) / "seeded"
        with environment(seeded):
            run_command("seed")
        with held_open():
            for claim in claims:
                data = Path(folder) / f"{claim['judge']}-{'web' if claim.get('web') else 'no-web'}"
                if not data.exists():
                    shutil.copytree(seeded, data)  # seeding takes longer than most claims
                with environment(data, **_settings(claim, data, web, llm.url)):
                    code, out, err = run_command(*_words(claim, web))
                yield kept(claim["id"], code, json.loads(out) if out.startswith("{") else {"error": err})


def kept(name: str, code: int, result: Mapping[str, Any]) -> Row:
    """What of a canonical result must stay the same from run to run and from machine to machine."""
    verdict = result.get("verdict") or {}
    claim = result.get("claim") or {}
    evidence = sorted(
        result.get("evidence", ()), key=lambda e: (-round(e["final"], DIGITS), _normal(e["url"]), e["text"])
    )
    citations = sorted(result.get("citations", ()), key=lambda c: (c["statement"], _normal(c["url"]), c["quote"]))
    numbers = {c["n"]: place for place, c in reversed(list(enumerate(citations, start=1))) if _numbered(c, evidence)}
    found = {
        "id": name,
        "exit_code": code,
        "status": result.get("status"),
        "error": result.get("error"),
        "type": claim.get("type"),
        "statements": [s["text"] for s in claim.get("statements", ())],
        "label": verdict.get("label"),
        "confidence": verdict.get("confidence"),
        "leaning": verdict.get("leaning"),
        "contested": verdict.get("contested"),
        "explanation": _renumbered(verdict.get("explanation") or "", numbers),
        "reasons": [{"code": r["code"], "text": r["text"]} for r in verdict.get("reasons", ())],
        "statement_labels": [s["label"] for s in verdict.get("statements", ())],
        "citations": [{"n": numbers.get(c["n"], c["n"]), **{field: c[field] for field in _CITED}} for c in citations],
        "judge": result.get("judge"),
        "evidence_count": len(evidence),
        "evidence": [
            {"text": e["text"], "url": e["url"], "statement": e["statement"], "stance": e["stance"]}
            for e in evidence[:TOP]
        ],
        "steps": [{k: s[k] for k in ("name", "decision")} for s in result.get("steps", ())],
    }
    return {key: _normal(value) for key, value in found.items()}


def _numbered(citation: Row, evidence: list[Row]) -> bool:
    return any(e["n"] == citation["n"] for e in evidence)


def _renumbered(text: str, numbers: Mapping[int, int]) -> str:
    """With the marks of its citations counted anew.

    Passages of equal weight are numbered by their ids, which on the demo web change with the port it listens on.
    """
    return _MARK.sub(lambda mark: f"[{numbers.get(int(mark[1]), mark[1])}]", text)


def _normal(value: Any) -> Any:
    """Without ports, numbers rounded."""
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, str):
        return _PORT.sub(r"\1", value)
    if isinstance(value, dict):
        return {k: _normal(v) for k, v in value.items()}
    return [_normal(v) for v in value] if isinstance(value, list) else value


def _words(claim: Row, web: DemoWeb) -> list[str]:
    """What is typed for a claim; addresses of the demo web get the port that it listens on."""
    words = ["verify", claim["claim"], "--json", "--judge", claim["judge"]]
    for option in _OPTIONS:
        given = claim.get(option, [])
        for value in given if isinstance(given, list) else [given]:
            words += [f"--{option.replace('_', '-')}", value.replace(".test/", f".test:{web.port}/")]
    return words if claim.get("web") else [*words, "--no-web"]


def _settings(claim: Row, data: Path, web: DemoWeb, llm: str) -> dict[str, str]:
    """What the claims of one judge need."""
    found = demo_environment(web, data) | PATIENCE if claim.get("web") else {}
    return found | ({"GHOST_LOCAL_BASE_URL": llm, "GHOST_LLM_RETRIES": "0"} if claim["judge"] == "local" else {})


@contextmanager
def environment(data: Path, **settings: str) -> Iterator[None]:
    """These settings and no others: nothing of the person who runs this."""
    data.mkdir(exist_ok=True)
    given = {"GHOST_PACKS_OFF": PACKS_OFF, "GHOST_WEB": "false", "GHOST_DATA_DIR": str(data), **settings}
    others = {k: v for k, v in os.environ.items() if not k.startswith("GHOST_") and k != "OPENAI_API_KEY"}
    with mock.patch.dict(os.environ, others | given, clear=True), mock.patch.dict(ENV_FILE, env_file=None):
        yield
