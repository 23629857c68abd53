"""Packs: many passages in one file, on their way in and out."""
