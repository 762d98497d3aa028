"""What is queued is told once: to the right agent, when the client would pass it on, whatever breaks in between."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from assent.asks.queue import QueueError
from assent.hub import state_file
from assent.hub.asking import queues
from assent.hub.asking.queues import Queues
from assent.policy import judge
from assent.policy.call import Opinion, Scene
from assent.protocol.decision import Block, Decision, Halt, Proceed, Verdict
from assent.protocol.events import (
    Event,
    PostToolBatch,
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    SessionEnd,
    Stop,
    SubagentStop,
    TaskCompleted,
    TeammateIdle,
)
from assent.protocol.record import GENESIS, Draft, Record, chained
from assent.redact import Redactor

SCENE = Scene(Path("/p"))
BY = "person:desk"


class Told:
    """Stands in for the journal."""

    def __init__(self) -> None:
        self.drafts: list[Draft] = []

    async def _done(self) -> None:
        return

    def record(self, drafts: Sequence[Draft]) -> Any:
        self.drafts += drafts
        done = self._done()
        done.close()
        return done

    def note(self, what: str, by: str = "hub") -> None:
        raise NotImplementedError

    @property
    def records(self) -> list[Record]:
        return [chained(draft, hub="h", seq=n + 1, prev=GENESIS) for n, draft in enumerate(self.drafts)]

    @property
    def did(self) -> list[tuple[str, str]]:
        return [(draft.body["did"], draft.body["text"]) for draft in self.drafts]


class Hides(Redactor):
    """Knows one secret."""

    def __init__(self) -> None:
        super().__init__(lambda _: "")

    def text(self, text: str) -> str:
        return text.replace("hunter2", "«secret»")


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "queues.json"


def made(place: Path, told: Told) -> Queues:
    return Queues(place, Hides(), told)


def stop(*, active: bool = False, session: str = "s1") -> Stop:
    return Stop(session_id=session, stop_hook_active=active)


def decided(live: Queues, event: Event, *others: Any) -> Verdict:
    return judge.judge(event, SCENE, [live, *others]).verdict


def deliver(live: Queues, told: Told, event: Event, request: str = "r1", *, on_record: bool = True) -> Decision:
    """One event the way the pipeline treats it."""
    verdict = decided(live, event)
    drafts = live.taken(event, verdict, request)
    if on_record:
        told.drafts += drafts
    live.settled(request, on_record=on_record)
    return verdict.decision


def words(live: Queues, session: str = "s1") -> list[str]:
    return [item.text for item in live.of(session).items]


def test_instructions_go_out_in_order_one_for_each_stop(place: Path, told: Told) -> None:
    """Each stop takes the next one, and the one after the last is a real stop."""
    live = made(place, told)
    live.add("s1", "Run the tests.", by=BY)
    live.add("s1", "Commit.", by=BY)
    said = [deliver(live, told, stop(active=number > 0), f"r{number}") for number in range(3)]
    assert said[:2] == [Proceed("Your user says: Run the tests."), Proceed("Your user says: Commit.")]
    assert said[2].word == "no_opinion"
    assert [item.text for item in live.of("s1").delivered] == ["Run the tests.", "Commit."]
    assert live.of("s1").used == 2


@pytest.mark.parametrize(
    ("event", "to", "decision"),
    [
        (SubagentStop(session_id="s1", agent_id="a1", agent_type="Explore"), "subagent", Proceed),
        (TeammateIdle(session_id="s1", teammate_name="ann"), "teammate", Block),
        (TaskCompleted(session_id="s1", task_id="1"), "task", Block),
    ],
)
def test_instruction_reaches_only_whom_it_is_meant_for(
    place: Path, told: Told, event: Event, to: Any, decision: type[Proceed | Block]
) -> None:
    """Sub-agents continue with context; teammates and tasks are held back with a reason."""
    live = made(place, told)
    live.add("s1", "Look again.", by=BY, to=to)
    assert deliver(live, told, stop()).word == "no_opinion"
    assert deliver(live, told, event, "r2") == decision("Your user says: Look again.")
    assert words(live) == []


def result(agent: str | None = None) -> PostToolUse:
    return PostToolUse(session_id="s1", agent_id=agent, tool_name="Bash", tool_input={})


def test_next_tool_result_carries_what_is_meant_for_it(place: Path, told: Told) -> None:
    """As context, once; what waits for the stop stays."""
    live = made(place, told)
    live.add("s1", "Commit.", by=BY)
    live.add("s1", "Leave the API alone.", by=BY, to="tool")
    assert deliver(live, told, result(), "r1") == Proceed("Your user says: Leave the API alone.")
    assert deliver(live, told, result(), "r2").word == "no_opinion"
    assert words(live) == ["Commit."]


def test_failed_call_is_a_result_too(place: Path, told: Told) -> None:
    """The client passes words on with an error as well."""
    live = made(place, told)
    live.add("s1", "Leave the API alone.", by=BY, to="tool")
    failure = PostToolUseFailure(session_id="s1", tool_name="Bash", tool_input={})
    assert deliver(live, told, failure) == Proceed("Your user says: Leave the API alone.")


def test_batch_of_an_older_entry_takes_nothing(place: Path, told: Told) -> None:
    """It comes right behind the results that carry it."""
    live = made(place, told)
    live.add("s1", "Leave the API alone.", by=BY, to="tool")
    assert deliver(live, told, PostToolBatch(session_id="s1")).word == "no_opinion"
    assert words(live) == ["Leave the API alone."]


def test_sub_agents_tool_result_does_not_take_it(place: Path, told: Told) -> None:
    """It is for the session's own agent."""
    live = made(place, told)
    live.add("s1", "Leave the API alone.", by=BY, to="tool")
    assert deliver(live, told, result("a1")).word == "no_opinion"
    assert words(live) == ["Leave the API alone."]


