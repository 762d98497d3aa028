"""Who answers what an agent asks for."""

import json

import pytest

from tests.unit.acp.wire import OPTIONS, Body, Wire, chosen, line, permission, wired, write

ALLOW, DENY, ASK = (
    {"outcome": "allow"},
    {"outcome": "deny", "reason": "Not here."},
    {"outcome": "ask", "reason": "Look."},
)
SELECTED = {"outcome": {"outcome": "selected", "optionId": "once"}}


def outcome(wire: Wire, name: object) -> Body | None:
    """What the agent was answered; it must not be answered twice."""
    answers = [each for each in wire.at_agent() if each.get("id") == name]
    assert len(answers) <= 1
    return answers[0].get("result") or answers[0].get("error") if answers else None


@pytest.mark.anyio
async def test_allow_selects_the_option_that_allows_once() -> None:
    """Never the one that allows always, though it stands first."""
    wire = wired(ALLOW)
    await wire.from_agent(permission(1))
    assert outcome(wire, 1) == SELECTED
    assert wire.editor == []


@pytest.mark.anyio
async def test_allow_without_an_option_for_once_goes_to_the_editor() -> None:
    wire = wired(ALLOW)
    await wire.from_agent(asked := permission(1, options=OPTIONS[:1]))
    assert (wire.agent, wire.editor) == ([], [asked])
    await wire.close()


@pytest.mark.anyio
async def test_deny_selects_the_option_that_refuses_and_shows_the_reason() -> None:
    wire = wired(DENY)
    await wire.from_agent(permission(1))
    assert outcome(wire, 1) == {"outcome": {"outcome": "selected", "optionId": "no"}}
    (shown,) = wire.at_editor()
    assert shown["params"]["update"]["content"]["text"] == "Assent: Not here."


@pytest.mark.anyio
async def test_deny_without_an_option_for_it_cancels() -> None:
    wire = wired(DENY)
    await wire.from_agent(permission(1, options=OPTIONS[:2]))
    assert outcome(wire, 1) == {"outcome": {"outcome": "cancelled"}}


@pytest.mark.anyio
async def test_no_opinion_leaves_it_to_the_editor() -> None:
    """Its answer goes through as it came."""
    wire = wired(None)
    await wire.from_agent(asked := permission(1))
    assert wire.editor == [asked]
    await wire.from_editor(answer := chosen(1, "always"))
    assert wire.agent == [answer]
    await wire.close()


@pytest.mark.anyio
async def test_answer_elsewhere_counts_and_the_late_one_does_not() -> None:
    """The editor's dialog is withdrawn, and what it still says is not passed on."""
    wire = wired("hold")
    await wire.from_agent(asked := permission(1))
    assert wire.editor == [asked]
    wire.hub.answer(ALLOW)
    await wire.settle()
    assert outcome(wire, 1) == SELECTED
    assert wire.at_editor()[1]["method"] == "$/cancel_request"
    assert wire.at_editor()[1]["params"] == {"requestId": 1}
    await wire.from_editor(chosen(1, "no"))
    assert len(wire.agent) == 1
    await wire.close()


@pytest.mark.anyio
async def test_answer_in_the_editor_takes_the_ask_back() -> None:
    wire = wired("hold")
    await wire.from_agent(permission(1))
    await wire.from_editor(answer := chosen(1, "no"))
    assert wire.agent == [answer]
    assert wire.hub.taken_back == 1
    await wire.close()


@pytest.mark.anyio
async def test_ask_that_nobody_answered_stays_with_the_editor() -> None:
    wire = wired("hold")
    await wire.from_agent(permission(1))
    wire.hub.answer(None)
    await wire.settle()
    assert (len(wire.editor), wire.agent) == (1, [])
    await wire.from_editor(answer := chosen(1))
    assert wire.agent == [answer]
    await wire.close()


@pytest.mark.anyio
async def test_cancelled_turn_answers_what_the_editor_has_not_seen() -> None:
    """What it has seen it answers itself."""
    wire = wired(lambda event, _: "hold" if event == "session/request_permission" else None)
    wire.proxy.from_agent(permission(1))
    await wire.from_editor(stop := line(method="session/cancel", params={"sessionId": "s"}))
    assert outcome(wire, 1) == {"outcome": {"outcome": "cancelled"}}
    assert stop in wire.agent
    await wire.close()


@pytest.mark.anyio
async def test_second_request_with_an_open_id_goes_to_the_editor() -> None:
    """The agent breaks the protocol; nothing is lost for that, and nothing is allowed."""
    wire = wired("hold")
    await wire.from_agent(permission(1), second := permission(1, "touch b"))
    assert second in wire.editor
    await wire.close()


