"""What somebody gives to connect a surface: secrets that nobody sees, and settings."""

import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from assent.cli import output
from assent.errors import UsageError

LARGEST = 1 << 16
TOKEN = "token"  # noqa: S105 - the name of one


def secrets_of(
    surface: dict[str, Any], token_file: str | None, files: Sequence[str], *, may_ask: bool
) -> dict[str, str]:
    """From files where they are named, else typed. What is known already need not be given again."""
    named = dict(_named(pair) for pair in files)
    if token_file is not None:
        named[_only_token(surface)] = token_file
    known = [each["name"] for each in surface["secrets"]]
    if odd := [name for name in named if name not in known]:
        has = f"it has {', '.join(known)}" if known else "it needs none"
        raise UsageError(f"{surface['title']} has no secret called {odd[0]!r}; {has}.")
    found = {name: _read(path) for name, path in named.items()}
    missing = [each for each in surface["secrets"] if each["name"] not in found]
    if surface["guide"] and missing and may_ask:
        output.say(surface["guide"])
        output.say()
    if may_ask and output.is_interactive():
        found |= {each["name"]: typed for each in missing if (typed := _typed(each))}
    elif needed := [each["name"] for each in missing if not each["known"]]:
        raise UsageError(
            f"{surface['title']} was not connected: there is no terminal to type its {needed[0]} in.",
            hint=f"read it from a file with --secret {needed[0]}=FILE.",
        )
    return found


def settings_of(pairs: Sequence[str]) -> dict[str, Any]:
    """Values as TOML has them; what is none is text."""
    found: dict[str, Any] = {}
    for pair in pairs:
        key, is_pair, value = pair.partition("=")
        if not is_pair:
            raise UsageError(f"A setting is given as key=value, and {pair!r} is not.")
        try:
            found[key.strip()] = tomllib.loads(f"x = {value}")["x"]
        except tomllib.TOMLDecodeError:
            found[key.strip()] = value
    return found


def _typed(secret: dict[str, Any]) -> str:
    """Asked for until there is something; an empty line keeps what is known."""
    words = f"{secret['words']}{' (Enter keeps the one there is)' if secret['known'] else ''}"
    default = "" if secret["known"] else None
    return str(click.prompt(words, hide_input=True, default=default, show_default=False)).strip()


def _named(pair: str) -> tuple[str, str]:
    name, is_pair, path = pair.partition("=")
    if not is_pair or not path:
        # Not shown: it may be the secret itself.
        raise UsageError("--secret takes the name of a secret and a file: --secret NAME=FILE.")
    return name, path


def _only_token(surface: dict[str, Any]) -> str:
    names = [each["name"] for each in surface["secrets"]]
    if TOKEN in names or len(names) == 1:
        return TOKEN if TOKEN in names else str(names[0])
    has = f"name one with --secret: {', '.join(names)}" if names else "it needs no secret"
    raise UsageError(f"{surface['title']} has no single token; {has}.")


def _read(path: str) -> str:
    try:
        if path == "-":
            return sys.stdin.read(LARGEST).strip()
        with Path(path).expanduser().open(encoding="utf-8") as file:
            found = file.read(LARGEST).strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        # The path is not shown: whoever takes the option for another one gives the secret itself.
        raise UsageError(f"The secret could not be read from its file: {why}.") from None
    if not found:
        raise UsageError("The file that should hold the secret is empty.")
    return found
