"""Checking a list of claims: reading it, working through it, and what can be said of it meanwhile."""
