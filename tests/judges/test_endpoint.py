"""Prices that could be looked up, and no others."""

import pytest

from ghost.judges import Endpoint, Price, known_price
from ghost.judges.llm.endpoint import OPENAI


def test_list_prices_are_known_for_the_service_itself_only() -> None:
    assert known_price(OPENAI, "gpt-4o-mini") == Price(0.15, 0.60)
    assert known_price(f"{OPENAI}/", "gpt-6-luna") == Price(0.10, 0.50)
    for other in ("https://eu.api.openai.com/v1", "https://api.openai.com.example.org/v1", "http://127.0.0.1:1/v1"):
        assert known_price(other, "gpt-4o-mini") is None


@pytest.mark.parametrize("model", ["gpt-4.1-nano", "gpt-4o-mini-2024-07-18", "llama3.1", ""])
def test_what_could_not_be_looked_up_has_no_price(model: str) -> None:
    assert known_price(OPENAI, model) is None


def test_a_price_is_for_a_million_tokens() -> None:
    assert Price(1.0, 10.0).of(300, 100) == pytest.approx(0.0013)


def test_an_endpoint_shows_neither_key_nor_password() -> None:
    shown = repr(Endpoint("cloud", "https://me:pass@example.org/v1", "m", "sk-secret"))
    assert "secret" not in shown
    assert "pass@" not in shown
