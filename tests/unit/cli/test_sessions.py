"""Sessions as a table, one by one, and as JSON."""

import json
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from assent.client import Client
from assent.client.snapshot import Snapshot
from assent.protocol.queue import Item
from assent.protocol.session import Agent, Session
from tests.unit.cli.conftest import Run
from tests.unit.tui import shown_asks as asks

Answers = Callable[..., None]

WEBSHOP = Session(
    id="4f1c0000-1",
    harness="claude-code",
    project="/home/ada/webshop",
    cwd="/home/ada/webshop/api",
    title="Flaky login",
    model="claude-opus-5-5",
    mode="default",
    attended=True,
    pid=99,
    started=1_000_000,
    last=1_030_000,
    calls=7,
    denied=1,
    failed=2,
    cost_usd=1.2,
    tokens_in=40_000,
    tokens_out=900,
    active_s=65.0,
    lines_added=12,
    agents=(Agent(id="a1", type="Explore", task="Look for the flaky test", state="done", last=1_020_000, calls=3),),
)
ENDED = Session(id="4f2d0000-2", state="ended", last=940_000, ended_because="logout")


def known(sessions: list[Session]) -> Snapshot:
    return Snapshot(1, [], sessions)


@pytest.fixture(autouse=True)
def now(clock: Callable[[float], None]) -> None:
    clock(1060.0)


