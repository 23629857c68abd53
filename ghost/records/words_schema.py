"""The tables, triggers and functions by which rows are found by their words.

On SQLite that is FTS5. On PostgreSQL the words stand in a table beside the one that has the texts (``passages_words``),
since those rows are rewritten whenever a statistic changes.
"""

import sys
import unicodedata
from collections.abc import Sequence
from functools import cache

from sqlalchemy import Connection, text

WORDED = (("passages", ("text", "title")), ("claim_cards", ("claim",)))
"""The tables whose rows are found by the words of these columns."""
_COLLATIONS = ("pg_unicode_fast", "pg_c_utf8", "und-x-icu", "default")
"""Those that know the letters of all scripts, the surest first; which of them a server has differs."""
_CHARS = 200_000
"""Of a longer text the rest is not looked up: a vector of words has a megabyte at most."""


def create_words(connection: Connection) -> None:
    """Create what is not there yet."""
    if connection.dialect.name == "postgresql":
        _create_functions(connection)
    for name, columns in WORDED:
        make = _tsvector if connection.dialect.name == "postgresql" else _full_text
        for statement in make(name, columns):
            connection.exec_driver_sql(statement)


def _full_text(table: str, columns: Sequence[str]) -> tuple[str, ...]:
    """A full-text index over columns of a table, and the triggers by which it follows it."""
    names = ", ".join(columns)
    index, old, new = f"{table}_fts", *(", ".join(f"{row}.{c}" for c in columns) for row in ("old", "new"))
    drop = f"INSERT INTO {index}({index}, rowid, {names}) VALUES ('delete', old.seq, {old});"
    put = f"INSERT INTO {index}(rowid, {names}) VALUES (new.seq, {new});"
    made = f"fts5({names}, content='{table}', content_rowid='seq', tokenize='porter unicode61 remove_diacritics 2')"
    return (
        f"CREATE VIRTUAL TABLE IF NOT EXISTS {index} USING {made}",
        f"CREATE TRIGGER IF NOT EXISTS {index}_insert AFTER INSERT ON {table} BEGIN {put} END",
        f"CREATE TRIGGER IF NOT EXISTS {index}_delete AFTER DELETE ON {table} BEGIN {drop} END",
        # Only for these columns: others, such as the statistics of a passage, change far more often.
        f"CREATE TRIGGER IF NOT EXISTS {index}_update AFTER UPDATE OF {names} ON {table} BEGIN {drop} {put} END",
    )


def _create_functions(connection: Connection) -> None:
    """Create what text is compared and taken apart with, where it is not there yet."""
    there = set(connection.execute(text("SELECT collname FROM pg_collation")).scalars())
    collation = next(name for name in _COLLATIONS if name in there)
    known = "SELECT 1 FROM pg_ts_dict WHERE dictname = 'ghost_porter' AND pg_ts_dict_is_visible(oid)"
    if connection.execute(text(known)).first() is None:
        connection.exec_driver_sql(
            "CREATE TEXT SEARCH DICTIONARY ghost_porter (TEMPLATE = snowball, LANGUAGE = porter)"
        )
    for name, takes, gives, body in _functions(collation):
        kind = "LANGUAGE sql IMMUTABLE PARALLEL SAFE"
        statement = f"CREATE OR REPLACE FUNCTION {name}({takes}) RETURNS {gives} {kind} AS $body$ {body} $body$"
        connection.exec_driver_sql(statement.replace("%", "%%"))


def _functions(collation: str) -> tuple[tuple[str, str, str, str], ...]:
    """Name, parameters, result and body of each."""
    # A sigma at the end of a word is written differently; the marks above letters are taken off Latin ones only, and
    # only where there are any, which a text of ASCII has not.
    plain = r"""
        CASE WHEN octet_length(value) = length(value) THEN lower(value) ELSE translate(normalize(regexp_replace(
        normalize(ghost_lower(value), NFD), '([a-z])[\u0300-\u0331]+', '\1', 'g'), NFC), 'ς', 'σ') END
    """
    stem = "left(coalesce((ts_lexize('ghost_porter', token))[1], token), 500)"
    return (
        ("ghost_lower", "value text", "text", f'SELECT lower(value COLLATE "{collation}")'),
        (
            "ghost_tokens", "whole text", "text[]",
            (
                f"SELECT coalesce(array_agg({stem} ORDER BY n), '{{}}') FROM (SELECT left(whole, {_CHARS}) AS value) "
                f"AS s, regexp_split_to_table({plain}, '[^0-9a-z{_letters()}]+') WITH ORDINALITY AS t(token, n) "
                "WHERE token <> ''"
            ),
        ),
        (
            "ghost_vector", "tokens text[]", "tsvector",
            ("SELECT CAST(coalesce(string_agg(token || ':' || least(n, 16383), ' '), '') AS tsvector) "
            "FROM unnest(tokens) WITH ORDINALITY AS t(token, n)"),
        ),
        (
            "ghost_query", "word text, ending text DEFAULT ''", "text",
            "SELECT nullif(array_to_string(ghost_tokens(word), ' <-> '), '') || ending",
        ),
    )  # fmt: skip


