"""Amounts in a text: numbers with their scale words and units, compared by value and not by their digits.

A small reading model takes 1.2 billion for 1.2 million, because the digits are the same, and 0.34 billion for another
amount than 340 million, because they are not. Arithmetic knows better.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pint

SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "mn": 1e6, "billion": 1e9, "bn": 1e9, "trillion": 1e12}
CURRENCIES = {"$": "dollar", "€": "euro", "£": "pound sterling", "¥": "yen", "₹": "rupee"}
UNITS = {
    **dict.fromkeys(("µg", "μg", "mcg", "microgram", "micrograms"), "microgram"),
    **dict.fromkeys(("mg", "milligram", "milligrams"), "milligram"),
    **dict.fromkeys(("g", "gram", "grams"), "gram"),
    **dict.fromkeys(("kg", "kilo", "kilos", "kilogram", "kilograms", "kilogramme", "kilogrammes"), "kilogram"),
    **dict.fromkeys(("tonne", "tonnes"), "metric_ton"),
    **dict.fromkeys(("oz", "ounce", "ounces"), "ounce"),
    **dict.fromkeys(("lb", "lbs"), "pound"),
    **dict.fromkeys(("nm", "nanometre", "nanometres", "nanometer", "nanometers"), "nanometer"),
    **dict.fromkeys(("µm", "μm", "micrometre", "micrometres", "micrometer", "micrometers", "microns"), "micrometer"),
    **dict.fromkeys(("mm", "millimetre", "millimetres", "millimeter", "millimeters"), "millimeter"),
    **dict.fromkeys(("cm", "centimetre", "centimetres", "centimeter", "centimeters"), "centimeter"),
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters"), "meter"),
    **dict.fromkeys(("km", "kilometre", "kilometres", "kilometer", "kilometers"), "kilometer"),
    **dict.fromkeys(("inch", "inches"), "inch"),
    **dict.fromkeys(("ft", "foot", "feet"), "foot"),
    **dict.fromkeys(("yard", "yards"), "yard"),
    **dict.fromkeys(("mile", "miles"), "mile"),
    **dict.fromkeys(("ml", "millilitre", "millilitres", "milliliter", "milliliters"), "milliliter"),
    **dict.fromkeys(("litre", "litres", "liter", "liters"), "liter"),
    **dict.fromkeys(("ha", "hectare", "hectares"), "hectare"),
    **dict.fromkeys(("acre", "acres"), "acre"),
    **dict.fromkeys(("km²", "square kilometre", "square kilometres", "square kilometers"), "kilometer ** 2"),
    **dict.fromkeys(("square mile", "square miles"), "mile ** 2"),
    **dict.fromkeys(("km/h", "kph", "kilometres per hour", "kilometers per hour"), "kilometer / hour"),
    **dict.fromkeys(("mph", "miles per hour"), "mile / hour"),
    **dict.fromkeys(("watt", "watts"), "watt"),
    **dict.fromkeys(("kW", "kilowatt", "kilowatts"), "kilowatt"),
    **dict.fromkeys(("MW", "megawatt", "megawatts"), "megawatt"),
    **dict.fromkeys(("GW", "gigawatt", "gigawatts"), "gigawatt"),
    **dict.fromkeys(("kWh", "kilowatt-hour", "kilowatt-hours", "kilowatt hours"), "kilowatt_hour"),
    **dict.fromkeys(("MWh", "megawatt-hour", "megawatt-hours", "megawatt hours"), "megawatt_hour"),
    **dict.fromkeys(("GWh", "gigawatt-hour", "gigawatt-hours", "gigawatt hours"), "gigawatt_hour"),
    **dict.fromkeys(("TWh", "terawatt-hour", "terawatt-hours", "terawatt hours"), "terawatt_hour"),
    **dict.fromkeys(("°C", "degrees Celsius", "degrees centigrade"), "degC"),
    **dict.fromkeys(("°F", "degrees Fahrenheit"), "degF"),
    **dict.fromkeys(("%", "per cent", "percent", "% of", "per cent of", "percent of"), "percent"),
}
"""As people write them, with the name that the units library knows. Pounds and tons mean too many things."""
MOST_DIGITS = 24
"""A longer number is an identifier, and no amount."""
_SMALL = "one two three four five six seven eight nine ten eleven twelve".split()
_WORDS = {word: float(n) for n, word in enumerate(_SMALL, 1)} | {"a": 1.0, "an": 1.0}
_PARTS = {"half": 2, "third": 3, "quarter": 4} | {
    f"{w}th": n for n, w in enumerate("fif six seven eigh nin ten".split(), 5)
}
_COUNTED = rf"(?:\d{{1,3}}|{'|'.join(_SMALL)})"
_LONGEST_FIRST = "|".join(re.escape(unit) for unit in sorted(UNITS, key=len, reverse=True))
_AMOUNT = re.compile(
    rf"(?<![\w.,/^])(?P<less>-|minus\s)?(?P<money>[{''.join(CURRENCIES)}]\s?)?"
    rf"(?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:[.,]\d+)?|(?<!-)(?i:{'|'.join(_SMALL[1:])})(?![\w-]))"
    r"(?![\d/⁰¹²³⁴⁵⁶⁷⁸⁹¼½¾⅓⅔]|[.,]\d)"
    rf"(?:[\s-]?(?P<scale>{'|'.join(SCALES)})\b)?"
    rf"(?:[\s-]?(?P<unit>{_LONGEST_FIRST})(?![\w²³/]))?"
)
_FRACTION = re.compile(
    rf"(?<![\w.,/])(?:(?P<some>{_COUNTED})\s(?:in|out of)(?:\severy)?\s(?P<all>{_COUNTED})"
    r"(?![\d/%]|[.,]\d|-|\s(?:per|seconds?|minutes?|hours?|days?|weeks?|months?|years?|hundred|[mb]illion)\b)"
    rf"|(?:(?P<few>an?|{'|'.join(_SMALL)})[\s-])?(?P<part>{'|'.join(_PARTS)})s?\sof(?!\san?\b))\b",
    re.IGNORECASE,
)
"""“One in five”, “a fifth of”, “three quarters of”; “the third of May” has no number before it."""
_NEXT = re.compile(r"\W{0,3}(?:(?:US|Australian|Canadian)\s)?([^\W\d_]+)")
_BOUND = re.compile(
    r"\b(?:(?P<least>(?:at least|no (?:fewer|less) than|not less than|a minimum of))|"
    r"(?P<most>at most|up to|(?:no|not) more than|a maximum of|as many as)|"
    r"(?P<above>(?:more|greater|higher|longer) than|over|above|exceed(?:s|ed|ing)?|in excess of|upwards of)|"
    r"(?P<below>(?:fewer|less|lower) than|under|below)|"
    r"(?P<about>about|around|roughly|approximately|nearly|almost|some|close to|an estimated))\s+$",
    re.IGNORECASE,
)
_BOUND_CHARS = 24
_BOUND_BEHIND = re.compile(r"(?:\s[^\W\d_]+)?\sor\s(?:(?P<least>more)|(?P<most>fewer|less))\b")
_DENIED = re.compile(r"\b(?:(?:not|no)(?! (?:more|fewer|less) than)|never|cannot|without)\b|n['’]t\b", re.IGNORECASE)
_ROUNDING = 0.1
"""A number stands for others only up to this part of it, however many zeros it ends with."""
_NO_THING = frozenset(
    "a an and are at by for from had has have in is it of on or per than that the to was were".split()
)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number as it stands in a text, with what it counts. Those that say the same are equal, wherever they stand."""

    start: int = field(compare=False)
    end: int = field(compare=False)
    digits: float
    """As written: 1.2 of “1.2 billion crowns”."""
    step: float
    """Half of the last place that was written, in the unit of ``value``: how far it may have been rounded."""
    value: float
    unit: str
    """Name of a unit of measurement; empty where things or money are counted."""
    thing: str
    """The word behind it or the currency, in the singular; empty where there is none."""
    scaled: bool
    """Whether a scale word such as million stands with it."""
    bound: str
    """“least”, “most”, “above”, “below” or “about” where such words stand with it; else empty."""
    rounded: float
    """Half of its last figure that is not zero."""

    @property
    def about(self) -> float:
        """How far off it may be where a word such as “nearly” stands before it."""
        return self.rounded if self.bound == "about" else 0.0


