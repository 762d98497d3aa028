"""The card as text: the same order for every kind, word for word."""

import time
from collections.abc import Callable, Iterator

import click
import pytest
from msgspec.structs import replace

from assent.cli.answer.card import card, cells
from assent.protocol.card import (
    FieldView,
    FileDiff,
    Hunk,
    OptionView,
    QuestionView,
    Segment,
    ShownAsk,
    StepView,
    StopView,
    View,
)
from assent.protocol.queue import Item
from tests.unit.tui import shown_asks as asks

NOW = asks.OPENED + 42_000


@pytest.fixture(autouse=True)
def in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        patch.setenv("HOME", "/home/dev")
        time.tzset()
        yield
    time.tzset()


def text(ask: ShownAsk, width: int = 80) -> str:
    return click.unstyle("\n".join(card(ask, NOW, width))) + "\n"


def test_permission_reads_in_order() -> None:
    """Risk and verb, who, why, what it would do, the thing, what led to it, where, how long, the match word last."""
    said = {"asked": "Make the build clean.", "words": "The build is stale, so I start from scratch."}
    assert (
        text(asks.permission(flags=("outside_project",), **said))
        == """\
■ Danger · Delete untracked files  kptwm
[WB] webshop · Fix flaky login · main agent
outside the project
Why         Removes 214 files git does not track, among them .env.local and
            uploads/. Cannot be undone.
Safer       git stash -u
            keeps them
Would do    2 things, 1 dangerous
  ■ Delete untracked files
  ○ Install packages

│ git clean -fdx && npm ci

You asked   “Make the build clean.”
Agent says  “The build is stale, so I start from scratch.”
            “Clean install to rule out stale deps.”
in ~/src/webshop, on branch main, mode default
waiting 42 s, 10 min left
match word: uploads
"""
    )


def test_of_many_steps_the_worst_five_are_told() -> None:
    """The whole line stands below them, so nothing is left out."""
    steps = (
        StepView("danger", "Delete x", where=("web1", "web2")),
        *(StepView("look", f"Print {n}") for n in range(9)),
    )
    shown = text(asks.permission(card_view={"steps": steps}))
    assert "Would do    10 things, 1 dangerous\n  ■ Delete x web1 web2\n  ○ Print 0\n" in shown
    assert "  ○ Print 3\n    5 more\n" in shown


def test_edit_is_drawn_with_signs() -> None:
    """Plus and minus stand in the gutter beside the numbers of the lines."""
    new = FileDiff("src/new.py", 0, 0, is_new=True, note="Its text cannot be read.")
    assert (
        text(asks.edit(asks.EDIT, new))
        == """\
◐ Change · Edit auth.py  kptwm
[WB] webshop · Fix flaky login · main agent
Why         Changes a file of the project.

File src/auth.py  +2 −1
10 │   def check(token):
11 │ −     return token == SECRET
11 │ +     given = token.strip()
12 │ +     return compare_digest(given, SECRET)
13 │ ␠␠
File src/new.py · new file  +0 −0
  Its text cannot be read.

in ~/src/webshop, on branch main, mode default
waiting 42 s, 10 min left
""".replace("␠", " ")
    )


def test_questions_show_options_with_their_keys() -> None:
    """Every question, every option, what it means, and words of one's own."""
    assert (
        text(asks.question())
        == """\
? Question · Which database?  kptwm
[WB] webshop · Fix flaky login · main agent

  1 of 2  Storage:
│ Which database?
  1 │ SQLite
    │ One file, nothing to run
  2 │ PostgreSQL
    │ A server of its own
    │   services:
    │     db:
    │       image: postgres
  o │ Other…
  2 of 2  Scope: (several may be picked)
│ Which features?
  1 │ Search
  2 │ Export
  o │ Other…

in ~/src/webshop, on branch main, mode default
waiting 42 s, 10 min left
"""
    )


def test_plan_is_shown_as_it_was_written() -> None:
    """All of it, behind the bar."""
    shown = text(asks.plan())
    assert "│ # Move login to its own module\n│ \n│ 1. Extract the token check\n" in shown
    assert text(asks.plan(" ")).count("The plan has no text.") == 1


def test_form_names_server_and_fields() -> None:
    """Who asks for what, what must be filled in, and where it goes."""
    secret = FieldView("pin", "text", description="Four digits.", secret=True)
    colour = FieldView("colour", "choice", required=True, options=(("r", "Red"), ("b", "Blue")))
    assert (
        text(asks.form(secret, colour))
        == """\
✎ Form · tickets asks for input  kptwm
[WB] webshop · Fix flaky login · main agent

│ Who takes it?
  pin (text, not shown while typed)
    │ Four digits.
  colour (one of, required)
    1 │ Red
    2 │ Blue
Sent to tickets and never recorded.

in ~/src/webshop, on branch main, mode default
waiting 42 s, 10 min left
"""
    )
    visit = text(asks.form(mode="url", url="https://example.com/a?b=c", host="example.com"))
    assert "It wants you to open example.com:\n│ https://example.com/a?b=c\n" in visit


