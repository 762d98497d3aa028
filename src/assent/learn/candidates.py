"""Rules that would have answered what people were asked: as exact as the pattern language can say it."""

import itertools
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from assent.learn.families import family
from assent.learn.habits import Habit
from assent.policy import pattern, world
from assent.policy.call import EDITS, READS, SHELL_TOOLS
from assent.policy.rule import Rule

# Different commands, or files, that must have been approved before one rule for all of them is thought of.
SEVERAL = 3
LONGEST = 500
_ESCAPED = re.compile(r"[\\*()]")
_EXPANDED = re.compile(r"[$`]")
_WILD_PATH = re.compile(r"[*?\[\]{}!\\]")
_MCP_TOOL = re.compile(r"mcp__[A-Za-z0-9_.-]+__[A-Za-z0-9_.-]+", re.ASCII)
_SEARCHES = frozenset({"Grep", "Glob", "LS"})


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
        if habit.call.tool in EDITS:
            files[habit.case.project].append(habit)
    for project, habits in files.items():
        for folder in _shared_folders(project, habits):
            text = f"Edit({_anchored(folder)}/**)"
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
    tool = habit.call.tool
    if tool in SHELL_TOOLS:
        command = single_command(habit)
        if command is not None and 0 < len(command) <= LONGEST:
            yield f"Bash({_ESCAPED.sub(_escape, command)})", ""
            if (shared := family(command)) is not None:
                yield f"Bash({shared} *)", command
    elif tool in READS | EDITS:
        yield from _of_file(tool, habit.call.path)
    elif tool == "WebFetch":
        if habit.call.host is not None:
            yield f"WebFetch(domain:{habit.call.host})", ""
    elif _MCP_TOOL.fullmatch(tool):
        yield tool, ""


def _of_file(tool: str, path: str | None) -> Iterator[tuple[str, str]]:
    if path is None or _WILD_PATH.search(path):
        return
    if tool not in _SEARCHES:
        yield f"{'Read' if tool in READS else 'Edit'}({_anchored(path)})", ""
    # A search is about all there is in a folder, so its rule is, too. Not about everything you have.
    elif path.count("/") > 1 and not f"{world.home()}/".startswith(f"{path}/"):
        yield f"Read({_anchored(path)}/**)", ""


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


def _escape(found: re.Match[str]) -> str:
    return f"\\{found[0]}"


def _candidate(text: str) -> Candidate | None:
    # Whoever accepts it must be able to read it: no line breaks, nothing invisible, nothing that turns the text around.
    if not text.isprintable():
        return None
    try:
        parsed = pattern.parse(text)
    except ValueError:
        return None
    is_wide = text.endswith("*)") and not text.endswith("\\*)")
    return Candidate(Rule(level="user", number=0, patterns=(parsed,), says="allow"), is_wide)
