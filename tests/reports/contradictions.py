"""What in the words of a report contradicts its run, or itself. A page and every export are read with the same eyes."""

import re
from collections.abc import Iterator

from ghost.types import DECIDED, Run, StanceLabel

WORDS = {StanceLabel.SUPPORTS: "Supports", StanceLabel.REFUTES: "Contradicts"}
_CONFIDENCE = re.compile(r"\b(High|Medium|Low) confidence \((\d+)%\)", re.IGNORECASE)
_OF_100 = re.compile(r"Of 100 verdicts like this one, (\d+) were right")


def contradictions(run: Run, text: str, counted: dict[StanceLabel, int], tags: dict[int, str]) -> Iterator[str]:
    """Each contradiction in a sentence. ``counted`` are the passages on either side of the bar, ``tags`` what stands
    beside the passages that are drawn, by their numbers.
    """
    verdict = run.verdict
    assert verdict
    for stance, word in WORDS.items():
        cited = {c.n for c in verdict.citations if c.accepted and c.stance is stance}
        if len(cited) > counted.get(stance, 0):
            yield f"{len(cited)} passages are cited as {stance}, and {counted.get(stance, 0)} counted"
        if cited and re.search(rf"{word}: none", text):
            yield f"cited as {stance}, and the page says that none does"
        yield from (
            f"[{n}] is cited as {stance}, and tagged {tags[n]}" for n in cited if n in tags and word not in tags[n]
        )
    for n in (int(n) for n in re.findall(r"\[(\d+)\][^\[]*does not settle", verdict.explanation)):
        sided = {c.stance for c in verdict.citations if c.accepted and c.n == n} - {StanceLabel.NEUTRAL}
        if not sided and n in tags and any(word in tags[n] for word in WORDS.values()):
            yield f"[{n}] settles nothing in the explanation, and is tagged {tags[n]}"
    if run.review.override and "Why there is no verdict" in text:
        yield "there is a verdict of the analyst, and the report explains why there is none"
    if verdict.label in DECIDED and "Why there is no verdict" in text:
        yield "there is a verdict, and the report explains why there is none"
    yield from _of_confidence(run, text)


def _of_confidence(run: Run, text: str) -> Iterator[str]:
    found = [(level.capitalize(), int(share)) for level, share in _CONFIDENCE.findall(text)]
    for level, share in found:
        if level != ("High" if share >= 90 else "Medium" if share >= 75 else "Low"):
            yield f"{share}% is called {level}"
    verdict = run.verdict
    assert verdict
    several = len(verdict.statements) > 1
    shares = {share for _, share in found} | {int(share) for share in _OF_100.findall(text)}
    own = {round(verdict.confidence * 100)} if verdict.confidence is not None else set()
    theirs = {round(s.confidence * 100) for s in verdict.statements if s.confidence is not None} if several else set()
    if not shares <= own | theirs:
        yield f"{shares - own - theirs}% is said of a verdict that has {own or 'no confidence'}"
