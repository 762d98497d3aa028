"""The floor: what is denied whatever rules, stance or mode say.

It sees what the reading of the line sees: through quotes, variables, wrappers, ``sh -c``, functions, substitutions. A
command put together at run time, from files or another program's output, passes by it. It stops accidents and plain
orders, not deliberate evasion.
"""

# ruff: noqa: PTH118 - paths here are text that an agent wrote, handled on every event
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from msgspec import structs

from assent.paths import Paths
from assent.policy import reasons, world
from assent.policy.call import Call, Look, Opinion, Scene
from assent.policy.effects import Effect
from assent.policy.guarded import guarded
from assent.policy.own import CHANGES, FLOOR, TAKES_ALONG, of
from assent.policy.paths import DELETES_WHOLE
from assent.policy.shell import bombs
from assent.policy.shell.acts import Act, Ran
from assent.policy.shell.spelling import Setting, without_detours
from assent.policy.shell.streams import DOWNLOADED
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Deny, Prompt, Risk
from assent.protocol.events import Event
from assent.protocol.operations import CHANGES_FILES, Shell

_DISK = re.compile(
    r"/dev/(?:(?:sd|vd|hd|xvd)[a-z]|(?:nvme|mmcblk|dm-|md|loop|r?disk|nbd|zram|sg)\d|mapper/|disk/|block/)"
)
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "mksh", "yash", "tcsh", "csh"})
_PYTHON = re.compile(r"(?:python|pypy)[0-9.]*")
_INTERPRETER = re.compile(r"(?:python|pypy|perl|ruby|node|php|lua)[0-9.]*")
_DELETERS = frozenset({"rm", "srm", "grm", "wipe", "rimraf"})
_COPIERS = frozenset({"cp", "mv", "install"})
_FORMATTERS = frozenset({"mke2fs", "mkswap", "newfs", "shred", "blkdiscard", "tee"})
_NAMED = _SHELLS | _DELETERS | _COPIERS | _FORMATTERS | {"find", "dd", "wipefs", "sgdisk", "assent"}
# Longer than any of them.
_LONGEST_NAME = 80
_OWN_VERBS_FOR_AGENTS = frozenset({"--version", "status", "statusline"})
# The last name of a path that means all there is in it, hidden files included or not.
_ALL = re.compile(r"|\.|\*+|\.\*+|\.\[[^]]*\]\*|\.\?\?\*|\{[^}]*\*[^}]*\}\*?")
_FIND_SPARES_NOTHING = frozenset(
    {"-delete", "-depth", "-xdev", "-mount", "-mindepth", "1", "0", "-exec", "rm", "-rf", "-r", "-f", "{}", ";", "+"}
    | {"-type", "f", "d"}
)


class FloorBreach(NamedTuple):
    name: str
    why: str
    evidence: str


def find(acts: Iterable[Act], setting: Setting | None = None) -> FloorBreach | None:
    """The first command of the line that cannot be allowed. The setting knows what belongs to Assent."""
    return _first((act for top in acts for act in top.all()), setting)


def _first(every: Iterable[Act], setting: Setting | None) -> FloorBreach | None:
    for act in every:
        if (name_and_why := _in_act(act, setting)) is not None:
            return FloorBreach(*name_and_why, act.text)
    return None


def _of_line(look: Look) -> tuple[FloorBreach | None, bool]:
    """The first command that cannot be allowed, and whether all of the line could be read."""
    return _first(look.every, look.setting), True not in [act.unread for act in look.every]


@lru_cache(maxsize=512)
def _matters(name: str) -> bool:
    """Whether any of the tests is about a program of this name."""
    if name in _NAMED or name.startswith("mkfs"):
        return True
    return _PYTHON.fullmatch(name) is not None or _INTERPRETER.fullmatch(name) is not None


def _in_act(act: Act, setting: Setting | None) -> tuple[str, str] | None:
    for ran in act.runs:
        first = ran.args[0].text
        if HOLE not in first and not _matters(first.rpartition("/")[2][:_LONGEST_NAME]):
            continue
        command = _command(ran)
        for name, why, is_met in _TESTS:
            if is_met(command):
                return name, why
    for operator, target in act.redirects:
        if ">" in operator and _DISK.match(target.text):
            return _RAW_DISK
    for effect in act.effects:
        if effect.kind in _DESTROYS and (name_and_why := _destroyed(effect, act, setting)) is not None:
            return name_and_why
        if (named := _BY_EFFECT.get(effect.why)) is not None:
            return named, effect.why
        if effect.kind == "privilege" and _runs_the_network(act):
            return "download-to-root", "It runs what the network sends with all rights."
    return None


