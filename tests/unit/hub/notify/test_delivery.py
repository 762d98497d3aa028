"""Bringing messages to services that are down for an hour, hang, or come back as another, in a time that passes at
once."""

from pathlib import Path

from msgspec.structs import replace

from assent.config import Config
from assent.config import Presence as Settings
from assent.hub.notify.delivery import BACK_OFF, PATIENCE
from assent.protocol.card import Result, Said, ShownAsk
from assent.protocol.record import Draft
from assent.surfaces.base import RateLimitedError, Ref
from tests.fake_time import at, later, played
from tests.shown_asks import shown
from tests.unit.hub.chats import DAY, HOUR, Chat, ladder, reaching, second, until
from tests.unit.hub.doubles import InForce


def answered(ask: ShownAsk) -> ShownAsk:
    return replace(ask, state="answered", answer=Said(1, "person:iPhone", "allow"), choices=())


def test_a_chat_that_is_down_for_an_hour_loses_nothing(tmp_path: Path) -> None:
    """What still waits is shown once it is back, what was answered meanwhile never; no other surface is delayed."""

    async def story() -> None:
        chat, push = Chat("chat", down=[(0, HOUR)]), Chat("push")
        records: list[Draft] = []
        outreach = reaching(tmp_path, {"chat": chat, "push": push}, ladder("chat", "push"), records)
        first, second_, third = (shown(name, session=name) for name in ("first", "second", "third"))
        for ask in (first, second_, third):
            outreach.changed(ask)
        await at(HOUR / 2)
        assert [(when, what) for when, _, what in push.done] == [(20, "first"), (20, "second"), (20, "third")]
        outreach.changed(answered(second_))
        await at(HOUR / 2 + 1)
        assert push.acts()[-1] == ("withdraw", "second: Allowed (iPhone)")
        await at(HOUR)
        assert chat.done == []
        tries = chat.tries
        await at(HOUR + max(BACK_OFF) + 1)
        assert sorted(chat.acts()) == [("show", "first"), ("show", "third")]
        assert tries < 60
        told = [record.body for record in records if record.body["surface"] == "chat"]
        assert [(body["sent"], body.get("why", "")) for body in told][:1] == [(False, "the chat cannot be reached")]
        assert sum(body["sent"] for body in told) == 2
        await outreach.close()

    played(story())


def test_what_is_over_while_a_chat_is_down_is_taken_back_across_restarts(tmp_path: Path) -> None:
    """It is kept in the file with the words that say how it ended."""

    async def story() -> None:
        chat = Chat(down=[(22, 2 * HOUR)])
        for restart in range(2):
            outreach = reaching(tmp_path, {"chat": chat}, ladder("chat"), [])
            outreach.start([])
            if not restart:
                outreach.changed(shown())
                await at(25)
                outreach.changed(answered(shown()))
            await at(HOUR * (restart + 0.5))
            await outreach.close()
        # A life in which the chat is not connected at all changes nothing.
        outreach = reaching(tmp_path, {}, ladder("chat"), [])
        outreach.start([])
        await at(1.8 * HOUR)
        await outreach.close()
        outreach = reaching(tmp_path, {"chat": chat}, ladder("chat"), [])
        outreach.start([])
        await at(3 * HOUR)
        await outreach.close()
        assert chat.acts() == [("show", "kptwm"), ("withdraw", "kptwm: Allowed (iPhone)")]

    played(story())


def test_after_a_day_it_is_not_taken_back(tmp_path: Path) -> None:
    """It is given up, and forgotten by the file, too."""

    async def story() -> None:
        chat = Chat(down=[(25, 10 * DAY)])
        outreach = reaching(tmp_path, {"chat": chat}, ladder("chat"), [])
        outreach.changed(shown())
        await at(25)
        outreach.changed(answered(shown()))
        await at(23 * HOUR)
        assert b"kptwm" in (tmp_path / "outreach.json").read_bytes()
        await at(25 * HOUR)
        assert b"kptwm" not in (tmp_path / "outreach.json").read_bytes()
        tries = chat.tries
        await at(2 * DAY)
        assert chat.tries == tries
        await outreach.close()

    played(story())


