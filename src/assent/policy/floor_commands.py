"""The commands no agent may run: a table of tests, each with its reason."""

# ruff: noqa: PTH118 - paths here are text that an agent wrote, handled on every event

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from assent.policy import world
from assent.policy.unwrap import SHELLS, Command, Reading

_DISK = re.compile(
    r"/dev/(?:(?:sd|vd|hd|xvd)[a-z]|(?:nvme|mmcblk|dm-|md|loop|r?disk|nbd|zram|sg)\d|mapper/|disk/|block/)"
)
_PYTHON = re.compile(r"(?:python|pypy)[0-9.]*")
_INTERPRETER = re.compile(r"(?:python|pypy|perl|ruby|node|php|lua)[0-9.]*")
_DOWNLOADERS = frozenset({"curl", "wget", "wget2", "fetch", "aria2c", "http", "https", "xh", "curlie", "lynx"})
_OWN_VERBS_FOR_AGENTS = frozenset({"--version", "status", "statusline"})
# The last name of a path that means all there is in it, hidden files included or not.
_ALL = re.compile(r"|\.|\*+|\.\*+|\.\[[^]]*\]\*|\.\?\?\*|\{[^}]*\*[^}]*\}\*?")
_BODY = re.compile(r"\(\s{0,9}\)\s{0,9}\{([^}]{0,200})\}")
_FUNCTION = re.compile(r"\bfunction\s{1,9}([^\s(){};|&]{1,64})\s{0,9}\{([^}]{0,200})\}")
_BACKGROUND = re.compile(r"(?<!&)&(?![&>])")
_FIND_SPARES_NOTHING = frozenset(
    {"-delete", "-depth", "-xdev", "-mount", "-mindepth", "1", "0", "-exec", "rm", "-rf", "-r", "-f", "{}", ";", "+"}
    | {"-type", "f", "d"}
)


class Found(NamedTuple):
    name: str
    why: str
    evidence: str


def find(reading: Reading, cwd: str) -> Found | None:
    """The first command of the line that nobody may allow."""
    here = cwd
    for place, command in enumerate(reading.commands):
        for name, why, is_met in _TESTS:
            if is_met(command, here):
                return Found(name, why, command.texts[-1])
        if _feeds_privileged_shell(reading.commands, place):
            return Found("download-to-root", "It runs what the network sends with all rights.", reading.line.text)
        if command.name in ("cd", "pushd"):
            here = expanded(next((a for a in command.arguments if a == "-" or a[:1] != "-"), "~"), here)
    if _is_fork_bomb(reading):
        return Found("fork-bomb", "It starts copies of itself until the machine stops.", reading.line.text)
    return None


def expanded(path: str, cwd: str) -> str:
    """A path as the shell would see it, as far as its characters tell."""
    for written in ("${HOME}", "$HOME", "~"):
        if path == written or path.startswith(f"{written}/"):
            path = world.home() + path.removeprefix(written)
    # Where the folder is not known, nothing relative may look like root.
    whole = os.path.normpath(os.path.join(cwd or "/?", path.replace("${PWD}", cwd).replace("$PWD", cwd)))
    return whole[1:] if whole.startswith("//") else whole


def _deletes_everything(command: Command, cwd: str) -> bool:
    if command.name == "find":
        return _find_deletes_everything(command, cwd)
    if command.name not in ("rm", "srm", "grm", "wipe", "rimraf"):
        return False
    options, targets = _options_and_operands(command.arguments)
    is_recursive = any(
        option.startswith("--r") if option.startswith("--") else "r" in option.lower() for option in options
    )
    return (is_recursive or command.name == "rimraf") and any(_is_everything(target, cwd) for target in targets)


def _find_deletes_everything(command: Command, cwd: str) -> bool:
    """``find ~ -delete``, without a condition that would spare anything."""
    arguments = list(command.arguments)
    starts = []
    while arguments and not arguments[0].startswith(("-", "(", "!")):
        starts.append(arguments.pop(0))
    acts = "-delete" in arguments or ("-exec" in arguments and "rm" in arguments)
    return acts and _FIND_SPARES_NOTHING.issuperset(arguments) and any(_is_everything(s, cwd) for s in starts or ["."])


