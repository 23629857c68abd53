"""Pairs made by rule from the training texts, so that the model must read the evidence.

Small models learn that shared words mean support. Each rule here makes pairs with nearly the same words and another
label: negated claims and evidence, "A, not B", denied beliefs, changed numbers, denied causes, and claims about the
same subject that the evidence does not settle.
"""

import random
import re
from collections import defaultdict
from collections.abc import Iterator

from training.pairs import Pair

_BE = {"is": "isn't", "are": "aren't", "was": "wasn't", "were": "weren't"}
_CAN = {"can": "can't", "could": "couldn't", "will": "won't", "would": "wouldn't", "must": "mustn't"}
_NEGATED = re.compile(
    r"\b(?:not|never|no|none|n't|cannot|nobody|nothing|neither|nor|without|only|false|myth)\b|n't\b", re.I
)
_NAME = re.compile(r"\b[A-Z][\w'’.-]+(?: (?:[A-Z][\w'’.-]+|of|the|de|and)(?= [A-Z])| [A-Z][\w'’.-]+)*")
_NUMBER = re.compile(r"\b\d{1,4}(?:,\d{3})*(?:\.\d+)?\b")

DENIALS = (
    "It is a myth that {c}.",
    "It is not true that {c}.",
    "It is a common misconception that {c}.",
    "The claim that {c} is false.",
    "The popular belief that {c} is wrong.",
    "There is no evidence that {c}.",
    "Contrary to popular belief, {n}.",
    "Despite what many people think, {n}.",
    "Scientists have shown that {n}.",
    "In fact, {n}.",
)
AFFIRMATIONS = ("It is true that {c}.", "In fact, {c}.", "Records show that {c}.", "It is well established that {c}.")

AGENTS = (
    "coffee|red meat|sugar|aspirin|bright light|cold weather|loud music|mobile phones|power lines|sunscreen|fasting|"
    "plastic bottles|cycling|green tea|food colouring|artificial sweeteners|smoking|air pollution|swimming|video games|"
    "garlic|vitamin D|antidepressants|hair dye|tattoos|night shifts|pesticides|margarine|salt|chewing gum|stress|dairy|"
    "wind turbines|the flu jab|diesel exhaust|ibuprofen|soy|yoga|household mould|asbestos|alcohol|honey|eggs"
).split("|")
EFFECTS = (
    "cancer|headaches|heart disease|acne|asthma|baldness|insomnia|diabetes|depression|arthritis|stomach ulcers|obesity|"
    "blindness|kidney stones|migraine|dementia|allergies|high blood pressure|hearing loss|infertility|strokes|anaemia|"
    "eczema|tooth decay|anxiety|gout|liver damage|memory loss|nosebleeds|epilepsy|osteoporosis|bronchitis"
).split("|")
CAUSES = (
    "{a} causes {e}",
    "{a} can lead to {e}",
    "{a} increases the risk of {e}",
    "{a} is linked to {e}",
    "There is a link between {a} and {e}",
    "People get {e} from {a}",
    "{a} raises the chance of {e}",
)
CLEARS = (
    "{a} does not cause {e}",
    "{a} is not associated with {e}",
    "There is no link between {a} and {e}",
    "{a} does not raise the risk of {e}",
    "Large studies have found no connection between {a} and {e}",
    "Research shows that {a} has no effect on {e}",
    "There is no evidence that {a} leads to {e}",
)
PREVENTS = ("{a} protects against {e}", "{a} lowers the risk of {e}", "{a} reduces the chance of {e}")


def counterfactual_pairs(pairs: list[Pair], rng: random.Random, each: int) -> list[Pair]:
    """About ``each`` pairs from each of the rules, shuffled."""
    fever = [p for p in pairs if p.source.startswith(("fever_gold", "fm2", "feverous", "scifact", "fever_nli"))]
    rules = (_polarity, _denied, _negated_claims, _contrasts, _numbers, _same_subject, _causes)
    made: list[Pair] = []
    for rule in rules:
        shuffled = list(fever)
        rng.shuffle(shuffled)
        for n, pair in enumerate(rule(shuffled, rng)):
            if n >= each:
                break
            made.append(pair)
    rng.shuffle(made)
    return made


def negate(sentence: str, rng: random.Random) -> str | None:
    """The sentence with its first auxiliary negated, or None when there is none or it is negated already."""
    if _NEGATED.search(sentence):
        return None
    words = sentence.split()
    for i, word in enumerate(words[:-1]):
        if i == 0:
            continue
        if word in _BE or word in _CAN:
            style = rng.random()
            if style < 0.55:
                new = [word, "not"]
            elif style < 0.75:
                new = [(_BE | _CAN)[word]]
            elif word in _BE:
                new = [word, "never"]
            else:
                new = [word, "never"]
            return " ".join(words[:i] + new + words[i + 1 :])
        if word in ("has", "have", "had") and re.fullmatch(r"been|won|\w{3,}ed|\w{2,}en", words[i + 1]):
            return " ".join([*words[: i + 1], rng.choice(("not", "never")), *words[i + 1 :]])
        if word == "has":
            return " ".join([*words[:i], "does not have", *words[i + 1 :]])
        if re.fullmatch(r"[a-z]{3,}ed", word) and i + 1 < len(words) and words[i - 1][-1:].isalpha():
            base = _base(word)
            if base:
                return " ".join([*words[:i], "did not", base, *words[i + 1 :]])
    return None


