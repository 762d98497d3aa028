"""Hooks for one run of Copilot CLI, as a plugin given on its command line: no file of the user's is touched."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from assent import _version
from assent.errors import UsageError
from assent.harnesses.base import NOT_STARTED, RunPlan
from assent.harnesses.copilot.facts import NAME, PROGRAM
from assent.harnesses.copilot.install import entries, is_installed, places, switches
from assent.harnesses.site import Site
from assent.protocol import modes as runs
from assent.protocol.modes import Run

# What is no run of an agent in this terminal.
OTHER_COMMANDS = frozenset(
    ["config", "help", "init", "login", "logout", "lsp", "mcp", "plugin", "skill", "update", "version"]
)
_NO_PROGRAM = frozenset({"--help", "-h", "--version", "-v"})
_PROMPT = ("-p", "--prompt")


def check_run(words: Sequence[str], environ: Mapping[str, str], site: Site) -> None:  # noqa: ARG001
    """Raise where the run could not be gated: an agent is never started past the gate."""
    program, *rest = words
    if Path(program).name != PROGRAM:
        raise UsageError(f"exec knows how to add hooks to: {PROGRAM}, not to {program}. {NOT_STARTED}")
    if rest and (rest[0] in OTHER_COMMANDS or _NO_PROGRAM.intersection(rest)):
        raise UsageError(f"`{PROGRAM} {rest[0]}` is no run of an agent. {NOT_STARTED}", hint="run it without exec.")
    if off := next(switches(site), None):
        raise UsageError(f'{off} switches all hooks off ("disableAllHooks"). {NOT_STARTED}', hint="take it out.")


def prints_only(words: Sequence[str]) -> bool:
    return any(word in _PROMPT or word.startswith("--prompt=") for word in words)


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
    env = {**environ, runs.VARIABLE: runs.write(run)}
    if is_installed(places(site)[0].path):
        # The same entries would run twice.
        return RunPlan([program, *words[1:]], env, b"")
    about = {"name": "assent-run", "version": _version.__version__, "hooks": "hooks.json"}
    hooks = {"version": 1, "hooks": entries(site)}
    files = {"plugin.json": json.dumps(about).encode(), "hooks.json": json.dumps(hooks).encode()}
    argv = [program, "--plugin-dir", str(RunPlan.folder(file)), *words[1:]]
    return RunPlan(argv, env, NAME.encode(), files=files)
