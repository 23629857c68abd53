"""The command line, ``python -m ghost``. ``main`` is imported by name only: each command loads what it needs."""
