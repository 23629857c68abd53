"""What orders to an AI look like: data for ``ghost.knowledge.injection``, one file for each thing they try.

Each row is tried on the text in lower case. An order is recognised by what it asks of a machine that judges text; that
something is merely told in the imperative (a recipe, a manual) is no sign.
"""
