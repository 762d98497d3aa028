"""Events of a run: JSON Lines for programs, short lines for people."""

import json
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from assent.cli import output
from assent.client import ApiError, Client
from assent.errors import AssentError, UsageError
from assent.protocol.record import Record
from assent.views.run import Line, RunView

# Between two looks for a hub that went away.
RETRY = 0.3
# A session says that it is over before the agent ends, unless it was killed; its last records take a moment more.
LAST_WORDS = 1.0
LAST_RECORDS = 3.0
TOO_FAR_BEHIND = "too-far-behind"
LONGEST = 160


class Sink:
    """Lines of JSON in ASCII alone, each written whole: no letter of an agent's steers a terminal or a log."""

    def __init__(self, fd: int, name: str) -> None:
        self._fd: int | None = fd
        self._name = name

    @classmethod
    def open(cls, target: str) -> "Sink":
        """``-`` is standard error, a number a file descriptor we were given, everything else a file."""
        if target == "-":
            return cls(2, "standard error")
        if target in ("0", "1"):
            raise UsageError(
                f"--events {target}: standard input and output are the agent's. The agent was not started.",
                hint="name a file, - for standard error, or another descriptor.",
            )
        try:
            if target.isascii() and target.isdigit():
                os.fstat(int(target))
                return cls(int(target), f"descriptor {target}")
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
            return cls(os.open(target, flags, 0o600), target)
        except (OSError, OverflowError) as error:
            why = error.strerror if isinstance(error, OSError) else "no such descriptor"
            raise UsageError(f"--events {target} cannot be written: {why}. The agent was not started.") from None

    def write(self, line: Line) -> None:
        if self._fd is None:
            return
        data = json.dumps(line, separators=(",", ":")).encode() + b"\n"
        try:
            while data:
                data = data[os.write(self._fd, data) :]
        except OSError as error:
            self._fd = None
            output.complain(f"assent: events cannot be written to {self._name} any more: {error.strerror}.")


@dataclass(frozen=True, slots=True)
class Outlet:
    """Where a run is told of: to programs, to people, or to both."""

    sink: Sink | None
    # Whether people read standard error, and whether they can do so while the agent is at work.
    in_words: bool = True
    is_screen_free: bool = True

    @classmethod
    def open(cls, target: str | None, *, is_screen_free: bool) -> "Outlet":
        return cls(Sink.open(target) if target else None, target != "-", is_screen_free)

    def write(self, line: Line) -> None:
        if self.sink:
            self.sink.write(line)

    def say(self, text: str) -> None:
        if self.in_words:
            output.complain(text)

    def note(self, word: str, text: str) -> None:
        self.write({"kind": "note", "at": time.time_ns() // 1_000_000, "what": f"{word}: {text}"})
        self.say(f"assent: {output.styled(word, 'warn')} {text}")

    def tell(self, line: Line) -> None:
        self.write(line)
        if self.is_screen_free and (words := _words(line)):
            self.say(words)


def _words(line: Line) -> str | None:
    """For people who look at the log of a pipeline: what was refused, and what waits for them."""
    about = f"{line.get('tool', '')} {line.get('what', '')}".strip() or line.get("event", "")
    if line["kind"] == "decision" and line.get("decision") in ("deny", "prompt"):
        # What the model is told beside the reason is of no use to people.
        is_unasked = str(line.get("by", "")).startswith("run:")
        why = "it needs a person, and this run asks nobody." if is_unasked else str(line.get("reason", ""))
        return _sentence("refused", "bad", about, why)
    if line["kind"] == "ask":
        until = output.local_time(line["until"], time.time()) if "until" in line else "it is answered"
        return _sentence("waits", "warn", about, f"until {until}. Answer with: assent answer {line['ask']}")
    if line["kind"] == "answer":
        word = str(line.get("decision", "")).replace("_", " ")
        return _sentence("answered", "good", about, f"{word} by {line.get('by', '')}")
    return None


def _sentence(word: str, style: str, about: str, text: str) -> str:
    shown = f"{output.said_by_agent(about, LONGEST)}: {output.said_by_agent(text, LONGEST)}"
    return f"assent: {output.styled(word, style)} {shown}"


@dataclass(slots=True)
class Follower:
    """Reads the hub's stream on a thread of its own, also over a restart of the hub."""

    client: Client
    view: RunView
    tell: Callable[[Line], None]
    seen: int
    # Records that were missed.
    missed: int = 0
    _moved: threading.Condition = field(default_factory=threading.Condition)

    def start(self) -> None:
        threading.Thread(target=self._follow, daemon=True).start()

    def finish(self) -> None:
        """Wait for what was still on its way when the agent ended."""
        with self._moved:
            if self.view.sessions:
                self._moved.wait_for(lambda: self.view.is_over, LAST_WORDS)
            try:
                head = int(self.client.status()["journal"]["seq"])
                self._moved.wait_for(lambda: self.seen >= head, LAST_RECORDS)
                self.missed += max(0, head - self.seen)
            except AssentError:
                # Whatever its hooks did without a hub stands nowhere.
                self.missed += 1
            # Nothing comes after the sum.
            self.tell = lambda _: None

    def _follow(self) -> None:
        while True:
            try:
                for record in self.client.stream(self.seen):
                    self._take(record)
            except ApiError as error:
                if error.code == TOO_FAR_BEHIND:
                    self._skip()
            except AssentError:
                pass  # The hub is away; a hook brings it back.
            time.sleep(RETRY)

    def _take(self, record: dict[str, Any]) -> None:
        with self._moved:
            try:
                for line in self.view.add(msgspec.convert(record, Record)):
                    self.tell(line)
            except msgspec.ValidationError:
                self.missed += 1
            self.seen = record["seq"]
            self._moved.notify_all()

    def _skip(self) -> None:
        head = int(self.client.status()["journal"]["seq"])
        self.missed += head - self.seen
        self.seen = head
