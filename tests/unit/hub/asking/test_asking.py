"""Which events people are asked about, and what is told to the desk."""

from types import SimpleNamespace
from typing import Any, ClassVar, cast

import pytest
from msgspec import structs

from assent.asks.flood import Bursts
from assent.asks.timeouts import Attention
from assent.harnesses.base import Facts
from assent.hub.asking import asking as asking_module
from assent.hub.asking.asking import Asking
from assent.hub.asking.queues import Continuations
from assent.hub.bus import Bus
from assent.hub.recorder import Live, Recorder
from assent.journal.memory import MemoryJournal
from assent.protocol.decision import Allow, Prompt, Risk
from assent.protocol.events import (
    Event,
    PreToolUse,
    SessionEnd,
    Stop,
    StopFailure,
    SubagentStop,
    UserPromptSubmit,
)
from assent.protocol.record import Draft, chained
from assent.redact import Redactor
from assent.views.asks import Answer, Ask
from tests.unit.hub.doubles import InForce
from tests.waiting import let_pass_in_loop


class Here:
    def attention(self) -> Attention:
        return Attention()


@pytest.mark.parametrize(
    ("body", "sessions"),
    [
        ({"event": "Notification", "payload": {"notification_type": "permission_prompt"}}, ["s1"]),
        ({"event": "Notification", "payload": {"notification_type": "idle_prompt"}}, []),
        ({"event": "Notification", "payload": "x"}, []),
        ({"event": "UserPromptSubmit", "payload": {}}, []),
        ({}, []),
    ],
)
def test_dialog_that_waits_is_told_to_the_desk(
    body: dict[str, Any], sessions: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other signals say nothing about it."""
    recorder = Recorder(MemoryJournal(), Live())
    asking = Asking(recorder, Redactor(lambda _: ""), Bus(), InForce(), Here(), Continuations(), Bursts())
    told: list[str] = []
    monkeypatch.setattr(type(asking.desk), "still_open", lambda _, session: told.append(session))
    asking.on_signal(chained(Draft(at=1, kind="event", session="s1", body=body), hub="ab12", seq=1, prev="0" * 64))
    assert told == sessions


LIVES_ON = Facts(ends_hooks=False)


@pytest.mark.parametrize(
    ("facts", "event", "expected"),
    [
        (LIVES_ON, UserPromptSubmit(session_id="s1"), [("s1", None)]),
        (LIVES_ON, UserPromptSubmit(session_id="s1", agent_id="a"), [("s1", ("a",))]),
        (LIVES_ON, Stop(session_id="s1"), [("s1", (None,))]),
        (LIVES_ON, SubagentStop(session_id="s1", agent_id="a"), [("s1", ("a",))]),
        (LIVES_ON, StopFailure(session_id="s1"), [("s1", (None,))]),
        (LIVES_ON, SessionEnd(session_id="s1"), [("s1", None)]),
        (LIVES_ON, PreToolUse(session_id="s1", tool_name="t", tool_input={}), []),
        (
            Facts(ends_hooks=False, one_call_at_a_time=True),
            PreToolUse(session_id="s1", tool_name="t", tool_input={}),
            [("s1", (None,))],
        ),
        (Facts(), UserPromptSubmit(session_id="s1"), []),
        (Facts(), SessionEnd(session_id="s1"), []),
    ],
)
def test_what_comes_next_tells_that_a_call_does_not_wait(
    facts: Facts, event: Event, expected: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only for a client that does not end its hooks; a second call only where calls do not come side by side."""
    recorder = Recorder(MemoryJournal(), Live())
    asking = Asking(recorder, Redactor(lambda _: ""), Bus(), InForce(), Here(), Continuations(), Bursts())
    told: list[Any] = []
    monkeypatch.setattr(
        type(asking.desk), "overtaken", lambda _, session, why, agents=None: told.append((session, agents))
    )
    asking.overtaken(cast("Any", SimpleNamespace(FACTS=facts)), event)
    assert told == expected


class Harness:
    """Stands in for a harness whose own dialog refuses soon in one mode."""

    FACTS = Facts(hasty_modes=frozenset({"auto"}))
    HONOURED: ClassVar[dict[type, object]] = {PreToolUse: (Prompt,)}


class Unasking(Harness):
    """One that cannot be made to ask."""

    HONOURED: ClassVar[dict[type, object]] = {PreToolUse: (Allow,)}


class Refusing(Harness):
    """One that takes neither a prompt nor an allow before a call."""

    HONOURED: ClassVar[dict[type, object]] = {PreToolUse: ()}


def seen(kind: str, risk: Risk) -> SimpleNamespace:
    return SimpleNamespace(effect=SimpleNamespace(kind=kind, risk=risk))


@pytest.mark.parametrize(
    ("harness", "mode", "attended", "decision", "effects", "expected"),
    [
        (Harness(), "auto", None, Prompt(reason="x"), [seen("delete", Risk.DANGER)], "before"),
        (
            Harness(),
            "auto",
            True,
            Prompt(reason="x"),
            [seen("read", Risk.LOOK), seen("delete", Risk.DANGER)],
            "before",
        ),
        (Harness(), "auto", False, Prompt(reason="x"), [], "instead"),
        (Harness(), "auto", None, Prompt(reason="x"), [seen("delete", Risk.CARE)], None),
        (Harness(), "auto", None, Prompt(reason="x"), [seen("write", Risk.DANGER)], None),
        (Harness(), "auto", None, Prompt(reason="x"), [], None),
        (Harness(), "default", None, Prompt(reason="x"), [seen("delete", Risk.DANGER)], None),
        (None, "auto", None, Prompt(reason="x"), [seen("delete", Risk.DANGER)], None),
        (Harness(), "auto", None, Allow(), [seen("delete", Risk.DANGER)], None),
        (Harness(), "auto", False, Allow(), [], None),
        (Unasking(), "default", None, Prompt(reason="x"), [], "instead"),
        (Unasking(), "default", True, Prompt(reason="x"), [], "instead"),
        (Unasking(), "default", None, Allow(), [], None),
        (Refusing(), "default", None, Prompt(reason="x"), [], None),
    ],
)
def test_call_that_is_prompted_for_is_asked_where_the_client_would_refuse(
    harness: Harness | None,
    mode: str,
    attended: bool | None,
    decision: object,
    effects: list[SimpleNamespace],
    expected: str | None,
) -> None:
    """Without a person at the terminal, where its own dialog is gone before a person can answer elsewhere, or where a
    hook cannot make it ask."""
    recorder = Recorder(MemoryJournal(), Live())
    asking = Asking(recorder, Redactor(lambda _: ""), Bus(), InForce(), Here(), Continuations(), Bursts())
    event = PreToolUse(session_id="s1", tool_name="Bash", tool_input={}, permission_mode=mode)
    judgement = SimpleNamespace(
        event=event, scene=SimpleNamespace(attended=attended), decision=decision, effects=effects, is_left=False
    )
    assert asking._way(cast("Any", harness), cast("Any", judgement)) == expected


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("session", "choice", "ending"),
    [("team-1", "allow", "unknown"), ("team-1", "deny", "denied"), ("s1", "allow", None)],
)
async def test_answer_to_another_machine_that_was_under_way_at_a_restart_ends(
    session: str, choice: str, ending: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody tells this hub of it again; an agent of this machine may still hear its own."""
    monkeypatch.setattr(asking_module, "COMES_BACK_WITHIN", 0.0)
    recorder = Recorder(MemoryJournal(), Live())
    asking = Asking(recorder, Redactor(lambda _: ""), Bus(), InForce(), Here(), Continuations(), Bursts())
    answered = Ask("abcde", 1, 2, 1, "permission", "PermissionRequest", "claude-code", "answered", session)
    answered = structs.replace(answered, answer=Answer(1, "person:ada", choice))
    monkeypatch.setattr(Asking, "live", SimpleNamespace(asks=SimpleNamespace(waiting=[], untold=[answered])))
    drafts: list[Draft] = []
    monkeypatch.setattr(asking.desk, "record", drafts.extend)
    asking.abandon_later()
    await let_pass_in_loop(0.01)
    assert [draft.body["ending"] for draft in drafts] == ([ending] if ending else [])
