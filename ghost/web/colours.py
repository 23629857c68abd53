"""Colours as style sheets write them, and whether a reader can tell two of them apart."""

import colorsys
import re

from ghost.web.numbers import NUMBER, number

Colour = tuple[float, float, float, float]
"""Red, green, blue 0..255, and 0..1 for how much of it covers what is behind."""

WHITE: Colour = (255.0, 255.0, 255.0, 1.0)
BLACK: Colour = (0.0, 0.0, 0.0, 1.0)
ALIKE = 1.12
"""Contrast (as WCAG counts: 1 for the same, 21 for black on white) below which text cannot be made out."""
NEAR = 60.0
"""Distance in RGB below which two colours of the same brightness also look the same."""
SEE_THROUGH = 0.08

_NAMES = """
aliceblue f0f8ff antiquewhite faebd7 azure f0ffff beige f5f5dc black 000000 blue 0000ff cornsilk fff8dc cyan 00ffff
darkblue 00008b darkgray a9a9a9 darkgreen 006400 darkred 8b0000 dimgray 696969 floralwhite fffaf0 gainsboro dcdcdc
ghostwhite f8f8ff gold ffd700 gray 808080 grey 808080 green 008000 honeydew f0fff0 ivory fffff0 lavender e6e6fa
lavenderblush fff0f5 lemonchiffon fffacd lightcyan e0ffff lightgray d3d3d3 lightgrey d3d3d3 lightyellow ffffe0
lime 00ff00 linen faf0e6 magenta ff00ff maroon 800000 mintcream f5fffa navy 000080 oldlace fdf5e6 olive 808000
orange ffa500 purple 800080 red ff0000 seashell fff5ee silver c0c0c0 snow fffafa teal 008080 white ffffff
whitesmoke f5f5f5 yellow ffff00 canvas ffffff window ffffff
""".split()
_NAMED = dict(zip(_NAMES[::2], _NAMES[1::2], strict=True))
_FUNCTION = re.compile(r"(rgb|hsl)a?\(([^()]*)\)")
_PART = re.compile(rf"({NUMBER})(%|deg)?")
_HEX = re.compile(r"#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")


def colour(value: str) -> Colour | None:
    """The colour that ``value`` (lower case) names; None for what is none, or is not known here."""
    value = value.strip()
    if value == "transparent":
        return (0.0, 0.0, 0.0, 0.0)
    value = _NAMED.get(value, value)
    if plain := _HEX.fullmatch(value):
        digits = plain[1] if len(plain[1]) > 4 else "".join(c * 2 for c in plain[1])
        parts = [int(digits[i : i + 2], 16) for i in range(0, len(digits), 2)]
        return float(parts[0]), float(parts[1]), float(parts[2]), parts[3] / 255 if len(parts) > 3 else 1.0
    if called := _FUNCTION.fullmatch(value):
        return _called(called[1], re.split(r"[\s,/]+", called[2].strip()))
    return None


def _called(name: str, parts: list[str]) -> Colour | None:
    found = [_PART.fullmatch(p) for p in parts]
    known = [(number(f[1]), f[2] or "") for f in found if f]
    if len(known) < len(parts) or not 3 <= len(known) <= 4:
        return None
    a = within(known[3][0] / (100 if known[3][1] == "%" else 1), 1.0) if len(known) > 3 else 1.0
    if name == "hsl":
        hue, saturation, light = known[0][0], within(known[1][0], 100.0), within(known[2][0], 100.0)
        r, g, b = colorsys.hls_to_rgb(hue % 360 / 360, light / 100, saturation / 100)
        return within(r * 255, 255.0), within(g * 255, 255.0), within(b * 255, 255.0), a
    r, g, b = (within(n * 2.55 if unit == "%" else n, 255.0) for n, unit in known[:3])
    return r, g, b, a


def within(value: float, most: float) -> float:
    """``value`` between 0 and ``most``, as browsers take a colour that is out of its range."""
    return max(0.0, min(most, value))


def over(front: Colour, back: Colour) -> Colour:
    """What is seen of ``front`` before ``back``."""
    a = min(1.0, max(0.0, front[3]))
    r, g, b = (f * a + k * (1 - a) for f, k in zip(front[:3], back[:3], strict=True))
    return r, g, b, 1.0


def alike(text: Colour, ground: Colour) -> bool:
    """Whether text of this colour cannot be made out on this ground."""
    if text[3] < SEE_THROUGH:
        return True
    seen = over(text, ground)
    distance = sum((x - y) ** 2 for x, y in zip(seen[:3], ground[:3], strict=True)) ** 0.5
    high, low = sorted((_light(seen), _light(ground)), reverse=True)
    return distance < NEAR and (high + 0.05) / (low + 0.05) < ALIKE


def _light(c: Colour) -> float:
    linear = [(v / 255 / 12.92 if v <= 10.3 else ((v / 255 + 0.055) / 1.055) ** 2.4) for v in c[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
