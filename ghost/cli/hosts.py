"""Under which names the page may be opened.

A website whose name is pointed at this machine after it was loaded (DNS rebinding) speaks to the page as if it came
from there, and there is no login. The browser still says which name it was given, in the Host header, so only names of
this machine are accepted.
"""

import ipaddress
import socket
from contextlib import suppress

LOOPBACK = ("localhost", "127.0.0.1", "::1")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def allowed_hosts(host: str, further: tuple[str, ...]) -> list[str]:
    """The names and addresses for a page that listens on ``host``, and the ``further`` ones that the settings name.

    Where others can reach the page, they may open it under the name of this machine and its address in the network.
    """
    names = [*LOOPBACK, host.partition("%")[0], *further]
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
