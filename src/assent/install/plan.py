"""What an install or uninstall would do to one settings file, shown before anything is done."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assent import keys
from assent.errors import UsageError
from assent.harness import claude_code
from assent.harness.base import Subscription
from assent.install import diff, entries, files, manifest, merge, notes, telemetry, tokens
from assent.install.entries import Handler
from assent.install.files import RefusedError
from assent.install.json_edit import Document
from assent.install.json_text import JsonTextError
from assent.install.manifest import Install
from assent.install.site import Scope, Site, Transport
from assent.paths import Paths


@dataclass(frozen=True, slots=True)
class Plan:
    """One file before and after. ``None`` stands for no file."""

    action: Literal["install", "uninstall"]
    path: Path
    scope: str
    before: bytes | None
    after: bytes | None
    # Events whose entry is written or taken out.
    events: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
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
        return diff.unified(self.path, self.before, self.after)


def plan_install(
    site: Site, scope: Scope = "user", transport: Transport = "auto", *, with_telemetry: bool = True
) -> Plan:
    path = site.settings(scope)
    if scope == "project":
        if transport == "http":
            raise UsageError(
                "A project's settings are shared with others, and HTTP hooks carry a token. Nothing was changed.",
                hint="use --scope local or --scope user, or --transport shim.",
            )
        if path == site.settings("user"):
            raise UsageError(
                f"{path} belongs to you, not to a project. Nothing was changed.",
                hint="run it inside the project's folder, or use --scope user.",
            )
    before = files.read(path)
    files.check_writable(path)
    token = tokens.existing(site.paths)
    new_token = None if token else keys.fresh()
    wanted = handlers(site, scope, transport, token or new_token or "")
    taken = telemetry.elsewhere(site)
    sends = with_telemetry and telemetry.may_stand(scope, transport)
    doc = _open(path, before)
    try:
        written = merge.install(doc, wanted)
        if sends and not taken:
            written = telemetry.put(written, telemetry.variables(site.port, token or new_token or ""))
        else:
            written = telemetry.take_out(written)
        after = written.write()
        original = _original(site.paths, path, before, doc)
    except JsonTextError as e:
        raise _refused(path, e) from e
    except UnicodeEncodeError as e:
        raise RefusedError(
            f"{site.paths.state} has a name that JSON cannot hold. Nothing was changed.",
            hint="set ASSENT_HOME to a folder with a plain name.",
        ) from e
    uses_token = any(handler["type"] == "http" for handler in wanted.values()) or (sends and not taken)
    told = notes.collect(site, scope, transport, doc.root.value, uses_token=uses_token)
    if sends and (taken or not telemetry.ours(doc.root.value)):
        told = (*told, telemetry.LEFT.format(taken) if taken else telemetry.OFFERED)
    return Plan(
        action="install",
        path=path,
        scope=scope,
        before=before,
        after=after,
        events=tuple(wanted),
        notes=told,
        original=original,
        new_token=new_token if uses_token else None,
    )


def plan_uninstall(paths: Paths, path: Path, scope: str = "user") -> Plan:
    """The file as it was before us; if others changed it since, the file as it is without our entries."""
    record = manifest.load(paths).get(path)
    before = files.read(path)
    if before is None:
        return Plan("uninstall", path, scope, None, None)
    files.check_writable(path)
    doc = _open(path, before)
    events = tuple(dict.fromkeys(at[1] for at, _ in merge.places(doc)))
    try:
        after = _given_back(record, before, doc)
    except JsonTextError as e:
        raise _refused(path, e) from e
    return Plan("uninstall", path, scope, before, after, events, restored=_only_ours_since(record, before))


def handlers(site: Site, scope: Scope, transport: Transport, token: str) -> dict[str, Handler]:
    """The entry of each event we subscribe."""
    return {
        event: _handler(site, subscription, form(scope, transport, subscription), token)
        for event, subscription in claude_code.SUBSCRIPTIONS.items()
    }


def form(scope: Scope, transport: Transport, subscription: Subscription) -> entries.Form:
    if scope == "project":
        return "shared"
    wish = subscription.transport if transport == "auto" else transport
    return "http" if wish == "http" and subscription.event not in claude_code.NO_HTTP else "local"


def _handler(site: Site, subscription: Subscription, form: entries.Form, token: str) -> Handler:
    if form == "http":
        return entries.http_entry(subscription, site.port, token, site.unreachable)
    if form == "shared":
        return entries.shared_entry(subscription)
    return entries.local_entry(subscription, site.paths, site.unreachable)


def _open(path: Path, data: bytes | None) -> Document:
    # A file without content means what no file means.
    data = data if data and data.strip() else b"{}\n"
    try:
        doc = Document.read(data)
        merge.check_shape(doc)
    except JsonTextError as e:
        raise _refused(path, e) from e
    return doc


def _refused(path: Path, error: JsonTextError) -> RefusedError:
    return RefusedError(f"{path}:{error}. Nothing was changed.", hint="repair the file, then run the command again.")


def _original(paths: Paths, path: Path, before: bytes | None, doc: Document) -> bytes | None:
    """What uninstall must give back: what stood here before the first install, if only we wrote since."""
    if before is None or not (merge.places(doc) or telemetry.ours(doc.root.value)):
        return before
    return _given_back(manifest.load(paths).get(path), before, doc)


def _given_back(record: Install | None, before: bytes, doc: Document) -> bytes | None:
    kept = _backup(record)
    if _only_ours_since(record, before):
        return kept
    original = notes.lenient(kept)
    bare = telemetry.take_out(merge.uninstall(doc, original), original)
    if bare is doc:
        return before
    return None if record and record.before is None and bare.root.value == {} else bare.write()


def _only_ours_since(record: Install | None, before: bytes) -> bool:
    """Nobody else changed the file since we wrote it, and we still know what stood there."""
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
