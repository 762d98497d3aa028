"""What an install writes into a settings file of Claude Code, what an uninstall takes out, and what people are told."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assent import _version
from assent.harnesses import hook_table
from assent.harnesses.base import Change
from assent.harnesses.claude_code import hooks, telemetry
from assent.harnesses.claude_code import hooks as entries
from assent.harnesses.claude_code.facts import NO_HTTP, SUBSCRIPTIONS
from assent.harnesses.claude_code.settings import form_of, lenient, ours, own_file, read_leniently
from assent.harnesses.json_edit import Document
from assent.harnesses.json_text import JsonTextError
from assent.harnesses.site import SCOPES, Scope, Site, Transport


def plan(
    site: Site, scope: Scope, before: bytes | None, *, transport: Transport, token: str, with_telemetry: bool
) -> Change:
    doc = _open(before)
    wanted = hooks.entries(site, scope, transport, token)
    taken = telemetry.elsewhere(site)
    sends = with_telemetry and telemetry.may_stand(scope, transport)
    written = hook_table.put_in(doc, wanted, is_ours)
    if sends and not taken:
        written = telemetry.put(written, telemetry.variables(site.port, token))
    else:
        written = telemetry.take_out(written)
    uses_token = any(handler["type"] == "http" for handler in wanted.values()) or (sends and not taken)
    notes = _notes(site, scope, transport, doc.root.value, uses_token=uses_token)
    if sends and taken:
        notes.append(telemetry.LEFT.format(taken))
    offer = telemetry.OFFERED if sends and not taken and not telemetry.ours(doc.root.value) else ""
    return Change(written.write(), tuple(wanted), tuple(notes), offer, uses_token=uses_token)


def remove(before: bytes, original: bytes | None) -> Change:
    doc = _open(before)
    events = tuple(dict.fromkeys(at[1] for at, _ in ours(doc.root.value)))
    was = lenient(original)
    bare = telemetry.take_out(hook_table.take_out(doc, is_ours, was), was)
    return Change(before if bare is doc else bare.write(), events, is_empty=bare.root.value == {})


def is_ours(handler: Any) -> bool:
    return form_of(handler) is not None


def with_rule(before: bytes | None, rule: str) -> bytes:
    """One more rule in ``permissions.allow``."""
    doc = Document.read(_content(before))
    for at, kind, name in (((), dict, "object of settings"), (("permissions",), dict, "object")):
        node = doc.get(at)
        if node is not None and not isinstance(node.value, kind):
            raise JsonTextError(doc.text, node.start, f"expected an {name}")
    if doc.get(("permissions",)) is None:
        return doc.add((), "permissions", {"allow": [rule]}).write()
    allowed = doc.get(("permissions", "allow"))
    if allowed is None:
        return doc.add(("permissions",), "allow", [rule]).write()
    if not isinstance(allowed.value, list):
        raise JsonTextError(doc.text, allowed.start, '"permissions"."allow" should be a list')
    return (doc if rule in allowed.value else doc.append(("permissions", "allow"), rule)).write()


def without_rule(before: bytes | None, rule: str) -> bytes | None:
    """One rule less in ``permissions.allow``; None where it does not stand there."""
    return _without(before, "allow", rule)


def without_directory(before: bytes | None, directory: str) -> bytes | None:
    """One folder less in ``permissions.additionalDirectories``; None where it does not stand there."""
    return _without(before, "additionalDirectories", directory)


def _without(before: bytes | None, name: str, entry: str) -> bytes | None:
    doc = Document.read(before or b"{}\n")
    listed = doc.get(("permissions", name)) if isinstance(doc.root.value, dict) else None
    if listed is None or not isinstance(listed.value, list) or entry not in listed.value:
        return None
    return doc.remove(("permissions", name, listed.value.index(entry))).write()


def _content(data: bytes | None) -> bytes:
    """A file without content means what no file means."""
    return data if data and data.strip() else b"{}\n"


def _open(data: bytes | None) -> Document:
    doc = Document.read(_content(data))
    hook_table.check_shape(doc)
    return doc


def _notes(
    site: Site, scope: Scope, transport: Transport, settings: Mapping[str, Any], *, uses_token: bool
) -> list[str]:
    path = own_file(site, scope)
    notes = []
    if transport == "http":
        kept = " and ".join(sorted(NO_HTTP))
        notes += [
            f"{kept} cannot come over HTTP in this client and keep using the shim.",
            "While the hub is down, hooks over HTTP decide nothing: the client goes on as if Assent were not there.",
        ]
    if uses_token:
        notes += _about_the_token(path, scope)
    if settings.get("disableAllHooks") is True:
        notes.append(f'"disableAllHooks" is set in {path}: no hook runs until it is taken out.')
    notes += [
        f"{place} has entries of Assent too ({other} scope): every event would be handled twice."
        for other in SCOPES
        if (place := own_file(site, other)) != path and any(ours(read_leniently(place)))
    ]
    return notes


def _about_the_token(path: Path, scope: Scope) -> list[str]:
    notes = []
    if scope == "local":
        notes.append(f"{path} will hold a token; keep it out of version control.")
    if path.is_symlink():
        notes.append(f"{path} is a link; the token will stand in {path.resolve()}.")
    if path.exists() and path.stat().st_mode & 0o004 and all(p.stat().st_mode & 0o001 for p in path.parents):
        notes.append(f"{path} can be read by other users of this machine; it will hold a token, so that ends.")
    return notes


DESCRIPTION = (
    "Sends what Claude Code wants to do to Assent, which judges it, asks you where you are, and keeps a record."
)


def render() -> dict[str, bytes]:
    """Each file of the plugin by its path. Shared by many machines, so without a path or token of any."""
    about = {
        "name": "assent",
        "version": _version.__version__,
        "description": DESCRIPTION,
        "license": "MIT",
    }
    hooks = {event: [{"hooks": [entries.shared_entry(subscription)]}] for event, subscription in SUBSCRIPTIONS.items()}
    return {
        ".claude-plugin/plugin.json": _json(about),
        "hooks/hooks.json": _json({"description": DESCRIPTION, "hooks": hooks}),
    }


def write(folder: Path) -> None:
    for name, data in render().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()


if __name__ == "__main__":
    write(Path(sys.argv[1]))
