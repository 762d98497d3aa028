"""Run permission, "Agents may run tests here": which commands it covers, and when it is withheld.

It covers tests, builds and linters by name, never inline code. It is withheld where this session wrote what decides
*what* runs, wrote code that reaches beyond the project, or took in text of strangers and wrote since.
"""

# ruff: noqa: PTH118, PTH120 - paths here are text that an agent wrote

import itertools
import os
import re
from collections.abc import Iterator, Sequence

from assent.policy import world
from assent.policy.commands._web import address, is_hub
from assent.policy.effects import Effect
from assent.policy.paths import locate
from assent.policy.permissions import written_code
from assent.policy.permissions.run_names import (
    FETCHING_LAUNCHERS,
    LAUNCHERS,
    SCRIPT_RUNNERS,
    TASK_RUNNERS,
    decides,
    is_allowed_name,
    is_runner,
    leaves_the_project,
    lock_files,
    names,
)
from assent.policy.session_taint import Memory
from assent.policy.shell.acts import Act
from assent.policy.shell.spelling import Setting
from assent.policy.shell.words import Arg
from assent.protocol.decision import Risk

MOST_NAMED = 3
# Such files lie near the top; deeper ones are those of a package of the repository.
DEEPEST = 6

# A label of a build system begins with two slashes.
_PATH_LIKE = re.compile(r"^(?:~|/(?!/))|(?:^|/)\.\.(?:/|$)")
# The name of an option before its value, with or without an equals sign.
_ATTACHED = re.compile(r"-{1,2}[\w.-]*=|-[A-Za-z](?=[~/.])")
# What makes a tester load or run something else than the project says: plugins, wrappers, settings given in the line.
_STEERING = re.compile(
    r"-exec|-toolexec|-vettool|-D.+|--?(?:plugin|plugins|rulesdir|config|override(?:-ini)?|init-script|run_under|set|define"
    r"|python-executable|script-shell|resolve-plugins-relative-to|loader|import|require|preset|transform|runner|env-file|record)(?:=.*)?"
)
_STEERING_LETTERS = {
    **dict.fromkeys(("pytest", "py.test"), names("-p -o")),
    "tox": names("-x"),
    **dict.fromkeys(("gradle", "gradlew"), names("-I")),
}
_FILE = re.compile(r"(?:\./)?(?!.*\.\./)[\w./-]+\.\w+")
_PLAIN_VALUE = re.compile(r"[\w.,:+-]*")
_NOT_VARIABLES = names(
    "SHELL MAKE MAKEFLAGS MAKEFILES MAKEFILE_LIST GNUMAKEFLAGS CC CXX LD AR PYTHON NODE RUSTC RUSTC_WRAPPER"
)
# Databases, queues, browsers and control ports of containers, clusters and secret stores.
_SERVICES = names(
    "2375 2376 2379 2380 3306 4243 4646 5432 5601 5672 5984 6379 6443 7474 8086 8200 8300 8500 9000 9042 9090 9092 9200"
    " 9222 9229 9300 10250 11211 11434 15672 26257 27017 28015"
)
# They run several tasks or environments at once, each by its name.
_MANY_TASKS = names("tox nox turbo lerna nx gradle gradlew mvn mvnw mvnd sbt hatch")
_PACKAGE_MANAGERS = frozenset({"npm", "pnpm", "yarn", "bun"})
_ASSIGNED = re.compile(r"(?:[A-Za-z_]\w*=\S*\s+)+")
_STEERING_VARIABLE = re.compile(
    r"(?i)OPTS|OPTIONS|ADDOPTS|PLUGIN|WRAPPER|PRELOAD|CONFIG|PATH|SHELL|RUNNER|LOADER|FLAGS$"
)
_RUN_VERBS = frozenset({"run", "run-script", "task"})
_EXEC_VERBS = frozenset({"run", "exec", "x", "dlx"})
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "python", "python3", "node", "ruby", "deno", "bun", "tsx", "ts-node"})


