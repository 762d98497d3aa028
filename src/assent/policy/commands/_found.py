"""The expression of find: which names each of its actions gets, and what the actions do with them."""

# ruff: noqa: PTH118 - paths here are text that an agent wrote

import itertools
import os
from collections.abc import Iterator

from assent.policy.commands.spec import Finding, Invocation, Run
from assent.policy.effects import Effect, care, danger
from assent.policy.paths import locate
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Tests and settings: they look at names, dates, owners, and decide whether to go on.
_ALONE = _words(
    "-daystart -depth -d -follow -help --help -ignore_readdir_race -noignore_readdir_race -mount -noleaf -nowarn -warn"
    " -version --version -xdev -xautofs -empty -executable -false -true -nogroup -nouser -readable -writable -print"
    " -print0"
    " -ls -prune -quit -acl -xattr -nowarn"
)
_WITH_VALUE = _words(
    "-amin -anewer -atime -Bmin -Bnewer -Btime -cmin -cnewer -ctime -context -flags -fstype -gid -group -ilname -inum"
    " -iregex -links -lname -maxdepth -mindepth -mmin -mnewer -mtime -newer -perm -printf -regex -regextype"
    " -samefile -size"
    " -type -uid -used -user -xattrname -xtype"
)
_NAMES = _words("-name -iname")
_PATHS = _words("-path -ipath -wholename -iwholename")
_RUNS = _words("-exec -execdir -ok -okdir")
_WRITES = _words("-fprint -fprint0 -fls")
_BEFORE = _words("-H -L -P -E -X -s -x -d")
_EVERYTHING = ("",)

MOST_FOLDERS = 20
MOST_NAMES = 16
MOST_FINDINGS = 100

# What may be found: each a path behind the folder, "" for everything in it.
Names = tuple[str, ...]


