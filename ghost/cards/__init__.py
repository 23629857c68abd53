"""Claim cards, and the router of questions."""