class RunPermission:
    """What is covered in one project."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting

    def covers(self, act: Act, effect: Effect) -> bool:
        """Whether this effect of the command itself is covered; what the command starts is asked about separately."""
        if effect.risk is not Risk.CARE or act.inline or not self._is_here(act):
            return False
        if effect.kind in ("fetch", "send"):
            return _is_local(effect.target)
        if self._names_elsewhere(act) or _steers(act):
            return False
        if effect.kind == "install":
            return self._is_from_lock_file(act)
        if effect.kind == "unknown":
            return self._is_installed(act)
        if effect.kind == "run":
            return self._is_of_project(effect, act) or self._launches(act)
        if effect.kind != "project":
            return False
        return self.names(act) or self._launches(act) or self._is_tester(act) or _only_tells(act)

    def names(self, act: Act) -> bool:
        """Whether a script or target is run by a name that says test, build or lint: what stands in it is covered."""
        if not self._is_here(act):
            return False
        words = _words(act)
        program = words[0].rpartition("/")[2]
        operands = [word for word in words[1:] if not word.startswith("-")]
        if program in TASK_RUNNERS:
            targets = [word for word in operands if "=" not in word]
            is_named = all(map(is_allowed_name, targets)) if targets else program in ("make", "gmake")
            return is_named and "/" not in words[0]
        if program in SCRIPT_RUNNERS and operands:
            is_run = operands[0] in _RUN_VERBS
            name = (operands[1] if len(operands) > 1 else "") if is_run else operands[0]
            return (is_run or any(e.kind == "project" and e.target == name for e in act.effects)) and is_allowed_name(
                name
            )
        return self._is_named_file(act)

    def withheld(self, memory: Memory | None) -> str:
        """Why the permission does not hold in this session now, as a sentence; "" where it does."""
        if memory is None:
            return ""
        inside = [path for path in memory.written if path.startswith(f"{self._setting.project}/")]
        changed = [path for path in (*inside, *self._moved(memory)) if decides(path) and memory.is_news(path)]
        if changed:
            return f"This session changed what decides what runs: {self._named(changed)}."
        for path in inside:
            if memory.is_news(path) and (reaches := written_code.reaches(path, self._setting)):
                return f"This session wrote {self._named([path])}, which {reaches}."
        if memory.untrusted is not None and memory.wrote_since and any(map(memory.is_news, inside)):
            return f"This session took in what strangers wrote ({memory.untrusted[:80]}) and wrote files since."
        return ""

    # --- one command

    def _is_here(self, act: Act) -> bool:
        """Whether it starts inside the project, from words that are known: in one way and no other."""
        if len(act.runs) != 1:
            return False
        ran, project = act.runs[0], self._setting.project
        is_inside = ran.cwd is not None and (ran.cwd == project or ran.cwd.startswith(f"{project}/"))
        return is_inside and not any(arg.splits for arg in ran.args)

    def _names_elsewhere(self, act: Act) -> bool:
        """Whether a word names a place outside the project, other than a file that is only written."""
        writes = {effect.target for effect in act.effects if effect.kind == "write"}
        for ran in act.runs:
            for text in (arg.text for arg in ran.args[1:]):
                path = _ATTACHED.sub("", text) if text.startswith("-") else text
                if path in writes or not _PATH_LIKE.search(path) or "://" in path:
                    continue
                if locate(Arg(path), self._setting, ran.cwd).place not in ("project", "whole", "sink"):
                    return True
        return False

    @staticmethod
    def _is_tester(act: Act) -> bool:
        words = _words(act)
        program = words[0].rpartition("/")[2]
        plain = [word for word in words[1:] if not word.startswith("-")]
        if program in ("python", "python3") and words[1:2] == ["-m"]:
            return is_runner(words[2:]) or words[2:3] == ["unittest"]
        if program == "node" and "--test" in words:
            return True
        if program in ("python", "python3") and plain and plain[0].endswith("manage.py"):
            return is_runner(["manage.py", *plain[1:2]])
        return is_runner([program, *plain[:1]])

    def _launches(self, act: Act) -> bool:
        """Whether it only starts another command, which is asked about by itself: ``uv run``, ``npx``."""
        words = _words(act)
        program = words[0].rpartition("/")[2]
        if program not in LAUNCHERS or not act.children[act.inside :]:
            return False
        if program in FETCHING_LAUNCHERS or program in _PACKAGE_MANAGERS:
            name = _launched(words)
            is_exec = program in FETCHING_LAUNCHERS or words[1] in ("exec", "x")
            return self._is_installed_program(name, act) and (is_exec or (name == words[1] and is_runner([name])))
        return True

    def _is_named_file(self, act: Act) -> bool:
        """``./scripts/test.sh``, ``bash scripts/lint.sh``: a file of the project by such a name."""
        words = _words(act)
        program = words[0].rpartition("/")[2]
        operands = [word for word in words[1:] if not word.startswith("-")]
        is_interpreter = program in _SHELLS
        file = operands[0] if is_interpreter and operands else words[0] if "/" in words[0] else ""
        if not file or (is_interpreter and words[1] != file):
            return False
        located = locate(Arg(file), self._setting, act.runs[0].cwd)
        return located.place == "project" and is_allowed_name(os.path.splitext(os.path.basename(file))[0])  # noqa: PTH119, PTH122

    def _is_of_project(self, effect: Effect, act: Act) -> bool:
        """Settings or helpers of the project that a tester is told to use."""
        if not effect.target or not self._is_tester(act):
            return False
        return locate(Arg(effect.target), self._setting, act.runs[0].cwd).place == "project"

    def _is_installed(self, act: Act) -> bool:
        """A program that the project installed, started by its name through a launcher."""
        words = _words(act)
        return self._is_installed_program(words[0], act) and not any(
            not is_harmless_word(word) for word in words[1:] if not word.startswith("-")
        )

    def _is_installed_program(self, name: str, act: Act) -> bool:
        folder = act.runs[0].cwd if act.runs else None
        project = self._setting.project
        while name and "/" not in name and folder and (folder == project or folder.startswith(f"{project}/")):
            for place in ("node_modules/.bin", ".venv/bin", "venv/bin", "vendor/bin"):
                if world.is_there(os.path.join(folder, place, name)):
                    return True
            folder = os.path.dirname(folder)
        return False

    def _is_from_lock_file(self, act: Act) -> bool:
        words = _words(act)
        program = words[0].rpartition("/")[2]
        operands = [word for word in words[1:] if not word.startswith("-")]
        verb = operands[0] if operands else ""
        extra = operands[1:] if verb != "mod" else operands[2:] if operands[1:2] == ["download"] else operands
        files = lock_files(program, verb)
        if not files or extra or len([e for e in act.effects if e.risk > Risk.LOOK]) != 1:
            return False
        return any(world.is_there(os.path.join(act.runs[0].cwd or "/", name)) for name in files)

    # --- what the session did

    def _moved(self, memory: Memory) -> Iterator[str]:
        """Files that a checkout, pull, merge or install of this session changed, of those that decide what runs."""
        if memory.moved_at is None:
            return
        waiting, looked = [(self._setting.project, 0)], 0
        while waiting and looked < 200:
            folder, depth = waiting.pop(0)
            looked += 1
            for name, is_folder in world.names_in(folder, 500):
                path = f"{folder}/{name}"
                if is_folder and depth < DEEPEST and not name.startswith((".git", "node_modules", ".venv")):
                    waiting.append((path, depth + 1))
                elif decides(path) and (changed := world.changed_at(path)) is not None and changed >= memory.moved_at:
                    yield path

    def _named(self, paths: Sequence[str]) -> str:
        names = [path.removeprefix(f"{self._setting.project}/") for path in dict.fromkeys(paths)]
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        return ", ".join(names[:MOST_NAMED]) + more


def _only_tells(act: Act) -> bool:
    """Whether a program of the project is only asked for its version or its help."""
    words = _words(act)
    return len(words) == 2 and words[1] in ("--version", "-V", "--help", "-h")


def _steers(act: Act) -> bool:
    """Whether an option or a variable says what is loaded or run, in the place of the project's own settings."""
    before = _ASSIGNED.match(act.text) if act.sets else None
    if before and any(_STEERING_VARIABLE.search(name) for name in re.findall(r"(\w+)=", before[0])):
        return True
    words = _words(act)
    program = words[0].rpartition("/")[2]
    if program in _MANY_TASKS and any(map(leaves_the_project, words[1:])):
        return True
    return any(_is_steering(program, *pair) for pair in itertools.pairwise((*words[1:], "")))


