"""Many passages or ratings in one file, on their way in and out."""

from ghost.knowledge.transfer.check import check_import
from ghost.knowledge.transfer.export import EXPORT_FORMATS, csv_table, export_passages
from ghost.knowledge.transfer.import_file import (
    MAX_IMPORT_BYTES,
    MAX_IMPORT_ROWS,
    FileFormat,
    ImportCheck,
    ImportFile,
    ImportFileError,
    ReadOptions,
    RowProblem,
)
from ghost.knowledge.transfer.import_jobs import Importer, ImportJob, ImportPhase
from ghost.knowledge.transfer.imports import discard_interrupted, restore_import, run_import, undo_import
from ghost.knowledge.transfer.ratings_file import MAX_RATINGS, RatingsFile, read_ratings, write_ratings
from ghost.knowledge.transfer.reader import missing_columns, read_import_file
from ghost.knowledge.transfer.rows import IMPORT_FIELDS

__all__ = [
    "EXPORT_FORMATS",
    "IMPORT_FIELDS",
    "MAX_IMPORT_BYTES",
    "MAX_IMPORT_ROWS",
    "MAX_RATINGS",
    "FileFormat",
    "ImportCheck",
    "ImportFile",
    "ImportFileError",
    "ImportJob",
    "ImportPhase",
    "Importer",
    "RatingsFile",
    "ReadOptions",
    "RowProblem",
    "check_import",
    "csv_table",
    "discard_interrupted",
    "export_passages",
    "missing_columns",
    "read_import_file",
    "read_ratings",
    "restore_import",
    "run_import",
    "undo_import",
    "write_ratings",
]
