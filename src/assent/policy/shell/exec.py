"""Commands that start others: lines, words, files, and what comes in, as programs."""

import itertools
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator

from msgspec import Struct, structs

from assent.policy import bombs, inline, limits, numbers, scripts
from assent.policy.commands.spec import Code, Decides, Finding, Flows, Run, RunsFile, RunsInput, SendsInput, Takes
from assent.policy.effects import TOO_LONG, Effect, care, danger
from assent.policy.guarded import in_program
from assent.policy.own import Line
from assent.policy.places import locate
from assent.policy.scope import Scope
from assent.policy.scripts import Script as Script
from assent.policy.spelling import Setting
from assent.policy.streams import LOADS_SECRETS, NOTHING, UNKNOWN, Stream
from assent.policy.syntax import UnreadableError, read, readable_before
from assent.policy.tree import Command, Function
from assent.policy.tree import Script as Tree
from assent.policy.words import HOLE, Arg, joined
from assent.protocol.risk import Risk

DEEPEST = 16
MOST_ITEMS = 50
# So far behind an unknown command another one is looked for.
MOST_PLACES = 6
DOWNLOADED = "It runs what it downloads, unseen."
# Of lines inside of lines, all together.
MOST_TEXT = 80_000


# Names that are commands wherever they stand; ``init`` and ``format`` may be anybody's words.
_UNMISTAKABLE = re.compile(
    r"(?:.*/)?(?:rm|sudo|doas|su|(?:ba|z|da|k|fi)?sh|git|dd|mkfs\S*|shred|curl|wget|nc|ncat|socat|ssh|scp|rsync|cat|cp|mv|tee"
    r"|chmod|chown|find|xargs|env|eval|exec|kubectl|docker|terraform|aws|gcloud|(?:python|perl|ruby|node|php)[\d.]*)"
)
_RUNNING = re.compile(
    r"--?(?:c|e|x|r|run|exec\w*|command|cmd|call|eval|shell|sh|on-\w+|[\w-]*(?:-hook|-cmd|-command|-exec))"
)


# One word that is the name of a program.
_BARE = re.compile(r"\s*[\w./+-]+\s*")
# What is not known about a program that only shows something.
_LOOKING = frozenset({"nothing", "read", "query", "dynamic"})


class TooMuchError(Exception):
    """The line does more than anybody looks through."""


class Ran(Struct, frozen=True):
    """The words a command comes to, and the folder it runs in; None where that is not known."""

    args: tuple[Arg, ...]
    cwd: str | None


# Where a script is read before it runs.
_READ_AS_SCRIPTS = frozenset({"project", "temp", "home", "whole", "obeyed", "system"})
# What is meant where it stands in a program of another language, which is not followed step by step.
_CERTAIN_IN_CODE = frozenset({"delete", "secret", "tamper", "persist", "device", "privilege", "remote", "history"})


class Act(Struct):
    """One command that would run, and what it does. Children are what it starts."""

    text: str
    effects: list[Effect]
    children: "list[Act]"
    # The words as they stand in the line, without redirections; empty for what another command started.
    written: str = ""
    # Variables are set before the command.
    sets: bool = False
    # What it comes to, perhaps in several ways; nothing for the call of a function, which is what that runs.
    runs: list[Ran] = []
    # Operators of redirections and where they lead; "" for text on the line.
    redirects: list[tuple[str, Arg]] = []
    # So many of the children stand first and are worked out before it: substitutions.
    inside: int = 0
    # Nobody could read the line, or all of it.
    unread: bool = False
    # Files that run because of it, as they were when they were read.
    scripts: list[Script] = []

    def all(self) -> "Iterator[Act]":
        yield self
        for child in self.children:
            yield from child.all()


