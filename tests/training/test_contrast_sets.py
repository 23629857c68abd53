"""What the calibration is fitted on was kept out of training."""

from training.contrast_sets import held_contrast_sets, held_out


def test_only_pairs_that_were_kept_out_are_held_back() -> None:
    held = held_contrast_sets()
    assert len(held) > 3000
    assert all(held_out(pair.evidence) for pair in held)
    assert {pair.label for pair in held} == {"SUPPORTS", "REFUTES", "NEUTRAL"}
