"""The terminal UI, whole: the real Claude Code in one terminal, `assent watch` in another, keys in both."""

import json
import re
from pathlib import Path

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.lab import Lab
from tests.e2e.lab.model import Block, Body, bash, call, say
from tests.e2e.lab.terminal import Terminal
from tests.e2e.lab.waiting import until
from tests.e2e.lab.watching import Watching

PLAN = "# Plan\n\n1. Make a file\n2. Ask where to put the rest\n"
DATABASE = {
    "question": "Which database?",
    "header": "Database",
    "multiSelect": False,
    "options": [{"label": "SQLite", "description": "One file"}, {"label": "Postgres", "description": "A server"}],
}


def begin(lab: Lab, mode: str = "default") -> tuple[Terminal, Watching]:
    lab.install()
    lab.hub.start()
    watching = lab.watch()
    terminal = lab.terminal(mode=mode)
    terminal.submit("go")
    return terminal, watching


def write_plan(body: Body) -> list[Block]:
    match = re.search(r"(/\S+/plans/[\w-]+\.md)", json.dumps(body))
    assert match
    return [call("Write", file_path=match[1], content=PLAN)]


def test_a_whole_session_is_answered_with_keys(lab: LabFactory) -> None:
    """A plan is approved, a change allowed with one key and Care with two, a question answered by its number; each time
    the agent goes on, and the list says what became of it."""
    here = lab(
        [
            write_plan,
            [call("ExitPlanMode")],
            [bash("touch one.txt")],
            [bash("bash make.sh")],
            [call("AskUserQuestion", questions=[DATABASE])],
            [say("Done.")],
        ],
        files={"make.sh": "touch two.txt\n"},
    )
    terminal, watching = begin(here, "plan")
    watching.answer("a", "Make a file", "Ask where to put the rest")
    watching.choose("Enter", "(●) ask before edits")
    watching.go_on("Write one.txt")
    watching.answer("a", "◐ CHANGE", "touch one.txt")
    here.model.wait_for(4)
    assert (here.project / "one.txt").exists()
    watching.go_on("Run make.sh")
    watching.answer("a", "▲ CARE", "bash make.sh")
    watching.answer("Enter", "allow it: press Enter")
    here.model.wait_for(5)
    assert (here.project / "two.txt").exists()
    watching.go_on("Which database?")
    watching.read("1 ( ) SQLite", "2 ( ) Postgres")
    watching.press("2")
    watching.answer("a", "(●) Postgres")
    assert '"Which database?"="Postgres"' in here.model.wait_for(6).news()[0]
    watching.wait_for("Needs you (0)")
    until(lambda: not terminal.has_dialog(), "the dialog is gone")
    assert [ask["result"]["ending"] for ask in here.hub.asks()] == ["ran"] * 4
    watching.leave()


def typed(watching: Watching) -> str | None:
    """What stands in the field for the match word."""
    found = re.search(r"type the match word, Enter: *(\S*)", watching.screen())
    return found[1] if found else None


def test_danger_needs_its_word_and_a_no_may_say_why(lab: LabFactory) -> None:
    """A wrong word answers nothing; the words that go with a no are what the model hears."""
    here = lab([[bash("git clean -fdx")], [bash("touch one.txt")], [say("Done.")]], files={".gitignore": "build/\n"})
    (here.project / "left-over.txt").write_text("")
    _, watching = begin(here)
    watching.answer("a", "■ DANGER", "git clean -fdx", "match word:")
    watching.wait_for("type the match word")
    word = re.search(r"match word: (\S+)", watching.screen())
    assert word
    watching.type("nonsense")
    watching.press("Enter")
    watching.wait_for("That is not the match word")
    assert (here.project / "left-over.txt").exists()
    watching.press("C-u")
    until(lambda: typed(watching) == "", "the wrong word is gone")
    watching.type(word[1])
    until(lambda: typed(watching) == word[1], "the word in the field")
    watching.press("Enter")
    here.model.wait_for(2)
    assert not (here.project / "left-over.txt").exists()
    watching.go_on("Write one.txt")
    watching.answer("D", "◐ CHANGE", "touch one.txt")
    watching.wait_for("deny and tell the agent:")
    watching.type("Use the Write tool instead.")
    watching.press("Enter")
    assert here.model.wait_for(3).news() == ["[error] Use the Write tool instead."]
    assert not (here.project / "one.txt").exists()


def is_heard(lab: Lab, watching: Watching, shown: str) -> bool:
    """Pressed as long as the ask waits."""
    if watching.shows(shown, "waiting "):
        watching.answer("a", shown)
    return len(lab.model.requests()) == 2


def test_answered_at_the_agents_terminal_first_and_a_hub_that_dies(lab: LabFactory) -> None:
    """The row turns grey where it stands and says so. Without a hub no key answers, and with it the ask is back."""
    here = lab([])
    rows = [f"○ Read {here.folder}/{name}" for name in ("first.txt", "second.txt")]
    for row in rows:
        Path(row.split()[-1]).write_text("Some text.\n")
    reads = [call("Read", file_path=row.split()[-1]) for row in rows]
    here.model.script = {"main": [reads, [say("Done.")]]}
    here.hub.configure('stance = "watch"')
    terminal, watching = begin(here)
    here.hub.wait_for_ask(2)
    watching.read("Needs you (2)")
    terminal.wait_for_dialog()
    stood = [watching.place(row) for row in rows]
    terminal.press("1")
    watching.wait_for("Needs you (1)")
    assert re.search(r"→ (Allowed|Answered) in the terminal, \d\d:\d\d:\d\d", watching.screen())
    assert [watching.place(row) for row in rows] == stood
    here.hub.kill()
    watching.wait_for("Keys for answers are off.")
    watching.wait_for("hub up")
    (left,) = [ask for ask in here.hub.asks() if ask["state"] != "closed"]
    watching.go_on("Needs you (1)")
    # The agent's hook may come back to the new hub in this very moment: the ask changes, and a key does not count.
    shown = f"LOOK  {left['view']['verb']}"
    until(lambda: is_heard(here, watching, shown), "the yes is heard")
    assert len(here.model.wait_for(2).news()) == 2
    here.hub.assent("down")
    watching.wait_for("hub not running")
    watching.press("u")
    watching.wait_for("hub up")
