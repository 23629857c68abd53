"""Sites that publish satire, by address."""

import pytest

from ghost.knowledge import is_satire_site


@pytest.mark.parametrize(
    "url",
    [
        "https://www.theonion.com/area-man-passionate-defender-1819571149",
        "https://babylonbee.com/news/x",
        "http://www.der-postillon.com/2020/01/x.html",
        "https://www.newyorker.com/humor/borowitz-report/x",
        "https://speld.nl",
    ],
)
def test_a_satire_site_is_known_by_its_address(url: str) -> None:
    assert is_satire_site(url)


@pytest.mark.parametrize(
    "url", ["https://www.newyorker.com/magazine/x", "https://theonion.com.example/x", "https://onion.com/", "", "x"]
)
def test_other_addresses_are_not(url: str) -> None:
    assert not is_satire_site(url)
