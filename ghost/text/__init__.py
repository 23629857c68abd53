"""Text as people type it: sentences, invisible characters, dates, tables, addresses without secrets."""

from ghost.text.encodings import ENCODINGS, DecodedFile, decode_file
from ghost.text.files import write_whole
from ghost.text.hostname import ascii_host, is_address
from ghost.text.invisible import one_line, stream_safe, visible, without_invisible
from ghost.text.periods import Period
from ghost.text.quantities import Amount, aligned, amounts, other_scale
from ghost.text.redaction import login_header, redacted, server_of, without_secrets
from ghost.text.sentences import Span, normalise, pieces, spans
from ghost.text.spreadsheet import csv_bytes, csv_pieces, guarded, safe_cell, unguarded

__all__ = [
    "ENCODINGS",
    "Amount",
    "DecodedFile",
    "Period",
    "Span",
    "aligned",
    "amounts",
    "ascii_host",
    "csv_bytes",
    "csv_pieces",
    "decode_file",
    "guarded",
    "is_address",
    "login_header",
    "normalise",
    "one_line",
    "other_scale",
    "pieces",
    "redacted",
    "safe_cell",
    "server_of",
    "spans",
    "stream_safe",
    "unguarded",
    "visible",
    "without_invisible",
    "without_secrets",
    "write_whole",
]
