"""Whether two addresses belong to one site."""

from functools import cache
from typing import Any

from ghost.web.address import host_of


def same_site(one: str, other: str) -> bool:
    """Whether two addresses have one registered domain ("example.co.uk"), or one host where there is none."""
    return _site(host_of(one)) == _site(host_of(other))


def _site(host: str) -> str:
    return _suffixes()(host).top_domain_under_public_suffix or host.removeprefix("www.")


@cache
def _suffixes() -> Any:
    from tldextract import TLDExtract

    # Without these two it would fetch the newest list and write it to the home folder.
    return TLDExtract(suffix_list_urls=(), cache_dir=None)