def _destroyed(effect: Effect, act: Act, setting: Setting | None) -> tuple[str, str] | None:
    """What is lost, whichever command or program does it. An effect that names nothing is about no folder."""
    if not effect.target:
        return None
    cwd = (act.runs[-1].cwd if act.runs else None) or ""
    path = expanded(effect.target, cwd)
    if setting is not None and "…" not in path and not path.startswith("/?"):
        harm = guarded(effect.kind, Arg(path), setting, cwd or None)
        if harm is not None and harm.why in FLOOR:
            return _EVERYTHING if _is_everything(effect.target, cwd) else ("own-files", harm.why)
    if not any(_INTERPRETER.fullmatch(ran.args[0].text.rpartition("/")[2]) for ran in act.runs):
        return None
    if effect.kind == "device" and _DISK.match(path):
        return _RAW_DISK
    return _EVERYTHING if effect.why == DELETES_WHOLE and _is_everything(effect.target, cwd) else None


class Command(NamedTuple):
    name: str
    arguments: tuple[str, ...]
    # "" where the folder is not known.
    cwd: str


def _command(ran: Ran) -> Command:
    """What is not known may be empty before the name and in it; behind it, it stays unknown."""
    words = [arg.text for arg in ran.args]
    while len(words) > 1 and not words[0].strip(HOLE):
        words.pop(0)
    name = words[0].replace(HOLE, "").rpartition("/")[2]
    return Command(name, tuple([word.replace(HOLE, "…") for word in words[1:]]), ran.cwd or "")


def expanded(path: str, cwd: str) -> str:
    """A path as the shell would see it, as far as its characters tell."""
    for written in ("${HOME}", "$HOME", "~"):
        if path == written or path.startswith(f"{written}/"):
            path = world.home() + path.removeprefix(written)
    # Where the folder is not known, nothing relative may look like root.
    whole = os.path.normpath(os.path.join(cwd or "/?", path.replace("${PWD}", cwd).replace("$PWD", cwd)))
    return without_detours(whole[1:] if whole.startswith("//") else whole, cwd or "/?")


def _deletes_everything(command: Command) -> bool:
    if command.name == "find":
        return _find_deletes_everything(command)
    if command.name not in _DELETERS:
        return False
    options, targets = _options_and_operands(command.arguments)
    is_recursive = any(
        option.startswith("--r") if option.startswith("--") else "r" in option.lower() for option in options
    )
    return (is_recursive or command.name == "rimraf") and any(_is_everything(target, command.cwd) for target in targets)


def _find_deletes_everything(command: Command) -> bool:
    """``find ~ -delete``, without a condition that would spare anything."""
    arguments = list(command.arguments)
    starts = []
    while arguments and not arguments[0].startswith(("-", "(", "!")):
        starts.append(arguments.pop(0))
    acts = "-delete" in arguments or ("-exec" in arguments and "rm" in arguments)
    return (
        acts
        and _FIND_SPARES_NOTHING.issuperset(arguments)
        and any(_is_everything(start, command.cwd) for start in starts or ["."])
    )


def _is_everything(target: str, cwd: str) -> bool:
    """Root, home, a folder around home, or all that lies directly in one of them."""
    names = target.split("/")
    while names and _ALL.fullmatch(names[-1]):
        names.pop()
    whole = expanded("/".join(names) or ("/" if target.startswith("/") else "."), cwd)
    return whole == "/" or f"{world.home()}/".startswith(f"{whole}/")


def _writes_disk(command: Command) -> bool:
    name, arguments = command.name, command.arguments
    if name == "dd":
        return any(argument.startswith("of=") and _DISK.match(argument[3:]) for argument in arguments)
    if name in _COPIERS:
        return bool(arguments) and bool(_DISK.match(arguments[-1]))
    if not any(_DISK.match(argument) for argument in arguments):
        return False
    if name == "wipefs":  # without one of these it only lists
        return any(re.match(r"--(?:all|offset)|-[a-z]*[ao]", argument) for argument in arguments)
    if name == "sgdisk":
        return any(argument in ("-Z", "-z", "-o", "--zap-all", "--zap", "--clear") for argument in arguments)
    return name.startswith("mkfs") or name in _FORMATTERS


def _runs_assent(command: Command) -> bool:
    rest = _after_assent(command)
    return rest is not None and (not rest or rest[0] not in _OWN_VERBS_FOR_AGENTS)


