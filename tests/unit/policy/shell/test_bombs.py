"""Fork bombs in the tree of a line."""

import pytest

from assent.policy.shell.bombs import copies_itself, multiplies
from assent.policy.shell.parser import read
from assent.policy.shell.tree import Function


@pytest.mark.parametrize(
    ("text", "is_bomb"),
    [
        ("f() { f | f & }", True),
        ("f() { f & f; }", True),
        ("f() { f | f; }", True),
        ("f() { while true; do f & done; }", True),
        ("f() { if true; then { f; } & fi; }", True),
        ("f() { case x in x) f & ;; esac; }", True),
        ("f() { for ((;;)); do f & done; }", True),
        ("f() { make && f; }", False),
        ("f() { g | g & }", False),
        ("f() { echo 'f | f &'; }", False),
        ("f() { echo x | f; }", False),
    ],
)
def test_function_that_calls_itself_without_waiting_multiplies(text: str, is_bomb: bool) -> None:
    """Twice at once or in the background; to call oneself and wait is only recursion."""
    (function,) = read(text).items[0].first.stages
    assert isinstance(function, Function)
    assert multiplies(function.name, function.body) is is_bomb


@pytest.mark.parametrize(
    ("text", "copies"), [("$0 | $0 &", True), ("./$0 && $0 &", True), ("$0 &", False), ("a &", False)]
)
def test_script_that_starts_itself_twice_copies_itself(text: str, copies: bool) -> None:
    """By the name it was started with."""
    assert copies_itself(read(text).items[0]) is copies
