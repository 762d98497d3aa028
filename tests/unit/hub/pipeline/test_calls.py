"""A call is one story, whichever ids the agent sends."""

import json
from types import SimpleNamespace
from typing import Any, cast

import pytest

from assent.asks.open_ask import Case
from assent.harnesses import copilot
from assent.hub.pipeline import calls as calls_module
from assent.hub.pipeline.calls import Calls, Notes
from assent.protocol.bodies import Choice
from assent.protocol.card import AnswerRequest
from assent.protocol.decision import Allow, Decision, Deny, NoOpinion, Proceed, Prompt
from assent.protocol.events import (
    PermissionDenied,
    PermissionRequest,
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    SessionEnd,
    Stop,
    SubagentStop,
    ToolEvent,
    UserPromptSubmit,
    with_client,
)
from assent.protocol.record import GENESIS, Client, Draft, Record, chained


def about(command: str = "make", use: str | None = "t1", **fields: Any) -> dict[str, Any]:
    base = {"session_id": "s1", "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": use}
    return base | fields


def pre(command: str = "make", use: str | None = "t1", **fields: Any) -> PreToolUse:
    return PreToolUse(**about(command, use, **fields))


def request(command: str = "make", **fields: Any) -> PermissionRequest:
    return PermissionRequest(**about(command, None, **fields))


def post(command: str = "make", use: str | None = "t1", **fields: Any) -> PostToolUse:
    return PostToolUse(**about(command, use, **fields))


def test_call_has_one_id_from_its_beginning_to_its_result() -> None:
    """PreToolUse, PermissionRequest and result share an id."""
    calls = Calls()
    first = calls.id_of(pre())
    assert first is not None
    assert calls.id_of(request()) == first
    assert calls.id_of(post()) == first


def test_ids_differ_between_calls_and_lives() -> None:
    """No two calls share an id, not even across restarts of the hub."""
    calls = Calls()
    assert len({calls.id_of(pre()), calls.id_of(pre(use="t2")), Calls().id_of(pre())}) == 3


def test_identical_parallel_calls_are_asked_about_in_their_order() -> None:
    """The first dialog is about the oldest of two equal calls, the second about the other; a third is about none."""
    calls = Calls()
    one, two = calls.id_of(pre(use="t1")), calls.id_of(pre(use="t2"))
    assert [calls.id_of(request()) for _ in range(3)] == [one, two, None]


def test_identical_parallel_calls_get_their_own_results() -> None:
    """Results find their call by its id, in whatever order they come."""
    calls = Calls()
    one, two = calls.id_of(pre(use="t1")), calls.id_of(pre(use="t2"))
    assert calls.id_of(post(use="t2")) == two
    assert calls.id_of(PostToolUseFailure(**about(use="t1"))) == one


def test_request_matches_session_agent_tool_and_input() -> None:
    """A dialog about anything else is not about this call."""
    calls = Calls()
    calls.id_of(pre(agent_id="a1"))
    assert calls.id_of(request()) is None
    assert calls.id_of(request(agent_id="a2")) is None
    assert calls.id_of(request(agent_id="a1", session_id="s2")) is None
    assert calls.id_of(request("make clean", agent_id="a1")) is None
    assert calls.id_of(request(agent_id="a1", tool_name="Shell")) is None
    assert calls.id_of(request(agent_id="a1")) is not None


def test_input_is_equal_in_whatever_order_its_fields_come() -> None:
    """The order of keys says nothing."""
    calls = Calls()
    first = calls.id_of(pre(tool_input={"a": 1, "b": 2}))
    assert calls.id_of(request(tool_input={"b": 2, "a": 1})) == first


def test_rewritten_input_is_what_the_dialog_is_about() -> None:
    """After an allow that changed the input, the agent asks about the changed one."""
    calls = Calls()
    event = pre("rm -rf build")
    first = calls.id_of(event)
    calls.decided(event, first, Allow(updated_input={"command": "rm -r build"}))
    assert calls.id_of(request("rm -rf build")) is None
    assert calls.id_of(request("rm -r build")) == first


