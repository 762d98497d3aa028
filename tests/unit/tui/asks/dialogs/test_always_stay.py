"""What will no longer be asked about, before it is agreed to."""

import pytest

from assent.protocol.lasting import RUN_MEANS, Stay
from assent.tui.asks.dialogs.always import Staying
from assent.tui.asks.dialogs.dialog import Done
from tests.hostile import SAMPLES
from tests.unit.tui.measured import text
from tests.unit.tui.shown_asks import STAYS, permission

PUSH = permission("git push origin feature", level="care")
READS = Stay("reads", "`acme list` only reads", "`acme list` passes in every project.", "Other sub-commands still ask.")
CHANGE = Stay("change", "Agents may change files here", "Writes pass.", "Settings still ask.")


def drawn(paper: Staying, width: int = 78) -> str:
    return text(paper.lines(width), width)


def test_stay_shows_what_passes_what_asks_where_and_how_long() -> None:
    assert drawn(Staying(PUSH, "/home/dev")).split("\n") == [
        " What",
        " 1 (●) `git push` of feature to origin",
        " 2 ( ) Agents may run tests here",
        "",
        " Passes      `git push` of feature to origin, alone or as part of a line.",
        " Still asks  Other branches and remotes, force and whatever is dangerous still",
        "             ask.",
        "",
        " Where       ~/src/webshop, Claude only",
        " How long    (●) until you take it back   ( ) 1 h   ( ) 8 h   ( ) 24 h",
    ]


def test_stay_says_once_what_running_tests_means() -> None:
    """On a line of its own, also where the hub says it among what passes."""
    run = Stay("run", "Agents may run tests here", f"Tests run without a prompt. {RUN_MEANS}", "Scripts still ask.")
    lines = drawn(Staying(permission("npm test", level="care", stays=(run,)))).split("\n")
    assert " Passes      Tests run without a prompt." in lines
    assert f" Means       {RUN_MEANS}" in lines
    assert RUN_MEANS not in drawn(Staying(PUSH))


@pytest.mark.parametrize(
    ("stay", "where"),
    [
        (STAYS[0], "/home/dev/src/webshop, Claude only"),
        (STAYS[1], "/home/dev/src/webshop, every agent"),
        (CHANGE, "/home/dev/src/webshop, every agent"),
        (READS, "every project, every agent"),
    ],
)
def test_stay_says_where_it_holds(stay: Stay, where: str) -> None:
    assert f" Where       {where}" in drawn(Staying(permission("x", level="care", stays=(stay,)))).split("\n")


@pytest.mark.parametrize(
    ("keys", "fields"),
    [
        ("", {"grant": "shape"}),
        ("2", {"grant": "run"}),
        ("9", {"grant": "shape"}),
        ("h", {"grant": "shape", "hours": 1}),
        ("hh", {"grant": "shape", "hours": 8}),
        ("2hhh", {"grant": "run", "hours": 24}),
        ("hhhh", {"grant": "shape"}),
        ("jh", {"grant": "run", "hours": 1}),
        ("jj", {"grant": "shape"}),
        ("k", {"grant": "run"}),
    ],
)
def test_stay_gives_what_is_marked(keys: str, fields: dict[str, object]) -> None:
    paper = Staying(PUSH)
    for key in keys:
        assert paper.key(key) is True
    assert paper.key("Enter") == Done({"choice": "allow_here", **fields})


@pytest.mark.parametrize(
    ("key", "kind", "hours"),
    [("Down", "run", None), ("Up", "run", None), ("Tab", "run", None), ("Right", "shape", 1), ("Left", "shape", 24)],
)
def test_stay_is_moved_in_by_arrows(key: str, kind: str, hours: int | None) -> None:
    paper = Staying(PUSH)
    paper.key(key)
    lasts = {"hours": hours} if hours else {}
    assert paper.key("Enter") == Done({"choice": "allow_here", "grant": kind, **lasts})


def test_stay_leaves_arrows_to_scrolling_where_there_is_one() -> None:
    paper = Staying(permission("x", level="care", stays=(READS,)))
    assert paper.key("Down") is False
    assert dict(paper.keys()) == {"Enter": "allow and stop asking", "h": "how long"}


@pytest.mark.parametrize("key", ["a", "d", "x", "Escape", "q", "s", "A"])
def test_stay_has_no_other_keys(key: str) -> None:
    assert Staying(PUSH).key(key) is False


def test_stay_without_anything_to_remember_gives_nothing() -> None:
    empty = Staying(permission())
    assert "There is nothing that could be remembered about this." in drawn(empty)
    assert empty.key("Enter") is False
    assert empty.keys() == []


@pytest.mark.parametrize("width", [20, 38, 58, 78, 120, 200])
@pytest.mark.parametrize("evil", [*SAMPLES, "a\n 1 (●) b\n Where  everywhere"])
def test_stay_draws_hostile_text_as_letters_within_its_lines(evil: str, width: int) -> None:
    """No line of an agent's passes for one of the sheet's own."""
    stays = (Stay("shape", evil, evil, evil), Stay("run", evil, evil, evil))
    subject = permission().subject
    hostile = type(subject)(harness=evil, project=f"/{evil}")
    paper = Staying(permission("x", level="care", stays=stays, subject=hostile), "/home/dev")
    for _ in stays:
        shown = drawn(paper, width)
        assert shown.replace("\n", "").isprintable()
        assert not [line for line in shown.splitlines() if line.startswith((" 1 (●) b", " Where  every"))]
        paper.key("j")


def test_stay_spells_out_letters_that_look_like_others() -> None:
    stay = Stay("shape", "`git push` of fe\u0430ture", "`git push` of fe\u0430ture passes.", "Others ask.")
    shown = drawn(Staying(permission("x", level="care", stays=(stay,))))
    assert shown.count("fe⟨U+0430⟩ture") == 2
