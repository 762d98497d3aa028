"""Asks, notices, queued words and messages stand in the row they are about."""

import pytest

from assent.protocol import bodies
from assent.views.feed import Row, rebuilt
from tests.unit.views.story import Story


def rows(story: Story) -> list[Row]:
    return list(rebuilt(story.records).rows.values())


def row(story: Story) -> Row:
    (only,) = rows(story)
    return only


def notice(story: Story, kind: str, **fields: str) -> Story:
    payload = {"message": "Claude needs your permission", **({"notification_type": kind} if kind else {}), **fields}
    return story.event("Notification", **payload)


@pytest.mark.parametrize("kind", ["permission_prompt", "agent_needs_input", ""])
def test_notice_is_in_the_row_that_waits(kind: str) -> None:
    """It says what the row says already; opening the row shows it."""
    story = Story().tool("PreToolUse").tool("PermissionRequest").asked()
    before = row(story)
    after = row(notice(story, kind))
    assert (after.state, after.what, after.parts) == (before.state, before.what, (4,))


def test_notice_that_comes_late_is_in_the_row_that_was_asked_about() -> None:
    """The client says it seconds after its dialog opened, and may not know that the answer is there."""
    story = Story().tool("PreToolUse").asked().answered().told().tool("PostToolUse").ended("ran")
    assert 7 in row(notice(story, "permission_prompt")).parts


def test_notice_about_nothing_in_the_feed_is_a_row() -> None:
    """What nothing else tells is shown."""
    story = notice(Story(), "permission_prompt")
    assert (row(story).kind, row(story).what) == ("notice", "Claude needs your permission")
    assert [found.kind for found in rows(notice(Story().event("UserPromptSubmit", prompt="go"), "auth_success"))] == [
        "turn",
        "notice",
    ]


def test_idle_notice_is_in_the_turn_that_ended() -> None:
    """It says that the turn is over, and so does its row."""
    story = Story().event("UserPromptSubmit", prompt="go").event("Stop").tool("PreToolUse", session="s2")
    turn, _ = rows(notice(story, "idle_prompt"))
    assert (turn.kind, turn.state, turn.parts) == ("turn", "done", (2, 4))


def test_notices_without_end_get_rows_of_their_own() -> None:
    """A row does not grow for ever."""
    story = Story().event("UserPromptSubmit", prompt="go")
    for _ in range(60):
        notice(story, "idle_prompt")
    turn, *others = rows(story)
    assert (len(turn.parts), len(others)) == (50, 10)


def test_held_turn_end_is_in_the_row_of_its_turn() -> None:
    """The turn waits for a person; their answer lets it go on, or ends it."""
    story = Story().event("UserPromptSubmit", prompt="go").event("Stop", last_assistant_message="Done.")
    request = story.records[-1].request
    body = bodies.AskBody("stop", "Stop", "claude-code", line="The turn is finished")
    story.about("kfmzt", "ask", body, request=request)
    assert (row(story).kind, row(story).state, row(story).ask) == ("turn", "prompted", "kfmzt")
    story.answered("let_stop", waited=3_000)
    assert (row(story).state, row(story).told) == ("done", "let stop by phone, after 3.0 s")


def test_turn_end_that_no_one_answers_is_done() -> None:
    """The time limit lets it stop."""
    story = Story().event("UserPromptSubmit", prompt="go").event("Stop")
    body = bodies.AskBody("stop", "Stop", "claude-code", line="The turn is finished")
    story.about("kfmzt", "ask", body, request=story.records[-1].request)
    story.about("kfmzt", "outcome", bodies.OutcomeBody("expired"))
    assert (row(story).state, row(story).note) == ("done", "expired")


def test_form_that_is_asked_about_is_one_row() -> None:
    """The event, the ask and its answer; other sessions may come in between."""
    story = Story().event("Elicitation", mcp_server_name="tickets", message="How urgent?")
    request = story.records[-1].request
    story.tool("PreToolUse", session="s2")
    story.about("kfmzt", "ask", bodies.AskBody("form", "Elicitation", "claude-code"), request=request)
    form, _ = rows(story)
    assert (form.title, form.state, form.ask) == ("Form", "prompted", "kfmzt")
    form, _ = rows(story.answered("submit", waited=800))
    assert (form.state, form.told) == ("done", "filled in by phone, after 800 ms")


def test_answer_is_told_once_with_the_time_it_took() -> None:
    """The decision that follows from it says nothing new."""
    story = Story().tool("PreToolUse").tool("PermissionRequest").asked().answered(waited=800)
    event = story.records[1]
    decided = {"event": "PermissionRequest", "decision": {"decision": "allow", "reason": "A person was asked."}}
    story.add("decision", call="c1", request=event.request, decision="allow", by="person:phone", body=decided)
    assert row(story).told == "allowed once by phone, after 800 ms"


def test_queued_words_are_one_short_row_until_they_are_told() -> None:
    """Queued, moved and told: one row, which says the last."""
    queued = {"what": "queue", "item": "i1", "text": "Run the tests. " * 20, "to": "stop"}
    story = Story().add("hub", body={**queued, "did": "added"})
    assert (row(story).title, row(story).note, len(row(story).what)) == ("queued", "", 80)
    story.add("hub", body={**queued, "did": "moved", "place": 2})
    assert row(story).note == "moved to place 2 of the queue"
    story.add("hub", body={**queued, "did": "delivered"})
    assert (row(story).state, row(story).note) == ("done", "told the agent, which would have stopped")
    assert row(story).parts == (2, 3)


def test_what_was_sent_about_a_turn_is_in_its_row() -> None:
    """The turn has one, and opening it tells the rest."""
    story = Story().event("UserPromptSubmit", prompt="go").event("Stop")
    story.add("push", body=bodies.body(bodies.PushBody("telegram", sent=True, about="finished")))
    assert (row(story).kind, row(story).parts) == ("turn", (2, 3))