def _is_everything(target: str, cwd: str) -> bool:
    """Root, home, a folder around home, or all that lies directly in one of them."""
    names = target.split("/")
    while names and _ALL.fullmatch(names[-1]):
        names.pop()
    whole = expanded("/".join(names) or ("/" if target.startswith("/") else "."), cwd)
    return whole == "/" or f"{world.home()}/".startswith(f"{whole}/")


def _writes_disk(command: Command, _cwd: str) -> bool:
    if any(">" in redirect.operator and _DISK.match(redirect.target.value) for redirect in command.redirects):
        return True
    name, arguments = command.name, command.arguments
    if name == "dd":
        return any(argument.startswith("of=") and _DISK.match(argument[3:]) for argument in arguments)
    if name in ("cp", "mv", "install"):
        return bool(arguments) and bool(_DISK.match(arguments[-1]))
    if not any(_DISK.match(argument) for argument in arguments):
        return False
    if name == "wipefs":  # without one of these it only lists
        return any(re.match(r"--(?:all|offset)|-[a-z]*[ao]", argument) for argument in arguments)
    if name == "sgdisk":
        return any(argument in ("-Z", "-z", "-o", "--zap-all", "--zap", "--clear") for argument in arguments)
    return name.startswith("mkfs") or name in ("mke2fs", "mkswap", "newfs", "shred", "blkdiscard", "tee")


def _runs_assent(command: Command, _cwd: str) -> bool:
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
    if command.name in SHELLS or _INTERPRETER.fullmatch(command.name):
        script = _first_operand(arguments)
        if script is not None and arguments[script].rpartition("/")[2] == "assent":
            return arguments[script + 1 :]
    return None


def _feeds_privileged_shell(commands: tuple[Command, ...], place: int) -> bool:
    shell = commands[place]
    if not shell.privileged or not (shell.name in SHELLS or _INTERPRETER.fullmatch(shell.name)):
        return False
    # sudo bash -c "$(curl …)" and sudo bash <(curl …)
    if shell.is_dynamic and any(command.name in _DOWNLOADERS for command in commands):
        return True
    script = _first_operand(shell.arguments)
    if script is not None and shell.arguments[script] != "-" and "-s" not in shell.arguments[:script]:
        return False  # it runs a program of its own, and only reads what was sent
    return any(c.name in _DOWNLOADERS for c in commands[:place] if c.pipeline == shell.pipeline)


def _is_fork_bomb(reading: Reading) -> bool:
    """A function, or a script, that calls itself and does not wait."""
    text = reading.line.text
    if "&" not in text:
        return False
    # Counted as commands, so that a bomb quoted in a message is only text.
    bare = Counter(command.words[0] for command in reading.commands if len(command.words) == 1)
    if any(count >= 2 for name, count in bare.items() if name.rpartition("/")[2] == "$0"):
        return True
    for name, body in _functions(text):
        calls = [call.strip() for call in re.split(r"[|&;\n]", body)]
        if bare[name] >= 2 and name in calls and _BACKGROUND.search(body):
            return True
    return False


def _functions(text: str) -> Iterator[tuple[str, str]]:
    """Name and body of each function that is defined in one line."""
    for found in _BODY.finditer(text):
        before = text[max(0, found.start() - 80) : found.start()].split()
        if before:
            yield re.split(r"[;&|'\"]", before[-1])[-1], found[1]
    for found in _FUNCTION.finditer(text):
        yield found[1], found[2]


def _options_and_operands(arguments: tuple[str, ...]) -> tuple[list[str], list[str]]:
    end = arguments.index("--") if "--" in arguments else len(arguments)
    options = [argument for argument in arguments[:end] if argument.startswith("-") and argument != "-"]
    operands = [argument for argument in arguments[:end] if not argument.startswith("-") or argument == "-"]
    return options, operands + list(arguments[end + 1 :])


def _first_operand(arguments: tuple[str, ...]) -> int | None:
    return next((place for place, a in enumerate(arguments) if a == "-" or not a.startswith("-")), None)


_Test = Callable[[Command, str], bool]
_TESTS: tuple[tuple[str, str, _Test], ...] = (
    ("delete-everything", "It deletes your home folder or the whole system.", _deletes_everything),
    ("raw-disk", "It writes to a disk past the file system.", _writes_disk),
    ("own-verbs", "Assent is operated by people, not by agents.", _runs_assent),
)
