"""The Settings page: what the workbench is set up to do."""
