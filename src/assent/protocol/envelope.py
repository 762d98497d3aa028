"""The line a shim sends and the line it gets back (NDJSON over the hook socket)."""

from typing import Any, Literal

from msgspec import Raw, Struct, field

# The version of the envelope that this hub reads and its shim writes.
VERSION = 1


class Envelope(Struct, frozen=True, kw_only=True):
    """One hook run. The payload's bytes are the harness's own; ``payload`` stands last in the line on purpose."""

    request_id: str
    ts: int
    session_id: str
    hook_event_name: str
    v: int = VERSION
    # Empty for the first that the hub knows.
    harness: str = ""
    env: dict[str, str] = {}
    # How many seconds the shim listens; None from one that does not say it.
    waits: int | None = None
    # Set instead of a payload when it was larger than a shim carries.
    too_large: int | None = None
    payload: Raw = field(default_factory=lambda: Raw(b"null"))


class Output(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the shim does: stay silent, print JSON, or write to stderr and exit 2."""

    action: Literal["passthrough", "block_with_stderr", "json_output"]
    stderr: str | None = None
    stdout_json: dict[str, Any] | None = None


class Reply(Struct, frozen=True, kw_only=True):
    request_id: str
    ts: int
    payload: Output


SILENT = Output(action="passthrough")
