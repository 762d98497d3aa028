"""Script files that a line runs: their text, the language it is in, and what binds an answer to it."""

# ruff: noqa: PTH120 - paths here are text that an agent wrote
import hashlib
import os
import re
import shlex
from collections.abc import Iterable

from msgspec import Struct

from assent.policy import world
from assent.policy.shell.words import Arg


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_DEAF = _set(
    "ls uptime df free ps whoami hostname date systemctl journalctl service echo printf test [ stat du who w id uname"
    " rm mkdir touch cp mv ln chmod chown reboot true false : cd pwd export set exit sleep kill pkill pgrep which"
    " command type lsof ss netstat ip ping nvidia-smi supervisorctl pm2 apt apt-get yum dnf snap sudo nohup"
)
_DEAF_VERBS = re.compile(
    r"(?:docker|podman)(?: compose)? (?:ps|logs|restart|stop|start|inspect|images|stats|pull|rm|rmi|up|down|info)\b"
    r"|docker-compose \w+|git (?:pull|fetch|log|status|checkout|reset|rev-parse|diff|show|clone|switch)\b"
    r"|kubectl (?:get|logs|describe)\b"
)
# They read what is named, and what flows in only where nothing is.
_READERS = _set("cat head tail wc less sha256sum md5sum")
_SEARCHERS = _set("grep egrep sed awk")


def takes_input(commands: Iterable[tuple[Arg, ...]]) -> bool:
    """Whether one of these may do something with what flows in."""
    return any(not _is_deaf(args) for args in commands)


def _is_deaf(args: tuple[Arg, ...]) -> bool:
    name = args[0].text.rpartition("/")[2]
    words = [arg.text for arg in args[1:]]
    if name in _DEAF or _DEAF_VERBS.match(" ".join((name, *words[:2]))):
        return True
    operands = [word for word in words if not word.startswith("-")]
    if "-" in words:
        return False
    return (name in _READERS and bool(operands)) or (name in _SEARCHERS and len(operands) > 1)


LARGEST = 256 * 1024
# A script may run another, and that another.
DEEPEST = 3
MOST_TEXT = 512 * 1024

_SHEBANG = re.compile(r"#!\s*(?:\S*/)?(?:env\s+(?:-S\s+)?)?([A-Za-z]+)")
_LANGUAGES = {
    **dict.fromkeys(("sh", "bash", "dash", "ksh", "zsh", "ash"), "sh"),
    **dict.fromkeys(("python", "pypy"), "python"),
    **dict.fromkeys(("node", "nodejs", "deno", "bun", "tsx"), "javascript"),
    **{name: name for name in ("perl", "ruby", "php", "lua")},
}
_ITSELF = r"\$(?:0|\{0\}|BASH_SOURCE|\{BASH_SOURCE(?:\[0\])?\}|\{BASH_SOURCE\[0\]:-\$0\}|\{\(%\):-%x\})"
_PATH = rf"(?:\$\((?:readlink\s+-f|realpath)\s+(?:--\s+)?\"?{_ITSELF}\"?\s*\)|{_ITSELF})"
_FOLDER = rf"(?:\$\(dirname\s+(?:--\s+)?\"?{_PATH}\"?\s*\)|\$\{{(?:0|BASH_SOURCE(?:\[0\])?)%/\*\}})"
_QUIET = r"(?:\s*(?:&|1|2)?>\s*(?:/dev/null|&1|&2))*"
# ``$(cd "$(dirname "$0")/.." && pwd)``: where a script lies, as scripts find it out.
_FOUND_OUT = re.compile(
    rf"\$\(\s*(?:unset CDPATH;\s*)?cd\s+(?:-P\s+)?(?:--\s+)?\"?{_FOLDER}\"?((?:/[\w.-]+)*)/?\"?{_QUIET}"
    rf"\s*&&\s*pwd(?:\s+-P)?{_QUIET}\s*\)"
)
_LIES_IN = re.compile(_FOLDER)
_IS = re.compile(_PATH)


class Script(Struct, frozen=True):
    """A file that is run: how people know it, and what an answer is bound to."""

    name: str
    state: str


class ReadScript(Struct, frozen=True):
    # None where it cannot be read.
    text: str | None
    state: str
    # Why it cannot be read, as the end of a sentence; "" where it was, or where nothing is there.
    why: str = ""


def look(path: str) -> ReadScript:
    """The script as it is now. Links are followed; only regular files are opened."""
    real = world.real(path)
    text = world.read_small(real, LARGEST)
    if text is not None and "\0" not in text:
        return ReadScript(text, f"sha256 {hashlib.sha256(text.encode()).hexdigest()[:16]}")
    stamp = world.stamp(real)
    if stamp is None:
        return ReadScript(None, "not there yet")
    return ReadScript(None, f"not read, version {stamp}", "it is not a text of up to 256 KiB")


def language(text: str) -> str:
    """Of a file that is started by its name: by its first line; a shell takes it where that says nothing."""
    if not text.startswith("#!"):
        return "sh"
    match = _SHEBANG.match(text)
    return _LANGUAGES.get(match[1], "") if match else ""


def resolved(text: str, path: str) -> str:
    """A shell script with the folder and the name it finds out about itself written out."""
    folder = os.path.dirname(path)
    if shlex.quote(path) != path or "$" not in text:
        return text
    text = _FOUND_OUT.sub(lambda match: os.path.normpath(folder + match[1]), text)
    text = _LIES_IN.sub(folder, text)
    return _IS.sub(path, text)
