"""Our plugin for one run of opencode, by a variable: no file of the user's is touched."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from assent.errors import UsageError
from assent.harnesses.base import NOT_STARTED, RunPlan
from assent.harnesses.opencode.facts import PROGRAM
from assent.harnesses.opencode.install import program_file
from assent.harnesses.site import Site
from assent.protocol import modes as runs
from assent.protocol.modes import Run

# Settings in JSON that outrank those of user and project; lists of plugins are joined.
SETTINGS = "OPENCODE_CONFIG_CONTENT"
REFUSED = {
    "--pure": "loads no plugins",
    "--attach": "works in another process, where this plugin does not reach",
    "--help": "starts no agent",
    "--version": "starts no agent",
}
NO_PLUGINS = "OPENCODE_PURE"
_OTHERS = (
    "agent attach auth completion db debug export github import mcp models plugin pr providers session stats "
    "uninstall upgrade"
)
# What is no run of an agent in this process.
OTHERS = frozenset(_OTHERS.split())


def check_run(words: Sequence[str], environ: Mapping[str, str], _site: Site) -> None:
    """Raise where the run could not be gated: an agent is never started past the gate."""
    _, *rest = words
    if rest and rest[0] in OTHERS:
        raise UsageError(f"`{PROGRAM} {rest[0]}` is no run of an agent. {NOT_STARTED}", hint="run it without exec.")
    for word in rest[: rest.index("--") if "--" in rest else len(rest)]:
        name = word.partition("=")[0]
        if name in REFUSED:
            raise UsageError(
                f"With {name}, {PROGRAM} {REFUSED[name]}. {NOT_STARTED}", hint=f"leave {name} out, or run without exec."
            )
    if environ.get(NO_PLUGINS):
        raise UsageError(f"{NO_PLUGINS} is set: no plugin would run. {NOT_STARTED}", hint="unset it for this run.")
    _given(environ)


def _given(environ: Mapping[str, str]) -> dict[str, object]:
    """The settings they gave for this run themselves."""
    try:
        settings = json.loads(environ.get(SETTINGS) or "{}")
    except ValueError:
        settings = None
    if not isinstance(settings, dict) or not isinstance(settings.get("plugin", []), list):
        raise UsageError(f"Your {SETTINGS} cannot be read as settings. {NOT_STARTED}")
    return settings


def prints_only(words: Sequence[str]) -> bool:
    return "run" in words[1:2]


def run_plan(
    words: Sequence[str],
    program: str,
    file: Path,  # noqa: ARG001 - the plugin stands beside the shim
    *,
    environ: Mapping[str, str],
    site: Site,
    run: Run,
    token: str,  # noqa: ARG001 - nothing goes over HTTP here
) -> RunPlan:
    check_run(words, environ, site)
    given = _given(environ)
    plugins = given.get("plugin", [])
    assert isinstance(plugins, list)
    settings = {**given, "plugin": [*plugins, program_file(site.paths).as_uri()]}
    env = {**environ, SETTINGS: json.dumps(settings), runs.VARIABLE: runs.write(run)}
    return RunPlan([program, *words[1:]], env, b"")
