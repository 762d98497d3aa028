"""Checks of surfaces: from each service, and from the settings."""

from collections.abc import Iterator, Mapping
from typing import Any

from assent.harnesses.site import Finding, Situation

# Has settings, and is turned on in browsers.
PUSH = "push"


def surfaces(situation: Situation) -> Iterator[Finding]:
    named = sorted(name for name in situation.config.surface if name != PUSH)
    if not named:
        return
    if situation.surfaces is None:
        text = f"Whether asks reach {', '.join(named)} was not checked: no hub says so here."
        yield Finding("surfaces-unchecked", "note", text)
        return
    by_name = {str(surface["name"]): surface for surface in situation.surfaces}
    for name in named:
        if name in by_name:
            yield from _of(by_name[name])
        else:
            text = f"[surface.{name}] in the settings is about nothing: no surface is called so."
            yield Finding("surface-unknown", "warning", text, "`assent connect` lists them.")
    works = [surface for surface in situation.surfaces if surface["state"] == "connected"]
    if works and not any(surface["is_linked"] for surface in works):
        text = "Messages have no link to the page: other machines cannot reach this hub, so Danger waits for the desk."
        yield Finding("surfaces-no-link", "note", text, "docs/remote.md tells how they can.")


def _of(surface: Mapping[str, Any]) -> Iterator[Finding]:
    name, title, state = surface["name"], surface["title"], surface["state"]
    again = f"`assent connect {name}` connects it again."
    if state == "off":
        yield Finding("surface-off", "note", f"{title} is not used: {_later(surface['words'])}")
    elif surface["why"]:
        yield Finding("surface", "problem", f"{title} does not work: {_later(surface['why'])}", again)
    elif state == "trouble":
        yield Finding("surface", "problem", f"{title} does not work: {_later(surface['words'])}", again)
    elif state == "waiting":
        text = f"{title} waits for somebody to be connected: {_later(surface['words'])}"
        yield Finding("surface-waiting", "warning", text, f"`assent connect {name}` says what to do.")
    elif not surface["after"]:
        text = f"{title} works, but no step of the ladder names it: nothing is sent there."
        remedy = f'add "{name}@20s" to ladder in [presence] of the settings.'
        yield Finding("surface-ladder", "warning", text, remedy)
    elif not surface["is_asked"]:
        text = f"{title} is set up. Only a message can prove that it works: `assent connect {name} --test` sends one."
        yield Finding("surface", "ok", text)
    else:
        words = " ".join(filter(None, (surface["said"], surface["words"])))
        yield Finding("surface", "ok", f"{title} works: {_later(words)}")


def _later(words: str) -> str:
    """A sentence after a colon. Names keep their capitals."""
    first, _, rest = words.partition(" ")
    return f"{first.lower()} {rest}" if first in _COMMON else words


_COMMON = {"Connected", "Not", "It", "Its", "Nobody", "The", "This", "Turned", "Waiting", "Somebody"}