@lru_cache(32)
def amounts(text: str) -> tuple[Amount, ...]:
    """The amounts of a text, in their order. A bare number without scale word, unit or currency is one too."""
    fractions = [found for found in _FRACTION.finditer(text) if _part(found)]
    inside = {at for found in fractions for at in range(*found.span())}
    plain = (_amount(found, text) for found in _AMOUNT.finditer(text) if found.start("number") not in inside)
    found = [*filter(None, plain), *(_in_percent(found, text) for found in fractions)]
    return tuple(sorted(found, key=lambda one: one.start))


def _amount(found: re.Match[str], text: str) -> Amount | None:
    written = found["number"].lower()
    if len(written) > MOST_DIGITS:
        return None
    grouped = re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", written)
    plain = str(int(_WORDS[written])) if written in _WORDS else written.replace(",", "" if grouped else ".")
    scale = SCALES[found["scale"]] if found["scale"] else 1.0
    whole, _, places = plain.partition(".")
    zeros = -len(places) if places else len(whole) - len(whole.rstrip("0"))
    digits = -float(plain) if found["less"] else float(plain)
    return Amount(
        found.start(), found.end(), digits, 0.5 * 10 ** -len(places) * scale, digits * scale,
        UNITS[found["unit"]] if found["unit"] else "", _thing(found, text), bool(found["scale"]),
        _bound(found, text), 0.5 * 10**zeros * scale,
    )  # fmt: skip


