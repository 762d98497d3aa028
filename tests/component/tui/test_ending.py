"""A terminal that goes is noticed, with or without a signal."""

import os
import pty

from assent.tui.ending import is_gone


def test_terminal_is_gone_when_its_other_end_is() -> None:
    """As long as its other end is open, it is not."""
    terminal, inside = pty.openpty()
    try:
        assert not is_gone(inside)
        os.close(terminal)
        assert is_gone(inside)
    finally:
        os.close(inside)
    assert is_gone(inside)
