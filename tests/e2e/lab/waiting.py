"""Wait on evidence, with a bound that only a hang reaches."""

from collections.abc import Callable

from tests.waiting import HANG, let_pass, until

__all__ = ["HANG", "let_pass", "on_screen", "until"]
# Every look at a terminal is a program of its own.
LOOK = 0.05


def on_screen(probe: Callable[[], bool], what: str, seconds: float = HANG) -> None:
    """``until`` for what a terminal shows, with fewer looks."""
    until(probe, what, seconds, LOOK)