class Runs(ABC):
    """The part of the walk that follows one command into another."""

    def __init__(self, setting: Setting) -> None:
        # What one line makes known is nothing to the next.
        self.setting = structs.replace(setting, line=Line())
        self._depth = 0
        # Functions of the line that are being walked through.
        self._calling: list[str] = []
        self._text_left = MOST_TEXT
        # Scripts around the one that is read, and how much text of scripts may still be read.
        self.inside: tuple[str, ...] = ()
        self.script_text = [scripts.MOST_TEXT]

    @abstractmethod
    def invoke(self, args: tuple[Arg, ...], scope: Scope, stdin: Stream, act: Act, secrets: list[str]) -> Stream: ...

    @abstractmethod
    def script(self, script: Tree, scope: Scope, stdin: Stream, acts: list[Act]) -> Stream: ...

    @abstractmethod
    def command(self, command: Command, scope: Scope, stdin: Stream, acts: list[Act]) -> Stream: ...

    def finding(
        self, finding: Finding, scope: Scope, stdin: Stream, act: Act, secrets: list[str] | None = None
    ) -> Stream | None:
        """What flows out of what it starts, if it starts something."""
        match finding:
            case Effect():
                act.effects.append(finding)
                return None
            case Run():
                return self.run(finding, scope, stdin, act, secrets)
            case Code(language, text):
                return self.code(language, text.text, scope, stdin, act)
            case RunsFile():
                self.runs_file(finding, scope, act)
                return UNKNOWN
            case RunsInput(language):
                return self.runs_input(language, scope, stdin, act)
            case SendsInput():
                self.sends_input(finding, scope, stdin, act)
                return None
            case Takes():
                self.takes(finding, scope, stdin, act)
                return None
            case Decides(path):
                act.scripts.append(Script(path.removeprefix(f"{self.setting.project}/"), scripts.look(path).state))
                return None
            case Flows(origin):
                return Stream(None, origin)

    def run(self, run: Run, scope: Scope, stdin: Stream, act: Act, secrets: list[str] | None = None) -> Stream:
        """A command started by another one."""
        inner = scope.copy()
        stdin = UNKNOWN if run.fed else stdin
        if run.cwd is not None:
            inner.cwd = self.moved(inner, run.cwd)
        if run.elsewhere:
            # On another machine the project's files are not these, and nothing there can be looked at.
            inner.cwd = None
        if run.fed:
            stdin = UNKNOWN
        if run.line is not None:
            if not run.line.known and run.line.text.strip(HOLE) == "":
                act.effects.append(danger("dynamic", "It runs a line that is known only when it runs."))
                return UNKNOWN
            inner.arguments = (
                None if any(arg.splits for arg in run.arguments) else tuple(arg.text for arg in run.arguments[1:])
            )
            if run.arguments:
                inner.variables["0"] = (run.arguments[0].text,)
            before = len(act.children)
            out = self.text(run.line.text, inner, stdin, act.children)
            if _BARE.fullmatch(run.line.text):
                self.started_bare(Arg(run.line.text.strip()), inner, act, act.children[before:])
            return Stream(None, "fetched") if run.elsewhere else out
        out = UNKNOWN
        for args in _completed(run, stdin) if run.open_ended else (run.args,):
            if args:
                child = Act(joined(args), [], [])
                act.children.append(child)
                out = self.invoke(args, inner, NOTHING if run.open_ended else stdin, child, secrets or [])
                if len(args) == 1:
                    self.started_bare(args[0], inner, act, [child])
        # What another machine prints came over the network.
        return Stream(None, "fetched") if run.elsewhere else out

    def started_bare(self, program: Arg, scope: Scope, act: Act, children: list[Act]) -> None:
        """A program that is started without words is not harmless because of that: what starts it may give it some."""
        if any(effect.risk > Risk.LOOK for child in children for each in child.all() for effect in each.effects):
            return
        trial = Act(program.text, [], [])
        self.invoke((program, Arg(HOLE, splits=True)), scope.copy(), UNKNOWN, trial, [])
        if any(e.risk >= Risk.CARE and e.kind not in _LOOKING for each in trial.all() for e in each.effects):
            act.effects.append(care("run", "It starts a program that acts on what it is given.", program.text))

    def moved(self, scope: Scope, to: Arg) -> str | None:
        """The working folder after a change of it. Of one that is not known, what is known of it is kept."""
        cwd = scope.moved(to)
        if cwd is None and len(self.setting.line.folders) < MOST_ITEMS:
            known = to.text if to.text.startswith(("/", HOLE)) else f"{scope.cwd or HOLE}/{to.text}"
            self.setting.line.folders.append(known)
        return cwd

    def worked_out(self, texts: Iterable[str], scope: Scope, acts: list[Act]) -> None:
        """A number is wanted of these texts, and substitutions in a subscript run."""
        for text in numbers.running(texts, lambda name: (*scope.lookup(name), *(scope.arrays.get(name) or ()))):
            self.text(f'echo "{text}"', scope.copy(), NOTHING, acts)

    def function(self, name: str, args: tuple[Arg, ...], scope: Scope, stdin: Stream, act: Act) -> Stream:
        if bombs.multiplies(name, scope.functions[name]):
            act.effects.append(danger("process", bombs.WHY))
        inner = scope.copy()
        inner.arguments = tuple(arg.text for arg in args[1:]) if not any(arg.splits for arg in args) else None
        self._calling.append(name)
        try:
            return self.command(scope.functions[name], inner, stdin, act.children)
        finally:
            self._calling.pop()

    def taken_over(self, function: Function, scope: Scope, acts: list[Act]) -> None:
        """A function in the place of a command is looked through though nothing calls it yet."""
        act = Act(f"{function.name} ()", [care("run", "It puts a function in the place of a command.")], [])
        acts.append(act)
        if function.name in self._calling:
            return
        inner = scope.copy()
        inner.arguments = None
        self._calling.append(function.name)
        try:
            self.command(function.body, inner, UNKNOWN, act.children)
        finally:
            self._calling.pop()

    def code(self, language: str, text: str, scope: Scope, stdin: Stream, act: Act) -> Stream:
        for found in inline.findings(language, text, self.setting, scope.cwd):
            self.finding(found, scope, stdin, act)
        act.effects += list(in_program(text, self.setting, scope.cwd, act.effects))
        if any(effect.kind == "fetch" for each in act.all() for effect in each.effects):
            return Stream(None, "fetched")
        return UNKNOWN

    def runs_input(self, language: str, scope: Scope, stdin: Stream, act: Act) -> Stream:
        if stdin.text is not None and stdin.origin == "text":
            if language == "sh":
                return self.text(stdin.text, scope.copy(), NOTHING, act.children)
            return self.code(language, stdin.text, scope, NOTHING, act)
        if stdin.origin == "file" and stdin.path is not None:
            self.runs_file(RunsFile(stdin.path, language), scope, act)
        elif stdin.origin == "fetched":
            act.effects.append(danger("run", DOWNLOADED, safer="download it, read it, then run it"))
        elif stdin.origin == "decoded":
            act.effects.append(danger("run", "It runs hidden text: decoded and piped into an interpreter."))
            if stdin.text is not None and language == "sh":
                return self.text(stdin.text, scope.copy(), NOTHING, act.children)
        elif stdin.origin == "":
            act.effects.append(care("run", "It starts an interpreter that waits for input."))
        else:
            act.effects.append(danger("run", "It runs text that is known only when it runs."))
        return UNKNOWN

    def sends_input(self, sends: SendsInput, scope: Scope, stdin: Stream, act: Act) -> None:
        text = stdin.text
        if stdin.origin == "" or (stdin.path is not None and stdin.path.text == "/dev/null"):
            return
        if text is not None and HOLE not in text:
            act.effects.append(care("send", "It sends the text on this line over the network.", sends.to))
            for finding in sends.obeys(text) if sends.obeys is not None else ():
                self.finding(finding, scope, NOTHING, act)
        elif sends.trusted and stdin.origin != "environment":
            act.effects.append(care("send", "It sends what comes in to a server on this machine.", sends.to))
        else:
            act.effects.append(danger("send", "It sends what comes in to another machine.", sends.to))

    def takes(self, takes: Takes, scope: Scope, stdin: Stream, act: Act) -> None:
        if stdin.origin == "" or (stdin.path is not None and stdin.path.text == "/dev/null"):
            return
        if stdin.text is not None:
            for finding in takes.obeys(stdin.text):
                self.finding(finding, scope, NOTHING, act)
        elif stdin.path is not None and stdin.origin == "file" and takes.file is not None:
            for finding in takes.file(stdin.path):
                self.finding(finding, scope, NOTHING, act)
        elif takes.only_known:
            return
        elif stdin.origin == "fetched":
            act.effects.append(danger("run", "It obeys what it downloads, unseen."))
        elif stdin.origin == "environment":
            act.effects.append(danger("send", "It sends all variables to a service."))
        else:
            act.effects.append(care("dynamic", "What it is told to do is known only when it runs."))

    def runs_file(self, file: RunsFile, scope: Scope, act: Act) -> None:
        target = locate(file.path, self.setting, scope.cwd)
        shown = file.path.text.replace(HOLE, "…")
        for written in scope.written(target.path):
            # The line wrote it before: what it wrote is what runs.
            self.runs_input(file.language or "sh", scope, written if written.origin else UNKNOWN, act)
        if target.place in _READ_AS_SCRIPTS and file.path.known and not file.path.glob:
            self._script_file(target.path, file.language, scope, act)
        if file.path.text.startswith(("/proc/", "/dev/")) and target.place != "temp":
            act.effects.append(danger("run", "It runs what comes through a device.", shown))
            return
        match target.place:
            case "project":
                act.effects.append(care("project", "It runs a file of the project.", shown))
            case "device" | "sink":
                act.effects.append(danger("run", "It runs what comes through a device.", shown))
            case "system":
                act.effects.append(care("run", "It runs a program Assent does not know.", shown))
            case "secret" if file.language == "sh" and target.path.startswith(f"{self.setting.project}/"):
                # ``. ./.env``: the shell gets them, as it does every day; nothing is shown.
                act.effects.append(care("secret", LOADS_SECRETS, shown))
            case "secret" | "assent" | "others":
                act.effects.append(danger("run", "It runs a file from where no programs belong.", shown))
            case _:
                act.effects.append(care("run", "It runs a file from outside the project.", shown))

    def _script_file(self, path: str, language: str, scope: Scope, act: Act) -> None:
        """What the script itself would do. It can only raise the risk: code of a project stays code of the project."""
        if path in self.inside or len(self.inside) >= scripts.DEEPEST:
            return
        found = scripts.look(path)
        name = path.removeprefix(f"{self.setting.project}/")
        act.scripts.append(Script(name, found.state))
        if found.text is None:
            if found.why:
                act.effects.append(care("run", f"{name} cannot be read: {found.why}.", path))
            return
        self.script_text[0] -= len(found.text)
        if self.script_text[0] < 0:
            act.effects.append(care("run", f"{name} is not read: there is too much to read.", path))
            return
        aside = type(self)(self.setting)
        aside.inside, aside.script_text = (*self.inside, path), self.script_text
        inner = scope.copy()
        inner.variables["0"] = (path,)
        inner.arguments = _arguments(act, path, scope)
        acts = aside.of_script(found.text, language or scripts.language(found.text), path, inner, act)
        for each in acts:
            act.scripts += [script for inside in each.all() for script in inside.scripts]
        act.children += [
            each for each in acts if any(_is_certain(effect) for one in each.all() for effect in one.effects)
        ]

    def of_script(self, text: str, language: str, path: str, scope: Scope, act: Act) -> list[Act]:
        """What a script does, by the grammar of its language."""
        name = path.removeprefix(f"{self.setting.project}/")
        if language != "sh":
            child = Act(name, [], [])
            if language and len(text) <= inline.LONGEST:
                self.code(language, text, scope, UNKNOWN, child)
            child.effects[:] = [effect for effect in child.effects if effect.kind in _CERTAIN_IN_CODE]
            return [child]
        acts: list[Act] = []
        is_whole = True
        text = scripts.resolved(text, path)
        try:
            script = read(text)
        except UnreadableError as error:
            script, is_whole = readable_before(text, error.at), False
        try:
            self.script(script, scope, NOTHING, acts)
        except (TooMuchError, RecursionError):
            is_whole = False
        if not is_whole:
            act.effects.append(care("dynamic", f"{name} cannot be read to its end.", path))
        for each in (one for top in acts for one in top.all()):
            # How much of a script is read says nothing about the line that runs it.
            each.unread = False
        return acts

    def perhaps_started(self, args: tuple[Arg, ...], scope: Scope, stdin: Stream, act: Act) -> None:
        """Nobody knows the command, so it may be one that starts others: danger behind it is danger."""
        if (small := args[0].text.lower()) != args[0].text:
            # Where names are not told apart by their letters' size, this is another spelling.
            child = Act(joined(args), [], [])
            self.invoke((Arg(small), *args[1:]), scope.copy(), stdin, child, [])
            self._keep(child, act)
        for place in range(1, min(len(args), MOST_PLACES)):
            if _UNMISTAKABLE.fullmatch(args[place].text):
                child = Act(joined(args[place:]), [], [])
                self.invoke(args[place:], scope.copy(), stdin, child, [])
                self._keep(child, act)
                return
        self.perhaps_lines(args, scope, stdin, act)

    def perhaps_lines(self, args: tuple[Arg, ...], scope: Scope, stdin: Stream, act: Act) -> None:
        """Nobody knows the option, and by its name what it is given is a line."""
        for option, following in itertools.pairwise((*args[:MOST_PLACES], Arg(""))):
            name, equals, attached = option.text.partition("=")
            if _RUNNING.fullmatch(name):
                line = attached if equals else following.text
                child = Act(line.replace(HOLE, "…"), [], [])
                if line:
                    self.text(line, scope.copy(), stdin, child.children)
                self._keep(child, act)

    @staticmethod
    def _keep(child: Act, act: Act) -> None:
        if any(effect.risk >= Risk.DANGER for each in child.all() for effect in each.effects):
            act.children.append(child)

    def text(self, text: str, scope: Scope, stdin: Stream, acts: list[Act]) -> Stream:
        """A line inside the line."""
        self._depth += 1
        self._text_left -= len(text)
        if self._depth > DEEPEST or self._text_left < 0:
            raise TooMuchError
        if HOLE in text:
            acts.append(Act("…", [care("dynamic", "Part of what it runs is known only when it runs.")], []))
            text = text.replace(HOLE, "${unknown}")
        try:
            return self.script(read(text), scope, stdin, acts)
        except UnreadableError as error:
            acts.append(unreadable(text, error, is_whole=False))
            self.script(readable_before(text, error.at), scope, stdin, acts)
            return UNKNOWN
        finally:
            self._depth -= 1


