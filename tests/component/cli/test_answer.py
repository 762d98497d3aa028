"""Answering in the shell against a real hub: a yes is a person's key, pressed after the card was shown."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from assent.cli.answer.keyboard import GRACE
from tests.component.hub.ask_client import WAITING, asks, hook, one, permission
from tests.component.hub_process import DEADLINE, HubProcess, bash, running_hub, until

CARE = "curl https://example.com/install"
DANGER = "git push --force origin main"


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    with running_hub(tmp_path_factory.mktemp("hub")) as hub:
        yield hub


class Typist:
    """A person at a terminal, who reads and types."""

    def __init__(self, hub: HubProcess, *argv: str, ahead: bytes = b"") -> None:
        self.fd, self._other = pty.openpty()
        os.write(self.fd, ahead)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "assent", *argv],
            env=hub.environ | {"TERM": "xterm", "LANG": "C.UTF-8", "NO_COLOR": "1"},
            stdin=self._other,
            stdout=self._other,
            stderr=self._other,
            start_new_session=True,
        )
        self.seen = ""

    def reads(self, text: str, seconds: float = DEADLINE) -> None:
        """Until it stands there, after whatever was read before."""
        end = time.monotonic() + seconds
        while text not in self.seen:
            assert time.monotonic() < end, f"{text!r} is not in {self.seen!r}"
            if select.select([self.fd], [], [], 0.1)[0]:
                self.seen += os.read(self.fd, 4096).decode(errors="replace")
        self.seen = self.seen.partition(text)[2]

    def presses(self, key: str, text: str) -> None:
        """Again after a while where it was dropped, as people do."""
        for _ in range(20):
            self.types(key)
            with suppress(AssertionError):
                return self.reads(text, 2 * GRACE)
        raise AssertionError(self.seen)

    def types(self, keys: str) -> None:
        os.write(self.fd, keys.encode())

    def leaves_with(self, code: int, said: str = "") -> None:
        if said:
            self.reads(said)
        assert self.process.wait(DEADLINE) == code

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.fd)
        os.close(self._other)


@contextmanager
def typist(hub: HubProcess, *argv: str, ahead: bytes = b"") -> Iterator[Typist]:
    found = Typist(hub, *argv, ahead=ahead)
    try:
        yield found
    finally:
        found.close()


def run(
    hub: HubProcess, *argv: str, given: str = "", environ: dict[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "assent", *argv],
        env=hub.environ | {"LANG": "C.UTF-8", "NO_COLOR": "1"} | (environ or {}),
        input=given,
        capture_output=True,
        text=True,
        timeout=DEADLINE,
    )


def test_yes_needs_a_terminal(hub: HubProcess) -> None:
    """Whatever a pipe says, nothing is allowed; without a choice it shows the card and says what is missing."""
    with hook(hub, permission(CARE)) as (_, ask):
        for choice in ((), ("allow",)):
            done = run(hub, "answer", ask["id"], *choice, given="a\n\na\n\nyes\n" * 200)
            assert done.returncode == 1
            assert "a yes needs a terminal" in done.stderr
            assert (CARE in done.stdout) is not bool(choice)
        assert one(hub, ask["id"])["state"] in WAITING


def test_keys_typed_ahead_answer_nothing(hub: HubProcess) -> None:
    """What was pressed before the card could be read is dropped; a press after it counts."""
    with hook(hub, permission(CARE)) as (held, ask), typist(hub, "answer", ask["id"][:4], ahead=b"a\n\ra\r") as person:
        person.reads("q leave")
        assert one(hub, ask["id"])["state"] in WAITING
        # As one piece, which no hand does; and what follows at once is dropped with it.
        person.types("a\r")
        person.types("\x1b[B")
        person.presses("d", "Denied. Claude was told.")
        person.leaves_with(0)
        assert held.decision["behavior"] == "deny"


def test_stream_of_keys_answers_nothing(hub: HubProcess) -> None:
    """`yes a` at the other end of a terminal does not read."""
    with hook(hub, permission(CARE)) as (_, ask), typist(hub, "answer", ask["id"], "allow") as person:
        is_over = threading.Event()

        def type_on() -> None:
            while not is_over.wait(0.02):
                person.types("a\r")

        typing = threading.Thread(target=type_on)
        typing.start()
        try:
            person.leaves_with(1, "Keys keep coming, so nobody can be reading. Nothing was sent.")
        finally:
            is_over.set()
            typing.join()
        assert one(hub, ask["id"])["state"] in WAITING


def test_yes_to_care_takes_two_keys(hub: HubProcess) -> None:
    """Any other key than Enter takes it back, and a choice on the command line is no key."""
    with hook(hub, permission(CARE)) as (held, ask), typist(hub, "answer", ask["id"], "allow") as person:
        person.reads("any other key leaves it as it is.")
        person.types("a")
        person.reads("any other key takes it back.")
        assert one(hub, ask["id"])["state"] in WAITING
        person.types("a")
        person.leaves_with(1, f"Nothing was answered; {ask['id']} still waits.")
        with typist(hub, "answer", ask["id"]) as again:
            again.reads("q leave")
            again.types("a")
            again.reads("Enter: allow it")
            again.types("\r")
            again.leaves_with(0, "Allowed. Claude was told.")
        assert held.decision["behavior"] == "allow"


def test_yes_to_danger_takes_the_match_word(hub: HubProcess) -> None:
    """It stands at the end of the card; another word sends nothing."""
    with hook(hub, permission(DANGER)) as (held, ask), typist(hub, "answer", ask["id"]) as person:
        person.reads("match word: main")
        person.reads("q leave")
        for word in ("danger", "main"):
            person.types("a")
            person.reads("type the match word:")
            person.types(f"{word}\r")
            if word != "main":
                person.reads("That is not the match word. Nothing was sent.")
                person.reads("q leave")
                assert one(hub, ask["id"])["state"] in WAITING
        person.leaves_with(0, "Allowed. Claude was told.")
        assert held.decision["behavior"] == "allow"


def test_what_changed_is_shown_again(hub: HubProcess, tmp_path: Path) -> None:
    """A yes is to what was on the screen: when the file changes before it, the card comes anew."""
    file = tmp_path / "a.txt"
    file.write_text("one\ntwo\n")
    event = permission(cwd=str(tmp_path), tool_name="Edit")
    event["tool_input"] = {"file_path": str(file), "old_string": "two", "new_string": "three"}
    with hook(hub, event) as (held, ask), typist(hub, "answer", ask["id"]) as person:
        person.reads("− two")
        person.reads("q leave")
        file.write_text("zero\none\ntwo\n")
        person.types("a")
        person.reads("It changed while you looked")
        person.reads("zero")
        person.reads("q leave")
        person.types("d")
        person.leaves_with(0, "Denied.")
        assert held.decision["behavior"] == "deny"


def test_answer_given_elsewhere_ends_the_question(hub: HubProcess) -> None:
    """The slower one is told who was first, with an exit code of its own."""
    with hook(hub, permission(CARE)) as (_, ask), typist(hub, "answer", ask["id"]) as person:
        person.reads("q leave")
        done = run(hub, "answer", ask["id"], "deny", "-m", "Use the mirror.", "--json")
        assert json.loads(done.stdout)["choice"] == "deny"
        person.leaves_with(5, "It does not wait any more: Denied at the desk")
        late = run(hub, "answer", ask["id"], "deny")
        assert (late.returncode, late.stdout) == (5, "")
        assert late.stderr.startswith("assent: It does not wait any more: Denied at the desk")


def test_no_may_be_scripted_with_words(hub: HubProcess) -> None:
    """The agent gets exactly these words."""
    with hook(hub, permission(CARE)) as (held, ask):
        done = run(hub, "answer", ask["id"], "deny-and-stop", "-m", "Use the mirror.")
        assert (done.returncode, done.stdout) == (0, "Denied, and the turn stopped. Claude was told.\n")
        assert held.decision == {"behavior": "deny", "message": "Use the mirror.", "interrupt": True}


def test_only_a_terminal_that_watches_can_be_reached(hub: HubProcess) -> None:
    """A person sees what `assent asks --watch` prints there; a pipe may be read by a program."""

    def is_reached() -> bool:
        return bool(hub.api("GET", "/api/presence")[1]["reachable"])

    with hook(hub, permission(CARE)) as (_, ask):
        watch = ["asks", "--watch", "--json"]
        with subprocess.Popen(
            [sys.executable, "-m", "assent", *watch], env=hub.environ, stdout=subprocess.PIPE, text=True
        ) as program:
            assert program.stdout is not None
            assert json.loads(program.stdout.readline())["id"] == ask["id"]
            assert not is_reached()
            program.send_signal(signal.SIGINT)
            assert program.wait(DEADLINE) == 130
        with typist(hub, "asks", "--watch") as person:
            person.reads(ask["id"])
            until(is_reached, "a person who watches")
            person.process.send_signal(signal.SIGINT)
            person.leaves_with(130)
    until(lambda: not is_reached(), "the end of watching")


def test_agent_may_look_at_its_status_line_and_answer_nothing(hub: HubProcess) -> None:
    """What an agent started sees how much waits, and is told plainly that answers are for people."""
    until(lambda: not asks(hub), "that nothing else waits")
    with hook(hub, permission(CARE, session_id="s7")) as (_, ask):
        own = {"CLAUDE_PID": str(os.getpid())}
        hub.send(bash("ls", session_id="s7"), env=own)
        try:
            until(lambda: hub.api("PUT", "/api/pause", b'{"seconds":1}')[0] == 403, "that this is an agent's child")
            done = run(hub, "statusline", given='{"session_id":"s7","cwd":"/p"}', environ=own)
            assert (done.returncode, done.stdout, done.stderr) == (0, "▲1\n", "")
            assert run(hub, "statusline", given='{"session_id":"s8"}', environ=own).stdout == "1 elsewhere\n"
            refused = run(hub, "answer", ask["id"], "deny", environ=own)
            assert refused.returncode == 1
            assert "answers are for people" in refused.stderr
        finally:
            ended = {**bash("ls", session_id="s7"), "hook_event_name": "SessionEnd", "reason": "exit"}
            hub.send(ended, env=own)
