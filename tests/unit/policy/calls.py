"""Events for tests of the policy."""

from pathlib import Path
from typing import Any

from assent.policy.call import Call, Scene
from assent.policy.rules.file import parse
from assent.policy.rules.rule import Rule
from assent.protocol.events import PermissionRequest, PreToolUse
from assent.toml import document

PROJECT = Path("/srv/project")
SCENE = Scene(PROJECT)


def pre(tool: str, *, cwd: str | Path = PROJECT, mode: str | None = "default", **fields: Any) -> PreToolUse:
    return PreToolUse(session_id="s", cwd=str(cwd), permission_mode=mode, tool_name=tool, tool_input=fields)


def request(tool: str, **fields: Any) -> PermissionRequest:
    return PermissionRequest(
        session_id="s", cwd=str(PROJECT), permission_mode="default", tool_name=tool, tool_input=fields
    )


def call(tool: str, *, cwd: str | Path = PROJECT, mode: str | None = "default", **fields: Any) -> Call:
    return Call(tool, fields, str(cwd), mode)


def rules(text: str) -> tuple[Rule, ...]:
    return parse(document.parse(Path("rules.toml"), text.encode()), "user")