def _part(found: re.Match[str]) -> float:
    """The fraction that words stand for; 0 where they stand for none: “3 in 2”."""

    def number(written: str) -> float:
        return _WORDS.get(written.lower()) or float(written if written.isdigit() else 0)

    if found["part"]:
        few = found["few"] or ("one" if found["part"].lower() == "half" else "0")
        return number(few) / _PARTS[found["part"].lower()]
    some, of_all = number(found["some"]), number(found["all"])
    return some / of_all if 0 < some < of_all else 0.0


def _in_percent(found: re.Match[str], text: str) -> Amount:
    value = 100 * _part(found)
    exact = value == round(value)
    bound = _bound(found, text) or ("" if exact else "about")
    return Amount(
        found.start(), found.end(), value / 100, 0.0, value, "percent", _next_word(text, found.end()), False, bound, 0.5
    )


def _bound(found: re.Match[str], text: str) -> str:
    at = found.start()
    words = _BOUND.search(text, max(0, at - _BOUND_CHARS), at) or _BOUND_BEHIND.match(text, found.end())
    return (words.lastgroup or "") if words else ""


def _thing(found: re.Match[str], text: str) -> str:
    if found["money"]:
        return CURRENCIES[found["money"].strip()]
    percent = UNITS.get(found["unit"] or "") == "percent"
    return "" if found["unit"] and not percent else _next_word(text, found.end())


def _next_word(text: str, at: int) -> str:
    if not (word := _NEXT.match(text, at)):
        return ""
    singular = word[1].lower().removesuffix("s")
    return "" if word[1].lower() in _NO_THING else singular


def aligned(passage: str, statement: str) -> str:
    """The passage, with amounts that equal one of the statement written as the statement writes them.

    So that who reads both sees the same words where the amounts are the same: 0.34 billion people for 340 million, and
    “nearly 14 billion years” for 13.8 billion.
    """
    wanted = dict.fromkeys(amounts(statement))
    pieces, done = [], 0
    for found in amounts(passage) if wanted else ():
        equal = next((one for one in wanted if equal_amounts(one, found) and _written(one, found)), None)
        if equal and passage[found.start : found.end] != (asked := statement[equal.start : equal.end]):
            pieces += [passage[done : found.start], asked]
            done = found.end
    return "".join(pieces) + passage[done:] if pieces else passage


