"""Letters of other scripts, and signs, that look like ours."""

from typing import Final

_LIKE = (
    "аеорсухіјѕһԁԛԝѵкмтвнгԍɡıɑοαρνικυτεηϲϳоցօսհոզքɩʏᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡᴢꓲꓮꓰꓳ"
    "АВЕКМНОРСТУХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧ＜＞〈〉⟨⟩‹›❮❯«»˂˃"
)
_OURS = (
    "aeopcyxijshdqwvkmtbhrggiaoapvikutencjogouhnzpiyabcdefghijklmnoprstuvwziaeo"
    "ABEKMHOPCTYXIJSABEZHIKMNOPTYX<><><><><><><>"
)
_STRUCK = {
    "a": "ⱥɐ", "b": "ƀɓƃ", "c": "ȼƈ", "d": "đɖɗð", "e": "ɇɘəǝɛ", "g": "ǥɠǤ", "h": "ħɦ", "i": "ɨᵻı", "j": "ɉʝ",
    "k": "ƙ",
    "l": "łƚɫɬɭ", "m": "ɱ", "n": "ŋƞɲɳ", "o": "øɵɔ", "p": "þᵽƥ", "q": "ɋʠ", "r": "ɍɽɾɼ", "s": "ȿʂ",
    "t": "ŧƫƭʈⱦ", "u": "ʉ", "v": "ʋ", "w": "ⱳ", "y": "ɏƴ", "z": "ƶȥʐ",
}  # fmt: skip
"""With a stroke, a hook or a tail: no normal form takes it off."""
_CHEROKEE = {
    "a": "Ꭺ", "b": "ᏏᏴ", "c": "Ꮯ", "d": "ᎠᏧ", "e": "Ꭼ", "g": "ᏀᏳᏩ", "h": "ᎻᏂ", "i": "ᎥᏆ", "j": "Ꭻ", "k": "Ꮶ",
    "l": "Ꮮ", "m": "Ꮇ", "p": "Ꮲ", "r": "ᎡᏒ", "s": "ᏚᏕ", "t": "Ꭲ", "v": "Ꮩ", "w": "ᎳᏔ", "y": "ᎩᎽ", "z": "Ꮓ",
}  # fmt: skip
_MORE = {"r": "ᴦ", "e": "ҽ", "c": "ⅽ", "l": "ⅼ", "n": "ո", "w": "ѡ", "y": "ү"}


def _folds() -> dict[int, str]:
    folds = {ord(like): ours for like, ours in zip(_LIKE, _OURS, strict=True)}
    for table in (_STRUCK, _CHEROKEE, _MORE):
        for latin, others in table.items():
            forms = (form for other in others for form in (other, other.lower(), other.upper()) if len(form) == 1)
            folds |= {ord(form): latin for form in forms if not form.isascii()}
    return folds


LOOKALIKES: Final = _folds()
"""For ``str.translate``."""
