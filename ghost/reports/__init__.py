"""A finished run, written down for machines and for people. Nothing here decides anything."""
