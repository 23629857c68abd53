"""Two rankings become one."""

import pytest

from ghost.knowledge import fuse
from ghost.knowledge.search import Fused


def test_the_joint_score_by_hand() -> None:
    found = fuse([("a", 0.8), ("b", 0.4)], [("b", 10.0), ("c", 5.0)], {"a": 1, "b": 1, "c": 1})
    assert [(f.id, f.semantic, f.lexical) for f in found] == [("b", 0.4, 10.0), ("a", 0.8, None), ("c", None, 5.0)]
    # b: 0.7 * 0.4 + 0.3 * 1; a: 0.7 * 0.8; c counts as near as b, and has half of the best words.
    assert [f.score for f in found] == pytest.approx([0.58, 0.56, 0.43])


def test_only_what_is_allowed_counts_also_as_the_measure_of_the_others() -> None:
    found = fuse([("a", 0.9), ("b", 0.5)], [("a", 10.0), ("b", 2.0)], {"b": 1})
    assert found == [Fused("b", pytest.approx(0.65), 0.5, 2.0)]


def test_one_ranking_alone_keeps_its_order() -> None:
    assert [f.id for f in fuse([("a", 0.9), ("b", 0.5)], [], {"a": 1, "b": 1})] == ["a", "b"]
    assert [f.id for f in fuse([], [("b", 3.0), ("a", 1.0)], {"a": 1, "b": 1})] == ["b", "a"]
    assert fuse([], [], {}) == []
