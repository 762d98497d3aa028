"""Files whose names a line does not tell, put into a folder: what unpacking and copying a whole folder share."""

from assent.policy.commands.spec import Invocation
from assent.policy.effects import Effect, care, danger
from assent.policy.guarded import guarded
from assent.policy.places import locate
from assent.policy.words import HOLE, Arg


def pours(it: Invocation, folder: Arg) -> Effect:
    """They land in this folder, over those that are there."""
    if (found := guarded("write", folder, it.setting, it.cwd, recursive=True)) is not None:
        return found
    target = locate(folder, it.setting, it.cwd)
    shown = folder.text.replace(HOLE, "…")
    if target.place == "whole" and target.path != it.setting.project:
        return danger("write", "It writes files over a whole folder of yours or of the system.", shown)
    if target.place in ("project", "whole"):
        return care("write", "It writes files into the project, over those that are there.", shown)
    return it.path("write", folder)
