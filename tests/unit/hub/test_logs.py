"""The log holds no payload."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.hub import logs
from assent.redact import Redactor


@pytest.fixture
def log_file(tmp_path: Path) -> Iterator[Path]:
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    logs.start(tmp_path / "hub.log", Redactor(lambda text: f"{len(text):08x}"))
    yield tmp_path / "hub.log"
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    for handler in before:
        root.addHandler(handler)
    root.setLevel(level)


def test_secrets_in_a_line_are_marked(log_file: Path) -> None:
    """Should a sentence ever quote a secret, a mark is written."""
    logging.getLogger("assent.hub").error("could not run: --password EXAMPLEpw1\nnext")
    line = log_file.read_text(encoding="utf-8")
    assert line.endswith("--password ⟨password:0000000a⟩\\nnext\n")


def test_error_is_told_by_name_and_place_alone(log_file: Path) -> None:
    """An error's own words may quote what an agent sent."""
    try:
        int("the secret plan")
    except ValueError:
        logging.getLogger("assent.hub").exception("judging failed")
    line = log_file.read_text(encoding="utf-8")
    assert "ValueError" in line
    assert "test_logs.py" in line
    assert "plan" not in line
    assert line.count("\n") == 1


def test_link_in_place_of_the_log_is_not_followed(tmp_path: Path) -> None:
    """The hub writes into no file that the link leads to, nor changes its mode."""
    other = tmp_path / "other"
    other.write_text("mine")
    other.chmod(0o644)
    (tmp_path / "hub.log").symlink_to(other)
    handler = logs.PlainFile(tmp_path / "hub.log", encoding="utf-8")
    handler.emit(logging.makeLogRecord({"msg": "a line"}))
    handler.close()
    assert (other.read_text(), other.stat().st_mode & 0o777) == ("mine", 0o644)
    assert (tmp_path / "hub.log").read_text() == "a line\n"


def test_pipe_in_place_of_the_log_does_not_hold_the_hub(tmp_path: Path) -> None:
    """Opening it would wait for a reader."""
    os.mkfifo(tmp_path / "hub.log")
    handler = logs.PlainFile(tmp_path / "hub.log", encoding="utf-8")
    handler.emit(logging.makeLogRecord({"msg": "a line"}))
    handler.close()
    assert (tmp_path / "hub.log").read_text() == "a line\n"


def test_lines_of_one_kind_do_not_fill_the_log(log_file: Path) -> None:
    """A few pass in a minute; others are not held back, and the next one says how many were left out."""
    log = logging.getLogger("assent.hub")
    for number in range(5_000):
        log.warning("connection %d refused", number)
    log.warning("something else")
    lines = log_file.read_text(encoding="utf-8").splitlines()
    # The minute may have changed in between.
    assert logs.MOST_OF_A_KIND < len(lines) <= 2 * logs.MOST_OF_A_KIND + 1
    assert lines[-1].endswith("something else")


def test_what_was_left_out_is_told_later() -> None:
    """With the first line of the next minute."""
    seldom = logs.Seldom()

    def said(at: float) -> str | None:
        record = logging.makeLogRecord({"msg": "refused %d", "args": (7,), "created": at})
        return record.getMessage() if seldom.filter(record) else None

    assert [said(0.0) for _ in range(logs.MOST_OF_A_KIND + 5)].count(None) == 5
    assert said(61.0) == "refused 7 (5 more of this kind were left out)"
    assert said(62.0) == "refused 7"
