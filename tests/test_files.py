"""Files that are written whole or not at all."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ghost.text import write_whole


def test_a_file_is_replaced_whole_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_bytes(b"earlier")
    path.chmod(0o600)
    write_whole(path, [b"one", b"two"])
    assert path.read_bytes() == b"onetwo"
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_what_was_there_stays_when_the_pieces_break_off(tmp_path: Path) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"one"
        raise OSError(28, "No space left on device")

    path = tmp_path / "out.csv"
    path.write_bytes(b"earlier")
    with pytest.raises(OSError, match="No space"):
        write_whole(path, pieces())
    assert path.read_bytes() == b"earlier"
    assert list(tmp_path.iterdir()) == [path]


def test_a_neighbour_of_the_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out.csv.part").write_bytes(b"mine")
    write_whole(tmp_path / "out.csv", [b"x"])
    assert (tmp_path / "out.csv.part").read_bytes() == b"mine"
    long = tmp_path / ("n" * 250)
    write_whole(long, [b"x"])
    assert long.read_bytes() == b"x"


def test_links_that_lead_to_one_another_are_an_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match="symbolic links"):
        write_whole(tmp_path / "a", [b"x"])


@pytest.mark.parametrize("place", [".", "/", ""])
def test_a_place_without_a_name_is_a_folder(place: str) -> None:
    with pytest.raises(IsADirectoryError):
        write_whole(Path(place), [b"x"])


def test_a_folder_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_whole(tmp_path / "out", [b"x"])
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_link_still_leads_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "out")
    write_whole(tmp_path / "link", [b"x"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "out").read_bytes() == b"x"


def test_a_pipe_is_written_to_as_it_is(tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, [b"x"])
    reader.join(5)
    assert read == [b"x"]
    assert pipe.is_fifo()
