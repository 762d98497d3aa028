"""``assent keys``: the hub's secrets by name, and new ones in their place."""

import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from assent import config, keys
from assent import paths as locations
from assent.cli import hub_process, output
from assent.cli.common import must_be_confirmed, must_be_person, site_here
from assent.errors import AssentError, NotFoundError, UsageError
from assent.install import rotation
from assent.keys import Kind
from assent.lock import HeldError, Lock
from assent.paths import Paths
from assent.text import times

HEADINGS = ("NAME", "MODE", "AGE", "WHAT IT IS FOR")
# Beside the secrets: what is no secret of its own, or made again at every start.
_NO_SECRETS = frozenset({"ca.crt", "server.crt", "push.json", "devices.json", "stop.digest"})
# Those of a team, which are made as it is joined.
_TEAM = {
    "team.key": "signs what this machine says in its team",
    "team.refresh": "renews your sign-in to the team",
}


@click.group("keys", invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """List the hub's keys and tokens, never what is in them. `assent keys rotate` makes new ones.

    \b
    Examples:
      assent keys
      assent keys rotate post.token
    """
    if not context.invoked_subcommand:
        _list(as_json)


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def list_(as_json: bool) -> None:
    """Name, mode, age and purpose of each key.

    \b
    Example:
      assent keys list --json
    """
    _list(as_json)


@command.command("rotate")
@click.argument("name", required=False)
@click.option("--yes", is_flag=True, help="Do it without asking.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def rotate(name: str | None, yes: bool, as_json: bool) -> int:
    """Replace one key, or all of them, by new ones, and start the hub again. Says what has to be renewed elsewhere.

    \b
    Examples:
      assent keys rotate
      assent keys rotate cookie.key
    """
    paths = locations.find()
    kinds = _wanted(paths, name)
    must_be_person(paths, "Keys are replaced")
    site = site_here(config.load(paths.config))
    if not as_json:
        _say_meaning(kinds)
        for path in rotation.holders(site, keys.read(keys.post_token_file(paths)) or "") if keys.POST in kinds else ():
            output.say(f"settings  {path}")
    must_be_confirmed("Replace them?" if len(kinds) > 1 else "Replace it?", yes=yes)
    # Hooks that come meanwhile wait for the new hub.
    with hub_process.right_to_start(paths):
        was_running = hub_process.stop(paths) is not None
        done = _while_no_hub_runs(paths, lambda: rotation.rotate(site, kinds))
        if was_running:
            hub_process.start(paths)
    if as_json:
        output.say_json(_as_json(done, restarted=was_running))
    else:
        _say_done(done, restarted=was_running)
    return 1 if done.refused else 0


def _list(as_json: bool) -> None:
    files = [_described(path) for path in _files(locations.find())]
    if as_json:
        output.say_json({"keys": files})
    elif not files:
        output.say("There are no keys yet: the hub makes them when it starts.")
    else:
        now = time.time() * 1000
        rows = [(k["name"], k["mode"], times.span(now - k["changed_at"]), k["purpose"]) for k in files]
        output.say_table([tuple(output.styled(word, "faint") for word in HEADINGS), *rows])


def _files(paths: Paths) -> list[Path]:
    if not paths.keys.is_dir():
        return []
    return sorted(p for p in paths.keys.iterdir() if p.is_file() and p.name not in _NO_SECRETS and p.name[0] != ".")


def _described(path: Path) -> dict[str, Any]:
    status = path.stat()
    kind = keys.BY_NAME.get(path.name)
    return {
        "name": path.name,
        "mode": f"{stat.S_IMODE(status.st_mode):04o}",
        "changed_at": int(status.st_mtime * 1000),
        "purpose": kind.purpose if kind else _TEAM.get(path.name, f"belongs to {path.name.partition('.')[0]}"),
        "rotates": kind is not None,
    }


def _wanted(paths: Paths, name: str | None) -> list[Kind]:
    there = [kind for kind in keys.KINDS if (paths.keys / kind.name).exists()]
    if name is None:
        if not there:
            raise NotFoundError("There are no keys yet: the hub makes them when it starts. Nothing was changed.")
        return there
    if name not in keys.BY_NAME:
        surface, dot, _ = name.partition(".")
        names = ", ".join(kind.name for kind in keys.KINDS)
        is_given = bool(dot) and (paths.keys / name).exists()
        hint = f"`assent connect {surface}` takes a new one." if is_given else f"Assent's own are: {names}."
        if name in _TEAM:
            hint = "`assent leave`, then `assent join URL` make a new one."
        raise UsageError(f"Assent cannot make a new {name}. Nothing was changed.", hint=hint)
    if keys.BY_NAME[name] not in there:
        raise NotFoundError(f"There is no {name} yet: the hub makes it when it needs it. Nothing was changed.")
    return [keys.BY_NAME[name]]


def _while_no_hub_runs(paths: Paths, act: Callable[[], rotation.Rotated]) -> rotation.Rotated:
    """With the hub's lock held: a hook that comes meanwhile cannot start one with the old keys."""
    try:
        lock = Lock.take(paths.lock)
    except HeldError as error:
        raise AssentError("A hub was started meanwhile. Nothing was changed.", hint="run the command again.") from error
    try:
        return act()
    finally:
        lock.release()


def _say_meaning(kinds: list[Kind]) -> None:
    for kind in kinds:
        output.say(f"{output.styled(kind.name, 'strong')}  {kind.purpose}")
        output.say(f"  {kind.renewal}")


def _say_done(done: rotation.Rotated, *, restarted: bool) -> None:
    output.say(f"{output.styled('New:', 'good')} {', '.join(kind.name for kind in done.kinds)}.")
    for path in done.settings:
        output.say(f"{path} has the new token.")
    for error in done.refused:
        output.say(f"{output.styled('old token:', 'warn')} {error.message}")
    if done.refused:
        output.say("Run `assent install` again for these files.")
    if restarted:
        output.say("The hub was started again.")


def _as_json(done: rotation.Rotated, *, restarted: bool) -> dict[str, Any]:
    return {
        "rotated": [{"name": kind.name, "renewal": kind.renewal} for kind in done.kinds],
        "settings": [str(path) for path in done.settings],
        "refused": [error.message for error in done.refused],
        "restarted": restarted,
    }
