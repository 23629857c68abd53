"""Where a server of ours may listen, and by which names it may be addressed."""

import ipaddress
import os
import socket
from collections.abc import Collection, Mapping
from contextlib import suppress

from ghost.errors import GhostError

_FORWARDED = ("forwarded", "x-forwarded-", "x-real-ip", "via", "cf-connecting-ip")
"""Beginnings of the headers by which proxies are known."""
EXTENSION_SCHEMES = ("chrome-extension://", "moz-extension://")


def address(host: str, port: int) -> str:
    """Where a server that listens there is reached from this machine."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def ensure_free(what: str, host: str, port: int, settings: str) -> None:
    """Raise GhostError when ``what`` cannot listen there; ``settings`` are those that choose another place.

    To be called before a server is started whose own message does not say what to do.
    """
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            if os.name == "posix":  # elsewhere it would let two servers share the port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
    except OSError as error:
        raise GhostError(
            f"{what} cannot listen on {host}:{port} ({error.strerror or error}). If a workbench runs there already, "
            f"open it or end it; otherwise choose another place with {settings}."
        ) from error


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def through_proxy(headers: Mapping[str, str]) -> bool:
    """Whether a request with these headers, in lower case, says that it comes through a proxy: then it does not come
    from this machine, though its connection may. Not every proxy says so, so a request that does not proves nothing.
    """
    return any(name.startswith(_FORWARDED) for name in headers)


def from_other_page(headers: Mapping[str, str], origins: Collection[str] = ()) -> bool:
    """Whether a browser sends this request, with headers in lower case, for a website that is not in ``origins``, for
    a page on another port or for an extension: not for a page of this server, nor for an address that a person opens.
    """
    origin, site = headers.get("origin", ""), headers.get("sec-fetch-site", "same-origin")
    # What an extension fetches comes from nowhere too, but is no navigation.
    opened = site == "none" and headers.get("sec-fetch-mode", "navigate") == "navigate"
    ours = opened or site == "same-origin" or origin in origins
    return not ours or origin.startswith(EXTENSION_SCHEMES)


def allowed_hosts(host: str, further: tuple[str, ...]) -> list[str]:
    """The names under which a server that listens on ``host`` may be addressed; ``further`` are those of the settings.

    A website whose name is pointed at this machine after it was loaded (DNS rebinding) speaks to it as if it came
    from there, and there is no login. The browser still says which name it was given, in the Host header, so only names
    of this machine are accepted: where others can reach it, also its name and its address in the network.
    """
    names = ["localhost", "127.0.0.1", "::1", host.partition("%")[0], *further]
    if not is_loopback(host):
        own = socket.gethostname().lower()
        names += [own, f"{own}.local", *_own_addresses()]
    return list(dict.fromkeys(name for name in names if name))


def _own_addresses() -> list[str]:
    """The addresses that this machine would use towards the network; nothing is sent to find out."""
    found: list[str] = []
    for family, somewhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((somewhere, 9))
            found.append(str(probe.getsockname()[0]))
    return found
