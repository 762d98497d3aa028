"""``assent connect``: Telegram, ntfy, Slack and whatever else asks can be brought to."""

import sys
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from assent import paths as locations
from assent.cli import completing, output
from assent.client import Client
from assent.errors import AssentError, UsageError

TEST_POLL = 0.3
# The hub ends it after a minute; some slack for slow networks.
LASTS = 70.0
ENDS = {
    "failed": "It did not get there: {words}",
    "decided": "Nobody was asked: a rule of yours, or the stance, decided it.",
    "unanswered": "Nobody answered within a minute. The message was taken back.",
}


def try_out(client: Client, name: str, *, as_json: bool) -> int:
    """The exit code: 0 once it was answered, or reached a surface without answers."""
    title = str(client.surface(name)["title"])
    test = client.try_surface(name)
    result = _watched(client, name, test, title, as_json=as_json)
    is_good = result["state"] == "answered" or (result["state"] == "shown" and not result["can_answer"])
    if as_json:
        output.say_json({"name": name, **result})
    elif is_good:
        words = result["words"] or f"{title}: the test ask was taken. Nobody can answer there."
        output.say(f"{output.styled('✓', 'good')} {words}")
        if result["surface"] not in ("", name):
            output.say(output.styled("It was answered elsewhere, so the way back from there is not proven.", "warn"))
    else:
        words = ENDS.get(result["state"], ENDS["unanswered"]).format(**result)
        output.say(f"{output.styled('✗', 'bad')} {words}")
    return 0 if is_good else 1


def _watched(client: Client, name: str, test: str, title: str, *, as_json: bool) -> dict[str, Any]:
    end, is_said = time.monotonic() + LASTS, False
    while True:
        result = client.tried_surface(name, test)
        if result["state"] not in ("asking", "shown") or time.monotonic() > end:
            return result
        if result["state"] == "shown" and not is_said:
            is_said = True
            if not result["can_answer"]:
                return result
            if not as_json:
                output.say(f"{title}: a test ask is there. Answer it; nothing is run, whatever you say.")
        time.sleep(TEST_POLL)


LARGEST = 1 << 16
TOKEN = "token"  # noqa: S105 - the name of one


def secrets_of(
    surface: dict[str, Any], token_file: str | None, files: Sequence[str], *, may_ask: bool
) -> dict[str, str]:
    """From files where they are named, else typed. What is known already need not be given again."""
    named = dict(_named(pair) for pair in files)
    if token_file is not None:
        named[_only_token(surface)] = token_file
    names = [each["name"] for each in surface["secrets"]]
    if odd := [name for name in named if name not in names]:
        has = f"it has {', '.join(names)}" if names else "it needs none"
        raise UsageError(f"{surface['title']} has no secret called {odd[0]!r}; {has}.")
    secrets = {name: _read(path) for name, path in named.items()}
    missing = [each for each in surface["secrets"] if each["name"] not in secrets]
    if surface["guide"] and missing and may_ask:
        output.say(surface["guide"])
        output.say()
    if may_ask and output.is_interactive():
        secrets |= {each["name"]: typed for each in missing if (typed := _typed(each))}
    elif needed := [each["name"] for each in missing if not each["known"]]:
        raise UsageError(
            f"{surface['title']} was not connected: there is no terminal to type its {needed[0]} in.",
            hint=f"read it from a file with --secret {needed[0]}=FILE.",
        )
    return secrets


def settings_of(pairs: Sequence[str]) -> dict[str, Any]:
    """Values as TOML has them; what is none is text."""
    settings: dict[str, Any] = {}
    for pair in pairs:
        key, is_pair, value = pair.partition("=")
        if not is_pair:
            raise UsageError(f"A setting is given as key=value, and {pair!r} is not.")
        try:
            settings[key.strip()] = tomllib.loads(f"x = {value}")["x"]
        except tomllib.TOMLDecodeError:
            settings[key.strip()] = value
    return settings


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
            secret = file.read(LARGEST).strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        # The path is not shown: a user who mistakes the option may have given the secret itself.
        raise UsageError(f"The secret could not be read from its file: {why}.") from None
    if not secret:
        raise UsageError("The file that should hold the secret is empty.")
    return secret


# Between two looks whether the user has done their part.
POLL = 0.5
STYLES = {"connected": "good", "waiting": "warn", "trouble": "bad", "off": "faint"}


