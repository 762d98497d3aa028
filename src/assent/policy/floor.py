"""The floor: what is denied whatever rules, stance or mode say.

It sees what the reading of the line sees: through quotes, variables, wrappers, ``sh -c``, functions, substitutions. A
command put together at run time, from files or another program's output, passes by it. It stops accidents and plain
orders, not somebody who hides.
"""

from dataclasses import replace

from assent.paths import Paths
from assent.policy import floor_commands, world
from assent.policy.call import EDITS, SHELL_TOOLS, Call
from assent.policy.voice import Opinion, Scene
from assent.protocol.decision import Deny, Prompt
from assent.protocol.events import Event
from assent.protocol.risk import Risk


class Floor:
    """``own`` is where Assent keeps its settings and its record."""

    def __init__(self, own: Paths) -> None:
        self._own = tuple({str(folder) for folder in (own.config_dir, own.state)})
        self._real_own = tuple({world.real(folder) for folder in self._own})

    def speak(self, event: Event, scene: Scene) -> Opinion | None:
        call = Call.of(event)
        if call is None:
            return None
        if call.tool in SHELL_TOOLS:
            return self._about_command(call, scene)
        named = (call.path, call.real_path) if call.tool in EDITS else ()
        if any(path is not None and self._is_own(path) for path in named):
            return _denied("own-files", "Agents may not change Assent's own files.", str(call.path))
        return None

    def _about_command(self, call: Call, scene: Scene) -> Opinion | None:
        if call.command is None:
            return _unread("This call has no command that can be read.") if call.tool == "Bash" else None
        own = (*self._own, *self._real_own)
        acts = call.acts(scene if scene.own else replace(scene, own=own))
        found = floor_commands.find(acts, own)
        if found is not None:
            return _denied(found.name, found.why, found.evidence)
        if any(each.unread for act in acts for each in act.all()):
            return _unread("This command is longer, or nested more deeply, than can be judged, or cannot be read.")
        return None

    def _is_own(self, path: str) -> bool:
        return any(path == own or path.startswith(f"{own}/") for own in (*self._own, *self._real_own))


def _denied(name: str, why: str, evidence: str) -> Opinion:
    return Opinion(Deny(f"{why} Nothing can allow this."), f"floor:{name}", why, evidence[:200], risk=Risk.DANGER)


def _unread(why: str) -> Opinion:
    return Opinion(Prompt(f"{why} Please look at it yourself."), "floor:unread", why)