class Expression:
    """Walks the words once. Being true for fewer names than thought is fine; for more is not."""

    def __init__(self, it: Invocation) -> None:
        self.it = it
        self.words = list(it.handed_on)
        self.at = 0
        self.made: list[Finding] = []
        self.folders = self._folders()
        self.itself = False
        # Only what is empty comes so far.
        self.empty = False

    def findings(self) -> Iterator[Finding]:
        if any(word.splits for word in self.words) or any(HOLE in word.text[:1] for word in self.words[self.at :]):
            yield care("dynamic", "A word of find is known only when it runs, and could delete or run something.")
        self.itself = self._only_the_start()
        while self.at < len(self.words) and len(self.made) < MOST_FINDINGS:
            self._any_of(_EVERYTHING)
            # A closing parenthesis too many.
            self.at += 1
        if len(self.made) >= MOST_FINDINGS:
            yield danger("dynamic", "It does more than can be looked through.")
        yield from self.made

    def _folders(self) -> list[Arg]:
        while self.at < len(self.words):
            text = self.words[self.at].text
            if text in _BEFORE or text.startswith("-O"):
                self.at += 1
            elif text in ("-D", "-f"):
                self.at += 2
            else:
                break
        start = self.at
        while self.at < len(self.words) and not self.words[self.at].text.startswith(("-", "(", "!", ",")):
            self.at += 1
        folders = self.words[start : self.at]
        if any(word.text in ("-files0-from", "-f") for word in self.words):
            folders = [*folders, Arg(HOLE)]
        if len(folders) > MOST_FOLDERS:
            return [*folders[:MOST_FOLDERS], Arg(HOLE)]
        return folders or [Arg(".")]

    def _only_the_start(self) -> bool:
        texts = [word.text for word in self.words]
        return ("-maxdepth", "0") in itertools.pairwise(texts)

    # --- the expression: each part takes names and leaves those it may be true for

    def _any_of(self, names: Names) -> Names:
        names_left: list[str] = list(self._all_of(names))
        while self.at < len(self.words) and self.words[self.at].text in ("-o", "-or", ","):
            comma = self.words[self.at].text == ","
            self.at += 1
            right = self._all_of(names)
            if comma:
                names_left.clear()
            names_left += right
        return _EVERYTHING if "" in names_left or len(names_left) > MOST_NAMES else tuple(dict.fromkeys(names_left))

    def _all_of(self, names: Names) -> Names:
        before = self.empty
        while self.at < len(self.words) and self.words[self.at].text not in ("-o", "-or", ",", ")"):
            names = self._one(names)
        self.empty = before
        return names

    def _one(self, names: Names) -> Names:
        word = self.words[self.at]
        text = word.text
        self.at += 1
        if text in ("-a", "-and"):
            return names
        if text in ("!", "-not"):
            before = self.empty
            if self.at < len(self.words):
                self._one(names)
            self.empty = before
            return names
        if text == "(":
            inner = self._any_of(names)
            self.at += 1
            return inner
        if text in _NAMES:
            return self._narrowed(names, f"**/{self._value().text}")
        if text in _PATHS:
            return self._narrowed(names, self._value().text)
        if text in _ALONE:
            self.empty |= text == "-empty"
            return names
        if text in _WITH_VALUE or text.startswith("-newer"):
            self._value()
            return names
        self._action(text, names)
        return names

    def _narrowed(self, names: Names, pattern: str) -> Names:
        return (pattern,) if names == _EVERYTHING and HOLE not in pattern else names

    def _value(self) -> Arg:
        self.at += 1
        return self.words[self.at - 1] if self.at <= len(self.words) else Arg("")

    # --- what it does with what it finds

    def _action(self, text: str, names: Names) -> None:
        if len(self.made) >= MOST_FINDINGS:
            return
        if text == "-delete":
            for arg in self.paths(names):
                self.made.append(self._deleted(arg))
        elif text in _WRITES:
            self.made.append(self.it.path("write", self._value()))
        elif text == "-fprintf":
            self.made.append(self.it.path("write", self._value()))
            self._value()
        elif text in _RUNS:
            self._started(names, inside=text in ("-execdir", "-okdir"))
        elif HOLE not in text:
            self.made.append(care("unknown", f"Assent does not know {text} of find."))

    def _deleted(self, arg: Arg) -> Effect:
        effect = self.it.path("delete", arg, recursive=True)
        target = locate(arg, self.it.setting, self.it.cwd)
        is_near = f"{target.path}/".startswith(f"{self.it.setting.project}/") or target.place == "temp"
        if self.empty and is_near and effect.kind == "delete" and target.place in ("project", "whole", "temp"):
            return Effect("delete", Risk.CHANGE, "It deletes files and folders that are empty.", effect.target)
        return effect

    def _started(self, names: Names, *, inside: bool) -> None:
        start = self.at
        while self.at < len(self.words) and self.words[self.at].text != ";":
            if self.words[self.at].text == "+" and self.at > start and self.words[self.at - 1].text == "{}":
                break
            self.at += 1
        args = self.words[start : self.at]
        self.at += 1
        if not args:
            self.made.append(care("unknown", "find would run a command that is not there."))
            return
        for path in map(self._whole, self.paths(names)) if inside else self.paths(names):
            # In the folder of each file the command sees other files by the same names.
            self.made.append(Run(args=tuple(_filled(arg, path) for arg in args), cwd=Arg(HOLE) if inside else None))

    def _whole(self, path: Arg) -> Arg:
        return Arg(os.path.join(self.it.cwd or HOLE, path.text), path.glob)

    def paths(self, names: Names) -> Iterator[Arg]:
        """Patterns that fit everything that may be found."""
        for folder in self.folders:
            stem = folder.text.rstrip("/") or ("/" if folder.text else ".")
            for name in names:
                if self.itself:
                    yield Arg(folder.text, folder.glob)
                elif not name:
                    yield Arg(f"{stem.rstrip('/')}/**", glob=True)
                elif name.startswith(f"{stem}/"):
                    yield Arg(name, glob=True)
                elif name.startswith("**/"):
                    yield Arg(f"{stem.rstrip('/')}/{name}", glob=True)
                elif name.startswith("*"):
                    yield Arg(f"{stem.rstrip('/')}/**{name.lstrip('*')}", glob=True)
                else:
                    yield Arg(f"{stem.rstrip('/')}/**", glob=True)


def _filled(arg: Arg, path: Arg) -> Arg:
    if arg.text == "{}":
        return path
    # A name inside a text that is perhaps a program: what is in the name would run.
    return Arg(arg.text.replace("{}", HOLE), arg.glob, arg.splits) if "{}" in arg.text else arg
