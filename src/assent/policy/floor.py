"""The floor: what is denied whatever rules, stance or mode say.

It sees what the reading of the line sees: through quotes, variables, wrappers, ``sh -c``, functions, substitutions. A
command put together at run time, from files or another program's output, passes by it. It stops accidents and plain
orders, not somebody who hides.
"""

from dataclasses import replace

from assent.paths import Paths
from assent.policy import floor_commands
from assent.policy.call import EDITS, SHELL_TOOLS, Call
from assent.policy.guarded import guarded
from assent.policy.own import FLOOR, of
from assent.policy.voice import Opinion, Scene
from assent.policy.words import Arg
from assent.protocol.decision import Deny, Prompt
from assent.protocol.events import Event
from assent.protocol.risk import Risk


class Floor:
    """``own`` is where Assent keeps its settings and its record."""

    def __init__(self, own: Paths) -> None:
        self._own = of(own)

    def speak(self, event: Event, scene: Scene) -> Opinion | None:
        call = Call.of(event)
        if call is None:
            return None
        if call.tool in SHELL_TOOLS:
            return self._about_command(call, scene)
        if call.tool in EDITS and call.path is not None:
            setting = call.setting(self._owning(scene))
            found = guarded("write", Arg(call.path), setting, setting.cwd)
            if found is not None and found.why in FLOOR:
                return _denied("own-files", "Agents may not change Assent's own files.", call.path)
        return None

    def _about_command(self, call: Call, scene: Scene) -> Opinion | None:
        if call.command is None:
            return _unread("This call has no command that can be read.") if call.tool == "Bash" else None
        scene = self._owning(scene)
        acts, setting = call.seen(scene)
        found = floor_commands.find(acts, setting)
        if found is not None:
            return _denied(found.name, found.why, found.evidence)
        if any(each.unread for act in acts for each in act.all()):
            return _unread("This command is longer, or nested more deeply, than can be judged, or cannot be read.")
        return None

    def _owning(self, scene: Scene) -> Scene:
        return scene if scene.own.kept else replace(scene, own=self._own)


def _denied(name: str, why: str, evidence: str) -> Opinion:
    return Opinion(Deny(f"{why} Nothing can allow this."), f"floor:{name}", why, evidence[:200], risk=Risk.DANGER)


def _unread(why: str) -> Opinion:
    return Opinion(Prompt(f"{why} Please look at it yourself."), "floor:unread", why)
