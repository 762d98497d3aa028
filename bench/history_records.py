"""Drafts as the hub makes them of a session's events, and the hub's own part: its ids and its judge."""

import random
from pathlib import Path
from typing import Any

import msgspec

from assent.harnesses import claude_code
from assent.harnesses.claude_code.facts import KNOWN
from assent.policy import judge
from assent.policy.call import Scene, Voice
from assent.protocol import bodies
from assent.protocol.decision import Verdict
from assent.protocol.record import Draft, Kind
from bench.history_words import HOME, Project, Words

# Written in one transaction, at one time.
Group = tuple[int, list[Draft]]

_MODES = ("default", "default", "default", "default", "acceptEdits", "acceptEdits", "plan", "bypassPermissions")
_LETTERS = "abcdefghijkmnopqrstuvwxyz"
_MOST_VERDICTS = 20_000
_OF_A_TURN = frozenset({"Stop", "SubagentStop", "PostToolBatch"})


class Hub:
    """What a session needs of the hub it reports to: ids that are its own, and the judge with its rules."""

    def __init__(self, rng: random.Random) -> None:
        self.voices: tuple[Voice, ...] = ()
        self.rules = 0
        # Whether this version could already ask people elsewhere than in the terminal.
        self.has_asks = False
        self._rng = rng
        self._life = ""
        self._minted = 0
        self._asked: set[str] = set()
        self._verdicts: dict[tuple[Any, ...], Verdict] = {}
        self.start()

    def start(self) -> None:
        self._life, self._minted = f"{self._rng.getrandbits(32):08x}", 0

    def call(self) -> str:
        self._minted += 1
        return f"c{self._life}{self._minted:x}"

    def ask(self) -> str:
        while (name := "".join(self._rng.choices(_LETTERS, k=5))) in self._asked:
            pass
        self._asked.add(name)
        return name

    def judge(self, payload: dict[str, Any], project: str) -> Verdict:
        # The same few calls come again and again, and judging is the dearest part of this.
        name, given = payload["hook_event_name"], payload["tool_input"]
        told = given.get("command") or given.get("file_path") or given.get("url") or ""
        key = (self.rules, name, payload["tool_name"], told, project)
        if key not in self._verdicts:
            if len(self._verdicts) >= _MOST_VERDICTS:
                self._verdicts.clear()
            event = claude_code.decode(msgspec.json.encode(payload), event_name=name)
            self._verdicts[key] = judge.judge(event, Scene(Path(project), attended=True), self.voices).verdict
        return self._verdicts[key]


class Scribe:
    """Writes one session down."""

    def __init__(self, rng: random.Random, words: Words, hub: Hub, at: int) -> None:
        self._rng, self._words, self._hub = rng, words, hub
        self._project: Project = words.project()
        raw = words.hex(32)
        self.id = f"{raw[:8]}-{raw[8:12]}-4{raw[13:16]}-a{raw[17:20]}-{raw[20:]}"
        self._at = at
        self._mode = rng.choice(_MODES)
        self._prompt_id = ""
        # Id and type of the sub-agent that works now.
        self._agent: tuple[str, str] | None = None
        slug = self._project.folder.replace("/", "-")
        self._transcript = f"{HOME}/.claude/projects/{slug}/{self.id}.jsonl"
        self._env = {
            "CLAUDE_CODE_SESSION_ATTENDED": "0" if rng.random() < 0.06 else "1",
            "CLAUDE_CODE_ENTRYPOINT": rng.choice(("cli", "cli", "cli", "vscode")),
            "CLAUDE_PROJECT_DIR": self._project.folder,
            "CLAUDE_PID": str(rng.randrange(2_000, 400_000)),
        }

    def _observed(self, name: str, **fields: Any) -> Group:
        return self._group(self._event(self._payload(name, **fields), self._words.hex(16), None))

    def _payload(self, name: str, **fields: Any) -> dict[str, Any]:
        payload: dict[str, Any] = {
            "session_id": self.id,
            "transcript_path": self._transcript,
            "cwd": self._project.folder,
        }
        if self._prompt_id:
            payload["prompt_id"] = self._prompt_id
        is_working = "tool_name" in fields or name in _OF_A_TURN
        if is_working or name == "UserPromptSubmit":
            payload["permission_mode"] = self._mode
        if self._agent is not None:
            payload["agent_id"], payload["agent_type"] = self._agent
        if is_working:
            payload["effort"] = {"level": "medium"}
        return {**payload, "hook_event_name": name, **fields}

    def _event(self, payload: dict[str, Any], request: str, call: str | None) -> Draft:
        name = payload["hook_event_name"]
        body: dict[str, Any] = {"event": name, "harness": claude_code.NAME}
        if KNOWN[name].transport == "shim":
            body |= {"transport": "shim", "payload": payload, "env": self._env}
        else:
            body |= {"transport": "http", "payload": payload, "project": self._project.folder}
        agent = self._agent[0] if self._agent else None
        return Draft(at=self._at, kind="event", session=self.id, agent=agent, call=call, request=request, body=body)

    def _decision(self, payload: dict[str, Any], request: str, call: str | None, verdict: Verdict) -> Draft:
        about = {"call": call, "request": request, "risk": verdict.risk}
        return self._said(payload, about, verdict, msgspec.to_builtins(verdict.decision), verdict.by)

    def _said(
        self, payload: dict[str, Any], about: dict[str, Any], verdict: Verdict, decision: dict[str, Any], by: str
    ) -> Draft:
        body: dict[str, Any] = {
            "event": payload["hook_event_name"],
            "harness": claude_code.NAME,
            "project": self._project.folder,
            "decision": decision,
            "trace": msgspec.to_builtins(verdict.trace),
        }
        if tool := payload.get("tool_name"):
            body["tool"] = tool
        word = decision["decision"]
        return Draft(
            at=self._at,
            kind="decision",
            session=self.id,
            agent=self._agent[0] if self._agent else None,
            decision=word,
            by=by,
            body=body,
            **about,
        )

    def _draft(self, kind: Kind, body: msgspec.Struct, **fields: Any) -> Draft:
        agent = self._agent[0] if self._agent else None
        return Draft(at=self._at, kind=kind, session=self.id, agent=agent, body=bodies.body(body), **fields)

    def _group(self, *drafts: Draft) -> Group:
        return self._at, list(drafts)

    def _pass(self, seconds: float) -> None:
        self._at += max(1, int(seconds * 1000))
