"""Hooks for one run of Claude Code, given on its command line: no settings file is touched.

What stands in ``--settings`` outranks the files of user, project and local settings, so a ``disableAllHooks`` in one of
them does not hold; entries equal to those of ``assent install`` run once. Managed settings outrank all of it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assent.errors import UsageError
from assent.files import RefusedError
from assent.harnesses.base import NOT_STARTED, RunPlan
from assent.harnesses.claude_code import hooks
from assent.harnesses.claude_code.facts import PROGRAM
from assent.harnesses.claude_code.settings import managed_files, ours, own_file, read_leniently
from assent.harnesses.hook_table import Handler
from assent.harnesses.site import SCOPES, Site
from assent.protocol import modes as runs
from assent.protocol.modes import Run

_NO_HOOKS = "runs no hooks"
_ELSEWHERE = "works somewhere else, where these hooks do not reach"
_LATER = "goes on after this command has ended"
_NO_PROGRAM = "starts no agent"
REFUSED_OPTIONS = {
    "--bare": _NO_HOOKS,
    "--safe-mode": _NO_HOOKS,
    "--bg": _LATER,
    "--background": _LATER,
    "--tmux": _LATER,
    "--cloud": _ELSEWHERE,
    "--environment": _ELSEWHERE,
    "--teleport": _ELSEWHERE,
    "--desktop": _ELSEWHERE,
    "--help": _NO_PROGRAM,
    "-h": _NO_PROGRAM,
    "--version": _NO_PROGRAM,
    "-v": _NO_PROGRAM,
}
# What is no run of an agent in this terminal.
_OTHERS = (
    "agents attach auth auto-mode doctor gateway import install logs mcp plugin plugins purge respawn rm setup-token "
    "stop kill ultrareview update upgrade"
)
OTHER_COMMANDS = frozenset(_OTHERS.split())
# Modes in which no hook runs, set by a variable; a settings file can set it, too.
NO_HOOK_VARIABLES = ("CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE")
_OFF = frozenset({"", "0", "false", "no", "off"})
_OPTION = "--settings"


def check(words: Sequence[str], environ: Mapping[str, str], site: Site) -> None:
    """Raise where the run could not be gated: an agent is never started past the gate."""
    program, *rest = words
    if Path(program).name != PROGRAM:
        hint = f"start {PROGRAM} itself: assent exec -- {PROGRAM} -p …; inside a container, run `assent exec` there."
        raise UsageError(f"exec knows how to add hooks to: {PROGRAM}, not to {program}. {NOT_STARTED}", hint=hint)
    if rest and rest[0] in OTHER_COMMANDS:
        raise UsageError(f"`{PROGRAM} {rest[0]}` is no run of an agent. {NOT_STARTED}", hint="run it without exec.")
    for word in _options(rest):
        name = word.partition("=")[0]
        if name in REFUSED_OPTIONS:
            why = REFUSED_OPTIONS[name]
            raise UsageError(
                f"With {name}, {PROGRAM} {why}. {NOT_STARTED}", hint=f"leave {name} out, or run it without exec."
            )
    for name in NO_HOOK_VARIABLES:
        if environ.get(name, "").lower() not in _OFF:
            raise UsageError(
                f"{name} is set: with it {PROGRAM} {_NO_HOOKS}. {NOT_STARTED}", hint=f"unset {name} for this run."
            )
    for path in managed_files(site.root):
        if forbidden := _forbidden(read_leniently(path)):
            raise RefusedError(
                f"{path} {forbidden}, and nothing outranks managed settings. {NOT_STARTED}",
                hint="ask whoever manages this machine to add Assent's hooks there.",
            )


def check_run(words: Sequence[str], environ: Mapping[str, str], site: Site) -> None:
    """Raise where the run could not be gated, or where their settings for it cannot be read."""
    check(words, environ, site)
    given(words)


def prints_only(words: Sequence[str]) -> bool:
    """Whether it paints no screen of its own."""
    return not {"-p", "--print"}.isdisjoint(words)


def run_plan(
    words: Sequence[str], program: str, file: Path, *, environ: Mapping[str, str], site: Site, run: Run, token: str
) -> RunPlan:
    """With the entries `assent install` would write, so that a client that finds both runs one."""
    wanted = hooks.entries(site, "user", "auto" if token else "shim", token)
    content = json.dumps(settings(wanted, run, given(words))).encode()
    return RunPlan(arguments(words, program, file), environment(environ), content, tuple(twice(site, wanted)))


def settings(wanted: Mapping[str, Handler], run: Run, theirs: Mapping[str, Any]) -> dict[str, Any]:
    """What the run is given: their own settings for it, with our hooks in force."""
    if theirs.get("disableAllHooks"):
        raise UsageError(f"Your {_OPTION} switches off all hooks. {NOT_STARTED}", hint="leave disableAllHooks out.")
    hooks, env = theirs.get("hooks", {}), theirs.get("env", {})
    if not isinstance(hooks, dict) or not isinstance(env, dict) or not all(isinstance(g, list) for g in hooks.values()):
        raise UsageError(f'"hooks" or "env" in your {_OPTION} is not a table. {NOT_STARTED}')
    added = {event: [*hooks.get(event, []), {"hooks": [handler]}] for event, handler in wanted.items()}
    return {
        **theirs,
        "disableAllHooks": False,
        # Also against a settings file that sets them: these outrank it.
        "env": {**env, **dict.fromkeys(NO_HOOK_VARIABLES, ""), runs.VARIABLE: runs.write(run)},
        "hooks": {**hooks, **added},
    }


def arguments(words: Sequence[str], program: str, file: Path) -> list[str]:
    """The command line with our settings first and theirs, which ours hold, taken out: of several the last counts."""
    _, *rest = words
    return [program, _OPTION, str(file), *_without_settings(rest)[0]]


def given(words: Sequence[str]) -> dict[str, Any]:
    """The settings they gave for this run themselves."""
    values = _without_settings(words[1:])[1]
    if not values:
        return {}
    text = values[-1]
    try:
        data = text.encode() if text.lstrip().startswith("{") else Path(text).read_bytes()
        settings = json.loads(data.decode("utf-8-sig"))
    except OSError as error:
        raise UsageError(f"Your {_OPTION} {text} cannot be read: {error.strerror}. {NOT_STARTED}") from None
    except (ValueError, RecursionError):
        raise UsageError(f"Your {_OPTION} cannot be read as JSON. {NOT_STARTED}") from None
    if not isinstance(settings, dict):
        raise UsageError(f"Your {_OPTION} should be a JSON object. {NOT_STARTED}")
    return settings


def twice(site: Site, wanted: Mapping[str, Handler]) -> list[Path]:
    """Settings files whose hooks of ours are written otherwise, so that the client runs both."""
    files = (own_file(site, scope) for scope in SCOPES)
    return [file for file in files if any(entry != wanted.get(at[1]) for at, entry in ours(read_leniently(file)))]


def environment(environ: Mapping[str, str]) -> dict[str, str]:
    """What the agent gets: everything, but nothing that speaks for another run."""
    return {name: value for name, value in environ.items() if name not in (*NO_HOOK_VARIABLES, runs.VARIABLE)}


def _options(rest: Sequence[str]) -> list[str]:
    end = next((at for at, word in enumerate(rest) if word == "--" and not _may_be_value(rest[:at])), len(rest))
    return list(rest[:end])


def _may_be_value(before: Sequence[str]) -> bool:
    """An option that wants a value takes two dashes for it, and what follows are options still. Which options those are
    is the client's to say: only of this one it is known that it wants none."""
    last = before[-1] if before else ""
    return last.startswith("-") and "=" not in last and last not in ("--", "-p", "--print")


def _without_settings(rest: Sequence[str]) -> tuple[list[str], list[str]]:
    kept: list[str] = []
    values: list[str] = []
    options = _options(rest)
    waiting = iter(options)
    for word in waiting:
        if word == _OPTION:
            values.append(next(waiting, ""))
        elif word.startswith(f"{_OPTION}="):
            values.append(word.partition("=")[2])
        else:
            kept.append(word)
    return [*kept, *rest[len(options) :]], values


def _forbidden(managed: Any) -> str | None:
    if not isinstance(managed, dict):
        return None
    if managed.get("disableAllHooks") is True:
        return "switches off every hook (disableAllHooks)"
    plugins_only = managed.get("strictPluginOnlyCustomization")
    if plugins_only is True or (isinstance(plugins_only, list) and "hooks" in plugins_only):
        return "allows hooks of plugins only (strictPluginOnlyCustomization)"
    if managed.get("allowManagedHooksOnly") is True and not any(at[1] == "PreToolUse" for at, _ in ours(managed)):
        return "allows no hooks but its own (allowManagedHooksOnly)"
    return None
