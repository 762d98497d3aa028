"""Script files that a line runs: their text, the language it is in, and what binds an answer to it."""

# ruff: noqa: PTH120 - paths here are text that an agent wrote

import hashlib
import os
import re
import shlex

from msgspec import Struct

from assent.policy import world

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


class Found(Struct, frozen=True):
    # None where it cannot be read.
    text: str | None
    state: str
    # Why it cannot be read, as the end of a sentence; "" where it was, or where nothing is there.
    why: str = ""


def look(path: str) -> Found:
    """The script as it is now. Links are followed; only regular files are opened."""
    real = world.real(path)
    text = world.read_small(real, LARGEST)
    if text is not None and "\0" not in text:
        return Found(text, f"sha256 {hashlib.sha256(text.encode()).hexdigest()[:16]}")
    stamp = world.stamp(real)
    if stamp is None:
        return Found(None, "not there yet")
    return Found(None, f"not read, version {stamp}", "it is not a text of up to 256 KiB")


def language(text: str) -> str:
    """Of a file that is started by its name: by its first line; a shell takes it where that says nothing."""
    if not text.startswith("#!"):
        return "sh"
    found = _SHEBANG.match(text)
    return _LANGUAGES.get(found[1], "") if found else ""


def resolved(text: str, path: str) -> str:
    """A shell script with the folder and the name it finds out about itself written out."""
    folder = os.path.dirname(path)
    if shlex.quote(path) != path or "$" not in text:
        return text
    text = _FOUND_OUT.sub(lambda match: os.path.normpath(folder + match[1]), text)
    text = _LIES_IN.sub(folder, text)
    return _IS.sub(path, text)
