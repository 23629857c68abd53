"""International names of hosts as the name servers know them."""

import re

import idna

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://\S+|(?:[\w-]+\.)+[a-z]{2,24}(?::\d+)?(?:[/?#]\S*)?", re.IGNORECASE)

MAX_LABEL = 63


def ascii_host(host: str) -> str:
    """A host in lower case and ASCII, as browsers of today write it; raises UnicodeError for what no host is called.

    Python's own codec is of 2003 and turns ``straße.de`` into ``strasse.de``, which is somebody else's.
    """
    # Labels that are ASCII are left to whoever looks the name up: some have an underscore, which the standard forbids.
    mapped = host.lower() if host.isascii() else idna.uts46_remap(host, std3_rules=False, transitional=False)
    labels = [label if label.isascii() else idna.alabel(label).decode("ascii") for label in mapped.split(".")]
    if any(not 0 < len(label) <= MAX_LABEL for label in (labels[:-1] if labels[-1] == "" else labels)):
        raise UnicodeError("a part of the name is empty or too long")
    return ".".join(labels)


def is_address(text: str) -> bool:
    """Whether the text is nothing but one web address, with or without its scheme."""
    return bool(_ADDRESS.fullmatch(text.strip()))
