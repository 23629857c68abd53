"""The golden runs: the same claims lead to the same results, whatever the code behind the command line looks like."""

from tests.golden.differences import differences
from tests.golden.results import CLAIMS, EXPECTED, read_rows, run_claims


def test_every_claim_leads_to_the_stored_result() -> None:
    stored = {row["id"]: row for row in read_rows(EXPECTED)}
    found = {row["id"]: row for row in run_claims(read_rows(CLAIMS))}
    changed = differences(stored, found)
    assert not changed, f"Results differ from {EXPECTED.name} (- stored, + found):\n{changed}"
