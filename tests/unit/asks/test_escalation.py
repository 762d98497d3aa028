"""Playbooks of the ladder: who is told when, and why not."""

from datetime import datetime, timedelta

import pytest

from assent.asks.escalation import Plan, Rung, plan, plan_of_end
from assent.asks.presence import Presence
from assent.config import LadderFor, QuietHours, Step
from assent.config import Presence as Settings
from assent.protocol.card import StopView, View
from tests.shown_asks import OPENED, shown

SETTINGS = Settings(
    ladder=(
        Step("page", timedelta(0)),
        Step("push", timedelta(seconds=20)),
        Step("ntfy", timedelta(minutes=5)),
        Step("push", timedelta(minutes=30)),
    )
)
PUSH, NTFY, AGAIN = Rung("push", 20_000), Rung("ntfy", 300_000), Rung("push", 1_800_000)


def after(seconds: float) -> int:
    return OPENED + int(seconds * 1_000)


def why(found: Plan) -> list[str]:
    return [withheld.why for withheld in found.withheld]


def test_steps_are_taken_at_their_time() -> None:
    """Nothing for twenty seconds, then the phone, a second channel, and once more."""
    presence = Presence()
    assert plan(shown(), presence, SETTINGS, (), after(0)) == Plan(look_at=after(20))
    first = plan(shown(), presence, SETTINGS, (), after(20))
    assert (first.due, first.passed, first.look_at) == ((PUSH,), (PUSH,), after(300))
    second = plan(shown(), presence, SETTINGS, {PUSH.key}, after(300))
    assert (second.due, second.look_at) == ((NTFY,), after(1_800))
    assert plan(shown(), presence, SETTINGS, {PUSH.key, NTFY.key}, after(1_800)).due == (AGAIN,)
    assert plan(shown(), presence, SETTINGS, {PUSH.key, NTFY.key, AGAIN.key}, after(2_000)) == Plan()


def test_a_surface_is_told_once_however_late_it_is() -> None:
    """After a night of quiet two steps of one surface are one message."""
    plan_now = plan(shown(), Presence(), SETTINGS, (), after(4_000))
    assert plan_now.due == (PUSH, NTFY)
    assert plan_now.passed == (PUSH, NTFY, AGAIN)


def test_user_who_just_typed_is_not_pushed() -> None:
    """The reason is there to be read, and ends by itself."""
    presence = Presence()
    presence.typed("s2", after(16))
    plan_now = plan(shown(), presence, SETTINGS, (), after(20))
    assert plan_now.due == ()
    assert why(plan_now) == ["you typed 4 s ago"]
    assert plan_now.look_at == after(76)
    assert plan(shown(), presence, SETTINGS, (), after(76)).due == (PUSH,)


def test_typing_all_day_elsewhere_holds_nothing_back_for_ever() -> None:
    """After five minutes an ask climbs on, even if the user types every minute in another session."""
    presence = Presence()
    presence.typed("s2", after(299))
    assert plan(shown(), presence, SETTINGS, (), after(299.5)).look_at == after(300)
    assert plan(shown(), presence, SETTINGS, (), after(300)).due == (PUSH, NTFY)


def test_nothing_is_pushed_while_a_page_has_focus() -> None:
    """They see it already."""
    presence = Presence()
    presence.page("laptop", after(15), focused=True)
    plan_now = plan(shown(), presence, SETTINGS, (), after(20))
    assert why(plan_now) == ["the page is in front of you"]
    presence.page("laptop", after(21), focused=False)
    assert plan(shown(), presence, SETTINGS, (), after(21)).due == (PUSH,)


@pytest.mark.parametrize("sign", ["typed", "focused", "doubtful", "background"])
def test_nothing_mutes_a_danger_for_long(sign: str) -> None:
    """A forged sign of presence delays it by a minute at most."""
    presence = Presence()
    ask = shown(risk="danger", state="doubtful" if sign == "doubtful" else "open")
    if sign == "typed":
        presence.typed("s1", after(59))
    elif sign == "focused":
        presence.page("laptop", after(59), focused=True)
    elif sign == "background":
        ask = shown(risk="danger", view=View("Stopped", stop=StopView(background=("make",))))
    muted = plan(ask, presence, SETTINGS, (), after(59.5))
    assert (muted.due, muted.look_at) == ((), after(60))
    assert plan(ask, presence, SETTINGS, (), after(60)).due == (PUSH,)


def test_away_skips_the_waits_that_are_for_the_desk() -> None:
    """Who said they are away is told at once; later steps keep their time, and all do once they are back."""
    presence = Presence()
    presence.go_away(OPENED - 60_000)
    plan_now = plan(shown(), presence, SETTINGS, (), after(0))
    assert (plan_now.due, plan_now.look_at) == ((PUSH,), after(300))
    presence.come_back()
    assert plan(shown(), presence, SETTINGS, (), after(0)) == Plan(look_at=after(20))


