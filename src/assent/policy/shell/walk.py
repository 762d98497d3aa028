"""From a line to what it would do: every command in it, behind whatever stands before it."""

import itertools
import math
import re
from collections.abc import Iterable, Iterator

from assent.policy import commands, tool_folders
from assent.policy.commands.spec import RunsFile, findings
from assent.policy.effects import TOO_LONG, care, danger
from assent.policy.paths import DISCARDS, appended, on_path
from assent.policy.shell import bombs, builtins, evaluated, limits, obfuscation, perhaps, variables, whole_line, written
from assent.policy.shell.acts import Act, Ran, TooManyActsError, unreadable
from assent.policy.shell.env import Scope
from assent.policy.shell.exec import DEEPEST, Runs
from assent.policy.shell.exfiltration import OUTWARD, leaks
from assent.policy.shell.lexer import scripts_in
from assent.policy.shell.obfuscation import CARRIERS, carried, hides, invisible, runs_hidden
from assent.policy.shell.output import printed
from assent.policy.shell.parser import UnreadableError, read, readable_before
from assent.policy.shell.sourced import by_name
from assent.policy.shell.streams import (
    DECODERS,
    NOTHING,
    REDIRECTS,
    SHOWS_VARIABLES,
    UNKNOWN,
    Stream,
    is_endless,
    names_printed,
    of_environment,
    shows_variables,
)
from assent.policy.shell.tree import (
    Assign,
    Case,
    Command,
    Counting,
    For,
    Function,
    Group,
    If,
    Lit,
    Param,
    Part,
    Pipeline,
    Proc,
    Redirect,
    ScriptTree,
    Simple,
    Subst,
    Test,
    While,
    Word,
    is_quiet,
    names_in,
)
from assent.policy.shell.words import HOLE, MOST_ALTERNATIVES, Arg, Expander, joined
from assent.protocol.decision import Risk

MOST_ACTS = 500
MOST_WORDS = 20_000
MOST_ROUNDS = 32
LONGEST_COMMAND = 500

_SYSTEM_FOLDERS = re.compile(r"/(?:usr/|usr/local/|opt/homebrew/|snap/)?s?bin/|/usr/libexec/")


