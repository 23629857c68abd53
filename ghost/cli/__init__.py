"""The command line: ``python -m ghost verify|batch|kb|seed|page|demo|bench``."""
