"""Text as people type it: sentences, invisible characters, dates, tables, addresses without secrets."""

from ghost.text.addresses import ascii_host, is_address, login_header, redacted, server_of, without_secrets
from ghost.text.centuries import in_their_period
from ghost.text.digits import plain_numbers
from ghost.text.english import ENGLISH, PARTICIPLES, VERBS, bare, is_adjective, third_person
from ghost.text.files import ENCODINGS, decode_file, write_whole
from ghost.text.invisible import one_line, stream_safe, visible, without_invisible
from ghost.text.line_breaks import unbroken, word_counts
from ghost.text.periods import Period
from ghost.text.quantities import Amount, aligned, amounts, equal_amounts, unfit
from ghost.text.questions import statement_asked
from ghost.text.sentences import Span, normalise, pieces, spans, text_hash
from ghost.text.speakers import PAGES, lookalikes, name_in, publisher_names, speaker_in
from ghost.text.spreadsheet import csv_bytes, csv_pieces, end_of_row, guarded, safe_cell, unguarded

__all__ = [
    "ENCODINGS",
    "ENGLISH",
    "PAGES",
    "PARTICIPLES",
    "VERBS",
    "Amount",
    "Period",
    "Span",
    "aligned",
    "amounts",
    "ascii_host",
    "bare",
    "csv_bytes",
    "csv_pieces",
    "decode_file",
    "end_of_row",
    "equal_amounts",
    "guarded",
    "in_their_period",
    "is_address",
    "is_adjective",
    "login_header",
    "lookalikes",
    "name_in",
    "normalise",
    "one_line",
    "pieces",
    "plain_numbers",
    "publisher_names",
    "redacted",
    "safe_cell",
    "server_of",
    "spans",
    "speaker_in",
    "statement_asked",
    "stream_safe",
    "text_hash",
    "third_person",
    "unbroken",
    "unfit",
    "unguarded",
    "visible",
    "without_invisible",
    "without_secrets",
    "word_counts",
    "write_whole",
]