@pytest.mark.anyio
async def test_ids_of_two_types_are_two_requests() -> None:
    wire = wired("hold")
    await wire.from_agent(permission(1), permission("1"))
    wire.hub.answer(DENY, 1)
    await wire.settle()
    assert outcome(wire, 1) is None
    assert outcome(wire, "1") == {"outcome": {"outcome": "selected", "optionId": "no"}}
    await wire.close()


# --- what the editor is asked to do


@pytest.mark.anyio
async def test_write_that_is_denied_is_an_error_with_the_reason() -> None:
    wire = wired(DENY)
    await wire.from_agent(write(1))
    assert outcome(wire, 1) == {"code": -32_000, "message": "Assent: Not here."}
    assert wire.editor == []


@pytest.mark.anyio
async def test_write_without_an_opinion_goes_to_the_editor() -> None:
    wire = wired(None)
    await wire.from_agent(asked := write(1))
    assert (wire.editor, wire.agent) == ([asked], [])


def asks_about_writes(event: str, _: Body) -> object:
    return ASK if event == "fs/write_text_file" else "hold" if event == "session/request_permission" else None


@pytest.mark.anyio
@pytest.mark.parametrize("option", ["allow_once", "reject_once", None])
async def test_write_that_must_be_asked_about_is_asked_in_the_editor(option: str | None) -> None:
    """By a question of our own, whose answer the agent does not see."""
    wire = wired(asks_about_writes)
    await wire.from_agent(asked := write(1))
    (question,) = wire.at_editor()
    assert question["params"]["toolCall"]["title"] == "Write /srv/p/a"
    await wire.from_editor(chosen(question["id"], option))
    if option == "allow_once":
        assert (wire.editor[1:], wire.agent) == ([asked], [])
    else:
        assert outcome(wire, 1) == {"code": -32_000, "message": "A person said no to this."}
        assert len(wire.editor) == 1
    assert wire.hub.taken_back == 1


@pytest.mark.anyio
@pytest.mark.parametrize("said", [ALLOW, DENY])
async def test_write_that_must_be_asked_about_is_answered_elsewhere(said: Body) -> None:
    wire = wired(asks_about_writes)
    await wire.from_agent(asked := write(1))
    wire.hub.answer(said)
    await wire.settle()
    question, withdrawn, *passed = wire.editor
    assert json.loads(withdrawn)["params"] == {"requestId": json.loads(question)["id"]}
    assert passed == ([asked] if said is ALLOW else [])
    await wire.from_editor(chosen(json.loads(question)["id"], "allow_once"))
    assert len(wire.agent) == (0 if said is ALLOW else 1)


@pytest.mark.anyio
async def test_call_that_a_person_agreed_to_is_not_asked_about_again() -> None:
    """Once, for the same call, and never where it is refused."""
    wire = wired(lambda event, _: {"terminal/create": ASK}.get(event))
    run = {"sessionId": "s", "command": "touch", "args": ["a"]}
    await wire.from_agent(permission(1))
    await wire.from_editor(chosen(1))
    await wire.from_agent(first := line(id=2, method="terminal/create", params=run))
    assert wire.editor[-1] == first
    await wire.from_agent(line(id=3, method="terminal/create", params=run))
    assert wire.at_editor()[-1]["method"] == "session/request_permission"
    await wire.close()


@pytest.mark.anyio
async def test_yes_is_gone_when_the_turn_is_over() -> None:
    """The agent ran the call by itself; an equal one of a later turn is another one."""
    wire = wired(lambda event, _: {"terminal/create": ASK}.get(event))
    await wire.from_editor(line(id=7, method="session/prompt", params={"sessionId": "s", "prompt": []}))
    await wire.from_agent(permission(1))
    await wire.from_editor(chosen(1))
    await wire.from_agent(line(id=7, result={"stopReason": "end_turn"}))
    await wire.from_agent(
        line(id=2, method="terminal/create", params={"sessionId": "s", "command": "touch", "args": ["a"]})
    )
    assert wire.at_editor()[-1]["method"] == "session/request_permission"
    await wire.close()


@pytest.mark.anyio
async def test_hub_link_that_breaks_asks_the_person() -> None:
    """Whatever broke, nothing is written unasked and no request is left without an answer."""

    def breaks(event: str, _: Body) -> object:
        if event in ("fs/write_text_file", "session/request_permission"):
            raise RuntimeError
        return None

    wire = wired(breaks)
    await wire.from_agent(asked := permission(1), write(2))
    assert asked in wire.editor
    assert wire.at_editor()[-1]["params"]["toolCall"]["title"] == "Write /srv/p/a"
    assert wire.agent == []
    await wire.close()
