"""One careful change of one file: shown first, backed up, and never over somebody else's change."""

from dataclasses import dataclass
from pathlib import Path

from assent.install import diff, files, manifest
from assent.install.files import RefusedError
from assent.install.json_edit import Document
from assent.install.json_text import JsonTextError
from assent.install.site import Scope, Site
from assent.paths import Paths


@dataclass(frozen=True, slots=True)
class Edit:
    """The file before and after; ``None`` stands for no file."""

    path: Path
    before: bytes | None
    after: bytes

    @property
    def diff(self) -> str:
        return diff.unified(self.path, self.before, self.after)

    def carry_out(self, paths: Paths, name: str) -> Path | None:
        """Write it, or raise RefusedError and leave the file alone; where the bytes before are kept now."""
        files.check_writable(self.path)
        files.unchanged(self.path, self.before)
        backup = None
        if self.before is not None:
            try:
                backup = manifest.back_up(paths, name, self.before)
            except OSError as e:
                raise RefusedError(f"Cannot keep a backup in {paths.backup}: {e.strerror}. Nothing was changed.") from e
        files.replace(self.path, self.before, self.after, new_mode=0o600)
        return backup


def allow_in_settings(site: Site, scope: Scope, rule: str) -> Edit:
    """One more rule in ``permissions.allow`` of the agent's settings. Raises RefusedError."""
    path = site.settings(scope)
    before = files.read(path)
    # A file without content means what no file means.
    data = before if before and before.strip() else b"{}\n"
    try:
        return Edit(path, before, _allowing(Document.read(data), rule).write())
    except JsonTextError as e:
        hint = "repair the file, then run the command again."
        raise RefusedError(f"{path}:{e}. Nothing was changed.", hint=hint) from e


def forget_in_settings(path: Path, rule: str) -> Edit:
    """One rule less in ``permissions.allow`` of the agent's settings. Raises RefusedError."""
    before = files.read(path)
    try:
        doc = Document.read(before or b"{}\n")
        allowed = doc.get(("permissions", "allow")) if isinstance(doc.root.value, dict) else None
    except JsonTextError as e:
        raise RefusedError(f"{path}:{e}. Nothing was changed.", hint="repair the file, then try again.") from e
    if allowed is None or not isinstance(allowed.value, list) or rule not in allowed.value:
        raise RefusedError(f"Nothing was changed: {path} does not allow {rule}.")
    return Edit(path, before, doc.remove(("permissions", "allow", allowed.value.index(rule))).write())


def _allowing(doc: Document, rule: str) -> Document:
    for at, kind, name in (((), dict, "object of settings"), (("permissions",), dict, "object")):
        node = doc.get(at)
        if node is not None and not isinstance(node.value, kind):
            raise JsonTextError(doc.text, node.start, f"expected an {name}")
    if doc.get(("permissions",)) is None:
        return doc.add((), "permissions", {"allow": [rule]})
    allowed = doc.get(("permissions", "allow"))
    if allowed is None:
        return doc.add(("permissions",), "allow", [rule])
    if not isinstance(allowed.value, list):
        raise JsonTextError(doc.text, allowed.start, '"permissions"."allow" should be a list')
    return doc if rule in allowed.value else doc.append(("permissions", "allow"), rule)
