"""Checks of the hub, from its status, and of the socket on which shims reach it."""

import socket
import stat
from collections.abc import Iterator, Mapping
from typing import Any

from assent._version import __version__
from assent.harnesses.site import Finding, Situation
from assent.shim import stopped

PATIENCE = 2.0
AWAY = "it tries again by itself; if it stays away, ask whoever runs the relay, whose `/healthz` says how it is."
TROUBLES = {
    "config_trouble": "The configuration is not used as written: {}",
    "rules_trouble": "The rules are not used as written: {}",
    "permissions_trouble": "Lasting permissions do not hold: {}",
    "port_trouble": "The hub does not listen for HTTP hooks: {}",
    "remote_trouble": "{}",
}


def hub(situation: Situation) -> Iterator[Finding]:
    status = situation.hub
    if status is None:
        yield _absent(situation)
        return
    if status.get("version") != __version__:
        text = f"The hub runs version {status.get('version')}, this is {__version__}."
        yield Finding("hub-version", "warning", text, "run `assent restart`.")
    else:
        yield Finding("hub", "ok", f"The hub runs (pid {status.get('pid')}, version {__version__}).")
    for key, sentence in TROUBLES.items():
        if status.get(key):
            yield Finding(f"hub-{key.partition('_')[0]}", "problem", sentence.format(status[key]))
    if note := status.get("config_note"):
        yield Finding("hub-config", "warning", note)
    if warning := status.get("remote_warning"):
        yield Finding("hub-remote", "warning", warning, "set up TLS, as docs/remote.md tells.")
    for sentence in status.get("ungated", ()):
        yield Finding("hub-ungated", "problem", sentence, "look who changed that, then run `assent install` again.")
    if team := status.get("team"):
        yield from _team(team)
    if count := status.get("bad_input"):
        text = f"{count} events could not be read. A newer client may speak differently."
        yield Finding("hub-bad-input", "warning", text, f"{situation.paths.log} says which.")


def _team(team: Mapping[str, Any]) -> Iterator[Finding]:
    if team["state"] == "trouble":
        yield Finding("team", "problem", team["why"])
        return
    if team["state"] == "connected":
        yield Finding("team", "ok", f"The hub is in the team {team['name']}, connected to {team['relay']}.")
    else:
        why = team["why"] or "It is connecting."
        text = f"The hub is not connected to its team {team['name']}: asks stay on this machine. {why}"
        yield Finding("team-away", "warning", text, team["hint"] or AWAY)
    if words := team["sign_in"]:
        yield Finding("team-sign-in", "warning", words)


def _absent(situation: Situation) -> Finding:
    if situation.lock_held:
        return Finding("hub-hangs", "problem", "A hub is there but does not answer.", "run `assent restart`.")
    if stopped.is_left(situation.paths):
        text = "The hub was stopped by `assent down`: hooks are silent, nothing is judged."
        return Finding("hub-stopped", "problem", text, "run `assent up --detach`.")
    return Finding("hub-absent", "note", "No hub runs; the next hook starts it.")


def sockets(situation: Situation) -> Iterator[Finding]:
    path = situation.paths.hook_socket
    if path.parent.is_dir() and stat.S_IMODE(path.parent.stat().st_mode) != 0o700:
        text = f"Other users may look into {path.parent}."
        yield Finding("socket-open", "problem", text, f"chmod 700 {path.parent}")
    if situation.hub is None:
        # Whether there should be a hub is another check's question.
        return
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(PATIENCE)
        try:
            probe.connect(str(path))
        except OSError as e:
            text = f"The hub runs, but nothing answers on {path} ({e.strerror or e}): events do not arrive."
            yield Finding("socket-dead", "problem", text, "run `assent restart`.")
        else:
            yield Finding("socket", "ok", f"The hub listens on {path}.")