def test_denied_call_is_not_asked_about() -> None:
    """When an agent tries again what it was denied, the dialog is about the second try."""
    calls = Calls()
    event = pre(use="t1")
    calls.decided(event, calls.id_of(event), Deny("No."))
    again = calls.id_of(pre(use="t2"))
    assert calls.id_of(request()) == again


def test_finished_call_is_gone() -> None:
    """What has its result takes no other event, and neither does what auto mode refused."""
    calls = Calls()
    calls.id_of(pre(use="t1"))
    calls.id_of(post(use="t1"))
    assert calls.id_of(request()) is None
    assert calls.id_of(post(use="t1")) is None
    refused = calls.id_of(pre(use="t2"))
    assert calls.id_of(PermissionDenied(**about(use="t2"))) == refused
    assert calls.id_of(request()) is None


def test_turn_end_leaves_no_call_to_be_asked_about() -> None:
    """A call that never ran does not catch the dialog of a later turn; a late result still finds it."""
    calls = Calls()
    old, other = calls.id_of(pre(use="t1")), calls.id_of(pre(use="t2", agent_id="a1"))
    calls.decided(Stop(session_id="s1"), None, NoOpinion("no_rule"))
    new = calls.id_of(pre(use="t3"))
    assert calls.id_of(request()) == new
    assert calls.id_of(post(use="t1")) == old
    assert calls.id_of(request(agent_id="a1")) == other
    calls.decided(SubagentStop(session_id="s1", agent_id="a1"), None, NoOpinion("no_rule"))
    assert calls.id_of(post(use="t2", agent_id="a1")) == other


def test_result_without_any_id_is_the_oldest_equal_call() -> None:
    """A harness without call ids is correlated by what it runs."""
    calls = Calls()
    one, two = calls.id_of(pre(use=None)), calls.id_of(pre(use=None))
    assert calls.id_of(post("make test", use=None)) is None
    assert [calls.id_of(post(use=None)) for _ in range(2)] == [one, two]


def test_result_without_its_beginning_has_no_call() -> None:
    """Nothing is guessed."""
    assert Calls().id_of(post()) is None


def test_session_end_forgets_its_calls() -> None:
    """A session that ended takes its open calls with it."""
    calls = Calls()
    calls.id_of(pre())
    calls.decided(SessionEnd(session_id="s1"), None, NoOpinion("no_rule"))
    assert calls.id_of(request()) is None


def test_open_calls_are_bounded() -> None:
    """Calls without results are forgotten oldest first, within a session and over all sessions."""
    calls = Calls()
    for number in range(calls_module.MOST_OPEN + 1):
        calls.id_of(pre(use=f"t{number}"))
    assert calls.id_of(post(use="t0")) is None
    assert calls.id_of(post(use="t1")) is not None
    for number in range(calls_module.MOST_SESSIONS - 1):
        calls.id_of(pre(session_id=f"other{number}"))
    assert calls.id_of(post(use="t2")) is not None, "the session just heard of stays"
    calls.id_of(pre(session_id="one more"))
    assert calls.id_of(post(use="t1", session_id="other0")) is None
    assert calls.id_of(post(use="t3")) is not None


def recorded(seq: int, event: ToolEvent, call: str) -> Record:
    body = {"event": event.name, "payload": event.raw}
    draft = Draft(at=seq, kind="event", session=event.session_id, agent=event.agent_id, call=call, body=body)
    return chained(draft, hub="h", seq=seq, prev=GENESIS)


def test_calls_of_an_earlier_life_are_known_again() -> None:
    """A restart of the hub does not cut a call's story in two."""
    calls = Calls()
    for seq, (event, call) in enumerate(
        [(pre(use="t1"), "c1"), (pre(use="t2"), "c2"), (pre(use="t3"), "c3"), (request(), "c1"), (post(use="t3"), "c3")]
    ):
        calls.recall(recorded(seq + 1, event, call))
    assert calls.id_of(request()) == "c2"
    assert calls.id_of(post(use="t1")) == "c1"
    assert calls.id_of(post(use="t3")) is None