def unfit(passage: str, statement: str) -> bool:
    """Whether an amount of the statement fits none of its kind in the passage.

    1.2 million where the passage has 1.2 billion; more than 300 houses where it has 297 or up to 300 of them.
    """
    there, denied = dict.fromkeys(amounts(passage)), _DENIED.search(statement)
    for one in dict.fromkeys(amounts(statement)):
        if one.bound and denied:
            continue  # "never more than 21 million"
        if any(_fits(found, one) if _equal_kind(one, found) else _is_number_of(found, one) for found in there):
            continue
        if any(_same_kind(one, found) or _is_tail(one, found) for found in there):
            return True
    return False


def _is_tail(one: Amount, other: Amount) -> bool:
    """Whether a number is no more than the last digits of another one: 310 of 48,310, whatever they count."""
    whole = other.value == round(other.value) and one.value == round(one.value)
    tail = whole and 100 <= one.value < other.value and int(other.value) % 1000 == one.value
    return tail and not one.unit and not other.unit


def _is_number_of(one: Amount, other: Amount) -> bool:
    """Whether two amounts that count things with other names have one number."""
    return one.value == other.value and not one.unit and not other.unit


def _fits(there: Amount, asked: Amount) -> bool:
    """Whether what one amount says can make another one true, as far as either was rounded."""
    value, step = _in_unit_of(asked, there) or (there.value, there.step)
    allowed = min(max(asked.rounded, step, there.rounded if asked.unit == there.unit else 0.0), _ROUNDING * abs(value))
    if asked.bound in ("above", "least"):
        enough = value >= asked.value if asked.bound != "above" or there.bound == "above" else value > asked.value
        return there.bound not in ("below", "most") and enough
    if asked.bound in ("below", "most"):
        little = value <= asked.value if asked.bound != "below" or there.bound == "below" else value < asked.value
        return there.bound not in ("above", "least") and little
    if there.bound in ("above", "least") and asked.value < value - asked.rounded:
        return False
    return there.bound not in ("below", "most") and abs(asked.value - value) <= allowed + 1e-9


def _written(one: Amount, other: Amount) -> bool:
    """Whether two equal amounts differ in more than their commas: only then is one put in the other's place."""
    return one.unit != other.unit or one.digits != other.digits


def _equal_kind(one: Amount, other: Amount) -> bool:
    """Whether two amounts can be of one kind: both of things, of one currency, or of one dimension."""
    if one.unit and other.unit:
        return _in_unit_of(one, other) is not None
    return not one.unit and not other.unit and (not one.thing or not other.thing or one.thing == other.thing)


def _same_kind(one: Amount, other: Amount) -> bool:
    """As ``_equal_kind``, and surely so: a lone 3 may be the number of a chapter, 3 million is an amount."""
    surely = (
        one.unit not in ("", "percent") or (one.scaled and other.scaled) or bool(one.thing and one.thing == other.thing)
    )
    return surely and _equal_kind(one, other)


def equal_amounts(one: Amount, other: Amount) -> bool:
    """Whether two amounts are one, as far as they were rounded; ``about`` counts for the first alone."""
    if one.unit == other.unit:
        near = max(one.about, 1e-9 * max(abs(one.value), abs(other.value)))
        return abs(one.value - other.value) <= near and _equal_kind(one, other)
    if not (one.unit and other.unit and (converted := _in_unit_of(one, other))):
        return False
    value, step = converted
    return abs(one.value - value) <= max(one.about, one.step + step)


@lru_cache(4096)
def _in_unit_of(one: Amount, other: Amount) -> tuple[float, float] | None:
    """The value of ``other`` and half of its last place in the unit of ``one``; None for another dimension."""
    if one.unit == other.unit:
        return other.value, other.step
    registry = _registry()
    here, there = registry.Unit(one.unit), registry.Unit(other.unit)
    if here.dimensionality != there.dimensionality:
        return None
    convert: Any = registry.Quantity
    value = convert(other.value, there).to(here).magnitude
    return value, abs(convert(other.value + other.step, there).to(here).magnitude - value)


@lru_cache(1)
def _registry() -> "pint.UnitRegistry[float]":
    import pint  # takes half a second, and few claims need it

    return pint.UnitRegistry(autoconvert_offset_to_baseunit=True)
