"""Texts that make a careless function slow: one sign or word over and over, alone or around an ordinary sentence."""

from collections.abc import Iterator

UNITS = {
    "emoji": "😀", "emoji apart": "😀 ", "flags": "🇩🇪", "families": "👩\u200d👩\u200d👧",
    "accents": "\u0301", "accented": "e\u0301\u0302", "quote": '"', "apostrophe": "'", "quoted": '"a" ', "opened": "“",
    "unquoted": "“\"'", "brackets": "(", "nested": "(a ", "braces": "[{", "dash": "-", "dashes apart": "- ",
    "long dash": "— ", "comma": ",", "commas": ", ", "list": "cat, ", "a": "a ", "capital": "A ", "no blanks": "a",
    "shouting": "X", "dots": ".", "stops": ". ", "exclamation": "!", "question": "?", "semicolons": "; ",
    "clauses": "a; ", "and": "and ", "verbs": "cats purr and ", "hash": "#", "hashtags": "#a ", "mentions": "@a ",
    "retweets": "RT @a: ", "links": "http://a.b/c ", "www": "www. ", "digits": "1", "numbers": "1,000.5 ",
    "marks": "1) ", "lines": "\n", "tabs": "\t", "zero width": "\u200b", "hard blanks": "\u00a0", "colons": "a: ",
    "not": "not ", "very": "very ", "which": ", which a", "because": " because a", "names": "John ", "that": "that ",
    "thinking": "I think that ", "asking": "is it true that ", "cjk": "中文", "arabic": "العربية ", "titles": "Mr. ",
    "initials": "U.S.", "bullets": "• ", "stars": "* ", "percent": "%20", "entities": "&amp;", "said": "said ",
    "should": "should ", "hyphens": "a-b", "codes": "a1", "in front": "In a, ", "ellipsis": "…", "tilde": "~",
    "markup": "<", "years": "in 2020 ", "shares": "5% ", "units": "5 km ", "bounds": "more than 5 ",
    "dates": "3 April 2020 ", "days": "2020-04-03 ", "money": "$5 billion ",
}  # fmt: skip


def hostile(size: int) -> Iterator[tuple[str, str]]:
    """A name and a text of about ``size`` characters, for each unit alone, behind a sentence, and in front of one."""
    for name, unit in UNITS.items():
        run = (unit * (size // len(unit) + 1))[:size]
        yield name, run
        yield f"{name} behind", f"Cats are mammals {run}x"
        yield f"{name} in front", f"{run} cats are mammals?"