def _base(past: str) -> str | None:
    """The base form of a few regular verbs, where the rule is safe."""
    known = {"starred": "star", "directed": "direct", "played": "play", "appeared": "appear", "died": "die",
             "received": "receive", "worked": "work", "released": "release", "served": "serve", "married": "marry",
             "produced": "produce", "performed": "perform", "attended": "attend", "started": "start", "lived": "live",
             "ended": "end", "helped": "help", "featured": "feature", "debuted": "debut", "moved": "move"}  # fmt: skip
    return known.get(past)


def _inner(sentence: str) -> str:
    """A sentence as it stands inside another: no final stop, lower case unless it begins with a name."""
    text = sentence.strip().rstrip(".!")
    first, _, rest = text.partition(" ")
    return f"{first.lower()} {rest}" if first in ("The", "A", "An", "There", "It", "In") else text


def _sentence(text: str) -> str:
    text = text.strip().rstrip(".!")
    return text[:1].upper() + text[1:] + "."


def _claims(pairs: list[Pair], rng: random.Random) -> Iterator[tuple[str, str]]:
    """Distinct claims with their negations."""
    seen: set[str] = set()
    for pair in pairs:
        if pair.claim in seen or not 4 <= len(pair.claim.split()) <= 22:
            continue
        seen.add(pair.claim)
        negation = negate(pair.claim, rng)
        if negation:
            yield pair.claim, negation


def _polarity(pairs: list[Pair], rng: random.Random) -> Iterator[Pair]:
    """A claim and its negation as evidence for one another, alone or beside another sentence of the corpus."""
    others = [p.evidence for p in pairs if len(p.evidence) < 220]
    for claim, negation in _claims(pairs, rng):
        extra = rng.random()
        for evidence, target, label in (
            (negation, claim, "REFUTES"),
            (claim, negation, "REFUTES"),
            (negation, f"It is not true that {_inner(claim)}.", "SUPPORTS"),
            (claim, claim, "SUPPORTS") if extra < 0.3 else (negation, negation, "SUPPORTS"),
        ):
            text = _sentence(evidence)
            if extra > 0.75:
                text = f"{text} {rng.choice(others)}"
            yield Pair(text, target, label, "polarity")


def _denied(pairs: list[Pair], rng: random.Random) -> Iterator[Pair]:
    """Beliefs that the evidence denies or affirms in so many words."""
    for claim, negation in _claims(pairs, rng):
        c, n = _inner(claim), _inner(negation)
        denial = rng.choice(DENIALS).format(c=c, n=n)
        yield Pair(denial, claim, "REFUTES", "denied")
        yield Pair(denial, negation, "SUPPORTS", "denied")
        affirmation = rng.choice(AFFIRMATIONS).format(c=c)
        yield Pair(affirmation, claim, "SUPPORTS", "denied")
        yield Pair(affirmation, negation, "REFUTES", "denied")


def _negated_claims(pairs: list[Pair], rng: random.Random) -> Iterator[Pair]:
    """Real evidence against the negated claim: the label turns round."""
    turned = {"SUPPORTS": "REFUTES", "REFUTES": "SUPPORTS", "NEUTRAL": "NEUTRAL"}
    for pair in pairs:
        if pair.source.startswith(("fever_gold", "fm2")):
            negation = negate(pair.claim, rng)
            if negation:
                yield Pair(pair.evidence, negation, turned[pair.label], "negated-claim")


