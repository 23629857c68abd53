"""The benchmark over the demo web counts what the runs came to."""

from bench.demo import demo, figures, table

ROW = {"id": "x", "claim": "X.", "pages": ["http://a.test/p"], "cited_pages": [], "reasons": [], "seconds": 1.0}


def row(label: str, found: str, confidence: float = 0.6, from_right_pages: bool = False) -> dict:
    return ROW | {"label": label, "found": found, "confidence": confidence, "from_right_pages": from_right_pages}


def test_the_figures_by_hand() -> None:
    rows = [
        row("True", "True", from_right_pages=True),
        row("True", "True"),
        row("True", "False", 0.8),
        row("False", "Not Enough Evidence"),
        row("Not Enough Evidence", "Not Enough Evidence"),
        row("Not Enough Evidence", "True", 0.5),
    ]
    found = figures(rows, seed=1)
    assert (found["n"], found["accuracy"]) == (6, 0.5)
    assert (found["open_though_known"], found["wrong"]) == (1, 2)
    assert found["right_quoting_right_pages"] == 0.5
    assert found["confusion"]["True > True"] == 2
    shown = table(found | {"claims": rows})
    assert "50.0% right" in shown
    assert shown.count(" expected, ") == 3


def test_a_claim_of_the_demo_is_investigated() -> None:
    found = demo(limit=0, seed=1, only=["bridge-open"])
    (only,) = found["claims"]
    assert found["n"] == 1
    assert (found["limit"], found["settings"]) == (1, {})
    assert found["code"]
    assert found["versions"]
    assert only["id"] == "bridge-open"
    assert only["seconds"] > 0
    assert only["label"] == "True"
    assert only["found"] in ("True", "False", "Not Enough Evidence", "Partially True")
