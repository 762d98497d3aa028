"""Desktop notifications against a desktop without a screen."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from assent.protocol.bodies import Choice
from assent.protocol.card import AnswerRequest, View
from assent.surfaces import button_payload
from assent.surfaces.base import Audience, FailedError, GoneError, Notice, Privacy, Surface
from assent.surfaces.desktop.bus import Bus
from assent.surfaces.desktop.program import SCRIPT, Mac
from assent.surfaces.desktop.surface import Desktop as DesktopSurface
from assent.surfaces.registry import Tools
from tests.component.surfaces.conformance import Conformance, Stage, answered, now, until
from tests.services.desktop import DAEMON, Desktop, RealBusDesktop
from tests.services.inbox import FakeInbox

KEY = b"k" * 32
LINK = "https://desk.example.org/a/"


def surface(desktop: Desktop, inbox: FakeInbox | None = None, privacy: Privacy = "masked") -> DesktopSurface:
    made = DesktopSurface(Tools(inbox or FakeInbox(), KEY, lambda name: f"{LINK}{name}"), privacy, pause=0.01)
    made.use(Bus(made.pressed, lambda: desktop.address))
    return made


@dataclass
class DesktopStage:
    desktop: Desktop
    surface: Surface

    def seen(self) -> dict[str, str]:
        shown = list(self.desktop.shown.values())
        return {one.buttons["Open"].removeprefix("open:"): f"{one.title} {one.text}" for one in shown}

    def answer(self, about: str, choice: Choice) -> AnswerRequest | None:
        for one in self.desktop.shown.values():
            presses = [button_payload.read(KEY, what) for what in one.buttons.values()]
            for press in (each for each in presses if each is not None):
                if (press.ask, press.choice) == (about, choice):
                    return AnswerRequest(rev=press.rev, hash=press.hash, choice=choice)
        return None

    def tries(self) -> int:
        return self.desktop.tries

    def limit(self, seconds: int) -> None:
        assert seconds == 1, "a desktop does not say how long; two seconds are waited"
        self.desktop.moods.append("org.freedesktop.Notifications.Error.ExcessNotificationGeneration: Too many")

    def fail(self, times: int) -> None:
        self.desktop.moods += ["org.freedesktop.DBus.Error.NoReply: Message recipient disconnected"] * times

    def lose(self) -> None:
        self.desktop.is_there = False

    def hang(self) -> None:
        self.desktop.hangs = True

    def reborn(self) -> Surface:
        return surface(self.desktop)


@pytest.fixture
def desktop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desktop]:
    with Desktop(tmp_path_factory.mktemp("desk")) as running:
        yield running


class TestDesktop(Conformance):
    @pytest.fixture
    def stage(self, desktop: Desktop) -> Stage:
        return DesktopStage(desktop, surface(desktop))


@asynccontextmanager
async def listening(made: DesktopSurface, desktop: Desktop) -> AsyncIterator[DesktopSurface]:
    task = asyncio.create_task(made.listen())
    try:
        await until(lambda: desktop.listeners, "a listener")
        yield made
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.mark.anyio
async def test_deny_and_open_are_pressed_on_the_desktop(desktop: Desktop) -> None:
    """Deny is bound to what was shown and counts once; Open is done by the desktop itself."""
    inbox = FakeInbox()
    inbox.add(ask := now(risk="danger"))
    async with listening(surface(desktop, inbox, "open"), desktop) as made:
        await made.show(ask, Audience())
        ((number, shown),) = desktop.shown.items()
        assert (shown.title, shown.urgency) == ("■ Danger · Delete untracked files", 2)
        assert list(shown.buttons) == ["Deny", "Open"]
        desktop.tell(number, "open:somewhere-else")
        desktop.press(number, "Open")
        desktop.tell(number, "default")
        await until(lambda: len(desktop.opened) == 2, "the page")
        assert desktop.opened == [f"{LINK}kptwm"] * 2
        desktop.press(number, "Deny")
        desktop.press(number, "Deny")
        desktop.tell(number, button_payload.signed(KEY, ask, "allow", 0))
        desktop.tell(number, "reply")
        inbox.add(answered(now("later")))
        desktop.tell(number, button_payload.signed(KEY, now("later"), "deny", 0))
        await until(lambda: len(desktop.shown) == 2, "the word that it came too late")
        assert [(name, answer.choice) for _, name, answer in inbox.answers] == [("kptwm", "deny"), ("later", "deny")]
        assert "Too late" in [*desktop.shown.values()][-1].text


@pytest.mark.anyio
async def test_text_of_an_agent_stays_text(desktop: Desktop) -> None:
    """Quotes, markup, shells and options: it is one argument, and drawn as it is."""
    made = surface(desktop, privacy="open")
    verb = "--help \"q\" 'p' \\ $(id) `id` 😀"
    subject = replace(now().subject, title="<a href='x'>&")
    await made.show(now(view=View(verb, line="<b>x</b>"), subject=subject, kind="plan"), Audience())
    (shown,) = desktop.shown.values()
    assert shown.title == f"▲ Plan · {verb}"
    assert "&lt;b&gt;x&lt;/b&gt;" in shown.text
    assert "&lt;a href='x'&gt;&amp;" in shown.text


@pytest.mark.anyio
async def test_another_life_of_the_desktop_keeps_its_own_notifications(desktop: Desktop) -> None:
    """After a new login, the same number is another program's: it is neither replaced nor closed."""
    made = surface(desktop)
    ref = await made.show(now(), Audience())
    desktop.owner = ":1.9"
    await made.withdraw(ref, "Allowed")
    assert list(desktop.shown) == [1]
    await made.update(ref, now(rev=2), Audience())
    assert list(desktop.shown) == [1, 2]