def _contrasts(pairs: list[Pair], rng: random.Random) -> Iterator[Pair]:
    """ "A, not B, is C" supports "A is C" and refutes "B is C"; the same at the end of a sentence."""
    starts: dict[str, list[str]] = defaultdict(list)
    ends: dict[str, list[str]] = defaultdict(list)
    parts = []
    for pair in pairs:
        if _NEGATED.search(pair.claim) or not 4 <= len(pair.claim.split()) <= 16:
            continue
        text = pair.claim.rstrip(".")
        first = re.match(r"((?:[A-Z][\w'’.-]+ ?)+?)(is|was|were|are|has|can|had) ", text)
        last = re.search(r"\b(in|of|by|from|on|at|for) ((?:[A-Z][\w'’.-]+ ?)+|\d{4})$", text)
        if first:
            starts[first[2]].append(first[1].strip())
        if last:
            ends[last[1] + ("#" if last[2][0].isdigit() else "")].append(last[2].strip())
        parts.append((text, first, last))
    for text, first, last in parts:
        if first:
            right, wrong = first[1].strip(), rng.choice(starts[first[2]])
            rest = text[first.end(1) :].strip()
            if wrong != right:
                evidence = rng.choice(
                    ("{r}, not {w}, {x}.", "{r} rather than {w} {x}.", "{r}, and not {w}, {x}.")
                ).format(r=right, w=wrong, x=rest)
                yield Pair(evidence, f"{wrong} {rest}.", "REFUTES", "contrast")
                yield Pair(evidence, f"{right} {rest}.", "SUPPORTS", "contrast")
        if last:
            right = last[2].strip()
            wrong = rng.choice(ends[last[1] + ("#" if right[0].isdigit() else "")])
            stem = text[: last.start(2)]
            if wrong != right:
                evidence = rng.choice(
                    ("{s}{r}, not {p} {w}.", "{s}{r} and not {p} {w}.", "{s}{r} rather than {w}.")
                ).format(s=stem, r=right, w=wrong, p=last[1])
                yield Pair(evidence, f"{stem}{wrong}.", "REFUTES", "contrast")
                yield Pair(evidence, f"{stem}{right}.", "SUPPORTS", "contrast")


def _numbers(pairs: list[Pair], rng: random.Random) -> Iterator[Pair]:
    """A supported claim with a number that also stands in the evidence, and the same claim with another number."""
    for pair in pairs:
        if pair.label != "SUPPORTS":
            continue
        shared = [n for n in _NUMBER.findall(pair.claim) if n in _NUMBER.findall(pair.evidence)]
        if not shared:
            continue
        number = rng.choice(shared)
        value = float(number.replace(",", ""))
        if 1000 <= value <= 2100 and number.isdigit():
            other = str(int(value) + rng.choice((-30, -11, -7, -3, -2, -1, 1, 2, 4, 9, 20)))
        else:
            other = f"{max(1, round(value * rng.choice((0.1, 0.4, 0.5, 0.75, 1.5, 2, 3, 10)))):d}"
        if other != number and other not in _NUMBER.findall(pair.evidence):
            yield Pair(pair.evidence, re.sub(rf"\b{re.escape(number)}\b", other, pair.claim), "REFUTES", "number")
            yield Pair(pair.evidence, pair.claim, "SUPPORTS", "number")


def _same_subject(pairs: list[Pair], rng: random.Random) -> Iterator[Pair]:
    """Evidence on the claim's subject that speaks about something else: it settles nothing."""
    by_subject: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        name = _NAME.match(pair.claim)
        # Only supported claims: true evidence cannot refute them, so what does not speak of them settles nothing.
        if name and pair.source.startswith("fever_gold") and pair.label == "SUPPORTS":
            by_subject[name[0]].append(pair)
    subjects = [s for s, own in by_subject.items() if len(own) > 1]
    rng.shuffle(subjects)
    for subject in subjects:
        own = by_subject[subject]
        made = 0
        for pair in own:
            other = rng.choice(own)
            about = _words(pair.claim) - _words(subject)
            if len(about) >= 2 and not about & _words(other.evidence) and subject.split()[0] in other.evidence:
                yield Pair(other.evidence, pair.claim, "NEUTRAL", "same-subject")
                made += 1
                if made == 4:
                    break


def _causes(pairs: list[Pair], rng: random.Random) -> Iterator[Pair]:
    """Causes, no causes, and protection, in different words on both sides."""
    del pairs
    while True:
        a, e = rng.choice(AGENTS), rng.choice(EFFECTS)

        def say(templates: tuple[str, ...], agent: str = a, effect: str = e) -> str:
            return _sentence(rng.choice(templates).format(a=agent, e=effect))

        yield Pair(say(CLEARS), say(CAUSES), "REFUTES", "cause")
        yield Pair(say(CAUSES), say(CAUSES), "SUPPORTS", "cause")
        yield Pair(say(CAUSES), say(CLEARS), "REFUTES", "cause")
        yield Pair(say(CLEARS), say(CLEARS), "SUPPORTS", "cause")
        yield Pair(say(PREVENTS), say(CAUSES), "REFUTES", "cause")
        yield Pair(
            say(CLEARS + CAUSES),
            say(CAUSES + CLEARS, effect=rng.choice([x for x in EFFECTS if x != e])),
            "NEUTRAL",
            "cause",
        )
        yield Pair(say(CAUSES), say(CAUSES, agent=rng.choice([x for x in AGENTS if x != a])), "NEUTRAL", "cause")


def _words(text: str) -> set[str]:
    return {
        w
        for w in re.findall(r"[a-z0-9]{4,}", text.lower())
        if w not in ("with", "from", "that", "were", "have", "been")
    }