def _after_assent(command: Command) -> tuple[str, ...] | None:
    """What follows the word assent where this command runs Assent."""
    if command.name == "assent":
        return command.arguments
    arguments = command.arguments
    if _PYTHON.fullmatch(command.name) and "-m" in arguments[:-1]:
        module = arguments.index("-m") + 1
        return arguments[module + 1 :] if arguments[module].partition(".")[0] == "assent" else None
    if command.name in _SHELLS or _INTERPRETER.fullmatch(command.name):
        script = _first_operand(arguments)
        if script is not None and arguments[script].rpartition("/")[2] == "assent":
            return arguments[script + 1 :]
    return None


def _runs_the_network(act: Act) -> bool:
    """``curl … | sudo sh``, ``sudo sh -c "$(curl …)"``, ``sudo sh <(curl …)``, ``sudo sh -c 'curl … | sh'``."""
    for each in act.all():
        if any(effect.why == DOWNLOADED for effect in each.effects):
            return True
        if any(effect.kind == "fetch" for effect in _effects(each.children[: each.inside])) and any(
            effect.kind in ("run", "dynamic") and effect.risk is Risk.DANGER
            for effect in (*each.effects, *_effects(each.children[each.inside :]))
        ):
            return True
    return False


def _effects(acts: Iterable[Act]) -> Iterator[Effect]:
    return (effect for act in acts for each in act.all() for effect in each.effects)


def _options_and_operands(arguments: tuple[str, ...]) -> tuple[list[str], list[str]]:
    end = arguments.index("--") if "--" in arguments else len(arguments)
    options = [argument for argument in arguments[:end] if argument.startswith("-") and argument != "-"]
    operands = [argument for argument in arguments[:end] if not argument.startswith("-") or argument == "-"]
    return options, operands + list(arguments[end + 1 :])


def _first_operand(arguments: tuple[str, ...]) -> int | None:
    return next((place for place, a in enumerate(arguments) if a == "-" or not a.startswith("-")), None)


_Test = Callable[[Command], bool]
_EVERYTHING = ("delete-everything", "It deletes your home folder or the whole system.")
_RAW_DISK = ("raw-disk", "It writes to a disk past the file system.")
_TESTS: tuple[tuple[str, str, _Test], ...] = (
    (*_EVERYTHING, _deletes_everything),
    (*_RAW_DISK, _writes_disk),
    ("own-verbs", "Assent is operated by people, not by agents.", _runs_assent),
)
_DESTROYS = frozenset({"write", "delete", "mode", "device"})
# What the reading of the line has found already.
_BY_EFFECT = {bombs.WHY: "fork-bomb", CHANGES: "own-files", TAKES_ALONG: "own-files"}


class Floor:
    """``own`` is where Assent keeps its settings and its record."""

    def __init__(self, own: Paths) -> None:
        self._own = of(own)

    def speak(self, event: Event, scene: Scene) -> Opinion | None:
        call = Call.of(event, scene)
        if call is None:
            return None
        if isinstance(call.operation, Shell):
            return self._about_command(call, call.operation, scene)
        if isinstance(call.operation, CHANGES_FILES):
            setting = call.setting(self._owning(scene))
            for path in call.paths:
                harm = guarded("write", Arg(path), setting, setting.cwd)
                if harm is not None and harm.why in FLOOR:
                    return _denied("own-files", "Agents may not change Assent's own files.", path)
        return None

    def _about_command(self, call: Call, shell: Shell, scene: Scene) -> Opinion | None:
        if shell.command is None:
            return None if shell.may_follow else _unread("This call has no command that can be read.")
        scene = self._owning(scene)
        look = call.look(scene)
        refusal, is_read = look.fact("floor", lambda: _of_line(look))
        if refusal is not None:
            return _denied(refusal.name, refusal.why, refusal.evidence)
        if not is_read:
            return _unread("This command is longer, or nested more deeply, than can be judged, or cannot be read.")
        return None

    def _owning(self, scene: Scene) -> Scene:
        return scene if scene.own.kept else structs.replace(scene, own=self._own)


def _denied(name: str, why: str, evidence: str) -> Opinion:
    reason = f"{reasons.with_name(why, reasons.quoted(evidence, reasons.LONGEST_STEP))} Nothing can allow this."
    return Opinion(Deny(reason), f"floor:{name}", why, evidence[:200], risk=Risk.DANGER)


def _unread(why: str) -> Opinion:
    return Opinion(Prompt(f"{why} Please look at it yourself."), "floor:unread", why)
