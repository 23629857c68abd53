from pathlib import Path

import pytest

pytest.importorskip("torch")

from training.folder import replacing

pytestmark = pytest.mark.models


def test_a_finished_export_takes_the_place_of_the_old_folder(tmp_path: Path) -> None:
    target = tmp_path / "model"
    target.mkdir()
    (target / "old").touch()
    with replacing(target) as folder:
        (folder / "new").touch()
        assert (target / "old").exists()
    assert [file.name for file in target.iterdir()] == ["new"]
    assert list(tmp_path.iterdir()) == [target]


def test_a_failed_export_leaves_the_old_folder(tmp_path: Path) -> None:
    target = tmp_path / "model"
    target.mkdir()
    (target / "old").touch()

    def fail() -> None:
        with replacing(target) as folder:
            (folder / "new").touch()
            raise SystemExit("too far from the float model")

    with pytest.raises(SystemExit):
        fail()
    assert [file.name for file in target.iterdir()] == ["old"]
    assert list(tmp_path.iterdir()) == [target]
