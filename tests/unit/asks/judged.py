"""Calls as the judge sees them, for tests of what people see."""

from pathlib import Path
from typing import Any

from assent.asks.card.build import Seen, draw
from assent.policy import trial
from assent.policy.call import Scene
from assent.protocol.card import Card
from assent.protocol.decision import Risk, Trial, TrialQuestion
from assent.protocol.events import PermissionRequest

PROJECT = "/home/dev/webshop"


def asked(tool: str, suggestions: Any = (), **given: Any) -> PermissionRequest:
    return PermissionRequest(
        session_id="s1", cwd=PROJECT, tool_name=tool, tool_input=given, permission_suggestions=suggestions
    )


def bash(command: str, **more: Any) -> PermissionRequest:
    return asked("Bash", command=command, **more)


def tried(event: PermissionRequest) -> Trial:
    command = str(event.tool_input.get("command", ""))
    question = TrialQuestion(command=command, cwd=event.cwd, tool=event.tool_name, input=event.tool_input)
    return trial.hold(question, Scene(project=Path(PROJECT)), [])


def risk_of(held: Trial) -> str:
    return max((Risk.parse(effect.risk) for effect in held.effects), default=Risk.LOOK).word


def card_of(event: PermissionRequest, **more: Any) -> Card:
    held = more.get("trial") or tried(event)
    known: dict[str, Any] = {"trial": held, "risk": risk_of(held), "project": PROJECT, "home": "/home/dev"}
    return draw(event, Seen(**{**known, **more}))