def _tsvector(name: str, columns: Sequence[str]) -> tuple[str, ...]:
    def said(row: str) -> str:
        return " || ' ' || ".join(f"{row}.{c}" for c in columns)

    def trigger(does: str, rows: str, body: str) -> tuple[str, ...]:
        function = f"{name}_words_{does}"
        return (
            (
                f"CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS $body$ "
                f"BEGIN {body}; RETURN NULL; END $body$"
            ),
            f"DROP TRIGGER IF EXISTS {function} ON {name}",
            f"CREATE TRIGGER {function} AFTER {rows} EXECUTE FUNCTION {function}()",
        )

    def read(rows: str) -> str:
        return (
            f"SELECT r.seq, ghost_vector(t.tokens) AS words, cardinality(t.tokens) AS length "
            f"FROM {rows} AS r, LATERAL (SELECT ghost_tokens({said('r')}) AS tokens OFFSET 0) AS t"
        )

    changed = " OR ".join(f"OLD.{c} IS DISTINCT FROM NEW.{c}" for c in columns)
    return (
        ("CREATE TABLE IF NOT EXISTS word_totals "
        "(name text PRIMARY KEY, rows bigint NOT NULL, length bigint NOT NULL)"),
        f"INSERT INTO word_totals VALUES ('{name}', 0, 0) ON CONFLICT DO NOTHING",
        (f"CREATE TABLE IF NOT EXISTS {name}_words "
        "(seq integer PRIMARY KEY, words tsvector NOT NULL, length integer NOT NULL)"),
        f"CREATE INDEX IF NOT EXISTS ix_{name}_words ON {name}_words USING gin (words)",
        *trigger(
            "insert", f"INSERT ON {name} REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT",
            f"WITH put AS (INSERT INTO {name}_words {read('fresh')} RETURNING length) UPDATE word_totals SET "
            "rows = rows + (SELECT count(*) FROM put), length = word_totals.length + "
            f"(SELECT coalesce(sum(put.length), 0) FROM put) WHERE name = '{name}'",
        ),
        *trigger(
            # Only for these columns: others, such as the statistics of a passage, change far more often.
            "update", f"UPDATE OF {', '.join(columns)} ON {name} FOR EACH ROW WHEN ({changed})",
            f"WITH put AS (UPDATE {name}_words AS w SET words = ghost_vector(t.tokens), length = cardinality(t.tokens) "
            f"FROM (SELECT ghost_tokens({said('NEW')}) AS tokens) AS t, "
            f"(SELECT length FROM {name}_words WHERE seq = OLD.seq) AS was "
            "WHERE w.seq = OLD.seq RETURNING w.length - was.length AS more) UPDATE word_totals SET "
            f"length = length + (SELECT coalesce(sum(more), 0) FROM put) WHERE name = '{name}'",
        ),
        *trigger(
            "delete", f"DELETE ON {name} REFERENCING OLD TABLE AS gone FOR EACH STATEMENT",
            f"WITH put AS (DELETE FROM {name}_words AS w USING gone WHERE w.seq = gone.seq RETURNING w.length) "
            "UPDATE word_totals SET rows = rows - (SELECT count(*) FROM put), length = word_totals.length - "
            f"(SELECT coalesce(sum(put.length), 0) FROM put) WHERE name = '{name}'",
        ),
    )  # fmt: skip


@cache
def _letters() -> str:
    """The letters and digits of all scripts besides ASCII as ranges of a regular expression, as Python sees them.

    Servers differ in what is a letter, by version and by locale; the words of a query are told apart by Python.
    """
    ranges: list[str] = []
    first = last = 0
    for code in range(0x80, sys.maxunicode + 1):
        if unicodedata.category(chr(code)) in ("Cn", "Cs"):
            continue  # nobody's: a range may go over it
        if chr(code).isalnum():
            first, last = first or code, code
        elif first:
            ranges.append(rf"\U{first:08x}-\U{last:08x}")
            first = 0
    return "".join(ranges)
