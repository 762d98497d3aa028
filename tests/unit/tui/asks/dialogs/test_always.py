"""What will always be allowed, before it is."""

import pytest

from assent.protocol.card import Offer
from assent.tui.asks.ask_view import Typing
from assent.tui.asks.dialogs.always import Always
from assent.tui.asks.dialogs.dialog import Done, Wrong
from tests.unit.tui.measured import text
from tests.unit.tui.shown_asks import permission

FILE = "/home/dev/src/webshop/.claude/settings.local.json"
EXACT = Offer(
    "rule:Bash(npm test)",
    "Exactly this command.",
    ("session", "project", "user"),
    {"project": FILE},
    covers=("npm test", "npm test", "npm test", "a fourth"),
    leaves="npm publish",
)
MODE = Offer("mode:accept_edits", "Edits of files.", ("session",), suggested=True)
NPM = permission("npm test", level="change")


def test_always_shows_rule_place_file_and_examples() -> None:
    """The exact rule, where it holds, three calls it would have let pass and one it would not."""
    paper = Always(NPM, [EXACT, MODE])
    shown = text(paper.lines(70), 70)
    assert " 1 (●) Exactly this command." in shown
    assert "Edits of files.  suggested by the agent" in shown
    assert "  │ Bash(npm test)" in shown
    assert "(●) this session   ( ) this project   ( ) all my projects" in shown
    assert "none; it ends with the session" in shown
    assert shown.count("✓ ") == 3
    assert "✕ npm publish" in shown
    paper.key("Right")
    assert FILE in text(paper.lines(70), 70)


def test_always_gives_choice_and_grant() -> None:
    """What is marked is what is granted; a scope that does not hold for another offer falls back."""
    paper = Always(NPM, [EXACT, MODE])
    assert paper.key("Enter") == Done({"choice": "allow_session", "grant": "rule:Bash(npm test)"})
    paper.key("Left")
    assert paper.key("Enter") == Done({"choice": "allow_user", "grant": "rule:Bash(npm test)"})
    paper.key("Tab")
    assert paper.key("Enter") == Done({"choice": "allow_session", "grant": "mode:accept_edits"})
    assert paper.key("e") == Wrong("This is no rule: there is nothing to edit.")
    assert paper.key("9") is True
    assert paper.key("d") is False


def test_always_takes_an_edited_rule() -> None:
    """The examples are said to be for another one; an empty rule is none."""
    paper = Always(NPM, [EXACT])
    line = paper.key("e")
    assert isinstance(line, Typing)
    assert line.value == "Bash(npm test)"
    assert line.take(" ") == "The rule is empty."
    assert line.take("Bash(npm test *)") is None
    assert "You changed the rule" in text(paper.lines(70), 70)
    assert paper.key("Enter") == Done({"choice": "allow_session", "grant": "rule:Bash(npm test *)"})
    line.take("Bash(npm test)")
    assert "You changed the rule" not in text(paper.lines(70), 70)


def test_always_remembers_danger_only_exactly() -> None:
    """No rule of one's own; nor where it holds what cannot be typed."""
    danger = Always(permission(), [EXACT])
    assert "Danger is remembered only for exactly this." in text(danger.lines(70), 70)
    assert danger.key("e") == Wrong("Danger is remembered only for exactly this.")
    assert "e" not in dict(danger.keys())
    hidden = Always(NPM, [Offer("rule:Bash(a\u202eb)", "", ("session",))])
    assert isinstance(hidden.key("e"), Wrong)
    assert "⟨U+202E⟩" in text(hidden.lines(70), 70)


def test_always_without_offers_or_scopes_grants_nothing() -> None:
    """It says so, and no key does anything."""
    empty = Always(NPM, [])
    assert "There is nothing that could be remembered about this." in text(empty.lines(70), 70)
    assert empty.key("Enter") is False
    assert empty.keys() == []
    watched = Always(permission("npm test", level="change", choices=()), [EXACT])
    assert watched.key("Enter") == Wrong("This cannot be remembered from here.")


@pytest.mark.parametrize("width", [20, 60, 240])
def test_always_draws_what_an_agent_named_as_letters_only(width: int) -> None:
    """Controls, turns of direction and line ends in an offer stay within its lines."""
    evil = "a\x1b]0;x\x07\u202e\n 1 (●) b" + "日" * 90
    offer = Offer(f"rule:Bash({evil})", evil, ("session", "project"), {"session": evil}, True, (evil,), evil)
    shown = text(Always(NPM, [offer, offer]).lines(width), width)
    assert shown.replace("\n", "").isprintable()
    assert not [line for line in shown.splitlines() if line.startswith(" 1 (●) b")]
