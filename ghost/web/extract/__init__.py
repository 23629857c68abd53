"""Fetched bytes as text with everything known about it. Goes to no network."""
