"""Scripts of a project as its own files tell them: package.json, Makefile, justfile, Taskfile, mise.toml.

A recipe that can be read is walked like a line; one that cannot stays code of the project and nothing more."""

# ruff: noqa: PTH118, PTH119, PTH120 - paths here are text that an agent wrote

import os
import re
import shlex
import tomllib
from collections.abc import Callable, Iterable, Iterator

import msgspec

from assent.expressions import later
from assent.policy import world
from assent.policy.commands.spec import Finding, Invocation, Run
from assent.policy.effects import care
from assent.policy.paths import locate
from assent.policy.shell.spelling import Setting
from assent.policy.shell.words import HOLE, Arg

MOST_BYTES = 256 * 1024
MOST_LINES = 60
MOST_FOLDERS = 12

_RULE = later(r"([^\s:#=][^:#=]*?)\s*::?(?!=)\s*([^;#]*)(?:;(.*))?")
_SETTING = later(r"(?:export\s+|override\s+)?([\w.-]+)\s*(\?|:{1,3}|\+|!)?=\s*(.*)")
_REFERENCE = later(r"\$(?:\(([\w.-]+)\)|\{([\w.-]+)\}|([@<^*?%+|]|[A-Za-z]))")
_CALL = later(r"\$[({][^(){}]*[\s,:][^(){}]*[)}]")
# What make itself knows.
_BUILT_IN = {"RM": "rm -f", "MAKE": "make", "CC": "cc", "CXX": "c++", "AR": "ar", "SHELL": "/bin/sh", "@": "target"}
# What it finds in the environment.
_BUILT_IN["HOME"] = "~"
_FIRST = later(rf"(^|[;&|(]\s*){HOLE}+")


def quoted(args: Iterable[Arg]) -> str:
    """The words as a line would have to spell them."""
    return " ".join("$unknown" if HOLE in arg.text else shlex.quote(arg.text) for arg in args)


def text_of(path: str, setting: Setting) -> str | None:
    """A file of the project, if it may be read and is not too long."""
    # Mostly there is none, and that is soon seen.
    if not world.is_there(path) or locate(Arg(path), setting, None).place != "project":
        return None
    return world.read_small(path, MOST_BYTES)


def nearest(it: Invocation, names: tuple[str, ...], folder: Arg | None = None) -> tuple[str, str] | None:
    """The file that holds here, and its text: in the folder, or in one around it up to the project's own."""
    start = locate(folder, it.setting, it.cwd).path if folder is not None else it.cwd
    if start is None or not start.startswith("/"):
        return None
    for _ in range(MOST_FOLDERS):
        for name in names:
            path = os.path.join(start, name)
            if (text := text_of(path, it.setting)) is not None:
                it.read_files.append(path)
                return path, text
        if start == it.setting.project or not start.startswith(it.setting.project):
            return None
        start = os.path.dirname(start)
    return None


def here(it: Invocation, names: tuple[str, ...], folder: Arg) -> str | None:
    """The text of the first of these files in the folder."""
    base = locate(folder, it.setting, it.cwd).path
    if not base.startswith("/"):
        return None
    for name in names:
        path = os.path.join(base, name)
        if (text := text_of(path, it.setting)) is not None:
            it.read_files.append(path)
            return text
    return None


def walked(
    it: Invocation, names: tuple[str, ...], lines: Callable[[str], list[str] | None], folder: Arg | None = None
) -> Iterator[Finding]:
    """The lines that a file of these names holds for the command; said in words where they cannot be read."""
    file = nearest(it, names, folder)
    if file is None:
        return
    recipe = lines(file[1])
    if recipe is None:
        yield care("project", f"What it runs cannot be read from {os.path.basename(file[0])}.", file[0])
    for line in recipe or ():
        yield Run(line=Arg(line))


# --- JSON


class _Manifest(msgspec.Struct):
    scripts: dict[str, str | list[str]] = {}


def scripts(it: Invocation, name: str, file: str = "package.json", folder: Arg | None = None) -> list[str]:
    """The lines that run for a script of this name, those before and after it included."""
    manifest = nearest(it, (file,), folder)
    if manifest is None:
        return []
    try:
        declared = msgspec.json.decode(manifest[1], type=_Manifest).scripts
    except msgspec.MsgspecError:
        return []
    lines: list[str] = []
    for each in (f"pre{name}", name, f"post{name}"):
        script = declared.get(each, [])
        lines += [script] if isinstance(script, str) else script
    return lines[:MOST_LINES]


# --- make