def test_a_surface_that_hangs_delays_no_other(tmp_path: Path) -> None:
    """Its calls are given up after a while and tried again; other surfaces are told in the same second."""

    async def story() -> None:
        chat, push = Chat("chat", hangs=True), Chat("push")
        records: list[Draft] = []
        outreach = reaching(tmp_path, {"chat": chat, "push": push}, ladder("chat", "push"), records)
        asks = [shown(f"ask{number}", session=f"s{number}") for number in range(40)]
        for ask in asks:
            outreach.changed(ask)
        await at(20.5)
        assert {when for when, _, _ in push.done} == {20}
        assert len(push.done) == 40
        for ask in asks[:20]:
            outreach.changed(answered(ask))
        await at(21)
        assert push.acts().count(("withdraw", "ask3: Allowed (iPhone)")) == 1
        assert len(push.done) == 60
        await until(lambda: [record for record in records if record.body.get("why") == "it took too long"])
        assert second() >= 20 + PATIENCE
        chat.hangs = False
        await until(lambda: len(chat.done) == 20, HOUR)
        assert sorted(chat.acts()) == [("show", ask.id) for ask in asks[20:]]
        await outreach.close()

    played(story())


class Busy(Chat):
    """A chat that asks for five seconds of silence at the first message."""

    async def _do(self, act: str, what: str, key: str) -> Ref:
        if not self.tries:
            self.tries += 1
            raise RateLimitedError("The chat wants fewer messages.", 5)
        return await super()._do(act, what, key)


def test_silence_a_service_asks_for_holds_to_its_end_for_every_message(tmp_path: Path) -> None:
    """A message that is due half a second before the end waits this half second."""

    async def story() -> None:
        chat = Busy()
        outreach = reaching(tmp_path, {"chat": chat}, ladder("chat"), [])
        outreach.changed(shown("first", session="first"))
        await at(24.5)
        outreach.changed(shown("second", session="second"))
        await at(30)
        assert sorted(chat.done) == [(25, "show", "first"), (25, "show", "second")]
        await outreach.close()

    played(story())


def test_a_service_that_is_back_is_told_everything_at_once(tmp_path: Path) -> None:
    """What failed long ago does not wait for its own time, once something got through."""

    async def story() -> None:
        chat = Chat(down=[(0, 500)])
        outreach = reaching(tmp_path, {"chat": chat}, ladder("chat"), [])
        outreach.changed(shown("early", session="s1"))
        await at(520)
        # Tried at 544 the next time; this one comes at its own time, and gets through.
        outreach.changed(shown("new", session="s2", opened_at=shown().opened_at + 505_000))
        await at(526)
        assert chat.acts() == [("show", "new"), ("show", "early")]
        await outreach.close()

    played(story())


def test_a_surface_made_anew_goes_on_with_its_messages(tmp_path: Path) -> None:
    """Messages belong to the name, not to what was made of old settings; while there is none, they wait."""

    async def story() -> None:
        old, new = Chat(), Chat()
        surfaces: dict[str, Chat] = {"chat": old}
        outreach = reaching(tmp_path, surfaces, ladder("chat"), [])  # type: ignore[arg-type]
        outreach.changed(shown())
        await at(25)
        del surfaces["chat"]
        outreach.changed(replace(shown(), state="closed", result=Result("terminal")))
        await at(40)
        surfaces["chat"] = new
        outreach.on_presence("")
        await at(41)
        assert (old.acts(), new.acts()) == (
            [("show", "kptwm")],
            [("withdraw", "kptwm: Answered at the terminal")],
        )
        await outreach.close()

    played(story())


def test_a_flood_goes_on_after_a_restart(tmp_path: Path) -> None:
    """The one message that stands for all of them stays, counts on, and goes with the last of them."""

    async def story() -> None:
        chat = Chat()
        asks = [shown(f"ask{number}") for number in range(6)]
        outreach = reaching(tmp_path, {"chat": chat}, ladder("chat"), [])
        for ask in asks:
            outreach.changed(ask)
        await at(30)
        await outreach.close()
        assert chat.acts() == [("show", "Paused: 6 asks in 1 s")]
        outreach = reaching(tmp_path, {"chat": chat}, ladder("chat"), [])
        outreach.start(asks)
        await at(60)
        assert len(chat.done) == 1
        for ask in asks:
            outreach.changed(answered(ask))
        await at(70)
        assert [act for act, _ in chat.acts()] == ["show", "withdraw"]
        await outreach.close()

    played(story())


def test_telling_the_hub_of_an_ask_takes_no_time(tmp_path: Path) -> None:
    """No agent waits for a surface: not a tick passes, and nothing is called before the hub was left."""

    async def story() -> None:
        chat = Chat(hangs=True)
        outreach = reaching(tmp_path, {"chat": chat}, Settings(ladder=()), [])
        outreach.policy = InForce(Config(presence=ladder("chat")))
        started = second()
        for number in range(50):
            outreach.changed(shown(f"ask{number}", session=f"s{number}", opened_at=shown().opened_at - 60_000))
        assert (second(), chat.tries) == (started, 0)
        await later(0.1)
        assert chat.tries > 0
        await outreach.close()

    played(story())
