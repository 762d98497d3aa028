"""Words for approvals: whose yes is needed, and who said it."""

from typing import TYPE_CHECKING

from assent.text import wording
from assent.text.safe import plain_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assent.protocol.approval import ApprovalView

_LONGEST_NAME = 80


def whom(name: str, *, is_mine: bool = False) -> str:
    """``sre-oncall`` for ``group:sre-oncall``. ``is_mine``: who reads it owns the call."""
    if name == "owner":
        return "you" if is_mine else "the owner"
    return plain_line(name.partition(":")[2] or name, _LONGEST_NAME)


def demand(needs: "ApprovalView", *, is_mine: bool = False) -> str:
    """``2 of sre-oncall, not you``"""
    return " and ".join(dict.fromkeys(_demand(one, is_mine=is_mine) for one in needs.each))


def _demand(needs: "ApprovalView", *, is_mine: bool) -> str:
    names = " or ".join(whom(name, is_mine=is_mine) for name in needs.whom)
    is_one = needs.count == 1 and len(needs.whom) == 1 and not needs.whom[0].startswith("group:")
    who = names if is_one else f"{needs.count} of {names}"
    not_owner = f", not {'you' if is_mine else 'the owner'}" if needs.not_owner else ""
    later = "".join(f", after {_time(rung.after_s)} also {whom(rung.whom, is_mine=is_mine)}" for rung in needs.ladder)
    return f"{who}{not_owner}{later}"


def sentence(needs: "ApprovalView", *, is_mine: bool = False) -> str:
    """``Needs 2 of sre-oncall, not you``"""
    return f"Needs {demand(needs, is_mine=is_mine)}"


def agreed(by: "Sequence[str]", missing: int = 0) -> str:
    """``ada@example.org said yes, 1 more is missing``; "" while no one did."""
    if not by:
        return ""
    more = f", {missing} more {'is' if missing == 1 else 'are'} missing" if missing else ""
    return f"{' and '.join(plain_line(name, _LONGEST_NAME) for name in by)} said yes{more}"


def _time(seconds: int) -> str:
    return f"{seconds} s" if seconds % 60 else wording.minutes(seconds // 60)


def counted(missing: int) -> str:
    """To who said a yes that was not the last."""
    return f"Your yes counts. {missing} more {'is' if missing == 1 else 'are'} needed."
