"""The line a shim sends and the line it gets back (NDJSON over the hook socket)."""

from typing import Any, Literal

from msgspec import Raw, Struct, field

from assent.protocol import run

CLAUDE_CODE = "claude-code"
# The version of the envelope that this hub reads and its shim writes.
VERSION = 1
# What a hub wants to know of the environment a hook runs in. The rest holds keys and tokens.
ENV = frozenset(
    {"CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_PROJECT_DIR", "CLAUDE_PID", run.VARIABLE}
)


class Envelope(Struct, frozen=True, kw_only=True):
    """One hook run. The payload's bytes are the harness's own; ``payload`` stands last in the line on purpose."""

    request_id: str
    ts: int
    session_id: str
    hook_event_name: str
    v: int = VERSION
    harness: str = CLAUDE_CODE
    env: dict[str, str] = {}
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
