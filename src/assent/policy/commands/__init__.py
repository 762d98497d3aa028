"""What Assent knows about commands, one family a file.

A file that is taken away takes its knowledge with it: its commands are then unknown, and unknown is Care."""

import importlib
import pkgutil
import re
from functools import lru_cache

from assent.policy.commands.spec import Spec
from assent.policy.effects import Effect, care, danger
from assent.policy.shell.words import Arg

_VERSIONED = re.compile(
    r"(python|pypy|ruby|perl|php|lua|node|nodejs|tclsh|guile|pip|gcc|g\+\+|clang|clang\+\+|ksh)-?\d+(?:\.\d+)*"
)
# Other names of what is known: the GNU tools on a Mac, one program for each file system, programs of Windows.
_OTHERWISE = (
    _VERSIONED,
    re.compile(
        r"g(rm|mv|cp|dd|ln|ls|cat|head|tail|sort|cut|tr|wc|du|df|stat|date|timeout|xargs|env|nice|stdbuf|readlink|realpath"
        r"|chmod|chown|chgrp|chroot|rmdir|mkdir|mktemp|truncate|shred|touch|tee|split|csplit|seq|echo|printf|base64|install"
        r"|unlink|link|od|paste|join|uniq|nohup|kill|who|id|sha\d+sum|md5sum)"
    ),
    re.compile(r"(mkfs|fsck|newfs|docker-credential|git-credential)[._-][\w-]+"),
    re.compile(r"(.+)\.exe"),
)
# Words that mean destruction in any tool.
_RUINS = frozenset({"delete", "destroy", "purge", "drop", "wipe", "terminate", "nuke", "erase", "shred"})
# Longer names are not worth remembering.
_LONGEST_NAME = 80
_NOT_FAMILIES = frozenset({"spec"})


@lru_cache(maxsize=1)
def known() -> dict[str, Spec]:
    """Every command by its name. Each family module has a table ``COMMANDS``."""
    commands: dict[str, Spec] = {}
    for module in pkgutil.iter_modules(__path__):
        if module.name in _NOT_FAMILIES or module.name.startswith("_"):
            continue
        family: dict[str, Spec] = importlib.import_module(f"{__name__}.{module.name}").COMMANDS
        twice = commands.keys() & family.keys()
        if twice:
            raise ValueError(f"{module.name} knows again what another family knows: {', '.join(sorted(twice))}")
        commands |= family
    # It registers what is looked for on the disk, whatever the tables say, and needs them itself.
    importlib.import_module("assent.policy.brings")
    return commands


def find(name: str) -> Spec | None:
    """By its name, or by a name like it: ``python3.12``, ``clang-17``, ``grm``, ``mkfs.ext4``."""
    spec = known().get(name)
    if spec is not None:
        return spec
    return _alike(name) if len(name) <= _LONGEST_NAME else _alike.__wrapped__(name)


@lru_cache(maxsize=512)
def _alike(name: str) -> Spec | None:
    for pattern in _OTHERWISE:
        if (match := pattern.fullmatch(name)) and (spec := known().get(match[1])) is not None:
            return spec
    return None


def unknown(name: str, args: tuple[Arg, ...]) -> Effect:
    """Effect of an unknown command: it may do anything; destructive words in its arguments make it Danger."""
    words = [arg.text for arg in args if not arg.text.startswith("-")]
    if any(word.lower().split("-")[0].split(":")[-1] in _RUINS for word in words[:3]):
        return danger(
            "unknown", f"Assent does not know the command {name[:60]}, and it is told to take something away."
        )
    return care("unknown", f"Assent does not know the command {name[:60]}.")
