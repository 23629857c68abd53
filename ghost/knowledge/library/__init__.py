"""The starter library: packs of facts in files, switched on and off, and written back."""

from ghost.knowledge.library.drafts import (
    Difference,
    Draft,
    backup_of,
    diff,
    draft_packs,
    take_back_draft,
    writable,
    write_draft,
)
from ghost.knowledge.library.packs import Pack, offered, read_packs, title_of
from ghost.knowledge.library.quality import alike, problems
from ghost.knowledge.library.switches import By, apply_packs_off, switch_pack_off, switch_pack_on, switched_off

__all__ = [
    "By",
    "Difference",
    "Draft",
    "Pack",
    "alike",
    "apply_packs_off",
    "backup_of",
    "diff",
    "draft_packs",
    "offered",
    "problems",
    "read_packs",
    "switch_pack_off",
    "switch_pack_on",
    "switched_off",
    "take_back_draft",
    "title_of",
    "writable",
    "write_draft",
]
