"""Keys mean what the table of actions says."""

import pytest

from assent.actions import ACTIONS
from assent.tui.keys import PREFIX_FOR, Keyboard, named


@pytest.mark.parametrize("action", [action for action in ACTIONS if action.key], ids=lambda action: action.name)
def test_every_key_of_the_table_means_its_action(action: object) -> None:
    """One letter, or two one after the other; options of a question are taken by the question."""
    key = action.key  # type: ignore[attr-defined]
    if "-" in key and len(key) > 1:
        return
    keyboard = Keyboard()
    meanings = [keyboard.meaning(part) for part in key.split()]
    assert meanings == [""] * (len(meanings) - 1) + [action.name]  # type: ignore[attr-defined]


def test_a_prefix_is_forgotten() -> None:
    """A letter pressed long after it stands for itself."""
    now = [0.0]
    keyboard = Keyboard(lambda: now[0])
    assert keyboard.meaning("g") == ""
    now[0] += PREFIX_FOR + 0.1
    assert keyboard.meaning("s") == "ask.allow_session"


@pytest.mark.parametrize(
    ("key", "character", "expected"),
    [("j", "j", "j"), ("question_mark", "?", "?"), ("enter", "\r", "Enter"), ("ctrl+a", "\x01", ""), ("f1", None, "")],
)
def test_keys_are_named_as_the_table_names_them(key: str, character: str | None, expected: str) -> None:
    """What the table does not know is no key."""
    assert named(key, character) == expected