def test_decisions_of_an_earlier_life_are_known_again() -> None:
    """What was denied, rewritten or over before a restart is so after it."""
    calls = Calls()
    for seq, call in enumerate(("c1", "c2", "c3")):
        calls.recall(recorded(seq + 1, pre(use=f"t{seq + 1}"), call))
    rewritten = {"decision": {"decision": "allow", "updated_input": {"command": "make -j2"}}}
    for seq, (call, word, body) in enumerate([("c1", "deny", {}), ("c2", "allow", rewritten)]):
        draft = Draft(at=9, kind="decision", session="s1", call=call, decision=word, body=body)
        calls.recall(chained(draft, hub="h", seq=seq + 4, prev=GENESIS))
    assert calls.id_of(request("make -j2")) == "c2"
    assert calls.id_of(request()) == "c3"
    calls.recall(recorded(6, pre(use="t4"), "c4"))
    stop = Draft(at=9, kind="event", session="s1", body={"event": "Stop", "payload": {}})
    calls.recall(chained(stop, hub="h", seq=7, prev=GENESIS))
    assert calls.id_of(request()) is None
    assert calls.id_of(post(use="t4")) == "c4"


def test_result_of_another_input_is_noticed() -> None:
    """What ran is not what was judged, whether it worked or failed."""
    for done in (post("rm -rf ~"), PostToolUseFailure(**about("rm -rf ~"))):
        calls = Calls()
        calls.id_of(pre("make"))
        assert calls.ran_differently(done)
    calls = Calls()
    calls.id_of(pre("make"))
    assert not calls.ran_differently(post("make"))


def test_input_that_we_changed_is_what_was_judged() -> None:
    """A person's edit, not another hook's."""
    calls = Calls()
    call = calls.id_of(pre("make"))
    calls.decided(pre("make"), call, Allow(updated_input={"command": "make -n"}))
    assert not calls.ran_differently(post("make -n"))
    assert calls.ran_differently(post("make"))


def test_unknown_and_recalled_calls_say_nothing() -> None:
    """What was judged is not known."""
    calls = Calls()
    assert not calls.ran_differently(post("make"))
    calls.recall(recorded(1, pre("make"), "c1"))
    assert not calls.ran_differently(post("other"))


def test_where_the_client_asks_first_the_call_begins_with_its_permission() -> None:
    """PermissionRequest, PreToolUse and result share an id, without any id of the client's."""
    calls = Calls()
    name = calls.id_of(request(), permission_first=True)
    assert name is not None
    assert calls.id_of(pre(use=None), permission_first=True) == name
    assert calls.id_of(post(use=None), permission_first=True) == name


def test_elsewhere_a_permission_without_its_call_stays_without_one() -> None:
    """An equal call that comes later is another one."""
    assert Calls().id_of(request()) is None


def test_yes_to_a_permission_counts_once_for_the_call_after_it() -> None:
    calls = Calls()
    calls.agreed("s1", calls.id_of(request(), permission_first=True))
    assert calls.is_agreed(pre(use=None))
    assert not calls.is_agreed(pre("make all", use=None))
    assert not calls.is_agreed(pre(use=None, agent_id="a1"))
    calls.id_of(pre(use=None), permission_first=True)
    assert not calls.is_agreed(pre(use=None))


@pytest.mark.parametrize("told", [NoOpinion("handed_back"), Prompt("Look.")])
def test_call_after_silence_at_its_permission_was_agreed_to_in_the_clients_dialog(told: Decision) -> None:
    """Only a yes there brings it. A permission that was denied is no yes."""
    calls = Calls()
    calls.decided(request(), calls.id_of(request(), permission_first=True), told)
    assert calls.is_agreed(pre(use=None))
    assert not calls.is_agreed(pre("make all", use=None))
    denied = Calls()
    denied.decided(request(), denied.id_of(request(), permission_first=True), Deny("No."))
    assert not denied.is_agreed(pre(use=None))