class Makefile:
    """As much of a makefile as can be told without running make: variables set plainly, rules with their recipes."""

    def __init__(self, text: str, given: dict[str, str] | None = None) -> None:
        self.variables = dict(_BUILT_IN)
        self.rules: dict[str, tuple[list[str], list[str]]] = {}
        self.first = ""
        # Lines that run while the file is read.
        self.at_once: list[str] = []
        self._given = given or {}
        self._read(text)
        self.variables |= self._given

    def lines(self, targets: list[str]) -> list[str]:
        """What runs for these targets, and for what they need."""
        waiting, seen, lines = list(targets or [self.first]), set[str](), list[str]()
        while waiting and len(lines) < MOST_LINES:
            target = waiting.pop(0)
            if target in seen or target not in self.rules:
                continue
            seen.add(target)
            needs, recipe = self.rules[target]
            waiting[:0] = needs
            lines += [self._line(line, target) for line in recipe]
        return lines[:MOST_LINES]

    def recipes(self) -> list[tuple[str, str]]:
        """Every line of every rule, with the target it is for."""
        recipes = [(target, self._line(line, target)) for target, (_, recipe) in self.rules.items() for line in recipe]
        return recipes[:MOST_LINES]

    def all_lines(self) -> list[str]:
        """What could run, whatever is asked for."""
        return [*self.at_once, *self.lines(list(self.rules))]

    def _read(self, text: str) -> None:
        current: list[list[str]] = []
        for line in _joined(text):
            if line.startswith("\t"):
                for recipe in current:
                    recipe.append(line.strip())
                continue
            stripped = line.strip()
            if not stripped or stripped.startswith("#"):
                continue
            self.at_once += re.findall(r"\$\(shell\s+([^()]*)\)", stripped)
            if match := _SETTING.fullmatch(stripped):
                self._set(match)
            elif match := _RULE.fullmatch(stripped):
                current = self._rule(match)

    def _set(self, match: re.Match[str]) -> None:
        name, how, value = match.groups()
        if how == "!":
            self.at_once.append(value)
        if how == "+":
            value = f"{self.variables.get(name, '')} {value}".strip()
        if how != "?" or name not in self.variables:
            self.variables[name] = value

    def _rule(self, match: re.Match[str]) -> list[list[str]]:
        targets, needs, inline = match.groups()
        recipes: list[list[str]] = []
        for target in self._expanded(targets, "").split():
            rule = self.rules.setdefault(target, ([], []))
            rule[0].extend(need for need in self._expanded(needs, target).split() if need != "|")
            if inline:
                rule[1].append(inline.strip())
            recipes.append(rule[1])
            if not self.first and target[0] != "." and "%" not in target:
                self.first = target
        return recipes

    def _line(self, line: str, target: str) -> str:
        return _FIRST.sub(r"\1some-program", self._expanded(line.lstrip("@-+ "), target))

    def _expanded(self, text: str, target: str, depth: int = 0) -> str:
        if depth > 8 or "$" not in text:
            return text

        def value(match: re.Match[str]) -> str:
            name = match[1] or match[2] or match[3]
            if name == "@":
                return target
            definition = self._given.get(name, self.variables.get(name))
            return HOLE if definition is None else self._expanded(definition, target, depth + 1)

        # ``$$`` is a dollar for the shell.
        parts = text.split("$$")
        return "$".join(_REFERENCE.sub(value, _CALL.sub(HOLE, part)) for part in parts)


def _joined(text: str) -> Iterator[str]:
    held = ""
    for line in text.splitlines():
        if line.endswith("\\"):
            held += f"{line[:-1]} " if not held else f"{line[:-1].strip()} "
        else:
            yield held + (line.strip() if held else line)
            held = ""
    if held:
        yield held


# --- just

_RECIPE = later(r"@?([A-Za-z_][\w-]*)((?:\s+[$*+]?[\w-]+(?:\s*=\s*\S+)?)*)\s*:(?!=)\s*(.*)")
_ASSIGNED = later(r"(?:export\s+)?([A-Za-z_][\w-]*)\s*:=\s*(?:\"([^\"]*)\"|'([^']*)')\s*")


def just_lines(text: str, targets: list[str]) -> list[str]:
    """What runs for recipes of a justfile, and for those they need."""
    recipes: dict[str, tuple[list[str], list[str]]] = {}
    values: dict[str, str] = {}
    body: list[str] | None = None
    for line in text.splitlines():
        if line[:1] in (" ", "\t") and body is not None:
            body.append(line.strip())
        elif entry := _ASSIGNED.fullmatch(line):
            values[entry[1]] = entry[2] or entry[3] or ""
        elif entry := _RECIPE.fullmatch(line.rstrip()):
            body = []
            recipes[entry[1]] = (re.findall(r"[A-Za-z_][\w-]*", re.sub(r"\(|\)|&&", " ", entry[3])), body)
        elif line.strip():
            body = None
    waiting, seen, lines = list(targets or list(recipes)[:1]), set[str](), list[str]()
    while waiting and len(lines) < MOST_LINES:
        target = waiting.pop(0)
        if target in seen or target not in recipes:
            continue
        seen.add(target)
        needs, body = recipes[target]
        waiting[:0] = needs
        is_script = bool(body) and body[0].startswith("#!")
        found_lines = ["\n".join(body[1:])] if is_script and "sh" in body[0] else [] if is_script else body
        for line in found_lines:
            filled = re.sub(r"\{\{\s*([\w-]+)\s*\}\}", lambda match: values.get(match[1], HOLE), line)
            filled = re.sub(r"\{\{.*?\}\}", HOLE, filled).lstrip("@-")
            lines.append(_FIRST.sub(r"\1some-program", filled))
    return lines[:MOST_LINES]


