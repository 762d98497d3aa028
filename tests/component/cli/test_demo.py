"""The demo against a real hub: what is replayed is judged, recorded and shown like the real thing."""

import json
import signal
from typing import Any

from assent.client import Client
from assent.protocol.card import AnswerRequest
from tests.component.cli.conftest import Terminal
from tests.component.hub_process import until
from tests.waiting import HANG


def test_demo_starts_a_hub_and_shows_its_answers(terminal: Terminal) -> None:
    """Each step and its answer; the catastrophe is denied; the session is marked and complete."""
    out = terminal.ok("demo", "--speed", "0")
    assert out.startswith(
        "No hub was running, so one was started. `assent down` stops it.\nWatch it on the page: http://"
    )
    lines = out.splitlines()
    wiped = lines.index("call Bash rm -rf ~")
    assert lines[wiped + 1].startswith("    → deny: ")
    assert "  └ sub-agent started Explore" in lines
    assert not any(line.strip(" └").startswith("call done") for line in lines)
    # The hub answers before it has written, so the end may take a moment to show.
    (session,) = until(lambda: [s for s in Client(terminal.paths).sessions() if not s.is_live], "the end")
    assert session.id.startswith("demo-")
    assert f"`assent session {session.id}` shows it" in lines[-1]
    assert (session.state, session.ended_because, session.failed) == ("ended", "prompt_input_exit", 1)
    assert session.denied == 1
    assert [(agent.type, agent.state, agent.calls) for agent in session.agents] == [("Explore", "done", 3)]
    assert session.project == "/home/demo/webshop"


def test_demo_is_no_proof_for_the_doctor(terminal: Terminal) -> None:
    """Only an agent's own event makes the doctor say that it works."""
    terminal.ok("demo", "--speed", "0")
    report = json.loads(terminal.run("doctor", "--json").stdout)
    assert report["summary"] != "working"
    assert "event-seen" not in {finding["code"] for finding in report["findings"]}


def test_demo_again_is_another_session(terminal: Terminal) -> None:
    """A second replay into the running hub stands beside the first."""
    terminal.ok("demo", "--speed", "0")
    assert not terminal.ok("demo", "--speed", "0").startswith("No hub")
    assert len({session.id for session in Client(terminal.paths).sessions()}) == 2


def test_demo_can_be_interrupted(terminal: Terminal) -> None:
    """Ctrl-C in the middle leaves the hub alone."""
    terminal.up()
    process = terminal.start("demo")
    assert process.stdout is not None
    while not process.stdout.readline().startswith("session started"):
        pass
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=HANG)
    assert process.returncode == 130
    assert Client(terminal.paths).healthy()


def test_demo_does_not_wait_when_told_not_to(terminal: Terminal) -> None:
    """The one ask in it is shown, and closes as answered at the terminal when the recording goes on."""
    lines = terminal.ok("demo", "--speed", "0").splitlines()
    asked = next(at for at, line in enumerate(lines) if line.startswith("    → asks you: http://localhost:"))
    assert lines[asked - 1].startswith("permission asked Bash git push")
    assert lines[asked + 1] == "    → not waited for, so the recorded answer counts"
    client = Client(terminal.paths)
    (ask,) = until(lambda: [a for a in _asks(client) if a["state"] == "closed"], "the ask is closed")
    assert "answer" not in ask
    assert f"/a/{ask['id']}#open=" in lines[asked]


def test_demo_waits_for_its_answer(terminal: Terminal) -> None:
    """However long the person takes; the rest of it follows what was said."""
    terminal.up()
    process = terminal.start("demo", "--speed", "1000")
    client = Client(terminal.paths)
    (ask,) = until(lambda: [a for a in _asks(client) if a["state"] == "open"], "the ask")
    client.answer(ask["id"], AnswerRequest(rev=ask["rev"], hash=ask["hash"], choice="deny", message="Not today."))
    out, _ = process.communicate(timeout=HANG)
    assert "    → deny: Not today." in out
    # The call is dropped, and not only its line.
    assert "call done Bash git commit" in terminal.ok("log", "-n", "80")
    assert "call done Bash git push" not in terminal.ok("log", "-n", "80")


def test_demo_and_test_asks_count_in_no_statistics(terminal: Terminal) -> None:
    """They are on record and on the screen, and nowhere else."""
    terminal.ok("demo", "--speed", "0")
    client = Client(terminal.paths)
    client.test_ask()
    until(lambda: len(client.sessions()) == 2, "both sessions")
    until(lambda: client.stats().complete, "everything is counted")
    totals = client.stats().report.totals
    assert (totals.events, totals.asks) == (0, 0)
    assert client.review()["approvals"] == 0


def _asks(client: Client) -> list[dict[str, Any]]:
    asks: list[dict[str, Any]] = client._json("GET", "/api/snapshot")["asks"]
    return asks
