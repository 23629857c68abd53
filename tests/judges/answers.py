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


def extracted(*statements: str, type: str = "FACTUAL", queries: tuple[str, ...] = (), **scopes: list[str]) -> Reply:
    """An answer to step 1 of a conversation; the scopes are those of every statement."""
    none: dict[str, list[str]] = {"jurisdiction": [], "time": [], "population": [], "method": []}
    return {
        "reason": "It can be checked.", "main_claim": statements[0] if statements else "", "type": type,
        "confidence": 0.9, "sub_claims": [{"text": text, **none, **scopes} for text in statements],
        "queries": list(queries), "rephrase": "",
    }  # fmt: skip


def fact(excerpt: str, source: str = "s1", statement: int = 1, opinion: bool = False) -> Reply:
    """A fact that a model wants to keep."""
    return {"statement": statement, "source": source, "excerpt": excerpt, "opinion": opinion}


def concluded(
    label: str,
    *sentences: Reply,
    statements: dict[int, str] | None = None,
    truth: float | None = None,
    importance: int = 2,
    harm: str = "low",
    **changes: Any,
) -> Reply:
    """The verdict of a conversation; without ``truth`` each statement has the figure that its label means."""
    figures = {"True": 100, "False": 0}
    made = decided(label, *sentences, statements=statements, **changes)
    for row in made["statements"]:
        figure = figures.get(row["label"], 50) if truth is None else truth
        row |= {"truth": figure, "importance": importance}
    return made | {"harm": harm}
