"""``assent connect``: Telegram, ntfy, Slack and whatever else asks can be brought to."""

import time
from typing import Any

import click

from assent import paths as locations
from assent.cli import completing, output
from assent.cli.connect_input import secrets_of, settings_of
from assent.cli.connect_test import try_out
from assent.client import Client
from assent.errors import AssentError, UsageError

# Between two looks whether somebody has done their part.
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
    found = client.surface(name)
    given = secrets_of(found, token_file, files, may_ask=not as_json)
    return _connect(client, found, given, settings_of(settings), as_json=as_json)


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
    client: Client, found: dict[str, Any], secrets: dict[str, str], settings: dict[str, Any], *, as_json: bool
) -> int:
    done = client.connect(found["name"], secrets, settings)
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
        done = _wait(client, found["name"])
    if done["state"] == "trouble":
        raise AssentError(f"{found['title']} does not work yet. {done['words']}")
    output.say(f"{output.styled('✓', 'good')} {found['title']}: {done['words'][:1].lower()}{done['words'][1:]}")
    if output.is_interactive() and output.confirmed("Send a test ask there?"):
        return try_out(client, found["name"], as_json=False)
    output.say(f"`assent connect {found['name']} --test` tries it, `--disconnect` forgets it.")
    return 0


def _wait(client: Client, name: str) -> dict[str, Any]:
    """Until the person has done their part. The hub counts the time: what it hands out does not last."""
    output.say("Waiting for it … (Ctrl-C ends the waiting; it can be sent all the same)")
    while (found := client.surface(name))["state"] == "waiting":
        time.sleep(POLL)
    return found


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