def test_sessions_of_all_hubs_are_marked_by_machine(assent: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """By time; this hub's own are here."""
    other = replace(ENDED, last=950_000, hub="aa11", machine="devbox")

    def sessions(self: Client, *, elsewhere: bool = False) -> list[Session]:
        return [other] if elsewhere else [WEBSHOP, ENDED]

    monkeypatch.setattr(Client, "sessions", sessions)
    lines = assent("sessions", "--all").out.splitlines()
    assert [line.split()[-1] for line in lines] == ["MACHINE", "here", "here", "devbox", "here"]
    told = [json.loads(line) for line in assent("sessions", "--all", "--json").out.splitlines()]
    assert [session["machine"] for session in told] == ["", "devbox", ""]


def test_sessions_table_puts_agents_under_their_session(assent: Run, answers: Answers) -> None:
    """One row a session, sub-agents indented below it, unknown cells as a dash."""
    answers(sessions=[WEBSHOP, ENDED])
    assert assent("sessions").out == (
        "STATE      NEEDS YOU  SESSION   PROJECT  TITLE        MODE     MODEL            CALLS  DENIED  COST   AGE\n"
        "◐ working  -          4f1c0000  webshop  Flaky login  default  claude-opus-5-5  7      1       $1.20  30 s\n"
        "✓ done                                     └ Explore                            3                     40 s\n"
        "✓ ended    -          4f2d0000  -        -            -        -                0      0       -      2 min\n"
    )


def test_sessions_tell_how_many_asks_need_a_person_and_where(assent: Run, answers: Answers) -> None:
    """A dialog that is open in the terminal alone is answered there."""
    asked = replace(WEBSHOP, state="waiting", needs=2)
    dialog = replace(ENDED, state="waiting", dialogs=(("", "c1"),))
    answers(sessions=[asked, dialog, replace(ENDED, state="idle")])
    rows = [line.split("  ") for line in assent("sessions").out.splitlines() if "└" not in line]
    cells = [[cell.strip() for cell in row if cell][:2] for row in rows[1:]]
    assert cells == [["◆ waiting for you", "2"], ["◆ waiting for you", "terminal"], ["● your turn", "-"]]


def test_sessions_without_any_says_what_to_do(assent: Run, answers: Answers) -> None:
    """An empty table would not help."""
    answers(sessions=[])
    assert assent("sessions").out == "No session yet. Start claude, or replay one with `assent demo`.\n"


def test_sessions_json_has_every_field_on_one_line_each(assent: Run, answers: Answers) -> None:
    """Fields with their default value are there too, so that a script need not know the defaults."""
    answers(sessions=[WEBSHOP, ENDED])
    first, second = map(json.loads, assent("sessions", "--json").out.splitlines())
    assert first["state"] == "working"
    assert first["agents"] == [
        {
            "id": "a1",
            "type": "Explore",
            "task": "Look for the flaky test",
            "state": "done",
            "started": 0,
            "last": 1_020_000,
            "calls": 3,
        }
    ]
    assert second["model"] == ""
    assert set(first) == set(second) == set(Session.__struct_fields__)


def test_sessions_show_hostile_titles_inert(assent: Run, answers: Answers) -> None:
    """What an agent named itself cannot move the cursor or hide text."""
    answers(sessions=[Session(id="x\x1b[2J", title="a\x1b]0;pwned\x07\u202eb", project="/p/\x1b[31mred", last=0)])
    out = assent("sessions").out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "⟨U+001B⟩" in out


def test_session_shows_one_by_the_first_letters_of_its_id(assent: Run, answers: Answers) -> None:
    """A prefix is enough if only one session has it."""
    ask = asks.permission(subject=replace(asks.WEBSHOP, session=WEBSHOP.id), opened_at=1_018_000, expires_at=1_618_000)
    waiting = {WEBSHOP.id: [Item("q1", "Run the tests.", 1_000_000, "person:desk")]}
    answers(snapshot=Snapshot(1, [ask, asks.plan()], [WEBSHOP, ENDED], queues=waiting))
    result = assent("session", "4f1")
    assert result.code == 0
    assert result.out == (
        "session   4f1c0000-1\n"
        "state     ◐ working\n"
        "title     Flaky login\n"
        "project   /home/ada/webshop\n"
        "folder    /home/ada/webshop/api\n"
        "agent     Claude\n"
        "mode      default\n"
        "model     claude-opus-5-5\n"
        "attended  yes\n"
        "pid       99\n"
        "started   1 min ago\n"
        "last      30 s ago\n"
        "calls     7, 1 denied, 2 failed\n"
        "cost      $1.20, as the agent reckons it\n"
        "tokens    40 k in, 900 out\n"
        "active    1 min 5 s\n"
        "lines     12 added, 0 removed\n"
        "needs you ■ Danger kptwm Delete untracked files, 42 s, 10 min left\n"
        "queue     1 Run the tests.\n"
        "agents    └ Explore a1, ✓ done, 3 calls, last 40 s ago\n"
        "            Look for the flaky test\n"
    )


def test_session_json_is_one_object(assent: Run, answers: Answers) -> None:
    """The same object as in the list."""
    answers(snapshot=known([WEBSHOP, ENDED]))
    assert json.loads(assent("session", "4f2", "--json").out)["ended_because"] == "logout"


def test_session_with_an_ambiguous_prefix_is_usage(assent: Run, answers: Answers) -> None:
    """Two candidates are named, none is picked."""
    answers(snapshot=known([WEBSHOP, ENDED]))
    result = assent("session", "4f")
    assert result.code == 2
    assert (
        result.err == "assent: 2 sessions begin with '4f': 4f1c0000-1, 4f2d0000-2.\nhint: give more letters of an id.\n"
    )


def test_unknown_session_is_not_found(assent: Run, answers: Answers) -> None:
    """An unknown id says where the known ones are."""
    answers(snapshot=known([WEBSHOP]))
    for unknown in ("zz", ""):
        result = assent("session", unknown)
        assert result.code == 1
        text = f"assent: No session is called {unknown!r} or begins with it."
        assert result.err == f"{text}\nhint: `assent sessions` lists them.\n"


def test_session_exact_id_wins_over_longer_ones(assent: Run, answers: Answers) -> None:
    """An id that is the beginning of another can still be named."""
    answers(snapshot=known([Session(id="abc"), Session(id="abcd")]))
    assert assent("session", "abc").out.startswith("session   abc\n")


def test_session_is_found_by_title_or_project(assent: Run, answers: Answers) -> None:
    """A name is enough if one session has it, and a live one is meant rather than one that is over."""
    over = Session(id="9a", state="ended", project="/home/ada/webshop")
    answers(snapshot=known([WEBSHOP, ENDED, over]))
    for name in ("webshop", "Flaky login"):
        assert assent("session", name).out.startswith("session   4f1c0000-1\n")
    answers(snapshot=known([WEBSHOP, Session(id="9b", project="/srv/webshop")]))
    result = assent("session", "webshop")
    assert result.code == 2
    assert result.err.startswith("assent: 2 sessions are called 'webshop': 4f1c0000-1, 9b.")


def test_narrow_terminal_gets_the_columns_that_matter(
    assent: Run, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eighty columns are enough, and a session in which nothing is asked still says so."""
    monkeypatch.setattr("assent.cli.output.width", lambda _: 80)
    long = replace(WEBSHOP, state="waiting", title="A title that is far too long to stand here")
    answers(sessions=[replace(long, mode="bypass", needs=2), replace(long, project="/src/a-project-with-a-long-name")])
    out = assent("sessions").out
    assert max(map(len, out.splitlines())) <= 80
    assert out.splitlines()[0].split() == ["STATE", "NEEDS", "YOU", "SESSION", "PROJECT", "TITLE", "COST", "AGE"]
    assert "A ti… ▲ bypass" in out
