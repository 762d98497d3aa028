"""Rules made of approvals that a real hub recorded, written to real files."""

import json
import os
import pty
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.component.cli.conftest import DEADLINE, Terminal
from tests.component.hub_process import until

ENVIRON = {"CLAUDE_CODE_SESSION_ATTENDED": "1", "CLAUDE_PROJECT_DIR": "/home/ada/webshop"}


def send(terminal: Terminal, name: str, **payload: Any) -> None:
    """One event the way a shim sends it."""
    event = {"session_id": "s1", "hook_event_name": name, "cwd": "/home/ada/webshop", **payload}
    envelope = {
        "request_id": os.urandom(8).hex(),
        "ts": 1,
        "session_id": "s1",
        "hook_event_name": name,
        "env": ENVIRON,
        "payload": event,
    }
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.settimeout(DEADLINE)
        sock.connect(str(terminal.paths.hook_socket))
        sock.sendall(json.dumps(envelope).encode() + b"\n")
        assert sock.recv(65536)


def wanted(terminal: Terminal, command: str, number: int, *, approved: bool) -> None:
    call = {"tool_name": "Bash", "tool_input": {"command": command}}
    send(terminal, "PreToolUse", tool_use_id=f"t{number}", **call)
    send(terminal, "PermissionRequest", **call)
    if approved:
        send(terminal, "PostToolUse", tool_use_id=f"t{number}", tool_response={}, **call)
    else:
        send(terminal, "UserPromptSubmit", prompt="Not that.")


@pytest.fixture
def reviewed(terminal: Terminal) -> Terminal:
    """A person said yes to four commits, three test runs and three deployments, and no to one of those."""
    # There is no person at the desk: every dialog is answered at the terminal.
    terminal.configure('[hub]\nport = 0\n[asks]\nwait = "0s"\n')
    terminal.up()
    number = 0
    for command in (*(f"git commit -m {n}" for n in range(4)), *["npm test"] * 3, *["deploy now"] * 3):
        number += 1
        wanted(terminal, command, number, approved=True)
    wanted(terminal, "deploy now", number + 1, approved=False)
    send(terminal, "SessionEnd", reason="other")
    # Events are answered before they are recorded; a hub that stops has recorded them all.
    terminal.ok("restart")
    return terminal


def test_review_shows_what_would_have_saved_asks(reviewed: Terminal) -> None:
    """The most useful first; nothing that was refused."""
    shown = reviewed.ok("review")
    assert "people were asked 11 times and said yes 10 times." in shown
    assert shown.index("  1  Bash(git commit *)") < shown.index("  2  Bash(npm test)")
    assert "would have saved 4 asks in 1 session" in shown
    assert "  3  " not in shown
    assert "1 rule is not offered: it would have allowed something that was refused." in shown
    output = json.loads(reviewed.ok("review", "--json"))
    assert [(offer["text"], offer["saved"]) for offer in output["offers"]] == [
        ("Bash(git commit *)", 4),
        ("Bash(npm test)", 3),
    ]


def test_review_without_asks_says_so(terminal: Terminal) -> None:
    """As a sentence."""
    terminal.configure("[hub]\nport = 0\n")
    terminal.up()
    assert "people were not asked.\n" in terminal.ok("review")


def test_review_and_statistics_count_the_same_asks(reviewed: Terminal) -> None:
    """What a rule answers asks nobody, though a dialog was about to open; a question is an ask, though it is no call
    that a rule could allow."""
    reviewed.paths.rules.write_text('[[rule]]\nmatch = "Bash(make build)"\ndecision = "allow"\n')
    reviewed.ok("restart")
    send(reviewed, "PermissionRequest", tool_name="Bash", tool_input={"command": "make build"})
    reviewed.ok("restart")
    asks = json.loads(reviewed.ok("review", "--json"))["asks"]

    def counted() -> dict[str, Any] | None:
        found: dict[str, Any] = json.loads(reviewed.ok("stats", "--json"))
        return found if found["complete"] else None

    assert until(counted, "all of it counted")["report"]["totals"]["asks"] == asks == 11


def test_nothing_is_written_without_a_yes(reviewed: Terminal) -> None:
    """Without a terminal it takes --yes, and where to."""
    done = reviewed.run("review", "--accept", "1", "--to", "assent")
    assert done.returncode == 2
    assert '+match = "Bash(git commit *)"' in done.stdout
    assert "no terminal to ask on" in done.stderr
    assert reviewed.run("review", "--accept", "1", "--yes").returncode == 2
    assert reviewed.run("review", "--accept", "7", "--to", "assent", "--yes").returncode == 1
    assert not reviewed.paths.rules.exists()


def test_accepted_rule_is_in_force_and_offered_no_more(reviewed: Terminal) -> None:
    """It is shown, written beside what stood there, obeyed by the hub, and can be taken back."""
    reviewed.paths.rules.write_text("# mine\n")
    shown = reviewed.ok("review", "--accept", "Bash(git commit *)", "--to", "assent", "--yes")
    assert reviewed.paths.rules.read_text().startswith("# mine\n\n[[rule]]\n")
    assert "Bash(git commit *)" not in reviewed.ok("review")
    replayed = json.loads(reviewed.ok("replay", str(reviewed.paths.rules), "--json"))
    assert [(change["was"], change["becomes"], change["count"]) for change in replayed["already"]] == [
        ("no_opinion", "allow", 4)
    ]
    undo = next(line.removeprefix("undo") for line in shown.splitlines() if line.startswith("undo"))
    subprocess.run(["sh", "-c", undo], check=True)
    assert reviewed.paths.rules.read_text() == "# mine\n"


def test_accepted_rule_can_go_to_the_agents_settings(reviewed: Terminal) -> None:
    """In the spelling the client itself uses, everything else left as it was; a broken file is refused."""
    settings = reviewed.user / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('{"model": ')
    accept = ("review", "--accept", "Bash(git commit *)", "--to", "agent", "--yes")
    done = reviewed.run(*accept)
    assert (done.returncode, settings.read_text()) == (1, '{"model": ')
    settings.write_text('{"model": "x"}')
    reviewed.ok(*accept)
    assert json.loads(settings.read_text()) == {"model": "x", "permissions": {"allow": ["Bash(git commit:*)"]}}
    assert "Bash(git commit *)" not in reviewed.ok("review")


@pytest.mark.parametrize(
    ("typed", "written"), [("1\na\ny\n\n", True), ("1\na\nn\n\n", False), ("9\n\n", False), ("\n", False)]
)
def test_person_at_a_terminal_chooses_and_confirms(reviewed: Terminal, typed: str, written: bool) -> None:
    """Number, place, the change, yes; anything else leaves all as it was."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "assent", "review"],
        env=reviewed.environ | {"NO_COLOR": "1", "TERM": "dumb"},
        cwd=reviewed.user,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    os.write(ours, typed.encode())
    said = read_all(ours)
    assert process.wait(DEADLINE) == 0, said
    assert "Accept which?" in said
    assert reviewed.paths.rules.exists() is written
    if written:
        assert "Bash(git commit *)" in Path(reviewed.paths.rules).read_text()


def read_all(terminal: int) -> str:
    said = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # how a terminal says that its other side is gone
            break
        if not piece:
            break
        said += piece
    os.close(terminal)
    return said.decode()
