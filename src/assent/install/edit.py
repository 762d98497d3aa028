"""Edit of one file: shown first, backed up, and never over another program's change."""

from dataclasses import dataclass
from pathlib import Path

from assent import files
from assent.files import RefusedError
from assent.harnesses import registry
from assent.harnesses.base import Harness, SettingsError
from assent.harnesses.site import Scope, Site
from assent.install import manifest, plan
from assent.install.plan import place, refused
from assent.paths import Paths


@dataclass(frozen=True, slots=True)
class Edit:
    """The file before and after; ``None`` stands for no file."""

    path: Path
    before: bytes | None
    after: bytes

    @property
    def diff(self) -> str:
        return plan.unified(self.path, self.before, self.after)

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


def allow_in_settings(harness: Harness, site: Site, scope: Scope, rule: str) -> Edit:
    """One more rule that the agent's own settings allow. Raises RefusedError."""
    path = place(harness, site, scope).path
    before = files.read(path)
    try:
        return Edit(path, before, harness.with_rule(before, rule))
    except SettingsError as e:
        raise refused(path, e) from e


def forget_in_settings(path: Path, rule: str, harness: Harness | None = None, kind: str = "rule") -> Edit:
    """One rule, or one folder, less that the agent's own settings allow. Raises RefusedError."""
    before = files.read(path)
    module = harness or registry.default()
    try:
        after = (module.without_directory if kind == "directory" else module.without_rule)(before, rule)
    except SettingsError as e:
        raise RefusedError(f"{path}:{e}. Nothing was changed.", hint="repair the file, then try again.") from e
    if after is None:
        raise RefusedError(f"Nothing was changed: {path} does not allow {rule}.")
    return Edit(path, before, after)
