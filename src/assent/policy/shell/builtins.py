"""The shell's own commands that change what the rest of the line means."""

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from assent.policy.commands.spec import Invocation, Run, RunsFile, Spec, starts
from assent.policy.effects import care, danger, nothing
from assent.policy.shell import sourced, variables
from assent.policy.shell.streams import SHOWS_VARIABLES, UNKNOWN
from assent.policy.shell.words import HOLE, Arg

if TYPE_CHECKING:
    from assent.policy.shell.acts import Act
    from assent.policy.shell.env import Scope
    from assent.policy.shell.runner import Runner
    from assent.policy.shell.streams import Stream


class Here(NamedTuple):
    """A command where it stands."""

    walk: "Runner"
    args: tuple[Arg, ...]
    scope: "Scope"
    stdin: "Stream"
    act: "Act"


Handler = Callable[[Here], None]


def _cd(here: Here) -> None:
    here.act.effects.append(nothing("It changes the working folder."))
    folders = [arg for arg in here.args[1:] if not (arg.text.startswith("-") and len(arg.text) == 2)]
    if here.args[0].text == "popd" or any(arg.text == "-" for arg in here.args):
        here.scope.cwd = None
    else:
        here.scope.cwd = here.walk.moved(here.scope, folders[0] if folders else Arg(here.scope.home))


def _export(here: Here) -> None:
    here.act.effects.append(nothing("It sets variables of the shell."))
    _shown(here)
    is_reference = any(arg.text.startswith("-") and "n" in arg.text for arg in here.args[1:])
    is_number = any(arg.text.startswith("-") and "i" in arg.text for arg in here.args[1:])
    for arg in here.args[1:]:
        name, sign, value = arg.text.partition("=")
        if is_number:
            here.scope.numbers |= {name.rstrip("+")}
            here.walk.worked_out([arg.text], here.scope, here.act.children)
        elif "[" in name:
            _worked_out(here, arg.text)
        if is_reference:
            # Another name for a variable: what it holds is what that holds when it is used.
            here.scope.forget(name)
            continue
        if sign and not name.startswith("-"):
            here.scope.assign(name.rstrip("+"), [value], append=name.endswith("+"))
            if name != "PATH" or not here.scope.searches([value]):
                here.act.effects += variables.assigned(name, [value], here.scope.project)
            here.walk.setting.line.chooses(name, [value])
        elif name == "PATH" and not here.scope.path_changed:
            continue
        elif not name.startswith("-") and name in here.scope.variables:
            here.act.effects += variables.assigned(name, list(here.scope.lookup(name)), here.scope.project)
            here.walk.setting.line.chooses(name, here.scope.lookup(name))


def _shown(here: Here) -> None:
    """With -p they print what variables hold."""
    options = "".join(arg.text for arg in here.args[1:] if arg.text.startswith("-"))
    names = [arg.text for arg in here.args[1:] if not arg.text.startswith("-")]
    if "p" in options and any(variables.is_secret(name) for name in names):
        here.act.effects.append(danger("secret", "It prints a secret.", " ".join(names)))
    elif "f" in options and here.args[0].text == "export":
        here.act.effects.append(care("run", "It hands a function to the shells it starts, in a command's place."))


def _unset(here: Here) -> None:
    here.act.effects.append(nothing("It forgets variables of the shell."))
    for arg in here.args[1:]:
        here.act.effects += variables.forgotten(arg.text)
        _worked_out(here, arg.text)
        here.scope.variables[arg.text] = ("",)
        here.scope.arrays.pop(arg.text, None)
        here.scope.functions.pop(arg.text, None)


def _eval(here: Here) -> None:
    words = [arg.text for arg in here.args[1:] if arg.text != "--"]
    if any(HOLE in word for word in words):
        here.act.effects.append(danger("dynamic", "It runs text that is known only when it runs."))
        return
    if words:
        here.walk.text(" ".join(words), here.scope, here.stdin, here.act.children)


def _source(here: Here) -> None:
    files = [arg for arg in here.args[1:] if arg.text != "--"]
    if not files and here.stdin.origin:
        # Some shells run what comes in.
        here.walk.runs_input("sh", here.scope, here.stdin, here.act)
    elif not files:
        here.act.effects.append(nothing())
    elif files[0].text == "/dev/stdin":
        here.walk.runs_input("sh", here.scope, here.stdin, here.act)
    elif sourced.known(files[0], here.walk, here.scope, here.act):
        return
    else:
        here.walk.runs_file(RunsFile(files[0], "sh"), here.scope, here.act)
    # It may have set anything.
    here.scope.path_changed = True


_MAPFILE = Spec("Reads lines into an array.", "* -C:none -c: -d: -n: -O: -s: -u:")
_PRINTF = Spec("Prints.", "-v:none *", wraps=True)
_HASH = Spec("Looks up commands.", "* -p:none")
_EXEC = Spec("Runs a command in the shell's place.", "* -a:", wraps=True)


def _taken_apart(here: Here, spec: Spec) -> Invocation:
    return Invocation(here.args[0].text, here.args[1:], spec, here.walk.setting, here.scope.cwd)


def _exec(here: Here) -> None:
    rest = _taken_apart(here, _EXEC).operands
    if rest:
        here.walk.run(Run(args=tuple(rest)), here.scope, here.stdin, here.act)
    else:
        here.act.effects.append(nothing("It rearranges the shell's own files."))


def _command(here: Here) -> None:
    rest = list(here.args[1:])
    while rest and rest[0].text.startswith("-"):
        if "v" in rest[0].text.lower():
            here.act.effects.append(nothing("It looks up a command."))
            return
        rest = rest[1:]
    if rest:
        plain = here.scope.copy()
        plain.functions, plain.aliases = {}, {}
        out = here.walk.invoke(tuple(rest), plain, here.stdin, here.act, [])
        here.scope.cwd = plain.cwd
        if out.origin == "environment":
            here.act.effects.append(danger("secret", SHOWS_VARIABLES))
    else:
        here.act.effects.append(nothing())


