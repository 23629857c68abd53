"""The database of Ghost: its tables, their migrations, and the record of every run."""
