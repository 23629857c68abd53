"""When an order slips through the screening and a model obeys it: what the citation gate still holds."""

from collections.abc import Callable

import pytest

from ghost.knowledge import admission
from ghost.steps.investigate import hits as sieve
from ghost.types import Label
from ghost.web import Hit
from tests.attacks.obedient import Obedient
from tests.attacks.pages import CLAIM, PARAGRAPHS, TITLE, URL
from tests.attacks.test_judges import ABSTAINED, INNOCENT, House, house, label
from tests.knowledge.test_injection import rows

__all__ = ["house"]


def nothing(_: object) -> str:
    return ""


@pytest.fixture
def unscreened(monkeypatch: pytest.MonkeyPatch) -> Callable[[object], str]:
    monkeypatch.setattr(sieve, "suspicious", nothing)
    monkeypatch.setattr(sieve, "forged_markup", nothing)
    monkeypatch.setattr(admission, "suspicious_passage", nothing)
    return nothing


@pytest.mark.parametrize("cites", ["invented", "passage", "article"])
@pytest.mark.usefixtures("unscreened")
def test_a_model_that_obeys_cannot_turn_evidence_around(house: House, cites: str) -> None:
    """The article says the opposite of what the order wants, and the stance model reads the article."""
    obedient = Obedient(CLAIM, INNOCENT, cites)
    with house.judged_by(obedient):
        for order in rows("other words")[::7]:
            found = (Hit(URL, TITLE, f"{PARAGRAPHS[0]} {order}", "s"), Hit(URL, TITLE, f"{PARAGRAPHS[2]} {order}", "s"))
            assert label(house.run(found, f"unscreened {cites}")) in (Label.FALSE, *ABSTAINED)
    assert obedient.obeyed


@pytest.mark.parametrize("cites", ["invented", "passage", "article"])
@pytest.mark.usefixtures("unscreened")
def test_an_order_in_a_passage_that_settles_nothing_leads_to_no_verdict(house: House, cites: str) -> None:
    """Nothing speaks against the label there; but nothing speaks for it either."""
    obedient = Obedient(CLAIM, INNOCENT, cites)
    with house.judged_by(obedient):
        for order in rows("other words")[::7]:
            found = (Hit(URL, TITLE, f"{PARAGRAPHS[2]} {order}", "s"), Hit(URL, TITLE, f"{order} {PARAGRAPHS[1]}", "s"))
            assert label(house.run(found, f"unsettled {cites}")) in ABSTAINED
    assert obedient.obeyed