@pytest.mark.anyio
async def test_turns_that_ended_are_told_and_cleared(desktop: Desktop) -> None:
    """Nothing on it can be pressed."""
    made = surface(desktop)
    ref = await made.notify(Notice("s1", "finished", 0, "/src/webshop"), Audience())
    (shown,) = desktop.shown.values()
    assert (shown.title, shown.buttons) == ("webshop finished its turn", {})
    await made.withdraw(ref, "It went on")
    assert desktop.shown == {}


@pytest.mark.anyio
async def test_where_nothing_can_be_shown_the_reason_is_said(desktop: Desktop) -> None:
    """No session, no bus, or nothing that shows notifications."""
    made = surface(desktop)
    assert (made.trouble, await made.probe()) == ("", "Notifications can be shown here.")
    desktop.is_there = False
    with pytest.raises(GoneError, match=r"^Nothing shows notifications on this desktop"):
        await made.show(now(), Audience())
    with pytest.raises(GoneError):
        await made.probe()
    made.use(Bus(made.pressed, lambda: ""))
    assert made.trouble == "no desktop session runs here"
    with pytest.raises(FailedError, match="No desktop session runs here"):
        await made.probe()
    made.use(Bus(made.pressed, lambda: f"{desktop.address}-elsewhere"))
    with pytest.raises(FailedError, match="did not take the notification"):
        await made.probe()


@pytest.mark.anyio
async def test_press_that_another_program_reports_does_not_count(desktop: Desktop) -> None:
    """A signal can be sent to one connection alone, past what it asked the bus for."""
    inbox = FakeInbox()
    inbox.add(ask := now())
    async with listening(surface(desktop, inbox), desktop) as made:
        await made.show(ask, Audience())
        ((number, shown),) = desktop.shown.items()
        desktop.tell(number, shown.buttons["Deny"], sender=":1.66")
        desktop.press(number, "Open")
        await until(lambda: desktop.opened, "the page")
        assert inbox.answers == []


@pytest.mark.anyio
async def test_bus_that_ends_is_listened_to_anew(desktop: Desktop) -> None:
    """After a while of silence presses are heard again."""
    async with listening(surface(desktop), desktop):
        (first,) = desktop.listeners
        first.leave()
        await until(lambda: desktop.listeners and desktop.listeners != [first], "another connection")


@pytest.mark.anyio
@pytest.mark.skipif(DAEMON is None, reason="dbus-daemon is not installed")
async def test_notification_goes_over_a_real_bus(tmp_path: Path) -> None:
    """Shown, replaced, pressed, opened and closed, by way of dbus-daemon."""
    inbox = FakeInbox()
    inbox.add(ask := now(view=View("Delete <b> 😀")))
    with RealBusDesktop(tmp_path) as desktop:
        made = surface(desktop, inbox, "open")
        task = asyncio.create_task(made.listen())
        try:
            ref = await made.show(ask, Audience())
            await made.update(ref, ask, Audience())
            ((number, shown),) = desktop.shown.items()
            assert shown.title == "▲ Care · Delete <b> 😀"

            def pressed(words: str, heard: list[Any]) -> bool:
                desktop.press(number, words)
                return bool(heard)

            # Pressed until it is heard: nothing tells from outside when the bus was asked for signals.
            await until(lambda: pressed("Deny", inbox.answers), "the answer")
            await until(lambda: pressed("Open", desktop.opened), "the page")
            assert [answer.choice for _, _, answer in inbox.answers] == ["deny"]
            assert desktop.opened[0] == f"{LINK}kptwm"
            await made.withdraw(ref, "Denied")
            assert desktop.shown == {}
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


@pytest.mark.anyio
@pytest.mark.parametrize("has_notifier", [True, False])
async def test_macos_is_handed_the_text_beside_the_script(tmp_path: Path, has_notifier: bool) -> None:
    """Nothing in it is an option or part of a script; nothing can be answered, and what can be removed is."""
    said = tmp_path / "said"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\nprintf '%s\\0' \"$@\" >>{said}\n")
    program.chmod(0o755)
    made = DesktopSurface(Tools(FakeInbox(), KEY, lambda name: f"{LINK}{name}"), "open")
    made.use(Mac(str(program) if has_notifier else "", str(program)))
    assert not made.traits.may_answer
    ref = await made.show(now(view=View('-x" & (do shell script "id")')), Audience())
    args = said.read_text().split("\0")[:-1]
    title = 'Assent: ▲ Care · -x" & (do shell script "id")'
    text = "· webshop · Fix flaky login"
    if has_notifier:
        assert args == ["-title", title, "-message", text, "-group", "kptwm", "-open", f"{LINK}kptwm"]
        await made.withdraw(ref, "Allowed")
        assert said.read_text().split("\0")[-3:-1] == ["-remove", "kptwm"]
    else:
        assert args == ["-e", SCRIPT, title, text]
        await made.withdraw(ref, "Allowed")
        assert said.read_text().count("\0") == 4
