"""Answers of a language model, as a script gives them."""

from typing import Any

Reply = dict[str, Any]


def classified(*statements: str, type: str = "FACTUAL", **changes: Any) -> Reply:
    """An answer to step 1."""
    return {
        "reason": "It can be checked.", "type": type, "confidence": 0.9, "statements": list(statements),
        "rephrase": "", **changes,
    }  # fmt: skip


def sufficient(*numbers: int, enough: bool = True, stance: str = "REFUTES", **changes: Any) -> Reply:
    """An answer to step 4 for these statements."""
    row = {
        "stances": [{"n": 1, "stance": stance}], "enough": enough, "reason": "One source says so.",
        "missing": "" if enough else "A study.", "queries": [] if enough else ["honey shelf life"], **changes,
    }  # fmt: skip
    return {"statements": [{"statement": n, **row} for n in numbers or (1,)]}


def cited(n: int, quote: str, stance: str = "REFUTES", statement: int = 1) -> Reply:
    """One citation."""
    return {"n": n, "statement": statement, "quote": quote, "stance": stance}


def said(text: str, *citations: Reply) -> Reply:
    """One sentence."""
    return {"text": text, "citations": list(citations)}


def decided(label: str, *sentences: Reply, statements: dict[int, str] | None = None, **changes: Any) -> Reply:
    """An answer to step 7."""
    rows = [{"statement": n, "label": text, "confidence": 0.9} for n, text in (statements or {1: label}).items()]
    return {
        "sentences": list(sentences), "statements": rows, "label": label, "confidence": 0.9, "missing": "", **changes,
    }  # fmt: skip
