"""Reading Claude Code's payloads, and how we listen to it."""

import json
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.harnesses import claude_code
from assent.harnesses.base import Harness, UnreadableError
from assent.harnesses.claude_code import (
    MANAGED_FOLDER,
    NO_HTTP,
    SUBSCRIPTIONS,
    decode,
    settings_file,
    settings_files,
    settings_here,
    unreadable,
)
from assent.protocol.decision import Deny, NoOpinion, Prompt
from assent.protocol.envelope import SILENT
from assent.protocol.events import EVENTS, Event, PreToolUse, Stop, UnknownEvent
from tests.captured import payloads

# mypy checks here that the module is what the rest of Assent expects of a harness.
HARNESS: Harness = claude_code

BASH = {"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}}


def packed(raw: Any) -> bytes:
    return json.dumps(raw).encode()


def test_decode_reads_every_captured_payload() -> None:
    """Each payload becomes its event, whether or not the sender says which it is."""
    for raw in payloads():
        name = raw["hook_event_name"]
        event = decode(packed(raw), event_name=name)
        assert type(event) is EVENTS[name]
        assert event.raw == raw
        assert event == decode(packed(raw), event_name="")


def test_decode_keeps_an_unknown_event_whole() -> None:
    """An event of a later client survives with all it carried."""
    raw = {"hook_event_name": "PreTeleport", "session_id": "s", "cwd": "/x", "to": {"planet": 4}}
    event = decode(packed(raw), event_name="PreTeleport")
    assert event == UnknownEvent(session_id="s", cwd="/x", hook_event_name="PreTeleport")
    assert event.raw == raw


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "it is not JSON"),
        (b"{not json", "it is not JSON"),
        (b'{"session_id": "cut o', "it is not JSON"),
        (b"\x00\xff\xfe", "it is not JSON"),
        (b'{"session_id": "\xff"}', "it is not JSON"),
        (b'{"session_id": "\\ud800"}', "it is not JSON"),
        (b"[]", "it is not a JSON object"),
        (b"null", "it is not a JSON object"),
        (b"[" * 100_000, "it is nested too deeply"),
        (packed(BASH)[:-1] + b',"x":' + b"[" * 100 + b"]" * 100 + b"}", "it is nested too deeply"),
        (packed({**BASH, "hook_event_name": 7}), "it does not name its event"),
        (packed({**BASH, "hook_event_name": ""}), "it does not name its event"),
        (packed({**BASH, "hook_event_name": "x" * 101}), "it does not name its event"),
        (packed({**BASH, "hook_event_name": "Pre\x1b[2J"}), "it does not name its event"),
        (packed({"session_id": "s"}), "it does not name its event"),
        (packed({**BASH, "session_id": 7}), "its session_id is not of the right type"),
        (packed({**BASH, "tool_input": "ls"}), "its tool_input is not of the right type"),
        (packed({**BASH, "tool_name": None}), "its tool_name is not of the right type"),
        (packed({"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash"}), "it has no tool_input"),
        (packed({"hook_event_name": "PreTeleport"}), "it has no session_id"),
    ],
)
def test_decode_refuses_what_is_no_event(raw: bytes, why: str) -> None:
    """What cannot be read is an error with a short reason that quotes nothing of the payload."""
    with pytest.raises(UnreadableError) as caught:
        decode(raw, event_name="")
    assert str(caught.value) == why


def test_decode_refuses_another_event_than_it_was_sent_for() -> None:
    """A payload cannot be judged as something it is not."""
    with pytest.raises(UnreadableError, match="it says it is PreToolUse, but was sent for Stop"):
        decode(packed(BASH), event_name="Stop")
    with pytest.raises(UnreadableError, match="it says it is an event this version does not know, but was sent for"):
        decode(packed({**BASH, "hook_event_name": "SECRET"}), event_name="PreToolUse")


def test_decode_reads_deep_but_sane_input() -> None:
    """Brackets inside text do not count as depth, nor does ordinary nesting."""
    raw = {**BASH, "tool_input": {"command": "{[" * 500, "a": [[[{"b": [1]}]]]}}
    assert decode(packed(raw), event_name="PreToolUse").raw == raw


