"""The golden runs: the same claims lead to the same results, whatever the code behind the command line looks like."""

from tests.golden.differences import differences
from tests.golden.results import CLAIMS, EXPECTED, read_rows, run_claims


def test_claims_of_every_kind_lead_to_the_stored_results() -> None:
    """The claims marked ``quick``, one or two of each kind; ``python -m tests.golden runs`` compares all of them."""
    claims = [claim for claim in read_rows(CLAIMS) if claim.get("quick")]
    assert len(claims) >= 20
    found = {row["id"]: row for row in run_claims(claims)}
    changed = differences({row["id"]: row for row in read_rows(EXPECTED) if row["id"] in found}, found)
    assert not changed, f"Results differ from {EXPECTED.name} (- stored, + found):\n{changed}"