def _arguments(act: Act, path: str, scope: Scope) -> tuple[str, ...] | None:
    """What stands behind the script in the command that runs it; None where that is not known."""
    args = act.runs[-1].args if act.runs else ()
    for place, arg in enumerate(args):
        if arg.known and scope.path(arg.text) == path:
            rest = args[place + 1 :]
            return None if any(one.splits or not one.known for one in rest) else tuple(one.text for one in rest)
    return None


def _is_certain(effect: Effect) -> bool:
    """Danger that stands in the text, not one that follows from what cannot be told."""
    if effect.risk < Risk.DANGER or effect.kind in ("dynamic", "unknown") or "…" in effect.target:
        return False
    return effect.kind != "delete" or bool(effect.target)


def unreadable(text: str, error: UnreadableError, *, is_whole: bool) -> Act:
    """A line, or a line inside one, of which a part was not looked at.

    More than is read is Danger. A text inside a line that is no sh may be another language, so it counts as read."""
    if isinstance(error, limits.TooMuchError):
        return Act(text[:200], [danger("dynamic", TOO_LONG)], [], unread=True)
    return Act(text[:200], [care("dynamic", f"It cannot be read: {error.why}.")], [], unread=is_whole)


def _completed(run: Run, stdin: Stream) -> Iterator[tuple[Arg, ...]]:
    """The words with what comes in put into them."""
    items = _items(run, stdin)
    if not run.placeholder:
        yield run.args + items
        return
    for item in items:
        yield tuple(_filled(arg, run.placeholder, item) for arg in run.args)


def _filled(arg: Arg, placeholder: str, item: Arg) -> Arg:
    if placeholder not in arg.text:
        return arg
    if arg.text == placeholder:
        return structs.replace(item, splits=False)
    # A name inside a text that is perhaps a program: what is in the name would run.
    return Arg(arg.text.replace(placeholder, HOLE if item.glob else item.text), arg.glob, arg.splits)


def _items(run: Run, stdin: Stream) -> tuple[Arg, ...]:
    if stdin.origin == "names" and stdin.path is not None:
        return (stdin.path,)
    if stdin.origin == "" and run.placeholder:
        # Nothing comes in, so nothing runs.
        return (Arg("input"),)
    text = stdin.text
    if text is None or not stdin.origin or HOLE in text or any(mark in text for mark in "'\"\\") or run.separated:
        return (Arg(HOLE, splits=True),)
    items = text.splitlines() if run.placeholder else text.split()
    return tuple(map(Arg, items)) if len(items) <= MOST_ITEMS else (Arg(HOLE, splits=True),)