def _is_steering(program: str, text: str, following: str) -> bool:
    name, equals, value = text.partition("=")
    if program in TASK_RUNNERS and equals and not text.startswith("-"):
        return name in _NOT_VARIABLES or not _PLAIN_VALUE.fullmatch(value)
    if text in _STEERING_LETTERS.get(program, ()):
        return True
    # Settings in a file of the project are the project's own.
    is_file = _FILE.fullmatch(value if equals else following) is not None
    return _STEERING.fullmatch(text) is not None and not (name == "--config" and is_file)


def is_harmless_word(word: str) -> bool:
    """Whether a sub-command of an installed program says nothing of leaving the project."""
    return is_allowed_name(f"test {word}") if word.isascii() and word.replace("-", "").isalpha() else True


def _launched(words: Sequence[str]) -> str:
    """The program that a launcher starts, as it is written."""
    rest = [word for word in words[1:] if not word.startswith("-")]
    return next((word for word in rest if word not in _EXEC_VERBS), "")


def _words(act: Act) -> list[str]:
    return [arg.text for arg in act.runs[0].args] if act.runs else [""]


def _is_local(target: str) -> bool:
    """Whether it is the project's own server: on this machine, and no database or control port."""
    to = address(target)
    port = re.search(r":(\d+)(?:[/?#]|$)", target.partition("://")[2] or target)
    return to.is_local and not is_hub(target) and (port is None or port[1] not in _SERVICES)
