"""What several tests of the knowledge base do."""

from collections.abc import Sequence
from dataclasses import replace

from ghost.knowledge import KnowledgeBase, Revision, origins
from ghost.types import Passage


def edit(knowledge: KnowledgeBase, passage_id: str, text: str, note: str = "") -> Passage:
    """Give a passage another text, and return it."""
    found = knowledge.get([passage_id])
    wanted = replace(Revision.of(found[0]), text=text) if found else Revision(text)
    knowledge.curation.revise(passage_id, wanted, note)
    return knowledge.get([passage_id])[0]


def groups(passages: Sequence[Passage]) -> list[int]:
    """The number of the origin of each passage."""
    return [origin.group for origin in origins(passages)]
