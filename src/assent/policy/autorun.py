"""Files of a project whose text runs later, by its tools and by itself: package.json, Makefile, Dockerfile and kin.

Where such a file is written, its lines are read as if they ran now: Danger in one of them is Danger of writing it."""

import json
import re
import shlex
import textwrap
import tomllib
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from assent.policy.commands._recipes import Makefile
from assent.policy.effects import Effect, care, danger
from assent.policy.inline import literals
from assent.policy.shell import perhaps, variables
from assent.policy.shell.streams import DOWNLOADED
from assent.policy.shell.words import HOLE
from assent.protocol.decision import Risk

if TYPE_CHECKING:
    from assent.policy.shell.env import Scope
    from assent.policy.shell.runner import Runner

LARGEST = 64 * 1024
MOST_LINES = 80
MOST_SHOWN = 80

# Run by package managers without a word, when the project is installed or published.
_UNASKED_SCRIPTS = re.compile(r'"(?:pre|post)?(?:install|prepare|pack|publish|publishOnly|uninstall)"\s*:')


class TaskLine(NamedTuple):
    """A line that a file runs, and the name under which it stands there."""

    name: str
    text: str


# --- formats


def _strings(value: Any, name: str = "") -> Iterator[TaskLine]:
    """All texts of a document, under the names that they have in it."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _strings(each, str(key)) if str(key) not in _ABOUT else ()
    elif isinstance(value, list):
        if value and all(isinstance(each, str) for each in value):
            yield TaskLine(name, shlex.join(value))
        for each in value:
            yield from _strings(each, name)
    elif isinstance(value, str):
        yield TaskLine(name, value)


_ABOUT = frozenset({"description", "name", "author", "homepage", "keywords", "license", "version", "title"})
_PAIR = re.compile(r'"([\w:./@-]+)"\s*:\s*"((?:[^"\\]|\\.)*)"')


def _json(text: str) -> Iterator[TaskLine]:
    try:
        yield from _strings(json.loads(text))
    except (ValueError, RecursionError):
        # A part of a file, as an edit puts it in.
        for name, value in _PAIR.findall(text):
            if name not in _ABOUT:
                yield TaskLine(name, value.replace('\\"', '"').replace("\\\\", "\\"))


_SET = re.compile(r"^\s*[\"']?([\w.:-]+)[\"']?\s*=\s*(?:\"([^\"\n]*)\"|'([^'\n]*)'|(\[[^\n]*\]))", re.MULTILINE)


def _toml(text: str) -> Iterator[TaskLine]:
    try:
        yield from _strings(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError):
        for name, double, single, listed in _SET.findall(text):
            yield from _listed(name, listed) if listed else (TaskLine(name, double or single),)


_ENTRY = re.compile(r"\s*(?:-\s+)?(?:[\"']?([\w./:@-]+?)[\"']?\s*:(?:\s+|$))?(.*)")


def _yaml(text: str) -> Iterator[TaskLine]:
    """Every value and every line of a block, without the grammar around them."""
    name = ""
    for line in _unbroken(text):
        match = _ENTRY.fullmatch(line)
        if match is None or line.lstrip().startswith("#"):
            continue
        name = match[1] or name
        value = match[2].strip()
        if value.startswith("["):
            yield from _listed(name, value)
        elif value and value[0] not in "|>{&*":
            is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
            yield TaskLine(name, value[1:-1] if is_quoted else value)


def _listed(name: str, value: str) -> Iterator[TaskLine]:
    try:
        words = json.loads(value.replace("'", '"'))
    except ValueError:
        return
    if isinstance(words, list) and all(isinstance(word, str) for word in words):
        yield TaskLine(name, shlex.join(words))
        # In a list of commands each is a line; in a command given as words one of them may be.
        yield from (TaskLine(name, word) for word in words if " " in word)


_INSTRUCTION = re.compile(r"\s*(?:ONBUILD\s+)?(RUN|CMD|ENTRYPOINT|HEALTHCHECK|SHELL)\s+(.*)", re.IGNORECASE | re.DOTALL)
_FLAGS = re.compile(r"^(?:--[\w-]+(?:=\S+)?\s+)*(?:CMD\s+)?")


def _dockerfile(text: str) -> Iterator[TaskLine]:
    end = ""
    for line in _unbroken(text):
        if end:
            # The body of a here-document.
            end = "" if line.strip() == end else end
            yield TaskLine("RUN", line.strip())
        elif match := _INSTRUCTION.fullmatch(line):
            instruction = _FLAGS.sub("", match[2], count=1)
            here = re.match(r"<<-?[\"']?(\w+)", instruction)
            end = here[1] if here else ""
            yield from (
                _listed(match[1], instruction) if instruction.startswith("[") else (TaskLine(match[1], instruction),)
            )
        elif line[:1] in (" ", "\t"):
            yield TaskLine("RUN", line.strip())


def _literals(text: str) -> Iterator[TaskLine]:
    """Texts of a program that may be lines for a shell."""
    for name, _ in literals.texts(text):
        if " " in name.strip():
            yield TaskLine("", name)


def _makefile(text: str) -> Iterator[TaskLine]:
    makefile = Makefile(text)
    yield from (TaskLine("", line) for line in makefile.at_once)
    yield from (TaskLine(target, line) for target, line in makefile.recipes())
    yield from (TaskLine("", line.strip().lstrip("@-+")) for line in _unbroken(text) if line.startswith("\t"))


_HEADER = re.compile(r"@?([A-Za-z_][\w-]*)[^:=\n]*:(?!=).*")


def _recipes(text: str) -> Iterator[TaskLine]:
    """A justfile, or another file of names with indented lines below them."""
    name = ""
    for line in _unbroken(text):
        if line[:1] in (" ", "\t"):
            yield TaskLine(name, re.sub(r"\{\{.*?\}\}", "some-value", line.strip().lstrip("@-")))
        elif match := _HEADER.fullmatch(line.rstrip()):
            name = match[1]


def _lines(text: str) -> Iterator[TaskLine]:
    """A Procfile: ``web: line``."""
    for line in _unbroken(text):
        name, colon, rest = line.partition(":")
        if colon and re.fullmatch(r"[\w-]+", name):
            yield TaskLine(name, rest.strip())


def _ini(text: str) -> Iterator[TaskLine]:
    """``commands =`` of tox and its like, with a line below it for each."""
    name = ""
    for line in _unbroken(text):
        match = re.fullmatch(r"([\w-]+)\s*=\s*(.*)", line)
        name = match[1] if match else name
        value = match[2] if match else line.strip() if line[:1] in (" ", "\t") else ""
        if value and name.startswith(("command", "allowlist", "script", "cmd")):
            yield TaskLine(name, re.sub(r"\{[^{}]*\}", "some-value", value.lstrip("-! ")))


def _unbroken(text: str) -> Iterator[str]:
    return iter(re.sub(r"\\\n\s*", " ", text).splitlines())


# --- which file is in which format

_FORMATS: tuple[tuple[str, Callable[[str], Iterator[TaskLine]]], ...] = (
    (r"package\.json|composer\.json|deno\.jsonc?|project\.json|turbo\.json|nx\.json|app\.json|vercel\.json", _json),
    (r"(?:gnu)?makefile(?:\.\w+)?|.*\.mk|.*\.make", _makefile),
    (r"(?:.*\.)?(?:docker|container)file(?:\.[\w.-]+)?", _dockerfile),
    (r"(?:docker-)?compose[\w.-]*\.ya?ml", _yaml),
    (
        r"taskfile(?:\.dist)?\.ya?ml|serverless\.ya?ml|render\.yaml|app\.ya?ml|skaffold\.ya?ml|pubspec\.yaml|melos\.yaml",
        _yaml,
    ),
    (r"\.?justfile|.*\.just|earthfile", _recipes),
    (r"procfile(?:\.\w+)?", _lines),
    (
        r"pyproject\.toml|pixi\.toml|\.?mise(?:\.\w+)?\.toml|makefile\.toml|netlify\.toml|fly\.toml|wrangler\.toml",
        _toml,
    ),
    (r"tox\.ini|setup\.cfg|\.?pdm\.toml", _ini),
    (r"(?:setup|noxfile|tasks|fabfile|dodo)\.py|wscript|sconstruct", _literals),
    (r"(?:gulpfile|gruntfile)\.[cm]?[jt]s|(?:rake|vagrant|fast|cap)file", _literals),
    (
        r"(?:.*\.gradle(?:\.kts)?|build\.rs|build\.zig|cmakelists\.txt|.*\.cmake|binding\.gyp|meson\.build|build\.xml)",
        _literals,
    ),
)
_READERS = tuple((re.compile(names, re.IGNORECASE), reader) for names, reader in _FORMATS)
# These run in an image, where files of the project and of the user are not.
_IN_IMAGES = re.compile(
    r"(?:.*\.)?(?:docker|container)file(?:\.[\w.-]+)?|(?:docker-)?compose[\w.-]*\.ya?ml|earthfile", re.IGNORECASE
)
_MATTERS_IN_IMAGES = frozenset({"run", "send", "remote", "publish"})
# Programs that tools of the project load by themselves.
_PROGRAMS = tuple(
    (re.compile(names, re.IGNORECASE), language)
    for names, language in (
        (r"(?:conftest|setup|noxfile|tasks|fabfile|dodo|gunicorn\.conf)\.py|wscript|sconstruct", "python"),
        (r"(?:gulpfile|gruntfile|[\w.-]+\.config|[\w.-]+\.setup|\.pnpmfile|\.eslintrc)\.[cm]?[jt]s", "javascript"),
        (r"(?:rake|gem|vagrant|guard|cap|fast|pod)file|[\w-]+\.gemspec", "ruby"),
    )
)
_MATTERS_IN_PROGRAMS = frozenset({"delete", "tamper", "persist", "device", "privilege", "send"})
_VARIABLES = re.compile(r"\.env(?:\..+)?|.*\.env|\.envrc|\.?flaskenv", re.IGNORECASE)
_ASSIGNED = re.compile(
    r"^\s*(?:-\s*|export\s+|ENV\s+)*[\"']?([A-Za-z_]\w*)[\"']?[ \t]*[=:][ \t]*[\"']?([^\"'\s#]+)", re.MULTILINE
)
# By these names people call what takes something away or sends it out, and ask for it by that name.
_SAYS_SO = re.compile(
    r"(?i)deploy|release|publish|reset|clean|purge|migrat|db|seed|prune|push|destroy|tear|down|infra|prod|nuke"
)
_SAID = frozenset({"remote", "publish", "history", "delete"})


def is_of_this_kind(path: str) -> bool:
    return _is_named_so(path.rpartition("/")[2])


@lru_cache(maxsize=512)
def _is_named_so(name: str) -> bool:
    return any(names.fullmatch(name) for names, _ in (*_READERS, *_PROGRAMS)) or _VARIABLES.fullmatch(name) is not None


def lines(path: str, text: str) -> list[TaskLine]:
    """The lines that the text of this file runs, as far as they can be told."""
    name = path.rpartition("/")[2]
    for names, reader in _READERS:
        if names.fullmatch(name):
            return [line for line in reader(text[:LARGEST]) if line.text.strip()][:MOST_LINES]
    return []


def effects(runs: "Runner", path: str, text: str, scope: "Scope") -> Iterator[Effect]:
    """Danger in what the file will run, or in the variables that it sets. At most one for each."""
    name = path.rpartition("/")[2]
    is_image = _IN_IMAGES.fullmatch(name) is not None
    yield from _changes_what_runs(name, path, text, scope)
    for line in lines(path, text):
        worst = next((each for each in perhaps.dangers(runs, line.text, scope) if _counts(each, line, is_image)), None)
        if worst is not None:
            shown = " ".join(line.text.replace(HOLE, "…").split())[:MOST_SHOWN]
            yield danger("persist", f"{name} will run “{shown}”. {worst.why}", path)
            break
    for names, language in _PROGRAMS:
        if names.fullmatch(name) and len(text) <= LARGEST:
            yield from _of_program(runs, path, language, textwrap.dedent(text), scope)
    if is_image or _VARIABLES.fullmatch(name):
        for variable, value in _ASSIGNED.findall(text[:LARGEST]):
            dangers = [each for each in variables.assigned(variable, [value]) if each.risk == Risk.DANGER]
            if dangers and (not is_image or dangers[0].kind == "send"):
                yield danger(dangers[0].kind, f"{name} will set {variable}. {dangers[0].why}", path)
                return


def _changes_what_runs(name: str, path: str, text: str, scope: "Scope") -> Iterator[Effect]:
    if not path.startswith(f"{scope.project}/"):
        return
    if name == "package.json" and _UNASKED_SCRIPTS.search(text):
        yield danger("persist", "Package managers run these scripts by themselves.", path)
    elif name == "package.json" and '"scripts"' in text:
        yield care("persist", "It changes what the project's scripts run.", path)
    elif name == "conftest.py":
        yield care("persist", "Every run of the tests loads this file by itself.", path)


def _counts(effect: Effect, line: TaskLine, is_image: bool) -> bool:
    if is_image:
        return effect.kind in _MATTERS_IN_IMAGES
    if effect.kind == "delete" and effect.target and not effect.target.startswith(("/", "~", "..", ".", "*")):
        # What the project makes, it may take away.
        return False
    return effect.kind not in _SAID or _SAYS_SO.search(line.name) is None or effect.target.startswith(("/", "~"))


def _of_program(runs: "Runner", path: str, language: str, text: str, scope: "Scope") -> Iterator[Effect]:
    name = path.rpartition("/")[2]
    for effect in perhaps.dangers(runs, text, scope, language):
        is_fetched = effect.kind == "run" and effect.why in (DOWNLOADED, perhaps.FETCHED_PROGRAM)
        is_inside = effect.kind == "delete" and not effect.target.startswith(("/", "~", ".."))
        if is_fetched or (effect.kind in _MATTERS_IN_PROGRAMS and not is_inside):
            yield danger("persist", f"{name} runs with the project's tools. {effect.why}", path)
            return