def test_silence_at_a_permission_is_no_yes_where_the_call_came_before() -> None:
    """The usual order: what follows is another call."""
    calls = Calls()
    calls.id_of(pre())
    calls.decided(request(), calls.id_of(request()), NoOpinion("handed_back"))
    assert not calls.is_agreed(pre(use="t2"))
    assert not calls.is_agreed(request())


def test_yes_is_gone_when_the_turn_is_over() -> None:
    calls = Calls()
    calls.agreed("s1", calls.id_of(request(), permission_first=True))
    calls.decided(Stop(session_id="s1"), None, NoOpinion("no_rule"))
    assert not calls.is_agreed(pre(use=None))


def test_permission_that_was_asked_for_before_a_prompt_counts_for_no_call_after_it() -> None:
    """Its dialog was refused, or the call given up, without a word to us."""
    calls = Calls()
    calls.decided(request(), calls.id_of(request(), permission_first=True), NoOpinion("handed_back"))
    calls.decided(UserPromptSubmit(session_id="s1", prompt="Go on."), None, NoOpinion("no_rule"))
    assert not calls.is_agreed(pre(use=None))


def test_yes_in_one_mode_is_none_in_another() -> None:
    """The client lets a call through by itself that waits while the mode is changed."""
    calls = Calls()
    asked = request(permission_mode="default")
    calls.decided(asked, calls.id_of(asked, permission_first=True), NoOpinion("handed_back"))
    assert not calls.is_agreed(pre(use=None, permission_mode="bypass"))
    assert calls.is_agreed(pre(use=None, permission_mode="default"))


def test_yes_to_one_client_is_none_to_another_that_calls_its_session_the_same() -> None:
    calls = Calls()
    calls.agreed("s1", calls.id_of(request(), permission_first=True))
    other = pre(use=None)
    with_client(other, Client(harness="other"))
    assert not calls.is_agreed(other)
    assert calls.is_agreed(pre(use=None))


def test_yes_does_not_count_where_the_call_was_known_before() -> None:
    """The usual order: a second equal call is asked about again."""
    calls = Calls()
    calls.id_of(pre())
    calls.agreed("s1", calls.id_of(request()))
    assert not calls.is_agreed(pre(use="t2"))


def said(notes: Notes, event: Any, choice: Choice = "allow", message: str = "", use: str | None = "t1") -> None:
    case = cast("Case", SimpleNamespace(event=event, tool_use_id=use))
    notes.on_yes(case, AnswerRequest(rev=1, hash="", choice=choice, message=message), cast("Any", None))


def heard(notes: Notes, event: Any) -> str | None:
    opinion = notes.speak(event, cast("Any", None))
    if opinion is None:
        return None
    assert isinstance(opinion.decision, Proceed)
    return opinion.decision.context


def test_words_with_a_yes_are_told_with_the_result_once() -> None:
    """To that call alone, whether it succeeded or failed."""
    notes = Notes()
    said(notes, request(), message=" careful ")
    assert heard(notes, pre()) is None
    assert heard(notes, post(use=None)) is None
    assert heard(notes, post(use="t2")) is None
    assert heard(notes, post()) == "Your user says: careful"
    assert heard(notes, post()) is None
    said(notes, request(), message="again")
    assert heard(notes, PostToolUseFailure(**about())) == "Your user says: again"


