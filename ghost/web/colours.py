"""Colours as style sheets write them, and whether a reader can tell two of them apart."""

import colorsys
import math
import re
from functools import lru_cache

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
_KNOWN = 1_024
_SHORT = 40
"""Colours that are remembered, and how long their names may be: a page has the same few again and again."""

_NAMES = """
aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff background ffffff beige f5f5dc
bisque ffe4c4 black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887
cadetblue 5f9ea0 canvas ffffff canvastext 000000 chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed
cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9
darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00
darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f
darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969
dimgrey 696969 dodgerblue 1e90ff field ffffff fieldtext 000000 firebrick b22222 floralwhite fffaf0 forestgreen 228b22
fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000
greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c
lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080
lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1
lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899
lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000
mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371
mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970
mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000
olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98
paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd
powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513
salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb
slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c
teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5
window ffffff windowtext 000000 yellow ffff00 yellowgreen 9acd32
""".split()
NAMED = dict(zip(_NAMES[::2], _NAMES[1::2], strict=True))
_FUNCTION = re.compile(r"(rgba?|hsla?|hwb|lab|oklab|lch|oklch|color)\(([^()]*)\)")
_EITHER = re.compile(r"light-dark\(((?:[^(),]|\([^()]*\))*),.*\)", re.DOTALL)
_PART = re.compile(rf"({NUMBER})(%|deg|rad|turn|grad)?|none")
_TURN = {"deg": 1.0, "": 1.0, "rad": 57.29578, "turn": 360.0, "grad": 0.9}
_SPACES = frozenset({"srgb", "srgb-linear", "display-p3", "a98-rgb", "prophoto-rgb", "rec2020"})
_HEX = re.compile(r"#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")


def colour(value: str) -> Colour | None:
    """The colour that ``value`` (lower case) names; None for what is none, or is not known here."""
    return (_remembered if len(value) < _SHORT else _read)(value)


def _read(value: str) -> Colour | None:
    value = value.strip()
    if value == "transparent":
        return (0.0, 0.0, 0.0, 0.0)
    value = NAMED.get(value, value)
    if plain := _HEX.fullmatch(value):
        digits = plain[1] if len(plain[1]) > 4 else "".join(c * 2 for c in plain[1])
        parts = [int(digits[i : i + 2], 16) for i in range(0, len(digits), 2)]
        return float(parts[0]), float(parts[1]), float(parts[2]), parts[3] / 255 if len(parts) > 3 else 1.0
    if called := _FUNCTION.fullmatch(value):
        return _called(called[1], re.split(r"[\s,/]+", called[2].strip()))
    if either := _EITHER.fullmatch(value):
        return colour(either[1])  # pages are looked at as in daylight
    return None


_remembered = lru_cache(_KNOWN)(_read)


def _called(name: str, parts: list[str]) -> Colour | None:
    space = parts.pop(0) if name == "color" else ""
    found = [_PART.fullmatch(p) for p in parts]
    known = [(number(f[1] or "0"), f[2] or "") for f in found if f]
    if len(known) < len(parts) or not 3 <= len(known) <= 4 or (name == "color" and space not in _SPACES):
        return None
    a = within(_share(known[3]), 1.0) if len(known) > 3 else 1.0
    (x, x_unit), (y, y_unit), (z, z_unit) = known[:3]
    if name.startswith("rgb"):
        r, g, b = (n * 2.55 if unit == "%" else n for n, unit in known[:3])
    elif name.startswith("hsl"):
        tone = colorsys.hls_to_rgb(x * _TURN.get(x_unit, 1) % 360 / 360, within(z / 100, 1.0), within(y / 100, 1.0))
        r, g, b = (v * 255 for v in tone)
    elif name == "hwb":
        white, black = within(y / 100, 1.0), within(z / 100, 1.0)
        both = max(1.0, white + black)
        tone = colorsys.hls_to_rgb(x * _TURN.get(x_unit, 1) % 360 / 360, 0.5, 1.0)
        r, g, b = ((v * (1 - (white + black) / both) + white / both) * 255 for v in tone)
    elif name == "color":
        r, g, b = (within(_share(v), 1.0) for v in known[:3])
        if space == "srgb-linear":
            r, g, b = _written(r), _written(g), _written(b)
        r, g, b = r * 255, g * 255, b * 255
    else:
        wide = "ok" not in name
        light = within(x / 100 if wide or x_unit == "%" else x, 1.0)
        full = (125.0 if "lab" in name else 150.0) if wide else 0.4
        y, z_hue = (y / 100 * full if y_unit == "%" else y), math.radians(z * _TURN.get(z_unit, 1) % 360)
        z = z / 100 * full if z_unit == "%" else z
        y, z = within(abs(y), full * 2) * (1 if y >= 0 else -1), within(abs(z), full * 2) * (1 if z >= 0 else -1)
        if "lch" in name:
            y, z = y * math.cos(z_hue), y * math.sin(z_hue)
        r, g, b = (_written(v) * 255 for v in (_of_lab if wide else _of_oklab)(light, y, z))
    return within(r, 255.0), within(g, 255.0), within(b, 255.0), a


def _share(part: tuple[float, str]) -> float:
    return part[0] / 100 if part[1] == "%" else part[0]


def _of_lab(light: float, a: float, b: float) -> tuple[float, float, float]:
    """CIE Lab (D50) as linear red, green and blue."""
    middle = (light * 100 + 16) / 116
    x, y, z = (
        white * (v**3 if v > 6 / 29 else (v - 4 / 29) * 3 * (6 / 29) ** 2)
        for white, v in ((0.9643, middle + a / 500), (1.0, middle), (0.8251, middle - b / 200))
    )
    return (
        3.1342 * x - 1.6173 * y - 0.4907 * z,
        -0.9787 * x + 1.9161 * y + 0.0335 * z,
        0.0720 * x - 0.2290 * y + 1.4057 * z,
    )


def _of_oklab(light: float, a: float, b: float) -> tuple[float, float, float]:
    long = (light + 0.3963 * a + 0.2158 * b) ** 3
    middle = (light - 0.1056 * a - 0.0639 * b) ** 3
    short = (light - 0.0895 * a - 1.2915 * b) ** 3
    return (
        4.0767 * long - 3.3077 * middle + 0.2310 * short,
        -1.2684 * long + 2.6098 * middle - 0.3413 * short,
        -0.0042 * long - 0.7034 * middle + 1.7076 * short,
    )


def _written(linear: float) -> float:
    """Linear light as sRGB writes it, 0..1."""
    value = within(linear, 1.0)
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


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
