"""What the hub remembers of sessions."""

from pathlib import Path
from typing import Any

from assent.hub.pipeline.session_taint import MOST_SESSIONS, SessionTaints
from assent.policy.call import Scene
from assent.policy.risk_of import risk_of
from assent.protocol.decision import Allow, Decision, Deny, NoOpinion, Prompt, Risk
from assent.protocol.events import DirectoryAdded, PermissionRequest, PreToolUse, SessionEnd
from assent.protocol.permission import AddDirectories
from assent.protocol.record import Record
from tests.unit.policy.calls import call

PROJECT = Path("/srv/project")


def pre(session: str, tool: str, **fields: Any) -> PreToolUse:
    return PreToolUse(session_id=session, cwd=str(PROJECT), tool_name=tool, tool_input=fields)


def risk_of_push(memories: SessionTaints, session: str) -> Risk:
    return risk_of(call("Bash", command="git push"), Scene(PROJECT, memory=memories.of(session))).risk


def decided(memories: SessionTaints, event: PreToolUse, decision: Decision) -> None:
    memories.decided(event, Scene(PROJECT), decision)


def test_session_remembers_what_was_not_refused() -> None:
    """A prompt or silence may have become a yes; a deny did not."""
    for decision, risk in (
        (Allow(), Risk.DANGER),
        (Prompt("x"), Risk.DANGER),
        (NoOpinion("no_rule"), Risk.DANGER),
        (Deny("x"), Risk.CARE),
    ):
        memories = SessionTaints()
        decided(memories, pre("s", "Read", file_path="/srv/project/.env"), decision)
        assert risk_of_push(memories, "s") is risk


def test_sessions_do_not_taint_each_other() -> None:
    """Each has its own memory, and it ends with the session."""
    memories = SessionTaints()
    decided(memories, pre("one", "WebFetch", url="https://example.com"), NoOpinion("no_rule"))
    assert risk_of_push(memories, "two") is Risk.CARE
    assert risk_of_push(memories, "one") is Risk.DANGER
    memories.decided(SessionEnd(session_id="one"), Scene(PROJECT), NoOpinion("no_rule"))
    assert risk_of_push(memories, "one") is Risk.CARE


def test_memory_of_sessions_is_bounded() -> None:
    """Sessions end without saying so."""
    memories = SessionTaints()
    for number in range(MOST_SESSIONS + 50):
        decided(memories, pre(f"s{number}", "Read", file_path=".env"), Allow())
    assert len(memories._of) == MOST_SESSIONS
    assert risk_of_push(memories, f"s{MOST_SESSIONS + 49}") is Risk.DANGER


def event_record(seq: int, session: str, name: str, **payload: Any) -> Record:
    body = {"event": name, "payload": {"cwd": str(PROJECT), **payload}, "project": str(PROJECT)}
    return Record(
        hub="h", seq=seq, at=seq, kind="event", session=session, request=f"r{seq}", body=body, prev="", hash=""
    )


def test_restart_brings_memory_back_from_records() -> None:
    """What was denied, and sessions that ended, stay forgotten."""
    secret = {"tool_name": "Read", "tool_input": {"file_path": "/srv/project/.env"}}
    wrote = {"tool_name": "Write", "tool_input": {"file_path": "/srv/project/run.sh", "content": "withheld"}}
    denied = Record(
        hub="h", seq=4, at=4, kind="decision", session="no", request="r3", decision="deny", body={}, prev="", hash=""
    )
    memories = SessionTaints()
    memories.recall(
        [
            event_record(1, "yes", "PreToolUse", **secret),
            event_record(2, "yes", "PreToolUse", **wrote),
            event_record(3, "no", "PreToolUse", **secret),
            denied,
            event_record(5, "over", "PreToolUse", **secret),
            event_record(6, "over", "SessionEnd"),
        ]
    )
    assert risk_of_push(memories, "yes") is Risk.DANGER
    assert "/srv/project/run.sh" in memories.of("yes").written
    assert risk_of_push(memories, "no") is Risk.CARE
    assert risk_of_push(memories, "over") is Risk.CARE


def test_directory_that_was_added_is_read_like_the_project() -> None:
    """The client tells of it once, and it holds until the session ends."""
    memories = SessionTaints()
    memories.decided(DirectoryAdded(session_id="s", directory="/srv/data"), Scene(PROJECT), NoOpinion("no_rule"))
    assert memories.of("s").added == ("/srv/data",)
    assert memories.of("other").added == ()


def test_directory_that_a_person_granted_is_read_like_the_project() -> None:
    """The answer to an ask adds it; the client need not tell of it again."""
    memories = SessionTaints()
    grant = AddDirectories(directories=("/srv/data/",), destination="session")
    asked = PermissionRequest(session_id="s", tool_name="Bash", tool_input={"command": "cat /srv/data/x"})
    memories.decided(asked, Scene(PROJECT), Allow(grants=(grant,)))
    assert memories.of("s").added == ("/srv/data",)


def test_root_is_never_an_added_directory() -> None:
    """It would let everything be read."""
    memories = SessionTaints()
    memories.decided(DirectoryAdded(session_id="s", directory="/"), Scene(PROJECT), NoOpinion("no_rule"))
    assert memories.of("s").added == ()


def test_added_directories_are_known_again_after_a_restart() -> None:
    """The record tells of both kinds, for sessions that have not ended."""
    granted = {
        "decision": {"grants": [{"type": "addDirectories", "directories": ["/srv/b"], "destination": "session"}]}
    }
    told = {"event": "DirectoryAdded", "payload": {"directory": "/srv/a"}}
    memories = SessionTaints()
    memories.recall(
        [
            Record(hub="h", seq=1, at=1, kind="event", session="s", body=told, prev="", hash=""),
            Record(
                hub="h", seq=2, at=2, kind="decision", session="s", decision="allow", body=granted, prev="", hash=""
            ),
        ]
    )
    assert memories.of("s").added == ("/srv/a", "/srv/b")
