"""The words that claims are compared by: content words without endings, and those that turn a claim round."""

import re
from functools import lru_cache

_KNOWN = 8192
WORD = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+(?:['’-][^\W_]+)*")
STOP = frozenset(
    "a an the that this these those is are was were be been being am has have had having do does did done doing it its "
    "he she they them their there his her hers him you your we our us i my me and or of in on at to for from by with "
    "as into onto than then so if whether who whom whose which what when where why how up out about any ever really "
    "actually indeed just even also too very yet still such own other one ones".split()
)
NEGATIONS = re.compile(
    r"\b(?:not|no|never|nobody|no-one|none|nothing|nowhere|neither|nor|cannot|without|unable|"
    r"(?:fail|refuse|decline)(?:s|d|ed)? to|far from|false|untrue)\b|n['’]t\b|"
    r"\b(?:do|does|did|is|was|ca|wo|were|are)nt\b",
    re.I,
)
QUANTIFIERS = frozenset(
    "all every each most majority minority some few many several only both mainly mostly entirely always often "
    "sometimes rarely usually nearly almost exactly precisely least anyone everyone first second third last "
    "former".split()
)
ALIKE_QUANTIFIERS = {
    "every": "all", "each": "all", "everyone": "all", "mainly": "most", "mostly": "most", "majority": "most",
    "exactly": "exact", "precisely": "exact", "nearly": "almost", "several": "some",
}  # fmt: skip
NORMS = {
    **dict.fromkeys("law laws legal legally illegal illegally unlawful lawful crime criminal forbidden".split(), "law"),
    **dict.fromkeys(
        "wrong right moral morally immoral ethical unethical ethically justified unjustified".split(), "morals"
    ),
    **dict.fromkeys(
        "because cause causes caused causing reason due result led leads responsible thanks".split(), "cause"
    ),
    **dict.fromkeys("prove proves proved proven proof".split(), "proof"),
    **dict.fromkeys("exact exactly word-for-word verbatim".split(), "wording"),
    **dict.fromkeys("safe safely dangerous harmful healthy unhealthy".split(), "safety"),
}
"""Words by which a claim is about law, morals, causes or proofs."""
MODALS = frozenset(
    "will would may might could should must ought can plan plans planned wants want intends likely possibly probably "
    "perhaps certainly certain sure reportedly allegedly supposedly".split()
)
ALIKE_MODALS = {
    "ought": "should", "might": "may", "possibly": "may", "perhaps": "may", "plans": "plan", "planned": "plan",
    "wants": "want", "intends": "plan", "likely": "probably", "certainly": "certain", "sure": "certain",
    "supposedly": "allegedly", "reportedly": "allegedly", "could": "can",
}  # fmt: skip
COMPARED = re.compile(
    r"\b(?:more|less|fewer|greater|larger|longer|[a-z]{2,}er|worse|better|further|farther)\b(?=[^.?!]{0,60}\bthan\b)"
    r"|\b(?:most|least|[a-z]{3,}est|best|worst)\b|\bas \w+ as\b|\btwice\b",
    re.I,
)
TOLD = re.compile(
    r"\b(?:sa(?:y|ys|id)|t(?:ells?|old)|w(?:rote|ritten|arn(?:s|ed)?)|according to|predict(?:s|ed)?|announce[sd]?|"
    r"quote[sd]?|promise[sd]?|(?:claim|report|suggest)(?:s|ed)?(?= (?:that|to)\b)|believe[sd]?|den(?:y|ies|ied)|"
    r"prove[sdn]?|argue[sd]?|think|thought|call(?:s|ed)?|photo|picture|image|video|muttered|uttered|words)\b",
    re.I,
)
"""That somebody says it, or that a picture shows it, is another claim."""
PASSIVE = re.compile(r"\b(?:is|are|was|were|been|be|being|get|got)\b(?: \w+){0,8}? by\b", re.I)
MONTHS = "january february march april may june july august september october november december".split()
IN_WORDS = {
    word: str(n)
    for n, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
} | {word: str(10 * n) for n, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
IN_WORDS |= {
    "once": "1 times", "twice": "2 times", "double": "2 times", "doubles": "2 times", "doubled": "2 times",
    "thrice": "3 times", "tripled": "3 times", "trebled": "3 times", "triple": "3 times", "quadrupled": "4 times",
    "halved": "50 percent", "half": "50 percent", "quarter": "25 percent", "dozen": "12", "century": "100 years",
    "decade": "10 years", "nineties": "1990s", "eighties": "1980s", "seventies": "1970s", "sixties": "1960s",
}  # fmt: skip
ORDINALS = {
    word: str(n)
    for n, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(), 1
    )
}
ORDINALS |= {"thirteenth": "13", "fourteenth": "14", "fifteenth": "15", "sixteenth": "16", "seventeenth": "17"}
ORDINALS |= {"eighteenth": "18", "nineteenth": "19", "twentieth": "20"}

_ANTONYMS = """
on off; rise fall; rose fell; risen fallen; raise lower; raise cut; raised cut; increase decrease; increase reduce;
increase decline; increase fall; rise decline; grow shrink; grew shrank; grown shrunk; up down; more less; more fewer;
higher lower; before after; until after; since until; ban allow; ban permit; forbid allow; forbid permit; prohibit
allow; illegal legal; banned legal; unlawful lawful; won lost; win lose; start stop; begin end; began ended; start
end; open close; opened shut; open shut; accept reject; accept refuse; approve reject; pass reject; true false; right
wrong; safe dangerous; safe unsafe; safe harmful; good bad; better worse; best worst; cause prevent; support oppose;
agree disagree; guilty innocent; convict acquit; alive dead; live die; survive die; survived died; include exclude;
buy sell; bought sold; join leave; joined left; first last; always never; all none; everybody nobody; same different;
possible impossible; able unable; likely unlikely; public private; import export; hire fire; arrive depart; enter
leave; cheap expensive; cheaper dearer; faster slower; bigger smaller; larger smaller; longer shorter; older younger;
heavier lighter; hotter colder; warmer colder; earlier later; richer poorer; stronger weaker; above below; over under;
north south; east west; left right; inside outside; within outside; with without; strengthen weaken; improve worsen;
gain lose; gained lost; help harm; helped harmed; confirm deny; confirmed denied; prove disprove; proved disproved;
admit deny; keep drop; adopt abandon; create destroy; build demolish; built demolished; connect disconnect; lock
unlock; enable disable; moral immoral; ethical unethical; justified unjustified; necessary unnecessary; healthy
unhealthy; natural artificial; constant changing; visible invisible; known unknown; fair unfair; maximum minimum;
rarely often; introduced abolished; introduce abolish; abolish keep; founded dissolved; voluntary compulsory; optional
mandatory; free paid; present absent; male female; men women; success failure; succeed fail; succeeded failed; attract
repel; attack defend; freeze thaw; float sink; borrow lend; remember forget; love hate; loved hated; friend enemy;
majority minority; profit loss; surplus deficit; ahead behind; push pull; empty full; wet dry; asleep awake; praise
criticise; praised criticised; stay leave; stayed left; fewer more; lengthen shorten; widen narrow; loosen tighten;
speed slow; arrived left; continue stop; continued stopped; resume halt; resumed halted; backed opposed; welcomed
condemned; signed vetoed; sign veto; expand contract; promote demote; recover die; recovered died; increase drop; rose
dropped; rose declined; climbed fell; doubled halved; double halve; early late; day night; summer winter; peace war;
nothing everything; toxic harmless; harmless harmful; edible poisonous; fast slow; faster slow; slower fast; quick
slow; quicker slow; quicker slower; bigger little; more seldom; fewer many; few many; dearer cheaper; closer farther;
nearer farther; easier harder; safer riskier; louder quieter; deeper shallower; wider narrower; thicker thinner;
younger older; sooner later; beat lost; beat lose; rise drop; towards away
"""


def stem(word: str) -> str:
    """The word without its ending, roughly."""
    word = word.removesuffix("'s").removesuffix("’s")
    for ending in ("ations", "ation", "ingly", "ing", "ies", "ied", "ness", "ment", "ly", "ed", "es", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 4 and word[-1] == word[-2] else word


def words(text: str) -> list[str]:
    """The words of a text, casefolded."""
    return [w.casefold() for w in WORD.findall(text)]


@lru_cache(_KNOWN)
def content(text: str) -> tuple[str, ...]:
    """The content words of a text without endings, in their order; number words as digits."""
    found = []
    for word in words(text.replace("%", " percent")):
        if word in STOP or NEGATIONS.fullmatch(word) or (len(word) == 1 and not word.isdigit()):
            continue
        found.append(IN_WORDS.get(word) or ORDINALS.get(word) or stem(word))
    return tuple(found)


def _pairs() -> dict[str, frozenset[str]]:
    opposite: dict[str, set[str]] = {}
    for pair in _ANTONYMS.replace("\n", " ").split(";"):
        if pair.strip():
            one, other = map(stem, pair.split())
            opposite.setdefault(one, set()).add(other)
            opposite.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in opposite.items()}


OPPOSITES = _pairs()
"""Words without endings, each with those that say the opposite."""
