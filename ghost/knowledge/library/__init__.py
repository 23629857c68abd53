"""The starter library: packs of facts that come with Ghost, and what the analyst makes of them."""
