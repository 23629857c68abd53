"""Which machines may be connected to: those of the public web, and no other.

A page or a redirect may name anything, and whoever owns a name decides what it stands for. So the addresses that a name
stands for are checked, all of them, and the connection is made to one of exactly these: there is no second look-up that
could have another answer.
"""

import re
import socket
from collections.abc import Callable, Iterable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from ghost.web.fetched import NoPage, Problem
from ghost.web.place import PORTS, Place
from ghost.web.waiting import in_time
from ghost.web.watch import Watch

Resolve = Callable[[str, int], Sequence[str]]
"""(host, port) → IP addresses; raises OSError. May hang: it is called in a thread of its own."""

_FORBIDDEN = tuple(
    (ip_network(network), what)
    for network, what in {
        "0.0.0.0/8": "unspecified",
        "10.0.0.0/8": "private",
        "100.64.0.0/10": "carrier-internal",
        "127.0.0.0/8": "loopback",
        "168.63.129.16/32": "cloud metadata",
        "169.254.0.0/16": "link-local",
        "172.16.0.0/12": "private",
        "192.0.0.0/24": "reserved",
        "192.0.2.0/24": "documentation",
        "192.88.99.0/24": "6to4 relay",
        "192.168.0.0/16": "private",
        "198.18.0.0/15": "benchmarking",
        "198.51.100.0/24": "documentation",
        "203.0.113.0/24": "documentation",
        "224.0.0.0/4": "multicast",
        "240.0.0.0/4": "reserved",
        "::/128": "unspecified",
        "::1/128": "loopback",
        "::/96": "IPv4-compatible",
        "::ffff:0:0/96": "IPv4-mapped",
        "::ffff:0:0:0/96": "IPv4-translated",
        "64:ff9b::/96": "NAT64",
        "64:ff9b:1::/48": "NAT64",
        "2001::/32": "Teredo",
        "2001::/23": "reserved",
        "2001:db8::/32": "documentation",
        "2002::/16": "6to4",
        "3fff::/20": "documentation",
        "fc00::/7": "private",
        "fe80::/10": "link-local",
        "fec0::/10": "private",
        "ff00::/8": "multicast",
    }.items()
)
"""After IANA's registries of special-purpose addresses. The forms that carry an IPv4 address inside are refused
whatever they carry: no site of the public web needs them."""
_GLOBAL = ip_network("2000::/3")
"""All of IPv6 that is given out."""
_ISATAP = (0x00005EFE, 0x02005EFE)
_INTERNAL = ("localhost", "local", "internal", "lan", "home.arpa", "onion")
"""Endings of names that are never of the public web; asking for them would tell the name server about the inside."""
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_LOW_PORTS = 1024


def system_resolve(host: str, port: int) -> list[str]:
    """What the system's own resolver answers, in its order of preference."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(row[4][0]) for row in found))


def why_forbidden(address: str) -> str:
    """What kind of address it is, when nothing may be connected to it; empty for one of the public web."""
    try:
        ip = ip_address(address)
    except ValueError:
        return "unreadable"
    for network, what in _FORBIDDEN:
        if ip in network:
            return what
    if isinstance(ip, IPv6Address):
        if ip not in _GLOBAL:
            return "reserved"
        if (int(ip) >> 32) & 0xFFFFFFFF in _ISATAP:
            return "ISATAP"
    return "" if ip.is_global else "reserved"  # what newer registries know and the list above does not


def is_loopback(address: str) -> bool:
    """Whether an IP address is this machine's, in its plain spelling."""
    try:
        return ip_address(address).is_loopback and why_forbidden(address) == "loopback"
    except ValueError:
        return False


class Guard:
    """Turns a place into the addresses that may be connected to, or refuses it."""

    def __init__(self, resolve: Resolve = system_resolve, local: Iterable[tuple[str, int]] = ()) -> None:
        """``local`` is for tests and the demo web: exactly these pairs of host and port may be loopback addresses."""
        self._resolve = resolve
        self._local = frozenset((host.lower().rstrip("."), port) for host, port in local)

    def opens(self, place: Place) -> bool:
        """Whether the place is one of the local ones that were named when this guard was made."""
        return (place.host, place.port) in self._local

    def addresses(self, place: Place, opened: bool, watch: Watch) -> list[str]:
        """All addresses of a place, each of them checked; raises NoPage.

        ``opened`` says that the place is one of the named local ones and was not reached from elsewhere; then it must
        be on this machine, and nowhere else.
        """
        if not opened:
            _check_name(place)
        literal = _literal(place.host)
        found = [literal] if literal else self._looked_up(place, watch)
        for address in found:
            kind = ("" if is_loopback(address) else "not local") if opened else why_forbidden(address)
            if kind:
                named = address if literal else f"{place.host} stands for {address}, which"
                raise NoPage(Problem.ADDRESS, f"{named} is not an address of the public web ({kind}).")
        return found

    def _looked_up(self, place: Place, watch: Watch) -> list[str]:
        watch.doing = f"looking up {place.host}"
        try:
            found = in_time(lambda: self._resolve(place.host, place.port), watch.left, watch.look, place.host)
        except socket.gaierror as error:
            if error.errno == socket.EAI_AGAIN:
                raise NoPage(Problem.HOST, f"{place.host} could not be looked up. Is there a network?") from error
            raise NoPage(Problem.HOST, f"There is no host {place.host}.") from error
        except (OSError, UnicodeError) as error:
            raise NoPage(Problem.HOST, f"{place.host} could not be looked up.") from error
        if not found:
            raise NoPage(Problem.HOST, f"There is no host {place.host}.")
        return list(found)


def _check_name(place: Place) -> None:
    host = place.host
    if place.port not in PORTS.values() and place.port < _LOW_PORTS:
        raise NoPage(Problem.ADDRESS, f"Port {place.port} is not one of the web.")
    if ":" in host or _NUMBER.fullmatch(host.rpartition(".")[2]):
        return
    if not all(_LABEL.fullmatch(label) for label in host.split(".")):
        raise NoPage(Problem.ADDRESS, f"{host[:80]} is not a name that a host can have.")
    if "." not in host or any(host.endswith(f".{end}") for end in _INTERNAL):
        raise NoPage(Problem.ADDRESS, f"{host} is not a name of the public web.")


def _literal(host: str) -> str:
    """The IP address that a host is, empty when it is a name; raises NoPage for numbers in any other spelling.

    Programs disagree on 127.1, 0177.0.0.1, 0x7f.1 and 2130706433; all of them may be this machine.
    """
    number = _NUMBER.fullmatch(host.rpartition(".")[2])
    if ":" not in host and not number:
        return ""
    try:
        return str(IPv6Address(host) if ":" in host else IPv4Address(host))
    except ValueError as error:
        raise NoPage(Problem.ADDRESS, f"{host} is an address in an unusual spelling.") from error
