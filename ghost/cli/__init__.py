"""The command line: ``python -m ghost verify|batch|export|kb|seed|page|demo|workbench``."""
