"""What an administrator's file must say so that no repository can switch a client's hooks off.

Only what was seen to hold with the real client stands here. ``assent install --scope system`` writes it, as root, and
``assent uninstall`` takes it out; whatever else stands in these files stays as it is."""

import json
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from assent.errors import AssentError
from assent.harnesses.base import Change, SettingsError
from assent.harnesses.json_edit import Document
from assent.harnesses.site import Site
from assent.toml import edit

SCOPE = "system"
_ABOVE = "Library/Application Support" if sys.platform == "darwin" else "etc"


class Lines(NamedTuple):
    """A file below the root, and the values it must hold by the names that lead to them."""

    file: str
    values: dict[tuple[str, ...], Any]


def _folder(linux: str, mac: str) -> str:
    return f"{_ABOVE}/{mac if sys.platform == 'darwin' else linux}"


LINES = {
    "claude-code": Lines(
        f"{_folder('claude-code', 'ClaudeCode')}/managed-settings.json", {("disableAllHooks",): False}
    ),
    "codex": Lines("etc/codex/requirements.toml", {("features", "hooks"): True}),
    "qwen": Lines(f"{_folder('qwen-code', 'QwenCode')}/settings.json", {("disableAllHooks",): False}),
    # Names that a repository switches off add to those here, so no list of them holds against it.
    "gemini": Lines(f"{_folder('gemini-cli', 'GeminiCli')}/settings.json", {("hooksConfig", "enabled"): True}),
}


def path(harness: str, site: Site) -> Path | None:
    """The administrator's file of a client that has one."""
    lines = LINES.get(harness)
    return site.root / lines.file if lines else None


def stands(harness: str, site: Site) -> bool:
    """Whether it says all that it must."""
    file = path(harness, site)
    if file is None:
        return False
    try:
        values = _values(harness, file.read_bytes())
    except (OSError, SettingsError):
        return False
    return all(_says(values, at, value) for at, value in LINES[harness].values.items())


def plan(harness: str, before: bytes | None) -> Change:
    """The file with these lines. Raise SettingsError."""
    content = before if before and before.strip() else b""
    for at, value in LINES[harness].values.items():
        content = _with(harness, content, at, value)
    return Change(content, tuple(".".join(at) for at in LINES[harness].values))


def remove(harness: str, before: bytes, original: bytes | None) -> Change:
    """The file without them, where they say what we wrote and the original did not. Raise SettingsError."""
    content, gone = before, []
    had = _values(harness, original) if original else {}
    for at, value in LINES[harness].values.items():
        if _says(_values(harness, content), at, value) and not _says(had, at, value):
            content = _without(harness, content, at)
            gone.append(".".join(at))
    return Change(content, tuple(gone), is_empty=not _values(harness, content))


def _is_toml(harness: str) -> bool:
    return LINES[harness].file.endswith(".toml")


def _values(harness: str, content: bytes) -> dict[str, Any]:
    try:
        text = content.decode()
        values = tomllib.loads(text) if _is_toml(harness) else json.loads(text or "{}")
    except ValueError:
        raise SettingsError(" it cannot be read") from None
    if not isinstance(values, dict):
        raise SettingsError(" it is not an object of settings")
    return values


def _found(values: dict[str, Any], at: tuple[str, ...]) -> Any:
    found: Any = values
    for name in at:
        found = found.get(name) if isinstance(found, dict) else None
    return found


def _says(values: dict[str, Any], at: tuple[str, ...], value: Any) -> bool:
    found = _found(values, at)
    # 1 is no true here.
    return type(found) is type(value) and found == value


def _with(harness: str, content: bytes, at: tuple[str, ...], value: Any) -> bytes:
    if _is_toml(harness):
        return _edited(lambda: edit.with_value(content, ".".join(at[:-1]), at[-1], json.dumps(value)))
    doc = Document.read(content or b"{}\n")
    for depth, name in enumerate(at[:-1]):
        if doc.get(at[: depth + 1]) is None:
            doc = doc.add(at[:depth], name, {})
    found = doc.get(at)
    if found is None:
        doc = doc.add(at[:-1], at[-1], value)
    elif found.value != value:
        doc = doc.replace(at, value)
    return doc.write()


def _edited(change: Callable[[], bytes]) -> bytes:
    try:
        return change()
    except AssentError as error:
        raise SettingsError(f" {error.message.removesuffix('.')}") from None


def _without(harness: str, content: bytes, at: tuple[str, ...]) -> bytes:
    if _is_toml(harness):
        return _edited(lambda: edit.without_value(content, ".".join(at[:-1]), at[-1]))
    doc = Document.read(content).remove(at)
    for depth in range(len(at) - 1, 0, -1):
        above = doc.get(at[:depth])
        if above is not None and not above.children:
            doc = doc.remove(at[:depth])
    return doc.write()
