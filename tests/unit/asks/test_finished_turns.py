"""Which ends of turns people should hear of."""

from typing import Any

import pytest

from assent.asks.finished_turns import LONGEST, Ended, Turns
from assent.protocol.record import Draft, Kind, Record, chained

MACHINE = "<task-notification>the build is done</task-notification>"


def record(body: dict[str, Any], *, kind: Kind = "event", agent: str | None = None) -> Record:
    draft = Draft(at=7, kind=kind, session="s1", agent=agent, body=body)
    return chained(draft, hub="ab12", seq=1, prev="0" * 64)


def event(name: str, agent: str | None = None, **payload: Any) -> Record:
    return record({"event": name, "payload": payload}, agent=agent)


def prompt(text: str = "go on") -> Record:
    return event("UserPromptSubmit", prompt=text)


def stop(**payload: Any) -> Record:
    return event("Stop", last_assistant_message="Done.", **payload)


def heard(turns: Turns, *records: Record) -> list[Ended]:
    return [found for each in records if (found := turns.heard(each)) is not None]


FINISHED = Ended("s1", "finished", 7, "Done.")


def test_the_end_of_a_persons_turn_is_told_with_its_last_words() -> None:
    """Also where its beginning was before the hub's."""
    assert heard(Turns(), prompt(), stop()) == [FINISHED]
    assert heard(Turns(), stop()) == [FINISHED]
    [long] = heard(Turns(), event("Stop", last_assistant_message="x" * 9_000))
    assert len(long.text) == LONGEST


def test_a_turn_that_failed_is_told_with_what_went_wrong() -> None:
    """As far as the client says."""
    failed = event("StopFailure", error="rate_limit", error_details="429 Too Many Requests")
    assert heard(Turns(), prompt(), failed) == [Ended("s1", "failed", 7, "rate_limit: 429 Too Many Requests")]


def test_no_turn_is_told_twice() -> None:
    """Once it was announced, only another turn of a person is news."""
    turns = Turns()
    assert heard(turns, prompt(), stop()) == [FINISHED]
    turns.told("s1")
    assert heard(turns, stop(stop_hook_active=True)) == []
    assert heard(turns, prompt(MACHINE), stop()) == []
    assert heard(turns, prompt(), stop()) == [FINISHED]


def test_a_turn_with_work_in_the_background_ends_with_that_work() -> None:
    """The client begins a turn of its own when it is done: the end of that is the end of what the person began."""
    turns = Turns()
    assert heard(turns, prompt(), stop(background_tasks=[{"id": "b1", "type": "shell"}])) == []
    assert heard(turns, prompt(MACHINE), stop()) == [FINISHED]


@pytest.mark.parametrize(
    "quiet",
    [
        [prompt(MACHINE), stop()],
        [prompt(), event("SubagentStop", agent="a1", last_assistant_message="Found it.")],
        [prompt(), event("Stop", agent="a1")],
        [prompt(), event("SessionEnd", reason="prompt_input_exit")],
        [prompt(), event("Notification", message="waiting")],
        [prompt(), record({"what": "started"}, kind="hub")],
        [record({"event": "Stop", "payload": "damaged"})],
    ],
)
def test_turns_of_machines_and_helpers_are_not_announced(quiet: list[Record]) -> None:
    """Nor are sessions that were ended, nor what cannot be read."""
    assert heard(Turns(), *quiet) == []


def test_a_process_that_is_gone_is_news_while_its_turn_ran() -> None:
    """Between turns a terminal that was closed is no failure."""
    gone = record({"what": "session_vanished"}, kind="hub")
    [ended] = heard(Turns(), prompt(), gone)
    assert (ended.what, "process is gone" in ended.text) == ("failed", True)
    turns = Turns()
    turns.heard(prompt())
    turns.heard(stop())
    assert heard(turns, gone) == []
