"""Plan of an install or uninstall for one settings file, shown before anything is done."""

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assent import files, keys
from assent.errors import UsageError
from assent.files import RefusedError
from assent.harnesses import registry, system_lines
from assent.harnesses.base import Change, Harness, Place, SettingsError
from assent.harnesses.site import Scope, Site, Transport
from assent.install import manifest, rotation
from assent.install.manifest import Install
from assent.paths import Paths


def unified(path: Path, before: bytes | None, after: bytes | None) -> str:
    """Tokens masked; empty if nothing changes. ``None`` stands for no file."""
    if before == after:
        return ""
    old, new = ("/dev/null" if side is None else str(path) for side in (before, after))
    lines = difflib.unified_diff(_lines(before), _lines(after), old, new, lineterm="")
    return rotation.masked("".join(f"{line.rstrip(chr(13))}\n" for line in lines))


def _lines(data: bytes | None) -> list[str]:
    if not data:
        return []
    text = data.decode(errors="replace")
    lines = text.split("\n")
    last = lines.pop()
    return [*lines, f"{last}\n\\ No newline at end of file"] if last else lines


@dataclass(frozen=True, slots=True)
class Plan:
    """One file before and after. ``None`` stands for no file."""

    action: Literal["install", "uninstall"]
    path: Path
    scope: str
    harness: Harness
    before: bytes | None
    after: bytes | None
    # Events whose entry is written or taken out.
    events: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    # What is new about the client's telemetry, as a person is asked about it.
    telemetry: str = ""
    # The file without any entry of ours, as uninstall is to give it back.
    original: bytes | None = None
    # Set if the hub has no token yet; it is kept when the plan is applied.
    new_token: str | None = None
    # Uninstall only: ``after`` is what stood there before the first install, byte for byte.
    restored: bool = False

    @property
    def is_noop(self) -> bool:
        return self.before == self.after

    @property
    def diff(self) -> str:
        return unified(self.path, self.before, self.after)


# The file without what is ours, given what stood there before us.
Remove = Callable[[bytes, bytes | None], Change]


def plan_install(
    site: Site,
    scope: Scope = "user",
    transport: Transport = "auto",
    *,
    harness: Harness | None = None,
    with_telemetry: bool = True,
) -> Plan:
    harness = harness or registry.default()
    path = place(harness, site, scope).path
    if scope == "project":
        if transport == "http":
            raise UsageError(
                "A project's settings are shared with others, and HTTP hooks carry a token. Nothing was changed.",
                hint="use --scope local or --scope user, or --transport shim.",
            )
        if any(other.scope == "user" and other.path == path for other in harness.places(site)):
            raise UsageError(
                f"{path} belongs to you, not to a project. Nothing was changed.",
                hint="run it inside the project's folder, or use --scope user.",
            )
    before = files.read(path)
    files.check_writable(path)
    token = keys.existing_post_token(site.paths)
    new_token = None if token else keys.fresh()
    try:
        change = harness.plan(
            site, scope, before, transport=transport, token=token or new_token or "", with_telemetry=with_telemetry
        )
        original = _original(site.paths, path, before, harness.remove)
    except SettingsError as e:
        raise refused(path, e) from e
    except UnicodeEncodeError as e:
        raise RefusedError(
            f"{site.paths.state} has a name that JSON cannot hold. Nothing was changed.",
            hint="set ASSENT_HOME to a folder with a plain name.",
        ) from e
    return Plan(
        action="install",
        path=path,
        scope=scope,
        harness=harness,
        before=before,
        after=change.after,
        events=change.events,
        notes=change.notes,
        telemetry=change.telemetry,
        original=original,
        new_token=new_token if change.uses_token else None,
    )


def plan_system(site: Site, harness: Harness) -> Plan:
    """The administrator's file with the lines that keep a repository from switching this client's hooks off."""
    path = system_lines.path(harness.NAME, site)
    if path is None:
        raise UsageError(f"No line in a file of the system holds {harness.TITLE}'s hooks. Nothing was changed.")
    before = files.read(path)
    try:
        change = system_lines.plan(harness.NAME, before)
        original = _original(site.paths, path, before, _system_remove(harness))
    except SettingsError as e:
        raise refused(path, e) from e
    return Plan("install", path, system_lines.SCOPE, harness, before, change.after, change.events, original=original)


def _system_remove(harness: Harness) -> Remove:
    return lambda before, original: system_lines.remove(harness.NAME, before, original)


def plan_uninstall(paths: Paths, path: Path, scope: str = "user", harness: Harness | None = None) -> Plan:
    """The file as it was before us; if others changed it since, the file as it is without our entries."""
    harness = harness or registry.default()
    record = manifest.load(paths).get(path)
    before = files.read(path)
    if before is None:
        return Plan("uninstall", path, scope, harness, None, None)
    files.check_writable(path)
    remove = _system_remove(harness) if scope == system_lines.SCOPE else harness.remove
    try:
        events = remove(before, None).events
        after = _given_back(record, before, remove)
    except SettingsError as e:
        raise refused(path, e) from e
    return Plan("uninstall", path, scope, harness, before, after, events, restored=_only_ours_since(record, before))


def place(harness: Harness, site: Site, scope: Scope) -> Place:
    """The settings file of one scope. Raise UsageError where this client has none."""
    places = harness.places(site)
    if not places:
        hint = f"start your agent with `{harness.PROGRAM}`."
        raise UsageError(f"{harness.TITLE}: there are no settings to write. Nothing was changed.", hint=hint)
    match = next((each for each in places if each.scope == scope), None)
    if match is None:
        names = ", ".join(dict.fromkeys(each.scope for each in places if each.scope != "managed"))
        raise UsageError(
            f"{harness.TITLE} has no settings of the {scope} scope. Nothing was changed.", hint=f"it has: {names}."
        )
    return match


def refused(path: Path, error: SettingsError) -> RefusedError:
    return RefusedError(f"{path}:{error}. Nothing was changed.", hint="repair the file, then run the command again.")


def _original(paths: Paths, path: Path, before: bytes | None, remove: Remove) -> bytes | None:
    """What uninstall must give back: what stood here before the first install, if only we wrote since."""
    if before is None or remove(before, None).after == before:
        return before
    return _given_back(manifest.load(paths).get(path), before, remove)


def _given_back(record: Install | None, before: bytes, remove: Remove) -> bytes | None:
    kept = _backup(record)
    if _only_ours_since(record, before):
        return kept
    bare = remove(before, kept)
    if bare.after == before:
        return before
    return None if record and record.before is None and bare.is_empty else bare.after


def _only_ours_since(record: Install | None, before: bytes) -> bool:
    """Whether the file is as we wrote it, and we still know what stood there."""
    if record is None or record.after != manifest.digest(before):
        return False
    return record.before is None or _backup(record) is not None


def _backup(record: Install | None) -> bytes | None:
    """The kept bytes, if they are still the ones we kept."""
    if record is None or record.backup is None:
        return None
    try:
        data = Path(record.backup).read_bytes()
    except OSError:
        return None
    return data if manifest.digest(data) == record.before else None
