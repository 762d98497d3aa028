"""The recorded session: an agent fixes a flaky test in a web shop that does not exist."""

import secrets
from importlib import resources
from typing import Any

import msgspec
from msgspec import Struct

# Records of a replay are told from real ones by the session's id.
SESSION_PREFIX = "demo-"
PROJECT = "/home/demo/webshop"
# Stands in the recording wherever an id must be a new one in each replay.
_RUN = b"$RUN"


class Step(Struct, frozen=True):
    """One event, and how long to wait before it, in seconds."""

    wait: float
    payload: dict[str, Any]
    # Names the tool call it belongs to: once that is denied, the rest of it never happens.
    call: str | None = None

    @property
    def event(self) -> str:
        return str(self.payload["hook_event_name"])


def steps(run: str | None = None) -> list[Step]:
    """The session with ids of its own."""
    run = run or secrets.token_hex(4)
    text = resources.files("assent.demo").joinpath("session.jsonl").read_bytes()
    decoder = msgspec.json.Decoder(Step)
    return [decoder.decode(line) for line in text.replace(_RUN, run.encode()).splitlines()]
