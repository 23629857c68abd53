"""The address guard: connections go to machines of the public web and to no others.

A page or a redirect may name anything, and the owner of a name decides what it stands for. So all addresses of a name
are checked, and the connection is made to one of exactly these. There is no second look-up that could have another
answer.
"""

import re
import socket
from collections.abc import Callable, Iterable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from ghost.types import PORTS, Url
from ghost.web.fetch.deadline import Deadline, in_time
from ghost.web.fetch.outcome import FetchError, Problem

Resolve = Callable[[str, int], Sequence[str]]
"""(host, port) → IP addresses. Raises OSError. May hang: it is called in a thread of its own."""

_FORBIDDEN = tuple(
    (ip_network(network), kind)
    for network, kind in {
        "100.64.0.0/10": "carrier-internal",
        "168.63.129.16/32": "cloud metadata",
        "192.0.0.0/24": "reserved",
        "192.88.99.0/24": "6to4 relay",
        "::ffff:0:0/96": "IPv4-mapped",
        "64:ff9b::/32": "NAT64",
        "2001::/32": "Teredo",
        "2001::/23": "reserved",
        "2002::/16": "6to4",
        "3fff::/20": "documentation",
    }.items()
)
"""What Python's own table of special addresses does not cover in each version, or gives no clear name. Addresses that
carry an IPv4 address inside are refused whatever they carry: no public site needs them."""
_KINDS = ("unspecified", "loopback", "link_local", "multicast", "private", "reserved")
_PUBLIC = ip_network("2000::/3")
_ISATAP = (0x00005EFE, 0x02005EFE)
_INTERNAL = ("localhost", "local", "internal", "lan", "home.arpa", "onion")
"""Endings that no public name has. A look-up would tell the name server about the inside."""
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_LOW_PORTS = 1024


def system_resolve(host: str, port: int) -> list[str]:
    """The answer of the system's own resolver, in its order of preference."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(row[4][0]) for row in found))


def why_forbidden(address: str) -> str:
    """The kind of an IP address that must not be connected to. Empty for one of the public web."""
    try:
        ip = ip_address(address)
    except ValueError:
        return "unreadable"
    for network, kind in _FORBIDDEN:
        if ip in network:
            return kind
    for kind in _KINDS:
        if getattr(ip, f"is_{kind}"):
            return kind.replace("_", "-")
    if isinstance(ip, IPv6Address) and (ip not in _PUBLIC or (int(ip) >> 32) & 0xFFFFFFFF in _ISATAP):
        return "reserved"
    return "" if ip.is_global else "reserved"


class AddressGuard:
    """Finds the addresses that may be connected to for a page, or refuses it."""

    def __init__(self, resolve: Resolve = system_resolve, local: Iterable[tuple[str, int]] = ()) -> None:
        """``local`` is for tests and the demo web: exactly these pairs of host and port may be on this machine."""
        self._resolve = resolve
        self._local = frozenset((host.lower().rstrip("."), port) for host, port in local)

    def opens(self, url: Url) -> bool:
        """Whether the address is on one of the local servers that were named when this guard was made."""
        return (url.host, url.port) in self._local

    def addresses(self, url: Url, opened: bool, deadline: Deadline) -> list[str]:
        """All IP addresses of a host, each of them checked. Raises FetchError.

        ``opened`` says that it is one of the named local servers and was not reached from elsewhere. Then it must be
        on this machine and nowhere else.
        """
        if not opened:
            _check_name(url)
        literal = _literal(url.host)
        found = [literal] if literal else self._looked_up(url, deadline)
        for address in found:
            kind = why_forbidden(address)
            if opened:
                kind = "" if kind == "loopback" else "not local"
            if kind:
                named = address if literal else f"{url.host} stands for {address}, which"
                raise FetchError(Problem.ADDRESS, f"{named} is not an address of the public web ({kind}).")
        return found

    def _looked_up(self, url: Url, deadline: Deadline) -> list[str]:
        deadline.doing = f"looking up {url.host}"
        try:
            found = in_time(lambda: self._resolve(url.host, url.port), deadline.left, deadline.check, url.host)
        except socket.gaierror as error:
            if error.errno == socket.EAI_AGAIN:
                raise FetchError(Problem.HOST, f"{url.host} could not be looked up. Is there a network?") from error
            raise FetchError(Problem.HOST, f"There is no host {url.host}.") from error
        except (OSError, UnicodeError) as error:
            raise FetchError(Problem.HOST, f"{url.host} could not be looked up.") from error
        if not found:
            raise FetchError(Problem.HOST, f"There is no host {url.host}.")
        return list(found)


def _check_name(url: Url) -> None:
    host = url.host
    if url.port not in PORTS.values() and url.port < _LOW_PORTS:
        raise FetchError(Problem.ADDRESS, f"Port {url.port} is not one of the web.")
    if ":" in host or _NUMBER.fullmatch(host.rpartition(".")[2]):
        return
    if not all(_LABEL.fullmatch(label) for label in host.split(".")):
        raise FetchError(Problem.ADDRESS, f"{host[:80]} is not a name that a host can have.")
    if "." not in host or any(host.endswith(f".{end}") for end in _INTERNAL):
        raise FetchError(Problem.ADDRESS, f"{host} is not a name of the public web.")


def _literal(host: str) -> str:
    """The IP address that a host is. Empty for a name. Raises FetchError for numbers in any unusual spelling.

    Programs disagree on 127.1, 0177.0.0.1, 0x7f.1 and 2130706433. All of them may be this machine.
    """
    if ":" not in host and not _NUMBER.fullmatch(host.rpartition(".")[2]):
        return ""
    try:
        return str(IPv6Address(host) if ":" in host else IPv4Address(host))
    except ValueError as error:
        raise FetchError(Problem.ADDRESS, f"{host} is an address in an unusual spelling.") from error
