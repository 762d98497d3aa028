"""The log holds no payload."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.hub import logs
from assent.redact import Redactor


@pytest.fixture
def log_file(tmp_path: Path) -> Iterator[Path]:
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    logs.start(tmp_path / "hub.log", Redactor(lambda text: f"{len(text):08x}").text)
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
