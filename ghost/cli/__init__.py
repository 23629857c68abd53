"""The command line: ``python -m ghost verify|kb|seed|page|demo|bench``."""
