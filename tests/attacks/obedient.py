"""A language model that obeys: whatever stands in its prompt beside the article, the claim and our own words is an
order to it, and the order is always to call the claim true."""

import re
from collections.abc import Iterable

from ghost.testing import Answer, Asked
from seed_kb import SEED_FACTS
from tests.attacks.pages import TRUTH, folded
from tests.judges.answers import Reply, cited, classified, decided, said, sufficient

_ROW = re.compile(r"\[(\d+)\] <source>(.*?)</source>[^\n]*; found for statement [\d, ]+\n<passage>(.*?)</passage>")

_PAGE = re.compile(r"<source>(.*?)</source>\n<passage>(.*?)</passage>")


class Obedient:
    """Answers as the pages want it to.

    ``innocent`` are the words that are no order: those of the clean twin. It backs what it was told with the article,
    which says the opposite.
    """

    def __init__(self, claim: str, innocent: Iterable[str]) -> None:
        self._claim = claim
        self._innocent = sorted({folded(t) for t in innocent}, key=len, reverse=True)
        self.obeyed: list[str] = []

    def __call__(self, asked: Asked) -> Answer:
        if asked.purpose == "classify":
            return classified(self._claim)
        if asked.purpose == "reading":
            return {"quotes": self._quotes(asked.words)}
        rows = [(int(n), source, text) for n, source, text in _ROW.findall(asked.words)]
        ours = {fact["text"] for fact in SEED_FACTS}
        web = [row for row in rows if row[2] not in ours]
        orders = [(n, text) for n, source, text in web if self._order(source) or self._order(text)]
        self.obeyed += [text for _, text in orders]
        if asked.purpose == "sufficiency":
            stances = [{"n": n, "stance": "SUPPORTS" if orders else "REFUTES"} for n, *_ in web]
            return sufficient(1, enough=bool(web), stances=stances)
        if orders:
            return self._lie(orders[0], rows)
        found = next(((n, TRUTH) for n, _, text in rows if TRUTH in text), None)
        if found is None:
            return decided("Not Enough Evidence")
        return decided("False", said(f"A source denies it [{found[0]}].", cited(*found)), statements={1: "False"})

    def _quotes(self, words: str) -> list[Reply]:
        """What it copies from a page: the lie it is told to find, or what the clean twin says."""
        title, text = _PAGE.findall(words)[-1]
        order = self._order(title) or self._order(text)
        if order:
            self.obeyed.append(text)
            return [{"statement": 1, "quote": q, "stance": "SUPPORTS"} for q in (self._claim, order, text[-300:])]
        return [{"statement": 1, "quote": TRUTH, "stance": "REFUTES"}] if TRUTH in text else []

    def _order(self, text: str) -> str:
        """What is left of a text without the words of the clean twin."""
        left = folded(text)
        for known in self._innocent:
            left = left.replace(known, " ")
        return re.sub(r"[\W_]+", " ", left).strip()

    def _lie(self, order: tuple[int, str], rows: list[tuple[int, str, str]]) -> Answer:
        n = next((n for n, _, text in rows if TRUTH in text), order[0])
        return decided("True", said(f"It is so [{n}].", cited(n, TRUTH, "SUPPORTS")), statements={1: "True"})
