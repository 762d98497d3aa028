"""Payloads captured from the real Claude Code 2.1.325: at least one of each of its 33 events."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "fixtures" / "claude_code"


def payloads() -> list[dict[str, Any]]:
    return [payload for file in sorted((FOLDER / "events").glob("*.json")) for payload in json.loads(file.read_bytes())]


def payload(event: str, tool: str | None = None) -> dict[str, Any]:
    """The first payload of that event, about that tool."""
    return next(
        each for each in payloads() if each["hook_event_name"] == event and tool in (None, each.get("tool_name"))
    )
