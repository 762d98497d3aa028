"""``assent status``: is there a hub, and how is it."""

import time
from collections.abc import Sequence
from typing import Any

import click

from assent import paths as locations
from assent.cli import output
from assent.cli.common import page_link
from assent.client import Client
from assent.errors import HubUnreachableError
from assent.paths import Paths
from assent.text import times

# Of an export that works: more than comes together in a moment.
FAR_BEHIND = 1_000


@click.command("status")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(as_json: bool) -> int:
    """Show whether the hub runs, where its page is, and what troubles it. Exit code 4 if none runs.

    \b
    Examples:
      assent status
      assent status --json | jq .sessions
    """
    paths = locations.find()
    client = Client(paths)
    try:
        status = client.status()
    except HubUnreachableError as error:
        _say_down(paths, error, as_json=as_json)
        return error.exit_code
    if as_json:
        output.say_json({"running": True, **status})
        return 0
    for name, value in _rows(status, time.time()):
        output.say(f"{name:<9} {value}")
    if status["port"] is not None:
        output.say(f"{'page':<9} {page_link(client, status['port'])}")
    if address := status.get("remote"):
        output.say(f"{'elsewhere':<9} {address} (`assent pair` lets a device in)")
    return 0


def _say_down(paths: Paths, error: HubUnreachableError, *, as_json: bool) -> None:
    from assent.cli import hub_process
    from assent.install import manifest
    from assent.lock import read_holder
    from assent.shim import stopped

    is_stopped = stopped.is_left(paths)
    holder = read_holder(paths.lock) if hub_process.is_held(paths) else None
    if as_json:
        output.say_json({"running": False, "stopped": is_stopped, "pid": holder.pid if holder else None})
    elif holder:
        output.say(f"A hub (pid {holder.pid}) has the lock but does not answer. `assent restart` replaces it.")
    elif not manifest.load(paths).installs:
        output.say("No hub is running, and no hooks are installed that would start it. `assent install` writes them.")
    elif is_stopped:
        output.say("No hub is running; `assent down` stopped it. Hooks stay silent until `assent up`.")
    else:
        output.say(f"{error.message} The next hook starts it, or `assent up --detach`.")


def _rows(status: dict[str, Any], now: float) -> list[tuple[str, str]]:
    """Troubles stand where their subject does, and only if there are any."""
    journal: dict[str, Any] = status["journal"]
    since = status["started_at"]
    last = status["last_event_at"]
    rows = [
        (
            "hub",
            f"{output.styled('running', 'good')} for {times.age(now * 1000 - since)}, "
            f"version {status['version']}, pid {status['pid']}",
        ),
        ("sessions", f"{status['sessions']} live"),
        ("events", f"{status['events']}, last {_ago(last, now)}" if last else "none since it started"),
        ("stance", status["stance"]),
    ]
    if status["paused_for"] > 0:
        rows.append(
            (
                "paused",
                output.styled(f"for {output.exact_span(status['paused_for'])} more; the floor and Danger stay", "warn"),
            )
        )
    rows += [("away", output.styled(words, "warn")) for words in _away(status.get("presence", {}), now)]
    rows += [("reaches", words) for words in _reaches(status.get("surfaces", ()))]
    rows += [("team", words) for words in _team(status.get("team"), now)]
    if auto := status.get("auto_mode", {}).get("words"):
        rows.append(("auto mode", auto.removeprefix("auto mode: ")))
    rows.append(("journal", _journal(journal)))
    if export := status.get("export"):
        rows.append(("export", _export(export, now)))
    if others := journal.get("others"):
        rows.append(("beside", f"in the same database: {_others(others)}"))
    troubles = [(name, status.get(f"{name}_trouble")) for name in ("config", "rules", "port", "remote")]
    rows += [(name, output.styled(_indented(trouble), "bad")) for name, trouble in troubles if trouble]
    if warning := status.get("remote_warning"):
        rows.append(("remote", output.styled(warning, "warn")))
    notes = [(name, status.get(f"{name}_note")) for name in ("config", "rules")]
    rows += [(name, output.styled(_indented(note), "warn")) for name, note in notes if note]
    rows += [("devices", output.styled(_new_device(device, now), "warn")) for device in status.get("new_devices", ())]
    rows += [("machines", output.styled(_new_machine(one, now), "warn")) for one in status.get("new_machines", ())]
    rows += [("ungated", output.styled(sentence, "bad")) for sentence in status.get("ungated", ())]
    if status["gaps"]:
        rows.append(("gaps", output.styled(f"{status['gaps']} hook runs found no hub", "warn")))
    if status["bad_input"]:
        rows.append(("bad input", output.styled(f"{status['bad_input']} events could not be read", "warn")))
    return rows


