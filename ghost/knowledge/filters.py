"""Which passages a list shows, as conditions of a query. All of them are answered from one index."""

import json
from typing import Any

from sqlalchemy import Connection, select, text
from sqlalchemy.sql.elements import ColumnElement, TextClause

from ghost.knowledge.credibility import CredibilityBook
from ghost.knowledge.search import match_all
from ghost.knowledge.values import PassageFilter
from ghost.records import passages

Condition = ColumnElement[bool] | TextClause


def conditions(connection: Connection, filter: PassageFilter, book: CredibilityBook) -> list[Condition]:
    """What a passage has to meet to pass."""
    c, day = passages.c, passages.c.published_at
    found: list[Condition] = []
    for name in ("status", "origin", "source_type", "language", "topic", "domain"):
        value = getattr(filter, name)
        if value is not None:
            found.append(c[name] == value)
    if filter.dated is not None:
        found.append(day.is_not(None) if filter.dated else day.is_(None))
    if filter.published_from is not None:
        found.append(day >= filter.published_from)
    if filter.published_to is not None:
        found.append(day <= filter.published_to)
    if filter.used is not None:
        found.append(c.verification_count > 0 if filter.used else c.verification_count == 0)
    if filter.credibility_from > 0 or filter.credibility_to < 1:
        found.append(_rated(connection, filter, book))
    if filter.text.strip():
        found.append(_worded(filter.text))
    return found


def credibilities(connection: Connection, book: CredibilityBook) -> tuple[dict[str, float], dict[int, float]]:
    """How credible each domain is; and, by ``seq``, the passages of domains that have more than one rating.

    Credibility is a matter of the address and not stored. Nearly all domains have one rating for all their addresses,
    so that the passages need not be looked at.
    """
    domains = list(connection.execute(select(passages.c.domain).distinct()).scalars())
    whole = {domain: rating for domain in domains if (rating := book.of_domain(domain)) is not None}
    mixed = json.dumps([domain for domain in domains if domain not in whole])
    among = text("passages.domain IN (SELECT value FROM json_each(:mixed))").bindparams(mixed=mixed)
    rows = connection.execute(select(passages.c.seq, passages.c.source_url).where(among)).all() if mixed != "[]" else []
    return whole, {row.seq: book.credibility(row.source_url) for row in rows}


def _rated(connection: Connection, filter: PassageFilter, book: CredibilityBook) -> TextClause:
    low, high = filter.credibility_from - 1e-9, filter.credibility_to + 1e-9
    whole, single = credibilities(connection, book)
    domains = json.dumps([domain for domain, rating in whole.items() if low <= rating <= high])
    seqs = json.dumps([seq for seq, rating in single.items() if low <= rating <= high])
    return text(
        "(passages.domain IN (SELECT value FROM json_each(:rated_domains))"
        " OR passages.seq IN (SELECT value FROM json_each(:rated_seqs)))"
    ).bindparams(rated_domains=domains, rated_seqs=seqs)


def _worded(words: str) -> TextClause:
    match: Any = match_all(words)
    if not match:
        return text("0")  # text without any word or figure is in no passage
    found = text("passages.seq IN (SELECT rowid FROM passages_fts WHERE passages_fts MATCH :match)")
    return found.bindparams(match=match)
