"""Numbers as style sheets write them. A page may write anything there, so what is read is always finite."""

NUMBER = r"[+-]?(?:[0-9]++(?:\.[0-9]++)?|\.[0-9]++)(?:e[+-]?[0-9]{1,3}(?![0-9]))?"
"""A number in lower case, to be put into other patterns. It never goes back over its digits, however many they are."""
MOST = 1e9
"""Greater numbers count as this one: calculating with it goes over no edge."""


def number(written: str) -> float:
    """What matches ``NUMBER``, within ``MOST`` on both sides of zero."""
    return max(-MOST, min(MOST, float(written)))
