"""Commands that start others: lines, words, files, and what comes in, as programs."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator

from msgspec import structs

from assent.policy import inline, production
from assent.policy.commands.spec import (
    A_CONTAINER,
    Code,
    Decides,
    Fills,
    Finding,
    Flows,
    Run,
    RunsFile,
    RunsInput,
    SendsInput,
    Takes,
)
from assent.policy.effects import Effect, care, danger
from assent.policy.emptying import overwritten
from assent.policy.guarded import in_program
from assent.policy.own import Line
from assent.policy.paths import locate
from assent.policy.shell import bombs, fetched, limits, perhaps, scripts
from assent.policy.shell.acts import Act, TooManyActsError, is_certain, unreadable
from assent.policy.shell.env import Scope
from assent.policy.shell.parser import UnreadableError, read, readable_before
from assent.policy.shell.scripts import Script, takes_input
from assent.policy.shell.spelling import Setting
from assent.policy.shell.streams import DOWNLOADED, LOADS_SECRETS, NOTHING, SHOWS_VARIABLES, UNKNOWN, Stream
from assent.policy.shell.tree import Command, Function
from assent.policy.shell.tree import ScriptTree as Tree
from assent.policy.shell.words import HOLE, Arg, joined
from assent.protocol.decision import Risk

DEEPEST = 16
MOST_ITEMS = 50
# Of lines inside of lines, all together.
MOST_TEXT = 80_000


# One word that is the name of a program.
_BARE = re.compile(r"\s*[\w./+-]+\s*")
# A name put behind a folder.
_PATH_OF_ITEM = re.compile(rf"[\w.-]+(?:/[\w.-]+)*/{HOLE}(?:/?[\w.-]+)*")
# What is not known about a program that only shows something.
_LOOKING = frozenset({"nothing", "read", "query", "dynamic"})


# Where a script is read before it runs.
_READ_AS_SCRIPTS = frozenset({"project", "temp", "home", "whole", "obeyed", "system"})
# What is meant where it stands in a program of another language, which is not followed step by step.
_CERTAIN_IN_CODE = frozenset({"delete", "secret", "tamper", "persist", "device", "privilege", "remote", "history"})


class Runs(ABC):
    """The part of the walk that follows one command into another."""

    _depth = 0
    _text_left = MOST_TEXT
    # Scripts around the one that is read.
    inside: tuple[str, ...] = ()
    # So many words around this one are read as lines though nothing says that they are.
    trials = 0

    def __init__(self, setting: Setting) -> None:
        # What one line makes known is nothing to the next.
        self.setting = structs.replace(setting, line=Line())
        # Functions of the line that are being walked through.
        self._calling: list[str] = []
        # How much text of scripts may still be read.
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
                act.inline = True
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
            case Fills(files):
                lost = (overwritten(file, stdin, self.setting, scope.cwd) for file in files)
                act.effects += [effect for effect in lost if effect is not None]
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
            return self._from_elsewhere(run, scope, stdin, act, before, out) if run.elsewhere else out
        out, before = UNKNOWN, len(act.children)
        for args in _completed(run, stdin) if run.open_ended else (run.args,):
            if args:
                child = Act(joined(args), [], [])
                act.children.append(child)
                out = self.invoke(args, inner, NOTHING if run.open_ended else stdin, child, secrets or [])
                if len(args) == 1:
                    self.started_bare(args[0], inner, act, [child])
        return self._from_elsewhere(run, scope, stdin, act, before, out) if run.elsewhere else out

    def _from_elsewhere(self, run: Run, scope: Scope, stdin: Stream, act: Act, before: int, out: Stream) -> Stream:
        """What another machine prints came over the network, and what came in goes there."""
        started = act.children[before:]
        act.effects += production.changed_there(run.elsewhere, started)
        ran = [ran.args for one in started for each in one.all() for ran in each.runs]
        if run.elsewhere != A_CONTAINER and takes_input(ran):
            self.sends_input(SendsInput(run.elsewhere), scope, stdin, act)
        if out.origin == "environment":
            act.effects.append(danger("secret", SHOWS_VARIABLES))
        return Stream(None, "fetched")

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
            folder = to.text if to.text.startswith(("/", HOLE)) else f"{scope.cwd or HOLE}/{to.text}"
            self.setting.line.folders.append(folder)
        return cwd

    def worked_out(self, texts: Iterable[str], scope: Scope, acts: list[Act]) -> None:
        """A number is wanted of these texts, and substitutions in a subscript run."""
        for text in limits.running(texts, lambda name: (*scope.lookup(name), *(scope.arrays.get(name) or ()))):
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
        for finding in inline.findings(language, text, self.setting, scope.cwd):
            self.finding(finding, scope, stdin, act)
        act.effects += list(in_program(text, self.setting, scope.cwd, act.effects))
        if any(effect.kind == "fetch" for each in act.all() for effect in each.effects):
            return Stream(None, "fetched")
        return UNKNOWN

    def runs_input(self, language: str, scope: Scope, stdin: Stream, act: Act) -> Stream:
        if stdin.text is not None and stdin.origin == "text":
            if language == "sh":
                return self.text(stdin.text, scope.copy(), NOTHING, act.children)
            act.inline = True
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
        shown = file.path.text.replace(HOLE, "…")
        if perhaps.is_address(file.path.text):
            act.effects.append(danger("run", perhaps.FETCHED_PROGRAM, shown, "download it, read it, then run it"))
            return
        target = locate(file.path, self.setting, scope.cwd)
        for written in scope.written(target.path):
            # The line wrote it before: what it wrote is what runs.
            self.runs_input(file.language or "sh", scope, written if written.origin else UNKNOWN, act)
        if fetched.is_fetched(target.path, scope):
            act.effects.append(danger("run", fetched.WHY, shown, fetched.SAFER))
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
        file = scripts.look(path)
        name = path.removeprefix(f"{self.setting.project}/")
        act.scripts.append(Script(name, file.state))
        if file.text is None:
            if file.why:
                act.effects.append(care("run", f"{name} cannot be read: {file.why}.", path))
            return
        self.script_text[0] -= len(file.text)
        if self.script_text[0] < 0:
            act.effects.append(care("run", f"{name} is not read: there is too much to read.", path))
            return
        aside = type(self)(self.setting)
        aside.inside, aside.script_text = (*self.inside, path), self.script_text
        inner = scope.copy()
        inner.variables["0"] = (path,)
        inner.arguments = _arguments(act, path, scope)
        acts = aside.of_script(file.text, language or scripts.language(file.text), path, inner, act)
        for each in acts:
            act.scripts += [script for inside in each.all() for script in inside.scripts]
        act.children += [
            each for each in acts if any(is_certain(effect) for one in each.all() for effect in one.effects)
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
        except (TooManyActsError, RecursionError):
            is_whole = False
        if not is_whole:
            act.effects.append(care("dynamic", f"{name} cannot be read to its end.", path))
        for each in (one for top in acts for one in top.all()):
            # How much of a script is read says nothing about the line that runs it.
            each.unread = False
        return acts

    def aside(self) -> "Runs":
        """Another walk from the same setting, for a text that is only tried."""
        return type(self)(self.setting)

    def text(self, text: str, scope: Scope, stdin: Stream, acts: list[Act]) -> Stream:
        """A line inside the line."""
        self._depth += 1
        self._text_left -= len(text)
        if self._depth > DEEPEST or self._text_left < 0:
            raise TooManyActsError
        if HOLE in text:
            shown = text.replace(HOLE, "…")[:200]
            acts.append(Act(shown, [care("dynamic", "Part of what it runs is known only when it runs.")], []))
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
    if _PATH_OF_ITEM.fullmatch(arg.text.replace(placeholder, HOLE)):
        return Arg(arg.text.replace(placeholder, item.text), item.glob or arg.glob, arg.splits)
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