@click.command("connect")
@click.argument("name", metavar="[NAME]", required=False, shell_complete=completing.surfaces)
@click.option("--token-file", metavar="FILE", help="Read the token from this file; - is standard input.")
@click.option("--secret", "files", metavar="NAME=FILE", multiple=True, help="Read another secret from this file.")
@click.option("--set", "settings", metavar="KEY=VALUE", multiple=True, help="A setting of [surface.NAME] to write.")
@click.option("--test", is_flag=True, help="Send a test ask there, and wait a minute for an answer.")
@click.option("--disconnect", is_flag=True, help="Forget its secrets and its settings.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object; ask nothing, wait for nobody.")
def command(
    name: str | None,
    token_file: str | None,
    files: tuple[str, ...],
    settings: tuple[str, ...],
    test: bool,
    disconnect: bool,
    as_json: bool,
) -> int:
    """Have asks brought to Telegram, ntfy, Slack and others. Without a name: what is connected, and what could be.

    Tokens and other secrets are typed here, unseen, or read from a file. They are never arguments, which other
    programs can see. The hub asks the service whether they work, keeps them in the system's keyring or in a file that
    only you can read, and listens from then on.

    \b
    Examples:
      assent connect
      assent connect telegram
      assent connect ntfy --set server=https://ntfy.example.org
      assent connect telegram --test
      assent connect telegram --disconnect
    """
    others = bool(token_file or files or settings)
    if name is None and (others or test or disconnect):
        raise UsageError("What should be connected? Name it: assent connect NAME.", hint="`assent connect` lists them.")
    if (test or disconnect) and (others or (test and disconnect)):
        raise UsageError("--test and --disconnect go alone. Nothing was done.")
    client = Client(locations.find())
    # The hub refuses as well; refusing here comes before a secret is typed.
    me = client.me()
    if me.get("refusal") in ("no-terminal", "unconfirmed"):
        raise AssentError(me["limit"], hint=me["hint"])
    if me["scope"] != "admin":
        raise AssentError(
            "Nothing is connected, tried or forgotten from inside an agent's session.",
            hint="use a terminal of your own.",
        )
    if name is None:
        return _list(client, as_json=as_json)
    if test:
        return try_out(client, name, as_json=as_json)
    if disconnect:
        return _disconnect(client, name, as_json=as_json)
    surface = client.surface(name)
    given = secrets_of(surface, token_file, files, may_ask=not as_json)
    return _connect(client, surface, given, settings_of(settings), as_json=as_json)


def _list(client: Client, *, as_json: bool) -> int:
    surfaces = client.surfaces()
    if as_json:
        output.say_json({"surfaces": surfaces})
        return 0
    output.say_table([(_styled(each["name"], each["state"]), each["words"], _when(each)) for each in surfaces])
    if all(each["state"] == "off" for each in surfaces):
        output.say("`assent connect NAME` connects one. Until then asks are on the page and in the terminal.")
    return 0


def _connect(
    client: Client, surface: dict[str, Any], secrets: dict[str, str], settings: dict[str, Any], *, as_json: bool
) -> int:
    done = client.connect(surface["name"], secrets, settings)
    if as_json:
        output.say_json(done)
        return 0
    output.say(f"{output.styled('✓', 'good')} {done['said']}")
    if done["kept"]:
        output.say(f"  Its secrets are {done['kept']}.")
    if done["ladder"]:
        output.say(f"  {done['ladder']}")
    if done["todo"]:
        output.say()
        output.say(output.styled(done["todo"], "strong"))
    if done["state"] == "waiting":
        done = _wait(client, surface["name"])
    if done["state"] == "trouble":
        raise AssentError(f"{surface['title']} does not work yet. {done['words']}")
    output.say(f"{output.styled('✓', 'good')} {surface['title']}: {done['words'][:1].lower()}{done['words'][1:]}")
    if output.is_interactive() and output.confirmed("Send a test ask there?"):
        return try_out(client, surface["name"], as_json=False)
    output.say(f"`assent connect {surface['name']} --test` tries it, `--disconnect` forgets it.")
    return 0


def _wait(client: Client, name: str) -> dict[str, Any]:
    """Until the person has done their part. The hub counts the time: what it hands out does not last."""
    output.say("Waiting for it … (Ctrl-C ends the waiting; it can be sent all the same)")
    while (surface := client.surface(name))["state"] == "waiting":
        time.sleep(POLL)
    return surface


def _disconnect(client: Client, name: str, *, as_json: bool) -> int:
    done = client.disconnect(name)
    if as_json:
        output.say_json(done)
    else:
        forgotten = "its settings are forgotten" if done["left"] else "its secrets and settings are forgotten"
        output.say(f"{done['title']} is disconnected: {forgotten}.")
        if done["left"]:
            output.say(output.styled(done["left"], "warn"))
    return 1 if done["left"] else 0


def _styled(name: str, state: str) -> str:
    return output.styled(name, STYLES.get(state, "faint"))


def _when(surface: dict[str, Any]) -> str:
    """When the ladder comes to it."""
    if surface["state"] == "off":
        return ""
    if not surface["after"]:
        return output.styled("not on the ladder: nothing is sent there", "warn")
    times = ["at once" if not after else f"after {output.exact_span(after)}" for after in surface["after"]]
    return output.styled(" and ".join(times), "faint")
