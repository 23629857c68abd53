"""The starter library: packs of facts in files, switched on and off, and written back."""