@pytest.mark.parametrize(
    ("event", "choice", "message", "use", "is_told"),
    [
        (request(), "allow", "", "t1", False),
        (request(), "allow", "  ", "t1", False),
        (request(), "allow", "x", None, False),
        (request(), "allow_edited", "", "t1", True),
        # The note went out with the allow.
        (pre(), "allow", "x", "t1", False),
        (pre(), "allow_edited", "x", "t1", True),
        # That call has no result.
        (PermissionDenied(**about()), "allow_edited", "x", "t1", False),
    ],
)
def test_only_what_was_not_told_already_waits_for_the_result(
    event: Any, choice: Choice, message: str, use: str | None, is_told: bool
) -> None:
    """That the call was edited is always told."""
    notes = Notes()
    said(notes, event, choice, message, use)
    told = heard(notes, post())
    assert (told is not None) is is_told
    assert told is None or ("Your user says: x" in told) is bool(message)


def test_oldest_of_too_many_notes_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls whose result never came."""
    monkeypatch.setattr(calls_module, "MOST", 2)
    notes = Notes()
    for use in ("a", "b", "c"):
        said(notes, request(), message=use, use=use)
    assert [heard(notes, post(use=use)) is not None for use in ("a", "b", "c")] == [False, True, True]


def of_copilot(event: str, tool: str, given: dict[str, object]) -> ToolEvent:
    """A client without ids, whose requests are worded otherwise than its calls."""
    field = "toolArgs" if event == "preToolUse" else "toolInput"
    payload = {"sessionId": "s", "cwd": "/p", "toolName": tool, field: given}
    made = copilot.decode(json.dumps(payload).encode(), event_name=event)
    assert isinstance(made, ToolEvent)
    return made


def test_request_in_other_words_belongs_to_its_call() -> None:
    """Without the description, or with a diff in place of the text."""
    calls = Calls()
    run = calls.id_of(of_copilot("preToolUse", "bash", {"command": "make", "description": "d"}))
    assert calls.id_of(of_copilot("permissionRequest", "bash", {"command": "make"})) == run
    diff = "--- a/dev/null\n+++ b/p/f\n@@ -0,0 +1 @@\n+x\n"
    made = calls.id_of(of_copilot("preToolUse", "create", {"path": "/p/f", "file_text": "x\n"}))
    assert calls.id_of(of_copilot("permissionRequest", "edit", {"file_path": "/p/f", "diff": diff})) == made
    assert calls.id_of(of_copilot("permissionRequest", "bash", {"command": "make install"})) is None
    patch = "*** Begin Patch\n*** Add File: f\n+x\n*** End Patch"
    patched = calls.id_of(of_copilot("preToolUse", "apply_patch", {"patch": patch}))
    assert calls.id_of(of_copilot("permissionRequest", "edit", {"file_path": "/p/g", "diff": diff})) is None
    assert calls.id_of(of_copilot("permissionRequest", "edit", {"file_path": "/p/f", "diff": diff})) == patched


def test_yes_to_one_write_is_none_to_another_of_that_file() -> None:
    """What is only about the same file may write anything into it."""
    calls = Calls()
    first = of_copilot("preToolUse", "create", {"path": "/p/f", "file_text": "harmless"})
    calls.agreed("s", calls.id_of(first))
    assert not calls.is_agreed(of_copilot("permissionRequest", "create", {"path": "/p/f", "file_text": "other"}))
    assert calls.is_agreed(of_copilot("permissionRequest", "create", {"path": "/p/f", "file_text": "harmless"}))


def test_words_about_a_command_make_it_no_other_call() -> None:
    """Some clients send them only where they ask. In other tools they are a part of what is done."""
    calls = Calls()
    first = calls.id_of(pre())
    assert calls.id_of(request(tool_input={"command": "make", "description": "I need it."})) == first
    calls.id_of(pre(use="t2", tool_name="mcp__x__post", tool_input={"title": "a"}))
    assert calls.id_of(request(tool_name="mcp__x__post", tool_input={"title": "a", "description": "b"})) is None


def test_yes_before_a_call_counts_where_it_is_asked_about_with_more_words() -> None:
    """A person is asked once."""
    calls = Calls()
    event = pre()
    call = calls.id_of(event)
    calls.agreed("s1", call)
    assert calls.is_agreed(request(tool_input={"command": "make", "description": "I need it."}))
    assert not calls.is_agreed(request("make clean"))
