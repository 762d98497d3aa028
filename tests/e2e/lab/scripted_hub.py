"""The real hub with one voice more: for answers that no rule can express.

    python -m tests.e2e.lab.scripted_hub ANSWERS

ANSWERS is a JSON list. The first entry that fits an event speaks:
    {"event": "PreToolUse",                        the event's name
     "match": {"tool_input.command": "ls"},        optional: equal fields of the payload
     "nth": 1,                                     optional: only the nth event that fits
     "decision": {"decision": "deny", "reason": "no"}}
"""

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from assent import paths
from assent.hub import daemon
from assent.policy.call import Opinion, Scene
from assent.protocol.decision import Decision
from assent.protocol.events import Event


class ScriptedVoice:
    def __init__(self, answers: list[dict[str, Any]]) -> None:
        self._answers = [(answer, msgspec.convert(answer["decision"], type=Decision)) for answer in answers]
        self._seen = [0] * len(answers)

    def speak(self, event: Event, scene: Scene) -> Opinion | None:
        for number, (answer, decision) in enumerate(self._answers):
            if answer["event"] != event.name or not _fits(answer.get("match", {}), event.raw):
                continue
            self._seen[number] += 1
            if answer.get("nth", self._seen[number]) == self._seen[number]:
                return Opinion(decision, f"script:{number}", "The test says so.")
        return None


def _fits(match: dict[str, Any], payload: dict[str, Any]) -> bool:
    return all(_field(payload, name) == value for name, value in match.items())


def _field(payload: Any, name: str) -> Any:
    for part in name.split("."):
        payload = payload.get(part) if isinstance(payload, dict) else None
    return payload


if __name__ == "__main__":
    daemon.run(paths.find(), extra_voices=[ScriptedVoice(json.loads(Path(sys.argv[1]).read_text()))])
