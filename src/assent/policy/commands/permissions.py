"""Commands that change whose files are and who may use them: modes, owners, access lists, attributes."""

import re
from collections.abc import Iterator

from assent.expressions import later
from assent.policy.commands.spec import Finding, Invocation, Spec
from assent.policy.effects import Effect, care, danger
from assent.policy.emptying import is_many
from assent.policy.guarded import guarded
from assent.policy.paths import Target, locate
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

_OCTAL = later(r"[0-7]{1,5}")


def _target(it: Invocation, arg: Arg) -> Target:
    return locate(arg, it.setting, it.cwd)


def _shown(arg: Arg) -> str:
    return arg.text.replace(HOLE, "…")


def gives_away(mode: str) -> bool:
    """Whether the mode lets a program run as its owner or group."""
    if _OCTAL.fullmatch(mode):
        return bool(int(mode, 8) & 0o6000)
    return any(re.search(r"[+=][^,]*s", part) for part in mode.split(","))


def _opens_to_all(mode: str) -> bool:
    if _OCTAL.fullmatch(mode):
        return bool(int(mode, 8) & 0o002)
    return any(re.match(r"(?:[ug]*[oa][ugoa]*)[+=][^,]*w", part) for part in mode.split(","))


def _closes(mode: str) -> bool:
    """Whether only the owner may still read it."""
    if _OCTAL.fullmatch(mode):
        return not int(mode, 8) & 0o077 and bool(int(mode, 8) & 0o400)
    return all(re.fullmatch(r"(?:[go]+[-=][rwxX]*|u[+=]r?w?)", part) for part in mode.split(","))


def _locks_out(mode: str) -> bool:
    """Whether not even the owner may read what is in it."""
    if _OCTAL.fullmatch(mode):
        return not int(mode, 8) & 0o400
    return any(
        re.fullmatch(r"[goa]*[ua][ugoa]*(?:-[wxX]*r[rwxX]*|=[wxX]*)|-?[wxX]*r[rwxX]*", part) for part in mode.split(",")
    )


def _permits(it: Invocation) -> Iterator[Finding]:
    # ``chmod -x file``: what looks like an option is the mode.
    taken = [value.text for option, value in it.values if option in ("-r", "-w", "-x", "-X", "-s", "-t")]
    files = it.operands if taken or it.has("--reference") else it.operands[1:]
    mode = taken[0] if taken else it.operands[0].text if it.operands and not it.has("--reference") else ""
    if gives_away(mode):
        yield danger("privilege", "It makes a program that runs with another user's rights.", mode)
    if HOLE in mode:
        yield care("mode", "Which permissions it gives is known only when it runs.")
    for arg in files:
        yield _of_mode(it, arg, closes=_closes(mode), opens=_opens_to_all(mode))
        if _locks_out(mode):
            is_one = not it.has("-R", "--recursive") and not is_many(arg)
            yield (care if is_one else danger)("mode", "Its owner may not read it any more, nor may git.", _shown(arg))


def _of_mode(it: Invocation, arg: Arg, *, closes: bool = False, opens: bool = False) -> Effect:
    if (refusal := guarded("mode", arg, it.setting, it.cwd)) is not None:
        return refusal
    place = _target(it, arg).place
    recursive = it.has("-R", "--recursive")
    if place == "secret":
        if closes and not recursive:
            return care("mode", "It closes a file of secrets to others.", _shown(arg))
        return danger("mode", "It changes who may read secrets.", _shown(arg))
    if place == "whole" and _target(it, arg).path != it.setting.project:
        return danger("mode", "It changes permissions of a whole folder of yours or of the system.", _shown(arg))
    if place in ("project", "temp", "whole") and opens:
        return care("mode", "It lets all users write there.", _shown(arg))
    if place in ("project", "temp") or (place == "whole" and not recursive):
        return Effect("mode", Risk.CHANGE, "It changes permissions of files of the project.", _shown(arg))
    if place == "home" and recursive:
        return danger("mode", "It changes permissions of a whole folder outside the project.", _shown(arg))
    effect = it.path("mode", arg)
    return Effect("mode", effect.risk, "It changes permissions where they matter to others.", effect.target)


def _owns(it: Invocation) -> Iterator[Finding]:
    files = it.operands if it.has("--reference") else it.operands[1:]
    for arg in files:
        effect = _of_mode(it, arg)
        yield effect if effect.risk > Risk.CARE else care("mode", "It changes whose files these are.", _shown(arg))


def _accesses(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands:
        effect = _of_mode(it, arg)
        yield effect if effect.risk > Risk.CARE else care("mode", "It changes who may use these files.", _shown(arg))


def _marks(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands:
        if not arg.text.startswith(("+", "=")):
            effect = _of_mode(it, arg)
            yield effect if effect.risk > Risk.CARE else care("mode", "It changes attributes of files.", _shown(arg))


_OWNERS = (
    "-cfvhRHLP --changes --silent --quiet --verbose --dereference --no-dereference --from= --no-preserve-root"
    " --preserve-root --reference=names --recursive --help --version"
)

COMMANDS: dict[str, Spec] = {
    "chmod": Spec(
        "Changes permissions.",
        "-cfvRhrwxXst --changes --silent --quiet --verbose --no-preserve-root --preserve-root --reference=names"
        " --recursive --dereference --no-dereference --help --version",
        also=_permits,
    ),
    "chown": Spec("Changes owners.", _OWNERS, also=_owns),
    "chgrp": Spec("Changes groups.", _OWNERS, also=_owns),
    "setfacl": Spec(
        "Changes who may use files.",
        "-bknRLPd -m: -x: -M:read -X:read --modify= --remove= --modify-file=read --remove-file=read --set="
        " --set-file=read"
        " --remove-all --remove-default --recursive --mask --no-mask --default --restore=care --test --logical"
        " --physical",
        also=_accesses,
    ),
    "chattr": Spec("Changes attributes of files.", "* -p: -v:", also=_marks),
}