def test_decode_drops_optional_fields_that_do_not_fit() -> None:
    """A later client that changes an optional field does not make its events unreadable."""
    raw = {**BASH, "effort": "high", "agent_id": 7, "cwd": "/x", "permission_mode": ["?"]}
    event = decode(packed(raw), event_name="PreToolUse")
    assert event == PreToolUse(session_id="s", cwd="/x", tool_name="Bash", tool_input={"command": "ls"})
    assert event.raw == raw


def test_decode_reads_the_essentials_of_nested_lists() -> None:
    """A list whose entries changed is left out, the event is kept."""
    raw = {"hook_event_name": "Stop", "session_id": "s", "stop_hook_active": True, "background_tasks": [7]}
    assert decode(packed(raw), event_name="Stop") == Stop(session_id="s", stop_hook_active=True)


def test_decode_takes_null_for_absent() -> None:
    """A field that is null is as good as not there."""
    raw = {**BASH, "agent_id": None, "effort": None, "permission_mode": None}
    assert decode(packed(raw), event_name="") == decode(packed(BASH), event_name="")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=10),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=10), children, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from(["", "PreToolUse", "Stop", "PreTeleport"])


def survives(data: bytes, event_name: str) -> None:
    try:
        event = decode(data, event_name=event_name)
    except UnreadableError:
        return
    assert isinstance(event, Event)
    assert event.name == event.raw["hook_event_name"]
    assert event_name in ("", event.name)
    msgspec.json.encode([event, event.raw])


@given(data=st.binary(max_size=200), event_name=NAMES)
def test_decode_survives_any_bytes(data: bytes, event_name: str) -> None:
    """Bytes are an event or unreadable, never a crash."""
    survives(data, event_name)


@given(raw=JSON, event_name=NAMES)
def test_decode_survives_any_json(raw: Any, event_name: str) -> None:
    """JSON is an event or unreadable, never a crash."""
    survives(packed(raw), event_name)


@given(data=st.data())
def test_decode_survives_mutated_payloads(data: st.DataObject) -> None:
    """Real payloads with fields changed, removed and added, or with bytes changed, never crash it."""
    raw = dict(data.draw(st.sampled_from(payloads())))
    for key in data.draw(st.lists(st.sampled_from(sorted(raw)), max_size=3)):
        raw.pop(key, None)
    raw.update(
        data.draw(st.dictionaries(st.sampled_from(sorted(raw) or ["x"]) | st.text(max_size=5), JSON, max_size=3))
    )
    survives(packed(raw), "")
    broken = bytearray(packed(raw))
    for at, byte in data.draw(st.lists(st.tuples(st.integers(0, len(broken) - 1), st.integers(0, 255)), max_size=3)):
        broken[at] = byte
    survives(bytes(broken), "")
    survives(bytes(broken[: data.draw(st.integers(0, len(broken)))]), "PreToolUse")


def test_unreadable_call_goes_to_the_person_at_the_terminal() -> None:
    """Silence would run an unreadable call in a mode that never asks, so it is prompted."""
    decision, output = unreadable("PreToolUse", "it is not JSON")
    assert decision == Prompt("Assent could not read this tool call: it is not JSON.")
    assert output.stdout_json == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "ask",
            "permissionDecisionReason": "Assent could not read this tool call: it is not JSON.",
        }
    }


def test_unreadable_call_is_denied_where_prompts_may_be_dropped() -> None:
    """It may be about a file that the client would not ask about."""
    decision, output = unreadable("PreToolUse", "it is not JSON", may_drop_prompts=True)
    assert decision == Deny("Assent could not read this tool call: it is not JSON.")
    assert output.stdout_json is not None
    assert output.stdout_json["hookSpecificOutput"]["permissionDecision"] == "deny"


@pytest.mark.parametrize("name", [*sorted(EVENTS.keys() - {"PreToolUse"}), "PreTeleport", ""])
def test_unreadable_other_event_is_no_opinion(name: str) -> None:
    """Where a dialog opens anyway, or nothing is decided, silence is enough, and it keeps its cause."""
    assert unreadable(name, "why") == (NoOpinion("bad_input"), SILENT)
    assert unreadable(name, "why", cause="too_large") == (NoOpinion("too_large"), SILENT)


