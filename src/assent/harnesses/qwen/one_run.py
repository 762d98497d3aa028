"""Hooks for one run of Qwen Code, by a system settings file that a variable names: no settings file is touched.

It outranks the files of user and project, so a ``disableAllHooks`` in one of them does not hold."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assent.errors import UsageError
from assent.files import RefusedError
from assent.harnesses.base import NOT_STARTED, RunPlan
from assent.harnesses.qwen.facts import NO_HOOK_VARIABLES, PROGRAM
from assent.harnesses.qwen.install import SYSTEM_VARIABLE, armed_events, entries, places, system_file
from assent.harnesses.site import Site
from assent.protocol import modes as runs
from assent.protocol.modes import Run

_NO_HOOKS = "runs no hooks"
_NO_PROGRAM = "starts no agent"
REFUSED_OPTIONS = {
    "--bare": _NO_HOOKS,
    "--safe-mode": _NO_HOOKS,
    **dict.fromkeys(("--help", "-h", "--version", "-v"), _NO_PROGRAM),
}
# What is no run of an agent in this terminal.
_OTHERS = "auth channel extensions extension hooks mcp review serve sessions update"
OTHER_COMMANDS = frozenset(_OTHERS.split())


def check_run(words: Sequence[str], environ: Mapping[str, str], site: Site) -> None:
    """Raise where the run could not be gated: an agent is never started past the gate."""
    _, *rest = words
    if rest and rest[0] in OTHER_COMMANDS:
        raise UsageError(f"`{PROGRAM} {rest[0]}` is no run of an agent. {NOT_STARTED}", hint="run it without exec.")
    for word in rest:
        name = word.partition("=")[0]
        if name in REFUSED_OPTIONS:
            why = REFUSED_OPTIONS[name]
            raise UsageError(
                f"With {name}, {PROGRAM} {why}. {NOT_STARTED}", hint=f"leave {name} out, or run it without exec."
            )
    for name in NO_HOOK_VARIABLES:
        if environ.get(name, "0") not in ("", "0"):
            raise UsageError(
                f"{name} is set: with it {PROGRAM} {_NO_HOOKS}. {NOT_STARTED}", hint=f"unset {name} for this run."
            )
    _of_the_system(site)


def _of_the_system(site: Site) -> dict[str, Any]:
    """The settings of this machine, which this run has instead of in their file."""
    file = system_file(site)
    try:
        settings = json.loads(file.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        settings = None
    if not isinstance(settings, dict) or not isinstance(settings.get("hooks", {}), dict):
        raise RefusedError(f"{file} cannot be read, and this run would have to replace it. {NOT_STARTED}")
    if settings.get("disableAllHooks") is True:
        raise RefusedError(f"{file} switches off every hook (disableAllHooks). {NOT_STARTED}")
    return settings


def prints_only(words: Sequence[str]) -> bool:
    """Whether it paints no screen of its own."""
    return not {"-p", "--prompt"}.isdisjoint(words)


def run_plan(
    words: Sequence[str],
    program: str,
    file: Path,
    *,
    environ: Mapping[str, str],
    site: Site,
    run: Run,
    token: str,  # noqa: ARG001 - nothing goes over HTTP
) -> RunPlan:
    theirs = _of_the_system(site)
    hooks = theirs.get("hooks", {})
    ours = {event: [*_listed(hooks.get(event)), {"hooks": [handler]}] for event, handler in entries(site).items()}
    settings = {**theirs, "disableAllHooks": False, "hooks": {**hooks, **ours}}
    # A ``.env`` of the project sets only what is not set, or empty.
    env = {**environ, **dict.fromkeys(NO_HOOK_VARIABLES, "0"), SYSTEM_VARIABLE: str(file)}
    env[runs.VARIABLE] = runs.write(run)
    own, *_ = places(site)
    try:
        twice = (own.path,) if armed_events(own.path.read_text(encoding="utf-8")) else ()
    except (OSError, UnicodeDecodeError):
        twice = ()
    return RunPlan([program, *words[1:]], env, json.dumps(settings).encode(), twice)


def _listed(groups: Any) -> list[Any]:
    return groups if isinstance(groups, list) else []
