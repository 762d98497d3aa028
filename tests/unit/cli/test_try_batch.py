"""`assent try --batch`: a line in, a line out."""

import io
import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

from assent.cli import try_
from tests.unit.cli.conftest import Run

Ask = Callable[[bytes], tuple[int, list[dict[str, Any]]]]


@pytest.fixture
def ask(assent: Run, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Give these bytes on the standard input; the exit code, and every line that came back."""

    def asked(given: bytes) -> tuple[int, list[dict[str, Any]]]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        result = assent("try", "--batch")
        return result.code, [json.loads(line) for line in result.out.splitlines()]

    return asked


def lines(*questions: object) -> bytes:
    return b"".join(json.dumps(question).encode() + b"\n" for question in questions)


def test_batch_answers_in_order(ask: Ask) -> None:
    """One verdict a line, each with the command it is about."""
    code, found = ask(
        lines({"command": "ls"}, {"command": "git push -f"}, {"command": "npm i"}, {"command": "rm -rf /"})
    )
    assert code == 0
    assert [answer["command"] for answer in found] == ["ls", "git push -f", "npm i", "rm -rf /"]
    assert [answer["decision"] for answer in found] == ["allow", "ask", "no_opinion", "deny"]
    assert [answer["risk"] for answer in found] == ["look", "danger", "care", "danger"]


def test_batch_answers_with_what_was_promised(ask: Ask) -> None:
    """No field is left out, and the tree is not repeated."""
    _, [answer] = ask(lines({"command": "git push -f origin main"}))
    assert list(answer) == ["command", "decision", "risk", "reason", "effects", "trace", "by"]
    assert answer["effects"][0] == {
        "kind": "history",
        "risk": "danger",
        "target": "main",
        "why": "It overwrites commits on the remote, others' as well.",
        "safer": "git push --force-with-lease",
    }
    assert answer["trace"][0]["says"] == "ask"


def test_batch_passes_over_fields_it_does_not_know(ask: Ask) -> None:
    """A file with labels can be judged as it is."""
    code, [answer] = ask(lines({"command": "ls", "cwd": None, "mode": "auto", "label": "allow", "id": 7}))
    assert (code, answer["decision"]) == (0, "allow")


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"nonsense",
        b"[]",
        b"null",
        b'{"cwd": "/"}',
        b'{"command": 7}',
        b'{"command": "ls", "cwd": []}',
        b'{"command": "\xff\xfe"}',
        b"\x00\x01\x02",
        b'{"command": "\\ud800"}',
        b"[" * 100_000,
        b'{"command": "ls"} {"command": "ls"}',
    ],
)
def test_batch_answers_a_bad_line_in_its_place(ask: Ask, line: bytes) -> None:
    """The lines around it are judged, and the exit code tells."""
    code, found = ask(lines({"command": "ls"}) + line + b"\n" + lines({"command": "pwd"}))
    assert code == 1
    assert [next(iter(answer)) for answer in found] == ["command", "error", "command"]


def test_batch_passes_over_a_line_that_is_too_long(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not kept in memory, and what follows is judged."""
    monkeypatch.setattr(try_, "LONGEST_LINE", 100)
    code, found = ask(lines({"command": "ls"}, {"command": "x" * 1_000}, {"command": "pwd"}))
    assert code == 1
    assert [answer.get("command") for answer in found] == ["ls", None, "pwd"]


@pytest.mark.parametrize("command", ["", " ", "\n", "a\0b", "(" * 50_000, "\x1b[2J", "'", "$(" * 9_000, "é" * 70_000])
def test_batch_judges_odd_commands(ask: Ask, command: str) -> None:
    """Odd is no reason to fail, and what cannot be read is never allowed."""
    code, [answer] = ask(lines({"command": command}))
    assert (code, answer["command"]) == (0, command)
    assert (answer["decision"] == "allow") == (not command.strip())


def test_batch_reads_a_last_line_without_an_end(ask: Ask) -> None:
    """As editors leave it."""
    assert ask(b'{"command": "ls"}')[1][0]["decision"] == "allow"


def test_batch_of_nothing_is_nothing(ask: Ask) -> None:
    """And no failure."""
    assert ask(b"") == (0, [])
