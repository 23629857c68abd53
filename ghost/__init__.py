"""Ghost: a workbench for checking claims."""

__version__ = "0.1.0"
