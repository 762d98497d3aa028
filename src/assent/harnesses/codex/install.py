"""What an install writes into Codex's hooks.json, what an uninstall takes out, and whether Codex trusts it.

A hook runs only once a person has trusted it in the client, which keeps a hash of it under the place where it stands:
event, number of the group, number in the group. So ours come after all others, and where others come after ours, an
empty group keeps their numbers as they are."""

import hashlib
import json
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from assent.harnesses import hook_table, shell_entry
from assent.harnesses.base import Change, Place, SettingsError, Unreachable
from assent.harnesses.codex.encode import replies
from assent.harnesses.codex.facts import BYPASS, NAME, SUBSCRIPTIONS
from assent.harnesses.hook_table import EntryPath, Handler
from assent.harnesses.json_edit import Document
from assent.harnesses.site import Scope, Site, Transport

FILE, CONFIG = "hooks.json", "config.toml"
# Other keys at the top of the file void it as a whole.
_KEYS = frozenset({"description", "hooks"})
# Shown while a hook runs. It stands there for a blink also when nothing is asked.
STATUS = {
    "PreToolUse": "assent: looking; if held, any screen of yours can answer",
    "PermissionRequest": "assent: your other screens can answer first",
    "Stop": "assent: reply from any screen, or Esc to let it stop",
}
_SHELL = "/bin/sh -c "
_LONGEST_LAST = 3
TRUST = "start `codex`: it asks once about new hooks; choose to trust them (later: /hooks)."


def folder(site: Site) -> Path:
    return Path(site.environ.get("CODEX_HOME") or site.home / ".codex")


def places(site: Site) -> list[Place]:
    return [Place("user", folder(site) / FILE), Place("project", site.project / ".codex" / FILE)]


def entries(site: Site) -> dict[str, Handler]:
    """The entry of each event. The client hands a line to the user's own shell, which may not be one that reads it."""
    told = replies(cast("Unreachable", site.unreachable))
    written: dict[str, Handler] = {}
    for event, subscription in SUBSCRIPTIONS.items():
        fitted, said = shell_entry.fitting(subscription, site.wait), told.get(event, {})
        line = shell_entry.line(
            site.paths,
            NAME,
            fitted,
            said.get("unreachable", b""),
            in_bypass=(BYPASS[1], said.get("unreachable_bypass", b"")),
            in_a_run=said.get("run", b""),
        )
        status = {"statusMessage": STATUS[event]} if event in STATUS else {}
        command = f"{_SHELL}{shlex.quote(line)}"
        written[event] = {"type": "command", "command": command, "timeout": fitted.timeout, **status}
    return written


def is_ours(handler: Any) -> bool:
    command = handler.get("command") if isinstance(handler, dict) else None
    if not isinstance(command, str) or not command.startswith(_SHELL):
        return False
    try:
        return shell_entry.is_ours(shlex.split(command)[2], NAME)
    except (ValueError, IndexError):
        return False


def plan(
    site: Site,
    scope: Scope,
    before: bytes | None,
    *,
    transport: Transport,
    token: str,  # noqa: ARG001 - nothing goes over HTTP here
    with_telemetry: bool,  # noqa: ARG001 - the client's telemetry does not tell who answered
) -> Change:
    if transport == "http":
        raise SettingsError(" Codex takes no hooks over HTTP; use the shim")
    doc = _open(before)
    after = hook_table.put_in(doc, entries(site), is_ours)
    path = next(place.path for place in places(site) if place.scope == scope)
    return Change(after.write(), tuple(SUBSCRIPTIONS), tuple(_notes(site, scope, trust(site, path, after.root.value))))


def _notes(site: Site, scope: Scope, trusted: "list[Trust]") -> Iterator[str]:
    if scope == "project":
        yield "Codex runs hooks of a repository only where its folder is trusted."
    if any(each.state != "trusted" for each in trusted):
        yield (
            "Codex runs new or changed hooks only after you have trusted them, and `codex exec` says nothing about "
            f"those it leaves out. Next, {TRUST}"
        )
    if switched_off(read(site.project / ".codex" / CONFIG)):
        yield "[features] hooks = false in .codex/config.toml of this project: no hook of yours runs here."