# --- task

_KEY = later(r"( *)(?:- )?(\"[^\"]+\"|'[^']+'|[\w:./*-]+):(?: +(.*))?")
_ITEM = "- "
_TEMPLATE = later(r"\{\{.*?\}\}")


def task_lines(text: str, targets: list[str]) -> list[str] | None:
    """What runs for tasks of a Taskfile, and for those they need; None where one of them cannot be read.

    The small part of YAML that such files are written in: keys, lists, plain and quoted texts, blocks."""
    tasks = _tasks(text.expandtabs(2).splitlines())
    waiting, seen, lines = list(targets or ["default"]), set[str](), list[str]()
    while waiting and len(lines) < MOST_LINES:
        target = waiting.pop(0)
        if target in seen:
            continue
        seen.add(target)
        if target not in tasks:
            return None
        needs, commands = tasks[target]
        waiting[:0] = needs
        lines += [_FIRST.sub(r"\1some-program", _TEMPLATE.sub(HOLE, command)) for command in commands]
    return lines[:MOST_LINES]


def _tasks(lines: list[str]) -> dict[str, tuple[list[str], list[str]]]:
    tasks: dict[str, tuple[list[str], list[str]]] = {}
    current: tuple[list[str], list[str]] = ([], [])
    is_inside, width, key, place = False, 0, "", 0
    while place < len(lines):
        line = lines[place].rstrip()
        place += 1
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        indent = len(line) - len(line.lstrip())
        if indent == 0:
            is_inside, width = bare == "tasks:", 0
            continue
        if not is_inside:
            continue
        width = width or indent
        entry = _KEY.fullmatch(line)
        if indent == width and entry is not None:
            current = tasks.setdefault(_plain(entry[2]), ([], []))
            key, value = "cmds", entry[3] or ""
        elif entry is not None and bare[:2] != _ITEM:
            key, value = entry[2], entry[3] or ""
        elif bare[:2] == _ITEM:
            value = bare[2:].strip()
            if (inner := re.fullmatch(r"(cmd|task|defer):\s*(.*)", value)) is not None:
                (current[0] if inner[1] == "task" else current[1]).append(_plain(inner[2]))
                continue
        else:
            continue
        if value in ("|", ">", "|-", ">-", "|+", ">+"):
            block = []
            while place < len(lines) and (not lines[place].strip() or _indent(lines[place]) > indent):
                block.append(lines[place].strip())
                place += 1
            value = "\n".join(block)
        for each in _listed(value):
            if key == "deps" or key == "task":
                current[0].append(each)
            elif key in ("cmds", "cmd"):
                current[1].append(each)
    return tasks


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _listed(value: str) -> list[str]:
    if value.startswith("[") and value.endswith("]"):
        return [_plain(each.strip()) for each in value[1:-1].split(",") if each.strip()]
    return [_plain(value)] if value and not value.startswith(("{", "&", "*")) else []


def _plain(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1].replace('\\"', '"') if value[0] == '"' else value[1:-1].replace("''", "'")
    return value.partition(" #")[0].rstrip()


# --- mise


def mise_lines(text: str, target: str) -> list[str] | None:
    """What runs for a task of mise.toml, and for those it needs; None where it cannot be read or is not there."""
    try:
        tasks = tomllib.loads(text).get("tasks", {})
    except (tomllib.TOMLDecodeError, RecursionError):
        return None
    waiting, seen, lines = [target], set[str](), list[str]()
    while waiting and len(lines) < MOST_LINES:
        name = waiting.pop(0)
        if name in seen:
            continue
        seen.add(name)
        task = tasks.get(name) if isinstance(tasks, dict) else None
        if task is None:
            return None
        whole = task if isinstance(task, dict) else {"run": task}
        for key in ("depends", "depends_post", "wait_for"):
            needs = whole.get(key, [])
            waiting += [
                str(need).split()[0] for need in ([needs] if isinstance(needs, str) else needs) if str(need).strip()
            ]
        run = whole.get("run", [])
        for line in [run] if isinstance(run, str) else run if isinstance(run, list) else []:
            lines.append(_FIRST.sub(r"\1some-program", _TEMPLATE.sub(HOLE, str(line))))
    return lines[:MOST_LINES]
