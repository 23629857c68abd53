"""The command line: ``python -m ghost verify|export|kb|seed|page|demo|bench``."""