def _away(presence: dict[str, Any], now: float) -> list[str]:
    if not presence.get("away"):
        return []
    until = presence["away_until"]
    when = (
        f"until {output.local_time(until, now)}" if until else f"since {output.local_time(presence['away_since'], now)}"
    )
    return [f"{when}; `assent back` ends it"]


def _reaches(surfaces: Sequence[dict[str, Any]]) -> list[str]:
    """Those that work in one line, and one for each that does not."""
    named = {"connected": "{title}", "waiting": "{title} (waits for somebody to be connected)"}
    good = [named[surface["state"]].format(**surface) for surface in surfaces if surface["state"] in named]
    bad = [surface for surface in surfaces if surface["state"] == "trouble"]
    rows = [", ".join(good)] if good else []
    return rows + [output.styled(f"not {surface['title']}: {surface['words']}", "bad") for surface in bad]


def _team(team: dict[str, Any] | None, now: float) -> list[str]:
    """None of it where the hub is in no team."""
    if team is None:
        return []
    if team["state"] == "trouble":
        return [output.styled(_indented(team["why"]), "bad")]
    rows = [f"{team['name']}, as {team['owner']}; {link_words(team, now)}"]
    return rows + ([output.styled(team["sign_in"], "warn")] if team["sign_in"] else [])


def link_words(team: dict[str, Any], now: float) -> str:
    """How the link to its relay stands."""
    age = times.age(now * 1000 - team["since"])
    if team["state"] == "connected":
        return f"{output.styled('connected', 'good')} to {team['relay']} for {age}"
    if team["state"] == "connecting":
        return f"{output.styled('connecting', 'warn')} to {team['relay']}"
    why = " ".join(filter(None, (team["why"], team["hint"])))
    return f"{output.styled(f'away for {age}', 'warn')}: {why}"


def _new_device(device: dict[str, Any], now: float) -> str:
    name, when = output.said_by_agent(device["name"]), output.local_time(device["created_at"], now)
    return f"new at {when}: {name}. Not yours? `assent devices revoke {device['id']}`"


def _new_machine(machine: dict[str, Any], now: float) -> str:
    name, when = output.said_by_agent(machine["name"]), output.local_time(machine["joined_at"], now)
    return f"joined in your name at {when}: {name}. Not yours? `assent team revoke {machine['hub'][:8]}`"


def _journal(journal: dict[str, Any]) -> str:
    # Not how many there are: some may have been pruned.
    text = f"up to record {journal['seq']}"
    if digest := journal.get("hash"):
        text += f", head {digest[:12]}"
    if trouble := journal.get("trouble"):
        text += "; " + output.styled(_indented(trouble), "bad")
    if lost := journal.get("lost"):
        text += "; " + output.styled(f"{lost} records lost", "bad")
    return text


def _export(export: dict[str, Any], now: float) -> str:
    last = export["last_sent_at"]
    text = f"to {export['otlp']}, " + (f"last taken {_ago(last, now)}" if last else "nothing taken since it started")
    if trouble := export["trouble"]:
        text += "; " + output.styled(f"{export['behind']} records wait: {trouble}", "warn")
    elif (behind := export["behind"]) > FAR_BEHIND:
        text += "; " + output.styled(f"{behind:,} records behind", "warn")
    if refused := export["refused"]:
        text += "; " + output.styled(f"{refused} records refused", "bad")
    return text


def _others(others: dict[str, int]) -> str:
    """Hubs that record into the same database."""
    return ", ".join(f"{hub} (up to record {seq})" for hub, seq in sorted(others.items()))


def _indented(text: str) -> str:
    return text.replace("\n", "\n" + " " * 10)


def _ago(at: int, now: float) -> str:
    return f"{times.age(now * 1000 - at)} ago"
