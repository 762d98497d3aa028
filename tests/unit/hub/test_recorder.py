"""What is written is told to listeners, and what is not is said in the log."""

import asyncio

import pytest

from assent.hub.bus import Bus
from assent.hub.recorder import Live, Recorder
from assent.journal.base import JournalError
from assent.journal.memory import AbsentJournal, MemoryJournal
from assent.protocol.record import Draft, Record

pytestmark = pytest.mark.anyio


class Hears:
    def __init__(self) -> None:
        self.records: list[Record] = []

    def on_record(self, record: Record) -> None:
        self.records.append(record)


async def published() -> None:
    """Listeners hear one turn after those who wait for the record."""
    await asyncio.sleep(0)
    await asyncio.sleep(0)


async def test_parts_hear_of_a_record_once_it_is_written() -> None:
    """And what is live knows where the chain ends."""
    bus, hears = Bus(), Hears()
    bus.register(hears)
    recorder = Recorder(MemoryJournal(), Live(bus=bus))
    written = await recorder.record([Draft(at=1, kind="hub", body={"what": "x"})])
    assert hears.records == []
    await published()
    assert hears.records == list(written)
    assert (recorder.live.seq, recorder.live.hash) == (1, written[0].hash)


async def test_records_are_heard_in_order_whoever_fails_on_one(caplog: pytest.LogCaptureFixture) -> None:
    """All that was written together is told together, and none is lost over another."""
    bus, hears = Bus(), Hears()
    bus.register(hears)
    recorder = Recorder(MemoryJournal(), Live(bus=bus))
    broken = Draft(at=1, kind="event", session="s", body={"event": "PreToolUse", "payload": "no object"})
    written = [recorder.record([draft]) for draft in (broken, Draft(at=2, kind="hub", body={"what": "x"}))]
    failed: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failed.append(context["exception"]))
    await asyncio.gather(*written)
    await published()
    await published()
    assert [record.at for record in hears.records] == [2]
    assert len(failed) == 1
    assert caplog.text == ""


async def test_what_another_part_wrote_is_heard_in_its_place() -> None:
    """A checkpoint is written by who prunes: listeners hear of it between the records around it."""
    bus, hears = Bus(), Hears()
    bus.register(hears)
    journal = MemoryJournal()
    recorder = Recorder(journal, Live(bus=bus))
    await recorder.record([Draft(at=1, kind="hub", body={"what": "before"})])
    checkpoint = await journal.append([Draft(at=2, kind="checkpoint")])
    recorder.publish(checkpoint)
    await recorder.record([Draft(at=3, kind="hub", body={"what": "after"})])
    await published()
    assert [record.seq for record in hears.records] == [1, 2, 3]


async def test_note_is_a_sentence_about_the_hub() -> None:
    """With who it is about."""
    recorder = Recorder(MemoryJournal(), Live())
    recorder.note("its user is away", "person:desk")
    await recorder.settled()
    (record,) = await recorder.journal.read()
    assert (record.kind, record.by, record.body["what"]) == ("hub", "person:desk", "its user is away")


async def test_what_cannot_be_written_is_said_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """Also where the record was not awaited; nobody hears of it as a record."""
    bus, hears = Bus(), Hears()
    bus.register(hears)
    recorder = Recorder(AbsentJournal("The disk is gone."), Live(bus=bus))
    with pytest.raises(JournalError):
        await recorder.record([Draft(at=1, kind="hub")])
    await published()
    assert "not recorded: " in caplog.text
    assert hears.records == []


async def test_hub_goes_on_with_another_journal() -> None:
    """Of the one that could not be read nothing is known."""
    journal = MemoryJournal()
    await journal.append([Draft(at=1, kind="event", session="s1", body={"event": "SessionStart", "payload": {}})])
    recorder = Recorder(journal, Live())
    recorder.live.recall(await journal.tail(10), await journal.head())
    assert list(recorder.live.sessions) == ["s1"]
    await recorder.go_on_with(AbsentJournal("It is damaged."))
    assert recorder.live.sessions == {}
    assert (recorder.journal.trouble or "").startswith("It is damaged.")
