"""Only the public web is connected to, whatever an address or a name looks like."""

import socket
from collections.abc import Iterator, Sequence

import pytest

from ghost.web import Fetcher, NotFetched, Problem
from tests.web.sites import Site, named, no_names, nothing, page, site

FORBIDDEN = {
    "loopback": "127.0.0.1 127.255.255.254 ::1",
    "unspecified": "0.0.0.0 ::",
    "private": "0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 "
               "240.0.0.1 255.255.255.255 2001:db8::1 100::1 fc00::1 fd00:ec2::254",
    "link-local": "169.254.169.254 fe80::1 fe80::1%eth0",
    "carrier-internal": "100.64.0.1 100.100.100.200",
    "cloud metadata": "168.63.129.16",
    "multicast": "224.0.0.1 239.255.255.250 ff02::1",
    "6to4 relay": "192.88.99.1",
    "IPv4-mapped": "::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:a9fe:a9fe",
    "NAT64": "64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::a00:1",
    "6to4": "2002:7f00:1::",
    "Teredo": "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "documentation": "3fff::1",
    "reserved": "192.0.0.192 2001:2::1 ::127.0.0.1 ::ffff:0:127.0.0.1 fec0::1 5f00::1 4000::1 "
                "2a00:1450::5efe:a00:1 2a00:1450::200:5efe:a00:1",
    "unreadable": "localhost 127.1 0177.0.0.1",
}  # fmt: skip
"""By the kind that the reason names."""


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:2800:220:1::1", "2a00:1450::1"]
)
def test_what_is_of_the_public_web_is_connected_to(address: str, network_attempts: list[str]) -> None:
    resolve = named({"news.example.org": [address, "93.184.216.35"]})
    Fetcher(resolve=resolve).fetch("http://news.example.org/", 5, nothing)
    assert network_attempts == [address, "93.184.216.35"]  # in the resolver's order; refused by the tests' own guard
    network_attempts.clear()


@pytest.fixture
def secret() -> Iterator[Site]:
    """Something of this machine that nobody outside may see; nobody opened it."""
    with site(page(b"secret")) as running:
        yield running


SPELLINGS = [
    "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.0x0.0x0.0x1", "0x7f.1", "0177.0.0.1",
    "017700000001",
    "00127.0.0.1", "127.0.0.1.", "127.0.0.01", "127.0.0.0x1", "0", "0.0.0.0", "127.255.255.254", "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]", "[::1%25lo]", "[::ffff:0:7f00:1]",
    "localhost", "LOCALHOST", "localhost.", "x.localhost", "printer.local", "metadata.google.internal", "nas.lan",
    "router",
    "%31%32%37.0.0.1", "127.0.0.1%00.example.org", "user@127.0.0.1", "example.org@127.0.0.1", "example.org\\@127.0.0.1",
    "127.0.0.1#@example.org",
]  # fmt: skip


@pytest.mark.parametrize("kind", FORBIDDEN)
def test_no_address_outside_the_public_web_is_connected_to(kind: str, network_attempts: list[str]) -> None:
    """Whether a name stands for it, alone or among others, or the address has it itself."""
    for address in FORBIDDEN[kind].split():
        for answers in ([address], [address, "93.184.216.34"], ["93.184.216.34", address]):
            found = Fetcher(resolve=named({"news.example.org": answers})).fetch("http://news.example.org/", 5, nothing)
            assert isinstance(found, NotFetched)
            assert (found.kind, found.why) == (
                Problem.ADDRESS,
                f"news.example.org stands for {address}, which is not an address of the public web ({kind}).",
            )
        host = f"[{address}]" if ":" in address else address
        direct = Fetcher(resolve=no_names).fetch(f"http://{host}/", 5, nothing)
        assert isinstance(direct, NotFetched)
        assert direct.kind == Problem.ADDRESS
    assert network_attempts == []


