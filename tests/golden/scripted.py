"""A language model that answers each claim as its line of ``claims.jsonl`` says."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tests.golden.doors import Answer, Asked, Scripted

Rule = Mapping[str, Any]
_CLAIM = re.compile(r"<claim>(.*?)</claim>")
_STATEMENTS = re.compile(r"<statements>\n(.*?)\n</statements>", re.DOTALL)
_FOUND = re.compile(r"^\[(\d+)\] [^\n]*found for statement ([\d, ]+)\n<passage>(.*?)</passage>", re.MULTILINE)
_PASSAGE = re.compile(r"<passage>(.*?)</passage>")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


class Script:
    """The answers of all claims. A rule holds:

    ``type`` and ``statements`` for step 1, ``label`` and ``labels`` (by statement) for step 7, and ``says``: rows of a
    ``word`` that a passage must hold, the ``stance`` that the model takes it to have, the ``statement``, and a
    ``quote`` or a number ``n`` where the model does not keep to the passage. ``fault`` names a purpose and what goes
    wrong there: an HTTP status, ``drop``, or text that is no JSON.
    """

    def __init__(self, rules: Mapping[str, Rule]) -> None:
        """``rules`` by the text of the claim."""
        self._rules = rules
        self._by_statement = {s: rule for rule in rules.values() for s in rule.get("statements", ())}

    def __call__(self, asked: Asked) -> Answer:
        rule = self._rule(asked)
        if fault := rule.get("fault", {}).get(asked.purpose):
            return None if fault == "drop" else Scripted(status=fault) if isinstance(fault, int) else Scripted(fault)
        return getattr(self, f"_{asked.purpose}")(rule, asked.words)

    def _rule(self, asked: Asked) -> Rule:
        claim = _CLAIM.search(asked.words)
        if claim and claim.group(1) in self._rules:
            return self._rules[claim.group(1)]
        return next(self._by_statement[text] for text in _statements(asked.words) if text in self._by_statement)

    def _classify(self, rule: Rule, words: str) -> Answer:
        return {
            "reason": "The script says so.", "type": rule.get("type", "FACTUAL"), "confidence": 0.9,
            "statements": list(rule.get("statements", ())), "rephrase": rule.get("rephrase", ""),
        }  # fmt: skip

    def _reading(self, rule: Rule, words: str) -> Answer:
        sentences = _SENTENCE.split(" ".join(_PASSAGE.findall(words)))
        rows = [
            {"statement": says.get("statement", 1), "quote": sentence, "stance": says["stance"]}
            for says in rule.get("says", ())
            for sentence in sentences
            if says["word"] in sentence
        ]
        return {"quotes": rows[:6]}

    def _sufficiency(self, rule: Rule, words: str) -> Answer:
        enough = rule.get("enough", True)
        rows = [
            {
                "statement": number,
                "stances": [{"n": n, "stance": _stance(rule, text, number)} for n, text in _passages(words, number)],
                "enough": enough,
                "reason": "The script says so.",
                "missing": "" if enough else "A source.",
                "queries": [] if enough else rule.get("queries", []),
            }
            for number in _numbers(words)
        ]
        return {"statements": rows}

    def _verdict(self, rule: Rule, words: str) -> Answer:
        sentences = [s for says in rule.get("says", ()) for s in _sentence(says, words)]
        labels = rule.get("labels") or {str(number): rule["label"] for number in _numbers(words)}
        return {
            "sentences": sentences,
            "statements": [{"statement": int(n), "label": label, "confidence": 0.9} for n, label in labels.items()],
            "label": rule["label"],
            "confidence": 0.9,
            "missing": "A source." if rule["label"] == "Not Enough Evidence" else "",
        }


def _statements(words: str) -> Sequence[str]:
    rows = _STATEMENTS.search(words)
    return [row.partition(". ")[2] for row in rows.group(1).splitlines()] if rows else []


def _numbers(words: str) -> range:
    return range(1, len(_statements(words)) + 1)


def _passages(words: str, statement: int) -> list[tuple[int, str]]:
    return [(int(n), text) for n, on, text in _FOUND.findall(words) if str(statement) in on.split(", ")]


def _stance(rule: Rule, text: str, statement: int) -> str:
    says = (s for s in rule.get("says", ()) if s["word"] in text and s.get("statement", 1) == statement)
    return next((s["stance"] for s in says), "NEUTRAL")


def _sentence(says: Rule, words: str) -> list[dict[str, Any]]:
    """A sentence about the first passage with the word; none where there is no such passage."""
    statement = says.get("statement", 1)
    for n, text in _passages(words, statement):
        if says["word"] in text:
            n = says.get("n", n)
            cited = {"n": n, "statement": statement, "quote": says.get("quote", text), "stance": says["stance"]}
            return [{"text": says.get("text", "A source speaks about it {}.").format(f"[{n}]"), "citations": [cited]}]
    return []