def _trap(here: Here) -> None:
    here.act.effects.append(nothing("It says what runs when the shell ends or gets a signal."))
    rest = [arg for arg in here.args[1:] if arg.text not in ("--", "-l", "-p")]
    if len(rest) > 1 and rest[0].text not in ("", "-"):
        here.walk.run(Run(line=rest[0]), here.scope, here.stdin, here.act)


def _alias(here: Here) -> None:
    here.act.effects.append(nothing("It gives a command another name."))
    for arg in here.args[1:]:
        name, sign, value = arg.text.partition("=")
        if sign:
            # What it stands for is looked at here: an interactive shell would run it later.
            here.walk.text(value, here.scope.copy(), UNKNOWN, here.act.children)
            here.scope.aliases[name] = value


def _read(here: Here) -> None:
    here.act.effects.append(nothing("It reads a line into a variable."))
    for arg in here.args[1:]:
        _worked_out(here, arg.text)
    names = [arg.text for arg in here.args[1:] if arg.text.isidentifier()]
    values = [HOLE]
    if here.stdin.origin == "text" and here.stdin.text:
        # In a loop every line comes by.
        values = [line.strip() for line in here.stdin.text.splitlines()]
    elif here.stdin.origin == "names" and here.stdin.path is not None:
        values = [here.stdin.path.text]
    for name in names or ["REPLY"]:
        here.scope.assign(name, values if len(names) == 1 else [HOLE])


def _mapfile(here: Here) -> None:
    """Fills an array, and runs a line for every so many lines if it is told to."""
    here.act.effects.append(nothing("It reads lines into an array."))
    it = _taken_apart(here, _MAPFILE)
    for line in it.all_values("-C"):
        here.act.effects.append(danger("dynamic", "It runs a line for what it reads."))
        # The line gets a number and what was read as two more words.
        for run in starts(line):
            here.walk.run(run, here.scope, here.stdin, here.act)
    for word in [arg.text for arg in it.operands] or ["MAPFILE"]:
        _worked_out(here, word)
        if word.isidentifier():
            here.scope.forget(word)


def _shift(here: Here) -> None:
    here.act.effects.append(nothing("It drops arguments."))
    count = here.args[1].text if len(here.args) > 1 else "1"
    if here.scope.arguments is not None:
        here.scope.arguments = here.scope.arguments[int(count) :] if count.isdigit() else None


def _let(here: Here) -> None:
    here.act.effects.append(nothing("It calculates."))
    here.walk.worked_out([arg.text for arg in here.args[1:]], here.scope, here.act.children)


def _test(here: Here) -> None:
    here.act.effects.append(nothing("It compares."))
    for arg in here.args[1:]:
        _worked_out(here, arg.text)


def _worked_out(here: Here, text: str) -> None:
    """Substitutions in a subscript run, quoted or not."""
    if "$(" in text or "`" in text:
        here.walk.text(f'echo "{text}"', here.scope.copy(), here.stdin, here.act.children)


def _set(here: Here) -> None:
    here.act.effects.append(nothing("It sets options of the shell."))
    texts = [arg.text for arg in here.args[1:]]
    if "allexport" in texts or any(text[:1] == "-" and "a" in text for text in texts if text[:2] != "--"):
        here.scope.exports_all = True
    if "history" in texts and "+o" in texts:
        here.act.effects.append(danger("tamper", "It hides what is typed from the shell's history."))
    rest = texts[texts.index("--") + 1 :] if "--" in texts else list(itertools.dropwhile(_is_flag, texts))
    if rest or "--" in texts:
        is_known = not any(arg.splits for arg in here.args)
        here.scope.arguments = tuple(rest) if is_known else None


def _is_flag(text: str) -> bool:
    return text[:1] in ("-", "+") or text in (
        "pipefail",
        "errexit",
        "nounset",
        "xtrace",
        "noglob",
        "vi",
        "emacs",
        "posix",
    )


def _printf(here: Here) -> None:
    here.act.effects.append(nothing())
    for name in _taken_apart(here, _PRINTF).all_values("-v"):
        here.scope.assign(name.text, [HOLE])
        here.act.effects += variables.assigned(name.text, [HOLE], here.scope.project, exported=False)
        _worked_out(here, name.text)


def _hash(here: Here) -> None:
    if _taken_apart(here, _HASH).has("-p"):
        here.act.effects.append(danger("run", "It makes a command's name stand for another program."))
    else:
        here.act.effects.append(nothing("It looks up commands."))


def _enable(here: Here) -> None:
    if any("f" in arg.text for arg in here.args[1:] if arg.text.startswith("-")):
        here.act.effects.append(danger("run", "It loads code into the shell."))
    else:
        here.act.effects.append(care("unknown", "It changes which of the shell's own commands are used."))


HANDLERS: dict[str, Handler] = {
    "cd": _cd,
    "pushd": _cd,
    "popd": _cd,
    "export": _export,
    "declare": _export,
    "typeset": _export,
    "local": _export,
    "readonly": _export,
    "unset": _unset,
    "eval": _eval,
    "source": _source,
    ".": _source,
    "exec": _exec,
    "command": _command,
    "builtin": _command,
    "trap": _trap,
    "alias": _alias,
    "read": _read,
    "mapfile": _mapfile,
    "readarray": _mapfile,
    "shift": _shift,
    "let": _let,
    "test": _test,
    "[": _test,
    "set": _set,
    "printf": _printf,
    "hash": _hash,
    "enable": _enable,
}