class Walk(Runs):
    _acts = MOST_ACTS
    _words_left = MOST_WORDS

    # --- from the outside

    def line(self, text: str) -> list[Act]:
        """Never raises: what cannot be read is an act of its own."""
        acts: list[Act] = []
        try:
            script = read(text)
        except UnreadableError as error:
            script = readable_before(text, error.at)
            acts.append(unreadable(text, error, is_whole=True))
        if not text.isascii() and (why := invisible(text)):
            acts.append(Act("…", [danger("dynamic", why)], []))
        self.setting.line.hidden = "dotglob" in text or "globdots" in text.lower()
        scope = Scope(self.setting.cwd, self.setting.home, self.setting.project)
        try:
            self.script(script, scope, NOTHING, acts)
        except (TooManyActsError, RecursionError):
            acts.append(Act("…", [danger("dynamic", TOO_LONG)], [], unread=True))
        whole_line.look(acts, self.setting)
        return acts

    # --- scripts and what holds them together

    def script(self, script: ScriptTree, scope: Scope, stdin: Stream, acts: list[Act]) -> Stream:
        out = NOTHING
        texts: list[str | None] = []
        for item in script.items:
            inner = scope.copy() if item.background else scope
            if item.background and bombs.copies_itself(item):
                acts.append(Act("$0 &", [danger("process", bombs.WHY)], []))
            out = self.pipeline(item.first, inner, stdin, acts)
            for _, pipeline in item.rest:
                before = inner.copy()
                out = self.pipeline(pipeline, inner, stdin, acts)
                cwd = inner.cwd
                inner.merge(before)
                # What stands behind ``cd x &&`` runs there.
                inner.cwd = cwd
            texts.append(out.text if out.origin == "text" and not item.rest else None)
        if len(texts) > 1:
            return UNKNOWN if None in texts else Stream("".join(text or "" for text in texts), "text")
        return out

    def pipeline(self, pipeline: Pipeline, scope: Scope, stdin: Stream, acts: list[Act]) -> Stream:
        stages = pipeline.stages
        flow, ends = stdin, [len(acts)]
        for stage in stages:
            flow = self.command(stage, scope if len(stages) == 1 else scope.copy(), flow, acts)
            ends.append(len(acts))
        if _show_secrets(acts[ends[0] :]):
            obfuscation.look([acts[start:end] for start, end in itertools.pairwise(ends)])
        if flow.origin == "environment":
            acts[-1].effects.append(danger("secret", SHOWS_VARIABLES))
            return UNKNOWN
        return flow

    def command(self, command: Command, scope: Scope, stdin: Stream, acts: list[Act]) -> Stream:
        if isinstance(command, Simple):
            return self.simple(command, scope, stdin, acts)
        if isinstance(command, Function):
            scope.functions[command.name] = command.body
            if command.name in _TAKES_OVER or commands.find(command.name) is not None:
                self.taken_over(command, scope, acts)
            return NOTHING
        if command.redirects:
            act = Act(" ".join(f"{each.fd}{each.op} {each.target.raw}" for each in command.redirects), [], [])
            acts.append(act)
            stdin = self._redirected(command.redirects, scope, stdin, act)
        match command:
            case Group(body, _, subshell):
                return self.script(body, scope.copy() if subshell else scope, stdin, acts)
            case If(branches):
                for condition, body in branches:
                    if condition is not None:
                        self.script(condition, scope, stdin, acts)
                    self._maybe(body, scope, stdin, acts)
            case While(condition, body):
                before = len(acts)
                self.script(condition, scope, stdin, acts)
                self._maybe(body, scope, stdin, acts)
                bombs.repeated(condition, acts[before:])
            case For():
                self._for(command, scope, stdin, acts)
            case Counting(arith, body):
                self.worked_out(arith.names, scope, acts)
                self._all(arith.inner, scope, acts)
                if body is not None:
                    self._maybe(body, scope, stdin, acts)
            case Case(word, branches):
                self._words((word,), scope, acts)
                for patterns, body in branches:
                    self._words(patterns, scope, acts)
                    self._maybe(body, scope, stdin, acts)
            case Test(words):
                self._words(words, scope, acts)
                if any(word.raw in limits.COMPARED for word in words):
                    for word in words:
                        self.worked_out(self._expander(scope).texts(word.parts), scope, acts)
        return UNKNOWN

    def _maybe(self, body: ScriptTree, scope: Scope, stdin: Stream, acts: list[Act]) -> None:
        before = scope.copy()
        self.script(body, scope, stdin, acts)
        scope.merge(before)

    def _for(self, loop: For, scope: Scope, stdin: Stream, acts: list[Act]) -> None:
        self._words(loop.words or (), scope, acts)
        values: list[str] = []
        if loop.words is None:
            values = list(scope.lookup("@"))
        for word in loop.words or ():
            for fields in self._expander(scope).fields(word):
                values += [HOLE if arg.splits else arg.text for arg in fields]
        distinct = list(dict.fromkeys(values))
        before = scope.copy()
        for value in distinct[:MOST_ROUNDS] if len(distinct) <= MOST_ROUNDS else [HOLE]:
            scope.variables[loop.name] = (value,)
            self.script(loop.body, scope, stdin, acts)
        scope.merge(before)

    # --- words

    def _expander(self, scope: Scope) -> Expander:
        return Expander(scope, lambda subst: self._printed(subst, scope), self.setting.home)

    def _printed(self, subst: Subst, scope: Scope) -> str | None:
        """What a substitution prints; it is walked elsewhere, so nothing is added here."""
        items = subst.script.items
        if not items:
            return ""
        if len(items) > 1 or items[0].rest:
            return None
        flow = NOTHING
        for stage in items[0].first.stages:
            if not isinstance(stage, Simple) or stage.assigns or len(items[0].first.stages) > 4:
                return None
            expander = self._expander(scope)
            flow = self._input(stage.redirects, scope, flow)
            if any(redirect.op not in ("<<", "<<<") and not is_quiet(redirect) for redirect in stage.redirects):
                return None
            choices = [expander.fields(word) for word in stage.words]
            args = [arg for fields in choices for arg in fields[0]]
            if not args or any(len(fields) > 1 for fields in choices):
                return None
            text = printed(tuple(args), flow.text, scope.cwd)
            names = None if text is not None else names_printed(args[0].text, [arg.text for arg in args[1:]], flow)
            if text is None and names is None:
                return None
            flow = Stream(text, "text") if names is None else Stream(None, "names", names)
        # A pattern stands for the names it fits, here as on a command line.
        return flow.text if flow.path is None else flow.path.text

    def _words(self, words: Iterable[Word], scope: Scope, acts: list[Act]) -> None:
        """Walk what runs inside words."""
        for word in words:
            for part in word.parts:
                if not isinstance(part, Lit):
                    self._part(part, scope, acts)

    def _part(self, part: Part, scope: Scope, acts: list[Act]) -> None:
        if isinstance(part, Proc) and not part.reads:
            # Something is written to it: what comes in is not nothing.
            self.script(part.script, scope.copy(), UNKNOWN, acts)
        else:
            self._all(scripts_in(part), scope, acts)
        self.worked_out(getattr(part, "names", ()), scope, acts)
        if isinstance(part, Param):
            if part.op in ("!", "@P"):
                # The value names a variable, or is worked out like a prompt: what is in it runs.
                self.worked_out((part.name,), scope, acts)
            if part.op == ":" and part.word is not None:
                self.worked_out(self._expander(scope).texts(part.word.parts), scope, acts)
            self.worked_out(limits.names(part.subscript), scope, acts)
            if part.op in ("=", ":=") and part.word is not None:
                scope.assign(part.name, self._expander(scope).texts(part.word.parts), certain=False)

    def _all(self, scripts: Iterable[ScriptTree], scope: Scope, acts: list[Act]) -> None:
        for script in scripts:
            self.script(script, scope.copy(), NOTHING, acts)

    # --- simple commands

    def simple(self, command: Simple, scope: Scope, stdin: Stream, acts: list[Act]) -> Stream:
        self._acts -= 1
        if self._acts < 0:
            raise TooManyActsError
        act = Act(command.raw, [], [], command.written, bool(command.assigns))
        acts.append(act)
        for assigns in (command.assigns, command.arrays):
            for assign in assigns:
                self._all(assign.inner, scope, act.children)
                self.worked_out(assign.names, scope, act.children)
                self._words((*((assign.value,) if assign.value else ()), *(assign.items or ())), scope, act.children)
        # Most words are what they seem.
        made = [word for word in command.words if len(word.parts) > 1 or type(word.parts[0]) is not Lit]
        if made:
            self._words(made, scope, act.children)
        if command.redirects:
            stdin = self._redirected(command.redirects, scope, stdin, act)
        act.inside = len(act.children)
        expander = self._expander(scope)
        temporary = bool(command.words)
        inner = scope.copy() if command.assigns and temporary else scope
        for assign in command.assigns:
            self._assign(assign, inner, expander, act, exported=temporary)
        for assign in command.arrays:
            self._assign(assign, scope, expander, act)
        if not command.words:
            written.remember(self, command.redirects, expander, scope, NOTHING, act)
            return NOTHING
        secrets = [name for word in made for name in names_in(word.parts) if variables.is_secret(name)]
        out = UNKNOWN
        for args in self._ways(command.words, expander, act) if made else (expander.plain(command.words),):
            if args and not (len(args) == 1 and not args[0].text):
                out = self.invoke(args, inner, stdin, act, secrets)
        if made and runs_hidden(command.words):
            act.effects.append(danger("run", "It runs hidden text: decoded first, then run."))
        written.remember(self, command.redirects, expander, scope, out, act)
        if inner is not scope:
            scope.cwd = inner.cwd
            scope.functions = inner.functions
        return out

    @staticmethod
    def _ways(words: tuple[Word, ...], expander: Expander, act: Act) -> Iterator[tuple[Arg, ...]]:
        """Every way in which the words may come out together, up to so many."""
        choices = [expander.fields(word) for word in words]
        if math.prod(map(len, choices)) > MOST_ALTERNATIVES:
            act.effects.append(danger("dynamic", "There are too many ways in which this could come out."))
            act.unread = True
        for chosen in itertools.islice(itertools.product(*choices), MOST_ALTERNATIVES):
            yield tuple([arg for fields in chosen for arg in fields])

    def _assign(self, assign: Assign, scope: Scope, expander: Expander, act: Act, *, exported: bool = False) -> None:
        values = expander.texts(assign.value.parts) if assign.value is not None else [HOLE]
        if assign.items is not None:
            choices = [expander.fields(item) for item in assign.items]
            args = [arg for fields in choices for arg in fields[0]]
            is_known = all(len(fields) == 1 for fields in choices) and not any(arg.splits or arg.glob for arg in args)
            scope.assign_items(assign.name, tuple(arg.text for arg in args) if is_known else None, append=assign.append)
            values = [" ".join(arg.text for arg in args)]
        else:
            scope.assign(assign.name, values if not assign.indexed else [HOLE], append=assign.append)
        if assign.name in scope.numbers:
            self.worked_out(values, scope, act.children)
        if assign.name != "PATH" or not scope.searches(values):
            act.effects += variables.assigned(
                assign.name, values, self.setting.project, exported=exported or scope.exports_all
            )
        self.setting.line.chooses(assign.name, values)

    def _redirected(self, redirects: tuple[Redirect, ...], scope: Scope, stdin: Stream, act: Act) -> Stream:
        """What the redirections do, and what flows in because of them."""
        for redirect in redirects:
            self._words((redirect.target,), scope, act.children)
            if redirect.body is not None:
                self._words((redirect.body,), scope, act.children)
            kind = REDIRECTS.get(redirect.op)
            if kind is None:
                act.redirects.append((redirect.op, Arg("")))
            if kind is None or redirect.target.raw.lstrip("-").isdigit() or redirect.target.raw == "-":
                continue
            for fields in self._expander(scope).fields(redirect.target):
                for arg in fields:
                    act.redirects.append((redirect.op, arg))
                    for each in kind:
                        effect = on_path(each, arg, self.setting, scope.cwd)
                        act.effects.append(effect if redirect.op != ">>" else appended(effect))
        return self._input(redirects, scope, stdin)

    def _input(self, redirects: Iterable[Redirect], scope: Scope, stdin: Stream) -> Stream:
        for redirect in redirects:
            if redirect.op == "<<":
                bodies = self._expander(scope).texts(redirect.body.parts) if redirect.body else [""]
                stdin = Stream(bodies[0], "text") if len(bodies) == 1 else UNKNOWN
            elif redirect.op == "<<<":
                texts = self._expander(scope).texts(redirect.target.parts)
                stdin = Stream(f"{texts[0]}\n", "text") if len(texts) == 1 else UNKNOWN
            elif redirect.op == "<&" and redirect.fd in ("", "0"):
                stdin = UNKNOWN
            elif redirect.op in ("<", "<>") and redirect.fd in ("", "0"):
                if any(isinstance(part, Lit) for part in redirect.target.parts):
                    arg = self._expander(scope).fields(redirect.target)[0][0]
                    stdin = Stream(None, "file", arg)
                else:
                    stdin = self._poured(redirect.target, scope)
        return stdin

    def _poured(self, word: Word, scope: Scope) -> Stream:
        """``< <(…)``: what a command prints, where that can be told."""
        part = word.parts[0] if len(word.parts) == 1 else None
        text = self._printed(Subst(part.script), scope) if isinstance(part, Proc) else None
        if text is not None:
            return Stream(text, "text")
        return Stream(None, "fetched" if "curl" in word.raw or "wget" in word.raw else "unknown")

    # --- one command with its arguments

    def invoke(self, args: tuple[Arg, ...], scope: Scope, stdin: Stream, act: Act, secrets: list[str]) -> Stream:
        self._depth += 1
        self._words_left -= len(args)
        if self._depth > DEEPEST or self._words_left < 0:
            raise TooManyActsError
        try:
            return self._invoke(args, scope, stdin, act, secrets)
        finally:
            self._depth -= 1

    def _invoke(self, args: tuple[Arg, ...], scope: Scope, stdin: Stream, act: Act, secrets: list[str]) -> Stream:
        name = args[0].text
        act.runs.append(Ran(args, scope.cwd))
        if " " in name.strip() and len(args) == 1 and HOLE not in name:
            # A line given as one word: a shell would look for a program of this name, most others run the line.
            perhaps.as_line(self, name, scope, act)
        if HOLE in name or args[0].glob:
            act.effects.append(danger("dynamic", "Which program runs is known only when it runs."))
            return UNKNOWN
        if len(args) > LONGEST_COMMAND:
            act.effects.append(danger("dynamic", TOO_LONG))
            act.unread = True
            return UNKNOWN
        if name in self._calling and name in scope.functions:
            act.effects.append(danger("process", "A function starts itself again and again."))
        elif name in scope.functions and len(self._calling) < DEEPEST:
            act.runs.pop()
            return self.function(name, args, scope, stdin, act)
        if name in scope.aliases:
            self.text(f"{scope.aliases[name]} {joined(args[1:])}", scope, stdin, act.children)
        short = name.rpartition("/")[2]
        is_elsewhere = "/" in name and not (self._is_installed(name, scope) or by_name(args[0], self, scope, act))
        if is_elsewhere:
            self.runs_file(RunsFile(args[0]), scope, act)
        if (handle := builtins.HANDLERS.get(short)) is not None and "/" not in name:
            handle(builtins.Here(self, args, scope, stdin, act))
            return self._out(short, args, scope, stdin, act, secrets)
        spec = commands.find(short)
        if spec is None:
            if not is_elsewhere and not (
                tool_folders.only_tells([arg.text for arg in args[1:]])
                and not scope.path_changed
                and not scope.path_folders
                and tool_folders.is_installed(name, scope.home)
            ):
                act.effects.append(commands.unknown(short, args[1:]))
            perhaps.started(self, args, scope, stdin, act)
            perhaps.look(self, args, scope, stdin, act)
            return UNKNOWN
        if scope.path_changed and "/" not in name:
            act.effects.append(care("dynamic", "The search path was changed, so any program may go by this name."))
        elif scope.path_folders and "/" not in name and (folder := tool_folders.covered(name, scope.path_folders)):
            act.effects.append(care("project", "It runs a program that lies in the project.", f"{folder}/{name}"))
        started: Stream | None = None
        worked_out = tuple(act.children)
        given = args[1:]
        found = findings(short, given, spec, self.setting, scope.cwd)
        if evaluated.concerns(short):
            found += evaluated.effects(short, given, self.setting, scope.cwd)
        for finding in found:
            flow = self.finding(finding, scope, stdin, act, secrets)
            started = flow or started
        perhaps.look(self, args, scope, stdin, act, found)
        kinds = {effect.kind for effect in act.effects}
        if not kinds.isdisjoint(OUTWARD):
            act.effects += leaks(act.effects, secrets, [each for child in worked_out for each in child.all()])
        if "unknown" in kinds:
            perhaps.by_option(self, args, scope, stdin, act)
        if stdin.origin == "fetched" and any(
            effect.kind in _ACTING and effect.risk == Risk.CARE for effect in act.effects
        ):
            act.effects.append(danger("run", "It acts on what it downloads, unseen."))
        return started or self._out(short, args, scope, stdin, act, secrets)

    @staticmethod
    def _is_installed(name: str, scope: Scope) -> bool:
        """Whether the path is one where the system keeps its programs."""
        folder = scope.moved(Arg(name.rpartition("/")[0] or "/"))
        return folder is not None and _SYSTEM_FOLDERS.fullmatch(f"{folder}/") is not None

    def _out(
        self, name: str, args: tuple[Arg, ...], scope: Scope, stdin: Stream, act: Act, secrets: list[str]
    ) -> Stream:
        texts = [arg.text for arg in args[1:]]
        # What the line itself put into a variable is no secret of the session.
        unseen = [each for each in secrets if any(HOLE in value for value in scope.lookup(each))]
        if unseen and name in variables.PRINTERS:
            act.effects.append(danger("secret", f"It prints the secret in ${unseen[0]}."))
        if is_endless(name, args) and any(effect.kind == "write" and effect.why != DISCARDS for effect in act.effects):
            act.effects.append(danger("write", "It writes without end, until the disk is full."))
        if shows_variables(name, texts):
            return Stream(None, "environment")
        if stdin.origin == "environment":
            return of_environment(name, texts, act.effects)
        text = printed(args, stdin.text if stdin.origin else None, scope.cwd)
        if name in CARRIERS:
            carried(texts, scope)
        if name in DECODERS or hides(name, texts):
            return Stream(text, "decoded")
        if text is not None:
            return Stream(text, stdin.origin if stdin.origin == "decoded" else "text")
        if "fetch" in [effect.kind for effect in act.effects]:
            return Stream(None, "fetched")
        if name in ("cat", "head", "tail") and len(args) == 2 and not args[1].text.startswith("-"):
            return Stream(None, "file", args[1])
        if (pattern := names_printed(name, texts, stdin)) is not None:
            return Stream(None, "names", pattern)
        return Stream(None, stdin.origin if stdin.origin in ("fetched", "decoded") else "unknown")


def _show_secrets(acts: Iterable[Act]) -> bool:
    for act in acts:
        for effect in act.effects:
            if effect.kind == "secret":
                return True
    return False


_TAKES_OVER = frozenset({"command_not_found_handle", "command_not_found_handler", "cd", "eval", "source", "exec"})
# What takes orders from what comes in.
_ACTING = frozenset({"remote", "install", "publish", "history"})