def test_no_spelling_of_this_machine_no_other_scheme_and_no_other_port_is_connected_to(secret: Site) -> None:
    urls = [f"http://{host}:{secret.port}/" for host in SPELLINGS]
    schemes = ("file", "ftp", "gopher", "data", "javascript", "ws", "", "http+unix", "httpx")
    urls += [f"{scheme}://127.0.0.1:{secret.port}/" for scheme in schemes]
    urls += [f"http://news.example.org:{port}/" for port in (0, 1, 22, 25, 53, 81, 110, 143, 445, 465, 993)]
    urls += [f"http://{host}/" for host in ("a" * 64 + ".org", "-a.org", "a-.org", "a_.-b.org")]
    for url in urls:
        answer = Fetcher(resolve=no_names).fetch(url, 5, nothing)
        assert isinstance(answer, NotFetched), url
        assert answer.kind == Problem.ADDRESS, url
    assert secret.connections == 0


def test_a_name_is_looked_up_once_and_the_connection_goes_to_that_answer(
    secret: Site, network_attempts: list[str]
) -> None:
    """The second answer would be this machine: it is never asked for."""
    answers = iter(["93.184.216.34", "127.0.0.1", "127.0.0.1", "127.0.0.1"])
    answer = Fetcher(resolve=lambda host, port: [next(answers)]).fetch(
        f"http://a.example.org:{secret.port}/", 5, nothing
    )
    assert isinstance(answer, NotFetched)
    assert secret.connections == 0
    assert network_attempts == ["93.184.216.34"]  # refused by the tests' own guard: there is no network here
    network_attempts.clear()
    assert next(answers) == "127.0.0.1"


def test_a_name_that_changes_between_robots_txt_and_the_page_is_checked_again(secret: Site) -> None:
    answers = iter(["127.0.0.1", "169.254.169.254"])
    with site(page()) as opened:
        fetcher = Fetcher(resolve=lambda host, port: [next(answers)], local=[("news.test", opened.port)])
        answer = fetcher.fetch(f"http://news.test:{opened.port}/", 5, nothing)
    assert isinstance(answer, NotFetched)
    assert answer.kind == Problem.ADDRESS
    assert "169.254.169.254" in answer.why
    assert [r.path for r in opened.asked] == ["/robots.txt"]


def test_an_opening_is_for_this_machine_only() -> None:
    fetcher = Fetcher(resolve=named({"news.test": "10.0.0.1"}), local=[("news.test", 80), ("10.0.0.1", 80)])
    for url in ("http://news.test/", "http://10.0.0.1/"):
        answer = fetcher.fetch(url, 5, nothing)
        assert isinstance(answer, NotFetched)
        assert answer.kind == Problem.ADDRESS


def test_an_opening_is_for_one_port_and_one_spelling_of_the_host(secret: Site) -> None:
    fetcher = Fetcher(resolve=named({"news.test": "127.0.0.1"}), local=[("127.0.0.1", secret.port + 1)])
    for host in ("127.0.0.1", "127.0.0.2", "news.test", "[::1]"):
        answer = fetcher.fetch(f"http://{host}:{secret.port}/", 5, nothing)
        assert isinstance(answer, NotFetched)
    assert secret.connections == 0


def _raise(error: Exception) -> Sequence[str]:
    raise error


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (socket.gaierror(socket.EAI_NONAME, "no"), "There is no host a.example.org"),
        (socket.gaierror(socket.EAI_AGAIN, "no"), "Is there a network"),
        (OSError("no"), "could not be looked up"),
        (UnicodeError("label too long"), "could not be looked up"),
    ],
)
def test_a_name_that_leads_nowhere_says_so(error: Exception, words: str) -> None:
    answer = Fetcher(resolve=lambda host, port: _raise(error)).fetch("http://a.example.org/", 5, nothing)
    assert isinstance(answer, NotFetched)
    assert answer.kind == Problem.HOST
    assert words in answer.why
