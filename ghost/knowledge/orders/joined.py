"""Orders in other dresses: run together, or behind a simple cipher."""

import re

SQUEEZED = re.compile(
    r"(?:ignore|disregard|forget|override)(?:all|any|the|of|your|my|these|every)*(?:previous|prior|above|earlier|system|preceding|former)"
    r"(?:and|or|the|system|given|your)*(?:instruction|prompt|rule|message|command|guideline|direction)"
    r"|(?:reply|answer|respond|output)(?:only|just|always)*(?:with|in)?(?:only)?(?:theword)?(?:true|false)(?!or)(?:$|and|only)"
)
"""Orders whose letters have lost the spaces between the words."""

CODED = ("instruction", "disregard", "previous", "verdict", "prompt", "ignore all")
"""Words by which a text in a simple cipher is recognised."""
