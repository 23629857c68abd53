"""The golden runs: the same claims lead to the same results, whatever the code behind the command line looks like."""

import importlib
import sys

import pytest

from ghost import workbench
from tests.golden.differences import differences
from tests.golden.doors import held_open
from tests.golden.results import CLAIMS, EXPECTED, read_rows, run_claims


def test_claims_of_every_kind_lead_to_the_stored_results() -> None:
    """The claims marked ``quick``, one or two of each kind; ``python -m tests.golden runs`` compares all of them."""
    claims = [claim for claim in read_rows(CLAIMS) if claim.get("quick")]
    assert len(claims) >= 20
    found = {row["id"]: row for row in run_claims(claims)}
    changed = differences({row["id"]: row for row in read_rows(EXPECTED) if row["id"] in found}, found)
    assert not changed, f"Results differ from {EXPECTED.name} (- stored, + found):\n{changed}"


def test_a_command_keeps_nothing_of_what_it_was_lent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it was imported before, or while the workbenches were held open."""
    early = importlib.import_module("ghost.cli.packs")
    monkeypatch.delitem(sys.modules, "ghost.cli.packs")
    original = workbench.build
    with held_open():
        late = importlib.import_module("ghost.cli.packs")
        assert late.build is workbench.build is not original
    assert early.build is late.build is workbench.build is original
