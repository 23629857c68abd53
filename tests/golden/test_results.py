"""The golden runs: the same claims lead to the same results, whatever the code behind the command line looks like."""

import pytest

from tests.golden.differences import differences
from tests.golden.results import CLAIMS, EXPECTED, read_rows, run_claims


@pytest.mark.parametrize("web", [False, True], ids=["knowledge base only", "demo web"])
def test_every_claim_leads_to_the_stored_result(web: bool) -> None:
    claims = [claim for claim in read_rows(CLAIMS) if claim.get("web", False) is web]
    others = {claim["id"] for claim in read_rows(CLAIMS)} - {claim["id"] for claim in claims}
    stored = {row["id"]: row for row in read_rows(EXPECTED) if row["id"] not in others}
    changed = differences(stored, {row["id"]: row for row in run_claims(claims)})
    assert not changed, f"Results differ from {EXPECTED.name} (- stored, + found):\n{changed}"
