"""Wait on evidence, with a bound that only a hang reaches."""

from tests.waiting import HANG, let_pass, until

__all__ = ["HANG", "let_pass", "until"]
