"""Nothing is installed for agents behind the proxy: no file arms or disarms it."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from assent.harnesses.base import Change, Loads, Place, SettingsError, Version
from assent.harnesses.site import Check, Finding, Scope, Site, Situation, Transport
from assent.paths import Paths

MANAGED: Path | None = None


def places(_site: Site) -> list[Place]:
    return []


def plan(
    site: Site,  # noqa: ARG001
    scope: Scope,  # noqa: ARG001
    before: bytes | None,  # noqa: ARG001
    *,
    transport: Transport,  # noqa: ARG001
    token: str,  # noqa: ARG001
    with_telemetry: bool,  # noqa: ARG001
) -> Change:
    raise SettingsError(" nothing is written for it")


def remove(before: bytes, original: bytes | None) -> Change:  # noqa: ARG001
    return Change(before)


def managed_hooks(_site: Site) -> Path | None:
    return None


def watched(_folder: str) -> list[str]:
    return []


def reads(_file: str) -> bool:
    return False


def disarmed(text: str | None, *, installed: bool, managed: bool) -> str | None:  # noqa: ARG001
    return None


def powers(text: str | None, paths: Paths, loads: Loads) -> dict[str, str] | None:  # noqa: ARG001
    return None


def version(program: str, path: str) -> Version | None:  # noqa: ARG001 - each agent has its own
    return None


def _hooks(_situation: Situation) -> Iterator[Finding]:
    text = (
        "Agents behind `assent acp` are stopped in what they ask about, and in what they have the editor write or run. "
        "In a mode that asks nothing (yolo, bypass) their own tools run unasked: that is recorded, and shown as bypass."
    )
    yield Finding("acp-unasked", "note", text, "leave the agent in a mode that asks, or install its hooks as well.")


CHECKS: Mapping[str, tuple[Check, ...]] = {"hooks": (_hooks,)}
