"""A terminal that goes is noticed, whether or not anybody tells."""

import os
import pty

from assent.tui.ending import is_gone


def test_terminal_is_gone_when_its_other_end_is() -> None:
    """As long as somebody could read and type there, it is not."""
    terminal, inside = pty.openpty()
    try:
        assert not is_gone(inside)
        os.close(terminal)
        assert is_gone(inside)
    finally:
        os.close(inside)
    assert is_gone(inside)
