"""Rules that would have answered what people were asked: as exact as the pattern language can say it."""

import itertools
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from assent.harnesses import registry
from assent.learn.repeated_calls import Habit
from assent.policy import world
from assent.policy.rules import pattern
from assent.policy.rules.rule import Rule
from assent.protocol.operations import CHANGES_FILES, READS_FILES, Fetch, Mcp, Operation, Search, Shell
from assent.protocol.permission import AddRules, PermissionRule
from assent.protocol.rule_words import EDIT, FETCH, MCP, READ, SHELL

_PLAIN = re.compile(r"[a-z][a-z0-9_-]*", re.ASCII)


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


_NEVER = (
    # Their words are files, and the files change or are gone.
    _set("rm rmdir mv cp ln chmod chown chgrp tee sed dd truncate touch mkdir shred install rsync tar unzip zip patch")
    # They stop or change the machine.
    | _set("kill killall pkill systemctl service launchctl mount umount iptables sysctl useradd usermod passwd crontab")
    # They send, fetch, or act elsewhere.
    | _set("curl wget http https xh aria2c scp sftp ftp gh glab aws gcloud az doctl heroku flyctl vercel netlify")
    | _set("docker podman nerdctl kubectl oc helm terraform tofu pulumi vagrant packer")
    # They run what they download, or a program that an option names.
    | _set("pip pip3 npm pnpm yarn bun gem cargo go uv poetry pdm brew apt apt-get dnf yum pacman apk snap conda mamba")
    | _set("nix bundle composer dotnet swift sbt stack cabal mix rebar3 pre-commit")
)
# Without an option that runs a program, writes a file of any name, reaches another machine or loses work.
_OF_GIT = _set("add commit status switch blame describe rev-parse ls-files shortlog merge cherry-pick revert")


def family(command: str) -> str | None:
    """``git commit`` for a command that may share ``Bash(git commit *)`` with its like."""
    program, verb, *_ = *command.split(maxsplit=2), "", ""
    if not _PLAIN.fullmatch(program) or not _PLAIN.fullmatch(verb) or program in _NEVER:
        return None
    if program == "git" and verb not in _OF_GIT:
        return None
    together = f"{program} {verb}"
    return together if may_be_granted(SHELL, f"{together} *") else None


def may_be_granted(tool: str, content: str | None) -> bool:
    """Whether such a rule is ever granted to an agent: the same test as for an answer that says *always*."""
    rule = PermissionRule(tool, content)
    grant = AddRules(rules=(rule,), behavior="allow", destination="userSettings")
    return registry.default().fault(grant) is None


# Different commands, or files, that must have been approved before one rule for all of them is thought of.
SEVERAL = 3
LONGEST = 500
_ESCAPED = re.compile(r"[\\*()]")
_EXPANDED = re.compile(r"[$`]")
_WILD_PATH = re.compile(r"[*?\[\]{}!\\]")
_MCP_TOOL = re.compile(r"mcp__[A-Za-z0-9_.-]+__[A-Za-z0-9_.-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Candidate:
    rule: Rule
    # Allows more than what was approved.
    is_wide: bool

    @property
    def text(self) -> str:
        return self.rule.patterns[0].text


def propose(approved: Iterable[Habit], least: int) -> list[Candidate]:
    """Candidates that stand for at least so many approvals. Whether they may be offered is for others to say."""
    counts: dict[str, int] = defaultdict(int)
    kinds: dict[str, set[str]] = defaultdict(set)
    files: dict[str, list[Habit]] = defaultdict(list)
    for habit in approved:
        for text, of_what in _texts(habit):
            counts[text] += habit.approved
            if of_what:
                kinds[text].add(of_what)
        if isinstance(habit.call.operation, CHANGES_FILES):
            files[habit.case.project].append(habit)
    for project, habits in files.items():
        for folder in _shared_folders(project, habits):
            text = f"{EDIT}({_anchored(folder)}/**)"
            inside = [habit for habit in habits if f"{habit.call.path}".startswith(f"{folder}/")]
            counts[text] = sum(habit.approved for habit in inside)
            kinds[text] = {f"{habit.call.path}" for habit in inside}
    often = [text for text, count in counts.items() if count >= least]
    return [made for text in often if not 0 < len(kinds[text]) < SEVERAL if (made := _candidate(text))]


def single_command(habit: Habit) -> str | None:
    """The only command of a line without operators, redirections and the like, as it is written."""
    acts = habit.call.acts(habit.scene)
    if len(acts) != 1 or len(acts[0].runs) != 1 or _EXPANDED.search(acts[0].written):
        return None
    # More in the line than its words is more than a rule for the command says.
    is_all = acts[0].written.split() == (habit.call.command or "").split()
    return acts[0].written if is_all else None


def _texts(habit: Habit) -> Iterator[tuple[str, str]]:
    """Patterns that cover the call, and for a wide one what it is made of."""
    operation = habit.call.operation
    if isinstance(operation, Shell):
        command = single_command(habit)
        if command is not None and 0 < len(command) <= LONGEST:
            yield f"{SHELL}({_ESCAPED.sub(_escape, command)})", ""
            if (shared := family(command)) is not None:
                yield f"{SHELL}({shared} *)", command
    elif isinstance(operation, READS_FILES + CHANGES_FILES):
        yield from _of_file(operation, habit.call.path)
    elif isinstance(operation, Fetch):
        if habit.call.host is not None:
            yield f"{FETCH}(domain:{habit.call.host})", ""
    elif isinstance(operation, Mcp):
        named = f"{MCP}{operation.server}__{operation.tool}"
        if _MCP_TOOL.fullmatch(named):
            yield named, ""


def _of_file(operation: Operation, path: str | None) -> Iterator[tuple[str, str]]:
    if path is None or _WILD_PATH.search(path):
        return
    if not isinstance(operation, Search):
        yield f"{READ if isinstance(operation, READS_FILES) else EDIT}({_anchored(path)})", ""
    # A search is about all there is in a folder, so its rule is, too. Not about everything you have.
    elif path.count("/") > 1 and not f"{world.home()}/".startswith(f"{path}/"):
        yield f"{READ}({_anchored(path)}/**)", ""


def _shared_folders(project: str, habits: list[Habit]) -> set[str]:
    """Folders below the project in which approved files part ways: the narrowest that hold several."""
    inside = {
        path
        for habit in habits
        if (path := habit.call.path) and path.startswith(f"{project}/") and not _WILD_PATH.search(path)
    }
    # In this order every folder that two paths share is shared by two neighbours.
    ordered = sorted(inside, key=lambda path: path.split("/"))
    shared = {os.path.commonpath(map(os.path.dirname, both)) for both in itertools.pairwise(ordered)}
    return {folder for folder in shared if folder.startswith(f"{project}/")}


def _anchored(path: str) -> str:
    """A file by a name that means the same in every project and every settings file."""
    home = world.home()
    return f"~/{path.removeprefix(f'{home}/')}" if path.startswith(f"{home}/") else f"/{path}"


def _escape(match: re.Match[str]) -> str:
    return f"\\{match[0]}"


def _candidate(text: str) -> Candidate | None:
    # It must be readable before it is accepted: no line breaks, nothing invisible, nothing that turns the text around.
    if not text.isprintable():
        return None
    try:
        parsed = pattern.parse(text)
    except ValueError:
        return None
    is_wide = text.endswith("*)") and not text.endswith("\\*)")
    return Candidate(Rule(level="user", number=0, patterns=(parsed,), says="allow"), is_wide)
