"""What of a call's input decides what it does: by this, what ran is compared with what was judged.

The client adds to some inputs by itself: answers to questions, the plan that was shown, what a person changed in an
editor's view of an edit. That is left aside."""

import os
from collections.abc import Mapping
from typing import Any

from assent.policy.call import EDITS, SHELL_TOOLS
from assent.policy.risk_of import FOR_PEOPLE

_PATHS = frozenset({"file_path", "notebook_path", "path"})
_SHELL = ("command", "dangerouslyDisableSandbox")
# A hook that adds one of these changes what happens, though nothing of what was judged is gone.
_TELLING = frozenset({"command", "file_path", "notebook_path", "path", "url", "dangerouslyDisableSandbox"})


def differs(
    tool: str, judged: Mapping[str, Any], ran: Mapping[str, Any], *, response: Any = None, cwd: str = ""
) -> bool:
    """Whether the tool was called otherwise than it was judged."""
    if tool in FOR_PEOPLE:
        return False
    if tool in SHELL_TOOLS:
        return any(bool(judged.get(name)) != bool(ran.get(name)) or _is_other(judged, ran, name) for name in _SHELL)
    names = set(judged) | (_TELLING & set(ran))
    if tool in EDITS and isinstance(response, dict) and response.get("userModified"):
        names &= _PATHS
    return any(_is_other(judged, ran, name, cwd) for name in names)


def _is_other(judged: Mapping[str, Any], ran: Mapping[str, Any], name: str, cwd: str = "") -> bool:
    one, other = judged.get(name), ran.get(name)
    if one == other or (one in (None, False) and other in (None, False)):
        return False
    if name in _PATHS and isinstance(one, str) and isinstance(other, str):
        return _whole(one, cwd) != _whole(other, cwd)
    return True


def _whole(path: str, cwd: str) -> str:
    return os.path.normpath(os.path.join(cwd, os.path.expanduser(path)))  # noqa: PTH111, PTH118 - text, on every event