def test_subscriptions_leave_out_only_four_events() -> None:
    """We listen to all but the one a silent hook aborts, the two noisy ones, and the one that repeats others."""
    assert EVENTS.keys() - SUBSCRIPTIONS.keys() == {"WorktreeCreate", "MessageDisplay", "FileChanged", "PostToolBatch"}
    assert SUBSCRIPTIONS.keys() <= EVENTS.keys()
    assert all(name == each.event for name, each in SUBSCRIPTIONS.items())


@pytest.mark.parametrize(
    ("name", "transport", "timeout", "may_hold"),
    [
        ("PreToolUse", "shim", 630, True),
        ("PermissionRequest", "shim", 630, True),
        ("Elicitation", "shim", 630, True),
        ("Stop", "shim", 3630, True),
        ("SubagentStop", "shim", 3630, True),
        ("UserPromptSubmit", "shim", 10, False),
        ("ConfigChange", "shim", 10, False),
        ("TaskCompleted", "shim", 10, False),
        ("PostToolUse", "http", 5, False),
        ("PermissionDenied", "shim", 630, True),
        ("SessionEnd", "shim", 10, False),
    ],
)
def test_subscription_says_how_we_listen(name: str, transport: str, timeout: int, may_hold: bool) -> None:
    """Gates go through the shim, observers over HTTP; only those a person answers may hold the agent."""
    each = SUBSCRIPTIONS[name]
    assert (each.transport, each.timeout, each.may_hold) == (transport, timeout, may_hold)


def test_subscriptions_never_use_http_where_the_client_skips_it() -> None:
    """SessionStart and Setup are heard through the shim only."""
    assert {"SessionStart", "Setup"} == NO_HTTP
    assert all(SUBSCRIPTIONS[name].transport == "shim" for name in NO_HTTP)


@pytest.mark.parametrize(
    ("scope", "config_dir", "expected"),
    [
        ("user", None, "/home/dev/.claude/settings.json"),
        ("user", Path("/etc/claude"), "/etc/claude/settings.json"),
        ("project", None, "/src/shop/.claude/settings.json"),
        ("project", Path("/etc/claude"), "/src/shop/.claude/settings.json"),
        ("local", Path("/etc/claude"), "/src/shop/.claude/settings.local.json"),
    ],
)
def test_settings_file_follows_the_scope(
    scope: Literal["user", "project", "local"], config_dir: Path | None, expected: str
) -> None:
    """CLAUDE_CONFIG_DIR moves the user's settings and no others."""
    found = settings_file(scope, home=Path("/home/dev"), project=Path("/src/shop"), config_dir=config_dir)
    assert found == Path(expected)


def test_settings_files_are_all_that_the_client_obeys(tmp_path: Path) -> None:
    """What the administrator set comes first, in pieces too; then from near to far."""
    managed = tmp_path / MANAGED_FOLDER
    (managed / "managed-settings.d").mkdir(parents=True)
    for name in ("20-b.json", "10-a.json", "notes.txt"):
        (managed / "managed-settings.d" / name).touch()
    found = settings_files(home=Path("/home/dev"), project=Path("/src/shop"), config_dir=None, root=tmp_path)
    assert found == [
        ("managed", managed / "managed-settings.json"),
        ("managed", managed / "managed-settings.d/10-a.json"),
        ("managed", managed / "managed-settings.d/20-b.json"),
        ("local", Path("/src/shop/.claude/settings.local.json")),
        ("project", Path("/src/shop/.claude/settings.json")),
        ("user", Path("/home/dev/.claude/settings.json")),
    ]


def test_settings_here_follow_the_environment(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The home of this process, or where the client was told to keep its own."""
    assert settings_here(Path("/src/shop"))[-1] == ("user", home / ".claude/settings.json")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "/elsewhere")
    assert settings_here(Path("/src/shop"))[-1] == ("user", Path("/elsewhere/settings.json"))
