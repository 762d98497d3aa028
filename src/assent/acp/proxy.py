"""Proxy: every line goes through as it came, except those that are answered here."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from assent.acp import messages
from assent.acp.gate import Gate, Link, Write
from assent.acp.messages import Key, Message
from assent.acp.observer import Observer
from assent.acp.sessions import Session, Sessions
from assent.harnesses.acp import tools
from assent.harnesses.acp.facts import ENDED, ENDED_TURN, PERMISSION, PROMPT, STARTS, TERMINAL, WRITE

MOST_WAITING = 1_000
LONGEST_PROMPT = 100_000
_MODE, _CONFIG, _CANCEL, _CLOSE = "session/set_mode", "session/set_config_option", "session/cancel", "session/close"
_FOLLOWED = frozenset({"initialize", PROMPT, _MODE, _CONFIG, _CLOSE, *STARTS})
_SOURCES = {"session/new": "startup", "session/load": "resume", "session/resume": "resume"}


@dataclass(frozen=True, slots=True)
class _Sent:
    """A request of the editor's, as far as its answer needs it."""

    method: str
    session: str
    cwd: Any = None
    mode: Any = None


@dataclass(slots=True)
class Proxy:
    link: Link
    to_editor: Write
    to_agent: Write
    # Called with the agent's name once it is known.
    on_agent: Callable[[str], None] = lambda _: None
    # The agent as records name it, until it says itself how it is called.
    agent: str = ""
    sessions: Sessions = field(init=False)
    observer: Observer = field(init=False)
    gate: Gate = field(init=False)
    _sent: "OrderedDict[Key, _Sent]" = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        self.sessions = Sessions(self.agent)
        self.observer = Observer(self.link.ask)
        self.gate = Gate(
            self.link, self.sessions, self.to_editor, self.to_agent, self.observer.tell, self.observer.caught_up
        )

    def from_agent(self, line: bytes) -> None:
        message = messages.read(line)
        if message is not None and message.is_request:
            if message.method == PERMISSION and self.gate.permission(message, line):
                return
            if message.method in (WRITE, TERMINAL):
                self.gate.asked_of_editor(message, line)
                return
        elif message is not None and message.is_response:
            self._answered(message)
        elif message is not None and message.method == "session/update":
            update = message.params.get("update")
            if isinstance(update, dict) and message.session:
                for event, payload in self.sessions.updated(self.sessions.of(message.session), update):
                    self.observer.tell(event, payload)
        self.to_editor(line)

    def from_editor(self, line: bytes) -> None:
        message = messages.read(line)
        if message is not None and message.is_response and not self.gate.answered(message):
            return
        if message is not None and message.is_request and message.method in _FOLLOWED:
            self._follow(message)
        elif message is not None and message.method == _CANCEL:
            self.gate.cancelled(message.session)
        self.to_agent(line)

    def _follow(self, message: Message) -> None:
        params = message.params
        mode = params.get("modeId")
        self._sent[message.key] = _Sent(message.method, message.session, params.get("cwd"), mode)
        if len(self._sent) > MOST_WAITING:
            self._sent.popitem(last=False)
        if message.method == PROMPT and message.session:
            session = self.sessions.of(message.session)
            session.words = ""
            prompt = "\n".join(tools.texts(params.get("prompt")))[:LONGEST_PROMPT]
            self.observer.tell(PROMPT, self.sessions.payload(session, prompt=prompt))

    def _answered(self, message: Message) -> None:
        """The agent answered a request of the editor's."""
        sent = self._sent.pop(message.key, None)
        if sent is None or (message.error is not None and sent.method != PROMPT):
            return
        result = message.result if isinstance(message.result, dict) else {}
        named = result.get("sessionId") if isinstance(result.get("sessionId"), str) else sent.session
        if sent.method == "initialize":
            self._introduced(result.get("agentInfo"))
        elif not named:
            return
        elif sent.method in STARTS:
            session = self.sessions.started(named, sent.cwd, result)
            self.observer.tell(sent.method, self.sessions.payload(session, source=_SOURCES[sent.method]))
        elif sent.method == PROMPT:
            self._turn_ended(self.sessions.of(named), message)
        elif sent.method == _MODE and isinstance(sent.mode, str):
            self.sessions.of(named).mode = sent.mode
        elif sent.method == _CONFIG:
            self.sessions.configured(self.sessions.of(named), result)
        elif sent.method == _CLOSE:
            self.observer.tell(ENDED, self.sessions.payload(self.sessions.of(named), reason="other"))

    def _introduced(self, about: object) -> None:
        name = about.get("name") if isinstance(about, dict) else None
        if isinstance(name, str) and (plain := plain_name(name)):
            self.sessions.agent = plain
            self.on_agent(plain)

    def _turn_ended(self, session: Session, message: Message) -> None:
        self.gate.turn_over(session.id)
        told = {"last_assistant_message": session.words} if session.words else {}
        if isinstance(message.error, dict):
            told["error"] = str(message.error.get("message", ""))
        self.observer.tell(ENDED_TURN, self.sessions.payload(session, **told))

    def ended(self) -> None:
        """The agent is gone."""
        for session in self.sessions:
            self.observer.tell(ENDED, self.sessions.payload(session, reason="other"))


def plain_name(name: str) -> str:
    """An agent's name as it may stand in records and filters."""
    kept = "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in name.strip())
    return kept[:40].strip("-")
