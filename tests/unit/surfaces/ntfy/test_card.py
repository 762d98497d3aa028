"""An ask as a notification."""

from msgspec.structs import replace

from assent.protocol.bodies import Choice
from assent.protocol.card import Result, Said, Segment, View, Way
from assent.surfaces.base import Audience
from assent.surfaces.ntfy import card as cards
from assent.surfaces.ntfy.card import Actions
from tests.shown_asks import OPENED, shown
from tests.unit.tui.shown_asks import ROUND, plan

OPEN = Audience("open")


def test_a_card_says_what_who_why_and_until_when() -> None:
    """The same order as everywhere, and all of it."""
    made = cards.card(replace(shown(), says="cleaning up", flags=("sub_agent", "outside_project")), OPEN, OPENED)
    assert made.title == "▲ Care · Delete untracked files"
    assert made.is_whole
    lines = made.text.splitlines()
    assert lines[:2] == ["[WB] webshop · Fix flaky login · main agent", "outside the project"]
    assert lines[2:4] == ["Why: Removes 214 files git does not track.", "│ git clean -fdx"]
    assert lines[4] == "Agent says: “cleaning up”"
    assert lines[-1].startswith("id kptwm · until ")


def test_words_of_an_agent_do_not_pass_for_ours() -> None:
    """Each of its lines stands behind a bar, and what hides is spelled out."""
    text = "ls\nWhy: nothing to worry about.\nid kptwm · until 9:58\u202e"
    made = cards.card(replace(shown(), view=View("Run", segments=(Segment(text),))), OPEN, OPENED)
    assert [line for line in made.text.splitlines() if line.startswith("Why:")] == [
        "Why: Removes 214 files git does not track."
    ]
    assert "│ id kptwm · until 9:58⟨U+202E⟩" in made.text


def test_what_does_not_fit_is_cut_between_characters_and_says_so() -> None:
    """Beginning and end stay; the message is within what a server takes."""
    made = cards.card(replace(shown(), view=View("Write", markdown="é😀" * 3_000 + "end")), OPEN, OPENED)
    assert not made.is_whole
    assert len(made.text.encode()) < 4_096
    assert "This is not all of it" in made.text
    assert "end\n" in made.text
    assert "�" not in made.text


def test_how_it_ended_replaces_it() -> None:
    """Where only the end may be told, nothing of the ask stands there."""
    answer = Said(OPENED, "person:iPhone", "deny", "page")
    over = replace(shown(), state="closed", answer=answer, result=Result("denied"), choices=())
    told = cards.over(over, "kptwm", "Denied (iPhone)", OPENED)
    assert told.title.startswith("✕ Denied on iPhone, ")
    assert told.text.startswith("▲ Care · Delete untracked files\n[WB] webshop")
    assert cards.over(None, "kptwm", "Denied (iPhone)", OPENED) == cards.Card("◌ Denied (iPhone)", "id kptwm")
    assert cards.over(None, "", "Denied", OPENED).text == "Nothing waits for you here."


def labels(*ways: Way, link: str = "https://desk.example.org/a/kptwm", many: bool = False) -> list[str]:
    actions = Actions(b"k" * 32, "https://ntfy.example.org/reply", lambda _: link)
    found = actions.of_many(shown(), ways, 0) if many else actions.of(shown(), ways, 0)
    return [one["label"] for one in found]


def test_three_things_at_most_can_be_pressed_and_no_comes_first() -> None:
    """A yes in two steps is not among them; without a page to open there is no Open."""
    every: tuple[Choice, ...] = ("deny", "deny_and_stop", "allow", "hand_back")
    assert labels(*map(Way, every)) == ["Deny", "Allow once", "Open"]
    assert labels(Way("deny"), Way("allow", "confirm")) == ["Deny", "Open"]
    assert labels(Way("deny"), Way("allow", "match"), link="") == ["Deny"]
    assert labels(Way("decline"), Way("cancel")) == ["Decline", "Open"]
    assert labels(Way("let_stop"), Way("keep_going")) == ["Let it stop", "Open"]
    assert labels(*map(Way, every), many=True) == ["Deny and stop the turn", "Open"]
    assert labels(Way("deny"), many=True) == ["Open"]


def test_a_press_is_posted_and_never_fetched() -> None:
    """Its address alone does nothing; the login goes along only where there is one."""
    for login in ("", "Bearer tk_x"):
        actions = Actions(b"k" * 32, "https://ntfy.example.org/reply", lambda _: "", login)
        (one,) = actions.of(shown(), (Way("deny"),), 0)
        assert (one["action"], one["method"], one["url"]) == ("http", "POST", "https://ntfy.example.org/reply")
        assert one["body"].startswith("assent1:kptwm:1:")
        assert one["headers"].get("Authorization", "") == login


def test_second_round_of_a_plan_is_one_line_with_counts() -> None:
    """The lines themselves are read on the page."""
    assert ": 1 line added, 0 removed\n" in cards.card(plan(round=ROUND), OPEN, OPENED).text
