"""The judge that needs no server: models and a rule that anyone can redo by hand."""