def test_an_idle_dialog_is_told_at_once() -> None:
    """The client said so six seconds after the dialog opened: no need to wait for twenty."""
    presence = Presence()
    presence.typed("s1", after(-10))
    presence.unheeded("s1", after(6.2))
    assert plan(shown(), presence, SETTINGS, (), after(6.2)).due == (PUSH,)
    assert plan(shown(session="s9"), presence, SETTINGS, (), after(6.2)).due == ()


def test_what_looks_answered_climbs_no_further() -> None:
    """A push about something that seems settled is noise; the next change decides."""
    plan_now = plan(shown(state="doubtful"), Presence(), SETTINGS, (), after(20))
    assert why(plan_now) == ["it looks answered at the terminal"]
    assert plan_now.look_at == after(300)


def test_a_turn_that_ended_with_work_in_the_background_is_not_announced() -> None:
    """It is not finished."""
    ask = shown(risk="look", view=View("Stopped", stop=StopView(background=("npm test",))))
    assert why(plan(ask, Presence(), SETTINGS, (), after(20))) == ["work still goes on in the background"]


def test_an_unattended_run_does_not_wait_while_the_user_types_elsewhere() -> None:
    """There is no dialog in front of them."""
    presence = Presence()
    presence.typed("s2", after(19))
    assert plan(shown(flags=("unattended",)), presence, SETTINGS, (), after(20)).due == (PUSH,)


def test_quiet_hours_hold_everything_until_they_end() -> None:
    """Even a Danger, unless the settings say otherwise."""
    night = int(datetime.fromisoformat("2026-03-10 23:00").astimezone().timestamp() * 1_000)
    settings = Settings(quiet=QuietHours.parse("22:00-07:00"), ladder=SETTINGS.ladder)
    for risk in ("care", "danger"):
        plan_now = plan(shown(risk=risk, opened_at=night), Presence(), settings, (), night + 90_000)
        assert why(plan_now) == ["quiet until 07:00"]
        assert plan_now.look_at == min(night + 300_000, night + 8 * 3_600_000)
    waking = Settings(quiet=settings.quiet, wake_for="danger", ladder=SETTINGS.ladder)
    assert plan(shown(risk="danger", opened_at=night), Presence(), waking, (), night + 90_000).due == (PUSH,)
    assert plan(shown(risk="care", opened_at=night), Presence(), waking, (), night + 90_000).due == ()
    morning = night + 8 * 3_600_000
    assert plan(shown(opened_at=night), Presence(), settings, (), morning).due == (PUSH, NTFY)


def test_each_risk_climbs_its_own_ladder() -> None:
    """A Danger is told at once where that is wanted; a Look may be told nowhere."""
    settings = Settings(ladder=SETTINGS.ladder, ladder_for=LadderFor(look=(), danger=(Step("ntfy", timedelta(0)),)))
    assert plan(shown(risk="danger"), Presence(), settings, (), after(0)).due == (Rung("ntfy", 0),)
    assert plan(shown(risk="look"), Presence(), settings, (), after(4_000)) == Plan()
    assert plan(shown(risk="care"), Presence(), settings, (), after(20)).due == (PUSH,)


def test_an_ask_that_grew_more_dangerous_is_told_by_its_new_ladder() -> None:
    """What was said of it before does not count for steps that are not the same."""
    settings = Settings(ladder=SETTINGS.ladder, ladder_for=LadderFor(danger=(Step("push", timedelta(0)),)))
    taken = {PUSH.key}
    assert plan(shown(risk="care"), Presence(), settings, taken, after(30)).due == ()
    assert plan(shown(risk="danger"), Presence(), settings, taken, after(30)).due == (Rung("push", 0),)


def test_a_turn_that_ended_is_told_once_on_each_surface() -> None:
    """At the time of the first step that names it; at once while the user is away, and never again."""
    presence = Presence()
    assert plan_of_end("s1", OPENED, presence, SETTINGS, (), after(0)).look_at == after(20)
    assert plan_of_end("s1", OPENED, presence, SETTINGS, (), after(20)).due == (PUSH,)
    late = plan_of_end("s1", OPENED, presence, SETTINGS, {PUSH.key}, after(2_000))
    assert (late.due, late.look_at) == ((NTFY,), None)
    presence.go_away(OPENED)
    assert plan_of_end("s1", OPENED, presence, SETTINGS, (), after(0)).due == (PUSH,)


def test_the_end_of_a_turn_waits_for_presence_and_for_quiet() -> None:
    """A user who typed a moment ago sees it; typing all day elsewhere holds it back for five minutes."""
    presence = Presence()
    presence.typed("s1", after(16))
    plan_now = plan_of_end("s1", OPENED, presence, SETTINGS, (), after(20))
    assert (why(plan_now), plan_now.look_at) == (["you typed 4 s ago"], after(76))
    presence.typed("s2", after(299))
    assert plan_of_end("s1", OPENED, presence, SETTINGS, (), after(300)).due == (PUSH, NTFY)
    presence.page("laptop", after(300), focused=True)
    [held, _] = plan_of_end("s1", OPENED, presence, SETTINGS, (), after(301)).withheld
    assert held.kind == "focused"
    presence.be_quiet(after(900))
    assert why(plan_of_end("s1", OPENED, presence, SETTINGS, (), after(301)))[0].startswith("quiet until ")
