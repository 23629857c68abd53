"""The guards of the test suite itself."""

import os
import socket

import pytest

from config import Settings, load_settings


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1", "example.org"])
def test_reaching_for_the_network_is_refused_and_remembered(host: str, network_attempts: list[str]) -> None:
    with pytest.raises(OSError, match="tried to reach"):
        socket.create_connection((host, 80), timeout=1)
    assert network_attempts == [host]
    network_attempts.clear()


def test_this_machine_can_be_reached() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()[:2], timeout=5),
    ):
        pass


def test_the_settings_of_whoever_runs_the_tests_do_not_count() -> None:
    ours = sorted(n for n in os.environ if n.startswith("GHOST_") or n == "OPENAI_API_KEY")
    assert ours == ["GHOST_PACKS_OFF", "GHOST_WEB"]  # as tests/conftest.py sets them
    assert load_settings() == Settings()


def test_the_search_library_is_guarded_too(network_attempts: list[str]) -> None:
    from ghost.errors import ProviderUnreachableError
    from ghost.web import DuckDuckGo

    with pytest.raises(ProviderUnreachableError):
        DuckDuckGo().search("honey", (), 5, 1)
    assert network_attempts == ["html.duckduckgo.com"]
    network_attempts.clear()


def test_no_test_searches_the_web_by_accident() -> None:
    assert load_settings().web is False