def remove(before: bytes, original: bytes | None) -> Change:
    doc = _open(before)
    ours = [at for at, handler in hook_table.handlers(doc.root.value) if is_ours(handler)]
    bare = doc
    for at in ours:
        if at[2] < len(doc.root.value["hooks"][at[1]]) - 1:
            # Others follow: an empty group in its place keeps their numbers.
            bare = bare.replace(at[:4], [each for each in _at(bare, at[:4]) if not is_ours(each)])
    bare = hook_table.take_out(bare, is_ours, _lenient(original))
    events = tuple(dict.fromkeys(at[1] for at in ours))
    return Change(before if bare is doc else bare.write(), events, is_empty=bare.root.value == {})


def _at(doc: Document, path: tuple[str | int, ...]) -> Any:
    node = doc.get(path)
    assert node is not None
    return node.value


def _open(data: bytes | None) -> Document:
    doc = Document.read(data if data and data.strip() else b"{}\n")
    hook_table.check_shape(doc)
    if unknown := sorted(doc.root.value.keys() - _KEYS):
        raise SettingsError(f' it has the key "{unknown[0][:60]}", for which Codex passes over the whole file')
    return doc


def _lenient(data: bytes | None) -> Any:
    try:
        return json.loads(data or b"{}")
    except (ValueError, RecursionError):
        return None


def read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def config(text: str | None) -> dict[str, Any]:
    """What a TOML file of the client's says; empty where it cannot be read."""
    try:
        return tomllib.loads(text or "")
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def switched_off(text: str | None) -> bool:
    """Whether this config.toml switches off every hook, by today's name or by the earlier one."""
    features = config(text).get("features")
    return isinstance(features, dict) and any(features.get(name) is False for name in ("hooks", "codex_hooks"))


# --- trust


class Trust(NamedTuple):
    """Whether the client runs one entry of ours."""

    event: str
    state: Literal["trusted", "untrusted", "changed", "off"]


def label(event: str) -> str:
    """``PreToolUse`` is ``pre_tool_use`` there."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in event).lstrip("_")


def fingerprint(event: str, handler: Mapping[str, Any]) -> str:
    """The hash that the client keeps of an entry that matches everything."""
    timeout = handler.get("timeout", 600)
    told = {
        "type": "command",
        "command": handler.get("command"),
        "timeout": min(timeout, _LONGEST_LAST) if event == "SessionEnd" else timeout,
        "async": False,
        **({"statusMessage": handler["statusMessage"]} if "statusMessage" in handler else {}),
    }
    identity = {"event_name": label(event), "hooks": [told]}
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def key(path: Path, at: EntryPath) -> str:
    """The name of an entry in the client's own notes. It follows links to its folder."""
    return f"{path.parent.resolve() / path.name}:{label(at[1])}:{at[2]}:{at[4]}"


def trust(site: Site, path: Path, settings: Any) -> list[Trust]:
    """Of all entries of ours in a hooks.json."""
    hooks = config(read(folder(site) / CONFIG)).get("hooks")
    states = hooks.get("state") if isinstance(hooks, dict) else None
    found = []
    for at, handler in hook_table.handlers(settings):
        if not is_ours(handler):
            continue
        state = states.get(key(path, at)) if isinstance(states, dict) else None
        state = state if isinstance(state, dict) else {}
        if state.get("enabled") is False:
            found.append(Trust(at[1], "off"))
        elif state.get("trusted_hash") == fingerprint(at[1], handler):
            found.append(Trust(at[1], "trusted"))
        else:
            found.append(Trust(at[1], "changed" if state.get("trusted_hash") else "untrusted"))
    return found