def test_stop_takes_what_no_tool_result_came_for(place: Path, told: Told) -> None:
    """An agent that uses no tool again is told before it stops."""
    live = made(place, told)
    live.add("s1", "Leave the API alone.", by=BY, to="tool")
    assert deliver(live, told, stop()) == Proceed("Your user says: Leave the API alone.")


def test_crash_after_the_record_never_tells_it_twice(place: Path, told: Told) -> None:
    """The file still has it, the record says that it was told: the record decides."""
    live = made(place, told)
    live.add("s1", "Leave the API alone.", by=BY, to="tool")
    kept = place.read_bytes()
    deliver(live, told, result())
    place.write_bytes(kept)
    again = made(place, told)
    again.recall(told.records)
    assert deliver(again, told, result(), "r2").word == "no_opinion"
    assert [item.text for item in again.of("s1").delivered] == ["Leave the API alone."]


def test_client_without_context_refuses_it_with_the_reason(
    place: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person reads at once that it would never be told."""
    monkeypatch.setattr(queues, "result_events", lambda _: ())
    live = made(place, told)
    with pytest.raises(QueueError, match="takes no words with a tool's result"):
        live.add("s1", "Leave the API alone.", by=BY, to="tool")
    assert words(live) == []


def test_other_words_of_the_same_person_do_not_take_it(place: Path, told: Told) -> None:
    """Two texts by one person at one event: only the one that goes out is delivered."""

    class Says:
        def speak(self, event: Event, scene: Scene) -> Opinion:
            return Opinion(Proceed("Make it once more."), BY, "Said with a yes.")

    live = made(place, told)
    live.add("s1", "Leave the API alone.", by=BY, to="tool")
    verdict = judge.judge(result(), SCENE, [Says(), live]).verdict
    assert live.taken(result(), verdict, "r1") == ()
    assert words(live) == ["Leave the API alone."]


def test_other_sessions_hear_nothing(place: Path, told: Told) -> None:
    """A queue never crosses sessions."""
    live = made(place, told)
    live.add("s1", "Run the tests.", by=BY)
    assert deliver(live, told, stop(session="s2")).word == "no_opinion"
    assert words(live) == ["Run the tests."]


def test_ninth_stop_in_a_row_takes_nothing(place: Path, told: Told) -> None:
    """The client would not pass it on, so it waits for the next turn."""
    live = made(place, told)
    for number in range(10):
        live.add("s1", f"Step {number}.", by=BY)
    said = [deliver(live, told, stop(active=number > 0), f"r{number}").word for number in range(9)]
    assert said == ["proceed"] * 8 + ["no_opinion"]
    assert words(live) == ["Step 8.", "Step 9."]
    assert deliver(live, told, stop(), "r9") == Proceed("Your user says: Step 8.")


def test_looking_takes_nothing(place: Path, told: Told) -> None:
    """Only a decision that was made takes an instruction out."""
    live = made(place, told)
    live.add("s1", "Run the tests.", by=BY)
    for _ in range(3):
        decided(live, stop())
    assert words(live) == ["Run the tests."]


def test_instruction_waits_when_another_voice_is_heard(place: Path, told: Told) -> None:
    """A voice that ends the turn outranks it, and it is neither told nor lost."""

    class Ends:
        def speak(self, event: Event, scene: Scene) -> Opinion:
            return Opinion(Halt("Enough."), "rule:user#1", "It ends here.")

    live = made(place, told)
    live.add("s1", "Run the tests.", by=BY)
    verdict = decided(live, stop(), Ends())
    assert verdict.decision == Halt("Enough.")
    assert live.taken(stop(), verdict, "r1") == ()
    assert words(live) == ["Run the tests."]


def test_pause_does_not_silence_people(place: Path, told: Told) -> None:
    """Rules and stance are silent in a pause; what a person queued goes out."""
    live = made(place, told)
    live.add("s1", "Run the tests.", by=BY)
    assert judge.judge(stop(), SCENE, [live], paused=True).decision == Proceed("Your user says: Run the tests.")


def test_what_could_not_be_recorded_waits_again(place: Path, told: Told) -> None:
    """Without a record it was not delivered, so it stands where it stood."""
    live = made(place, told)
    live.add("s1", "Run the tests.", by=BY)
    live.add("s1", "Commit.", by=BY)
    deliver(live, told, stop(), on_record=False)
    assert words(live) == ["Run the tests.", "Commit."]
    assert live.of("s1").delivered == ()


def test_what_was_not_taken_waits_again_and_is_told_once(place: Path, told: Told) -> None:
    """A client that went away did not hear it; the next stop does."""
    live = made(place, told)
    live.add("s1", "Run the tests.", by=BY)
    live.add("s1", "Commit.", by=BY)
    deliver(live, told, stop())
    live.missed("r1")
    live.missed("r1")
    assert words(live) == ["Run the tests.", "Commit."]
    assert told.did[-1] == ("returned", "Run the tests.")
    assert words(made(place, told)) == ["Run the tests.", "Commit."]
    assert deliver(live, told, stop(), "r2") == Proceed("Your user says: Run the tests.")


def test_queue_survives_the_hub(place: Path, told: Told) -> None:
    """Order, words and who said it, in a private file."""
    live = made(place, told)
    live.add("s1", "Run the tests.", by="person:phone")
    live.add("s1", "Commit.", by=BY, to="subagent")
    again = made(place, told)
    assert again.of("s1") == live.of("s1")
    assert place.stat().st_mode & 0o777 == 0o600


def test_file_older_than_the_record_is_not_believed(place: Path, told: Told) -> None:
    """A hub killed between the record and the file has delivered it, and does not do so again."""
    live = made(place, told)
    live.add("s1", "Run the tests.", by=BY)
    live.add("s1", "Commit.", by=BY)
    told.drafts += live.taken(stop(), decided(live, stop()), "r1")
    again = made(place, told)
    assert words(again) == ["Run the tests.", "Commit."]
    again.recall(told.records)
    assert words(again) == ["Commit."]
    assert [item.text for item in again.of("s1").delivered] == ["Run the tests."]


def test_return_on_record_is_believed(place: Path, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hub killed between the record of a return and the file has it waiting again."""
    live = made(place, told)
    live.add("s1", "Run the tests.", by=BY)
    deliver(live, told, stop())
    before = place.read_bytes()
    live.missed("r1")
    place.write_bytes(before)
    again = made(place, told)
    assert words(again) == []
    again.recall(told.records)
    assert words(again) == ["Run the tests."]


def test_hub_that_never_wrote_its_record_delivers_it(place: Path, told: Told) -> None:
    """A hub killed before the record was on disk delivered nothing: after the restart it waits."""
    live = made(place, told)
    live.add("s1", "Run the tests.", by=BY)
    live.taken(stop(), decided(live, stop()), "r1")
    again = made(place, told)
    again.recall(told.records)
    assert words(again) == ["Run the tests."]


def test_file_that_cannot_be_read_is_no_queue(place: Path, told: Told) -> None:
    """A damaged file does not stop the hub."""
    place.write_text("{not json")
    assert made(place, told).waiting() == {}


def test_what_cannot_be_kept_is_not_queued(place: Path, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller is told when it would not survive, and nothing changes."""
    live = made(place, told)
    live.add("s1", "Run the tests.", by=BY)

    def full(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(state_file, "write", full)
    with pytest.raises(OSError, match="No space"):
        live.add("s1", "Commit.", by=BY)
    with pytest.raises(OSError, match="No space"):
        live.remove("s1", live.of("s1").items[0].id, by=BY)
    assert words(live) == ["Run the tests."]
    assert told.did == [("added", "Run the tests.")]


def test_every_change_is_on_record_without_secrets(place: Path, told: Told) -> None:
    """Who did what to which instruction; known secrets as marks."""
    live = made(place, told)
    first = live.add("s1", "Log in with hunter2.", by=BY)
    live.add("s1", "Commit.", by=BY)
    live.change("s1", first.id, "Log in.", by="person:phone")
    live.move("s1", first.id, 2, by=BY)
    live.remove("s1", first.id, by=BY)
    deliver(live, told, stop())
    assert told.did == [
        ("added", "Log in with «secret»."),
        ("added", "Commit."),
        ("changed", "Log in."),
        ("moved", "Log in."),
        ("removed", "Log in."),
        ("delivered", "Commit."),
    ]
    assert [draft.body.get("place") for draft in told.drafts] == [1, 2, 1, 2, None, None]
    assert {(draft.kind, draft.session, draft.body["what"]) for draft in told.drafts} == {("hub", "s1", "queue")}
    assert told.drafts[2].by == "person:phone"


def test_all_queues_together_have_an_end(place: Path, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory does not grow with what is never fetched."""
    monkeypatch.setattr(queues, "MOST_WAITING", 2)
    live = made(place, told)
    live.add("s1", "One.", by=BY)
    live.add("s2", "Two.", by=BY)
    with pytest.raises(QueueError, match="the most"):
        live.add("s3", "Three.", by=BY)


def test_ended_session_keeps_what_waits(place: Path, told: Told) -> None:
    """It may be resumed; what was delivered is of no use any more."""
    live = made(place, told)
    live.add("s1", "Run the tests.", by=BY)
    live.add("s1", "Commit.", by=BY)
    deliver(live, told, stop())
    end = SessionEnd(session_id="s1")
    live.taken(end, decided(live, end), "r2")
    assert words(live) == ["Commit."]
    assert live.of("s1").delivered == ()


def test_tool_calls_are_none_of_its_business(place: Path, told: Told) -> None:
    """Nothing is said about what a queue is not for."""
    live = made(place, told)
    live.add("s1", "Run the tests.", by=BY)
    call = PreToolUse(session_id="s1", tool_name="Bash", tool_input={"command": "ls"})
    assert live.speak(call, SCENE) is None
