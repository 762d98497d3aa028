"""Reading on in a file that grows: bounded, whole lines only, and never stuck."""

import os
from pathlib import Path

from assent.hub.ingress import results
from assent.hub.ingress.results import grown


def test_only_whole_lines_are_read_and_each_once(tmp_path: Path) -> None:
    """The rest of a line comes with the next look."""
    file = tmp_path / "t.jsonl"
    file.write_text("one\ntw")
    assert grown(str(file), None) == (b"one\n", 4)
    with file.open("a") as more:
        more.write("o\n")
    assert grown(str(file), 4) == (b"two\n", 8)
    assert grown(str(file), 8) == (b"", 8)


def test_long_file_is_read_at_its_end(tmp_path: Path) -> None:
    """However much was written since."""
    file = tmp_path / "t.jsonl"
    file.write_bytes(b"x" * results.LARGEST + b"\nlast\n")
    data, at = grown(str(file), None)
    assert len(data) <= results.LARGEST
    assert data.endswith(b"\nlast\n")
    assert at == file.stat().st_size


def test_file_that_became_shorter_is_read_anew(tmp_path: Path) -> None:
    """It is another one."""
    file = tmp_path / "t.jsonl"
    file.write_text("new\n")
    assert grown(str(file), 100) == (b"new\n", 4)


def test_what_is_no_regular_file_is_not_waited_for(tmp_path: Path) -> None:
    """A pipe, a folder, nothing at all, a name that cannot be one."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for file in (pipe, tmp_path, tmp_path / "none", "a\0b"):
        assert grown(str(file), None) == (b"", 0)