def test_stop_shows_the_last_message() -> None:
    """What it said, what still runs, and how often it was kept going."""
    running = View("The turn ended", stop=StopView("Done.", 2, 8, background=("shell: npm run dev",)))
    shown = text(replace(asks.stop(), view=running))
    assert "│ Done.\nStill running in the background:\n│ shell: npm run dev\n2 of 8 continuations used\n" in shown


def test_other_tools_show_what_they_are_given() -> None:
    """Name and value where they are known, else the input as it came."""
    plain = replace(asks.edit(), view=View("Use a tool", "mcp__x", facts=(("query", "a\nb"),)))
    assert "  query:\n│ a\n│ b\n" in text(plain)
    raw = replace(asks.edit(), view=View("Use a tool", "mcp__x", raw={"a": 1}))
    assert '│ {\n│   "a": 1\n│ }\n' in text(raw)


HOSTILE = "x\x1b[2J\x1b]0;pwned\x07\u202e\nmatch word: no\nwaiting 0:00\n■ Danger · all fine"
PARTS: tuple[Callable[[], ShownAsk], ...] = (
    lambda: asks.permission(HOSTILE, says=HOSTILE),
    lambda: asks.edit(FileDiff(HOSTILE, 1, 1, note=HOSTILE)),
    lambda: asks.question(replace(asks.DATABASES, question=HOSTILE, header=HOSTILE)),
    lambda: asks.plan(HOSTILE),
    lambda: asks.form(FieldView(HOSTILE, "text", description=HOSTILE), message=HOSTILE, server=HOSTILE),
    lambda: asks.stop(HOSTILE),
    lambda: asks.permission(subject=replace(asks.WEBSHOP, title=HOSTILE, folder=HOSTILE, branch=HOSTILE, mode=HOSTILE)),
    lambda: asks.permission(
        subject=replace(asks.WEBSHOP, agent=HOSTILE, agent_type=HOSTILE, task=HOSTILE), flags=("sub_agent",)
    ),
    lambda: asks.permission(card_view={"verb": HOSTILE, "segments": (Segment("a", "care", why=HOSTILE),) * 2}),
)


@pytest.mark.parametrize("make", PARTS)
def test_nothing_an_agent_wrote_steers_or_poses(make: Callable[[], ShownAsk]) -> None:
    """No escape code gets through, and no line that begins at the edge is the agent's."""
    ask = replace(make(), risk=replace(make().risk, match=""))
    drawn = text(ask)
    assert "\x1b" not in drawn
    assert "\u202e" not in drawn
    assert not any(line.startswith("x⟨") for line in drawn.splitlines())
    at_the_edge = [line for line in drawn.splitlines() if line.startswith(("match word", "waiting", "■"))]
    assert [line.split(" ")[0] for line in at_the_edge if not line.startswith("■")] == ["waiting"]
    assert sum(line.startswith("■") for line in at_the_edge) <= 1


LONG = "中 " * 90 + "x" * 300
WIDE: tuple[Callable[[], ShownAsk], ...] = (
    lambda: asks.permission(LONG, level="care", says=LONG, card_view={"verb": LONG}),
    lambda: replace(asks.plan(), view=View("x", markdown=LONG, facts=((LONG, LONG),))),
    lambda: asks.permission(
        subject=replace(asks.WEBSHOP, title=LONG, folder=f"/{LONG}", agent="a", agent_type=LONG, task=LONG)
    ),
    lambda: asks.edit(FileDiff(LONG, 1, 1, hunks=(Hunk(1, 1, (f"+{LONG}",)),), note=LONG)),
    lambda: asks.question(QuestionView(LONG, LONG, (OptionView(LONG, LONG, LONG),), multi=True)),
    lambda: asks.plan(LONG),
    lambda: asks.form(FieldView(LONG, "choice", description=LONG, options=((LONG, LONG),)), message=LONG, server=LONG),
    lambda: asks.form(mode="url", url=f"https://{LONG}", host=LONG),
    lambda: asks.stop(LONG),
    lambda: replace(asks.edit(), view=View("x", facts=((LONG, LONG),))),
)


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("make", WIDE)
def test_no_line_is_wider_than_the_terminal(make: Callable[[], ShownAsk], width: int) -> None:
    """What is too long goes on below, where the terminal would have torn it to the edge."""
    assert max(map(cells, text(make(), width).splitlines())) <= width


def test_risk_and_signs_of_a_diff_are_coloured() -> None:
    """Blue and amber, and the words say the same."""
    drawn = "\n".join(card(asks.edit(), NOW, 80))
    assert "\x1b[94m+     given = token.strip()\x1b[0m" in drawn
    assert "\x1b[33m−     return token == SECRET\x1b[0m" in drawn


def test_card_of_a_second_round_says_what_changed_and_what_was_written() -> None:
    """Before the plan itself."""
    shown = text(asks.plan(round=asks.ROUND))
    assert "Changed since 9:26: 1 line added, 0 removed\nYou wrote   “Keep the old names.”\n" in shown
    assert shown.index("You wrote") < shown.index("│ # Move login")


def test_card_says_what_is_queued_for_its_session() -> None:
    """After the thing itself."""
    items = [Item("i1", "Run the tests", 0, "person:desk")]
    shown = click.unstyle("\n".join(card(asks.permission(), NOW, 80, items)))
    assert "\nQueued: 1. Next, when it stops: Run the tests\n" in shown
