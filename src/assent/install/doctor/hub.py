"""The hub itself, by its own word."""

from collections.abc import Iterator

from assent._version import __version__
from assent.install.doctor.check import Finding, Situation
from assent.shim import stopped

TROUBLES = {
    "config_trouble": "The configuration is not used as written: {}",
    "rules_trouble": "The rules are not used as written: {}",
    "port_trouble": "The hub does not listen for HTTP hooks: {}",
    "remote_trouble": "{}",
}


def check(situation: Situation) -> Iterator[Finding]:
    hub = situation.hub
    if hub is None:
        yield _absent(situation)
        return
    if hub.get("version") != __version__:
        text = f"The hub runs version {hub.get('version')}, this is {__version__}."
        yield Finding("hub-version", "warning", text, "run `assent restart`.")
    else:
        yield Finding("hub", "ok", f"The hub runs (pid {hub.get('pid')}, version {__version__}).")
    for key, sentence in TROUBLES.items():
        if hub.get(key):
            yield Finding(f"hub-{key.partition('_')[0]}", "problem", sentence.format(hub[key]))
    if note := hub.get("config_note"):
        yield Finding("hub-config", "warning", note)
    if warning := hub.get("remote_warning"):
        yield Finding("hub-remote", "warning", warning, "set up TLS, as docs/remote.md tells.")
    for sentence in hub.get("ungated", ()):
        yield Finding("hub-ungated", "problem", sentence, "look who changed that, then run `assent install` again.")
    if count := hub.get("bad_input"):
        text = f"{count} events could not be read. A newer client may speak differently."
        yield Finding("hub-bad-input", "warning", text, f"{situation.paths.log} says which.")


def _absent(situation: Situation) -> Finding:
    if situation.lock_held:
        return Finding("hub-hangs", "problem", "A hub is there but does not answer.", "run `assent restart`.")
    if stopped.is_left(situation.paths):
        text = "The hub was stopped by `assent down`: hooks are silent, nothing is judged."
        return Finding("hub-stopped", "problem", text, "run `assent up --detach`.")
    return Finding("hub-absent", "note", "No hub runs; the next hook starts it.")
