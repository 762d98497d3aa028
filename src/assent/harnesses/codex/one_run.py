"""Hooks for one run of `codex exec`, given on its command line: no file is touched.

What is given there outranks the files of user and project, so a project that switches hooks off is gated all the same.
The trust that hooks need is given the same way, for ours alone; those that `assent install` wrote are left out."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from assent.errors import UsageError
from assent.files import RefusedError
from assent.harnesses import hook_table
from assent.harnesses.base import NOT_STARTED, RunPlan
from assent.harnesses.codex.facts import PROGRAM
from assent.harnesses.codex.install import entries, fingerprint, is_ours, key, label, places, read
from assent.harnesses.codex.watch import forbidden, requirements
from assent.harnesses.site import Site
from assent.protocol import modes as runs
from assent.protocol.modes import Run

# What it calls the place of hooks from its command line.
_FLAGS = "/<session-flags>/config.toml"
_COMMANDS = ("exec", "e")
_OPTION = re.compile(r"""(?:-c|--config)=?\s*['"]?(hooks|features)\b""")
_FEATURES = ("--enable", "--disable")


def check_run(words: Sequence[str], environ: Mapping[str, str], site: Site) -> None:  # noqa: ARG001
    """Raise where the run could not be gated."""
    program, *rest = words
    if Path(program).name != PROGRAM or not rest or rest[0] not in _COMMANDS:
        raise UsageError(
            f"exec starts Codex as `{PROGRAM} exec` and in no other way. {NOT_STARTED}",
            hint=f"assent exec -- {PROGRAM} exec …; what paints a screen runs in a process of its own that stays.",
        )
    for option in _options(rest):
        if _OPTION.match(option) or (option.startswith(_FEATURES) and "hooks" in option):
            raise UsageError(f"`{option[:60]}` would decide about hooks. {NOT_STARTED}", hint="leave it out.")
    if how := forbidden(site):
        raise RefusedError(
            f"{requirements(site)} {how}, and nothing outranks it. {NOT_STARTED}",
            hint="ask your administrator to add Assent's hooks there.",
        )


def _options(rest: Sequence[str]) -> Iterator[str]:
    """Each word with the one after it, which may be its value."""
    words = list(rest[: rest.index("--")]) if "--" in rest else list(rest)
    for word, value in zip(words, [*words[1:], ""], strict=True):
        yield f"{word} {value}" if word in ("-c", "--config", *_FEATURES) else word


def prints_only(_words: Sequence[str]) -> bool:
    return True


def run_plan(
    words: Sequence[str],
    program: str,
    file: Path,  # noqa: ARG001 - the command line holds it all
    *,
    environ: Mapping[str, str],
    site: Site,
    run: Run,
    token: str,  # noqa: ARG001
) -> RunPlan:
    command, *rest = words[1:]
    env = {**environ, runs.VARIABLE: runs.write(run)}
    return RunPlan([program, command, *_given(site), *rest], env, b"")


def _given(site: Site) -> Iterator[str]:
    states: dict[str, Any] = {key_: {"enabled": False} for key_ in _installed(site)}
    for event, handler in entries(site).items():
        states[f"{_FLAGS}:{label(event)}:0:0"] = {"trusted_hash": fingerprint(event, handler)}
        yield from ("-c", f"hooks.{event}={_toml([{'hooks': [handler]}])}")
    yield from ("-c", f"hooks.state={_toml(states)}", "-c", "features.hooks=true")


def _installed(site: Site) -> Iterator[str]:
    for place in places(site):
        try:
            settings = json.loads(read(place.path) or "null")
        except (ValueError, RecursionError):
            continue
        yield from (key(place.path, at) for at, handler in hook_table.handlers(settings) if is_ours(handler))


def _toml(value: Any) -> str:
    """A value of TOML on one line. Strings of JSON are strings of TOML where no letter is written as two halves."""
    match value:
        case dict():
            return "{" + ",".join(f"{_toml(name)}={_toml(each)}" for name, each in value.items()) + "}"
        case list():
            return "[" + ",".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
