"""How surfaces stand: connected, waiting for somebody, or in trouble, and what their services say of themselves."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from assent.config import Config
from assent.hub import ladder_file
from assent.hub.connections import Connections
from assent.surfaces.base import Probing, SurfaceError
from assent.surfaces.kind import KINDS
from assent.views.line import inert

log = logging.getLogger("assent.hub")

PROBED_WITHIN = 5.0
LONGEST_WORDS = 400


@dataclass(frozen=True, slots=True)
class SurfaceStates:
    config: Callable[[], Config]
    connections: Connections

    def of(self, name: str) -> dict[str, Any]:
        """How a surface stands, for people."""
        state, words = self._stands(name)
        after = ladder_file.after(self.config().presence, name)
        return {"name": name, "title": title(name), "state": state, "words": plain(words), "after": after}

    def wanted(self) -> list[dict[str, Any]]:
        """Those that the settings name."""
        return [self.of(name) for name in KINDS if name in self.config().surface]

    async def checked(self) -> list[dict[str, Any]]:
        """All that are wanted, each asked how it is, at the same time."""
        return list(await asyncio.gather(*(self._probed(found["name"]) for found in self.wanted())))

    async def _probed(self, name: str) -> dict[str, Any]:
        surface, why, said = self.connections.surfaces.get(name), "", ""
        can_tell = surface is not None and hasattr(surface, "probe")
        if can_tell:
            try:
                async with asyncio.timeout(PROBED_WITHIN):
                    said = await cast("Probing", surface).probe()
            except SurfaceError as error:
                why = error.message
            except TimeoutError:
                why = f"{title(name)} did not answer within {PROBED_WITHIN:.0f} seconds."
            except Exception:
                log.exception("%s could not be asked how it is", name)
                why = "It could not be asked how it is; the hub's log says more."
        return {
            **self.of(name),
            "why": plain(why),
            "said": plain(said),
            "is_asked": can_tell,
            "is_linked": bool(self.connections.link("x")),
        }

    def _stands(self, name: str) -> tuple[str, str]:
        table = self.config().surface.get(name)
        if table is None:
            return "off", "Not connected."
        if table.get("on") is False:
            return "off", "Turned off in the settings."
        if trouble := self.connections.troubles.get(name):
            return "trouble", trouble
        surface = self.connections.surfaces.get(name)
        if surface is None:
            return "trouble", "It is in the settings, and not there yet."
        words = str(getattr(surface, "state_words", "") or "Connected.")
        if getattr(surface, "binding", "") == "waiting":
            return "waiting", words
        if surface.trouble:
            told = words if getattr(surface, "binding", "bound") != "bound" else surface.trouble
            return "trouble", f"{told[:1].upper()}{told[1:].removesuffix('.')}."
        return "connected", words


def title(name: str) -> str:
    """As it stands at the beginning of a sentence, or alone."""
    named = KINDS[name].title.removeprefix("a ")
    return named[:1].upper() + named[1:] if name != "ntfy" else named


def plain(words: str) -> str:
    """In a sentence of a surface stands what its service calls itself, and that could be anything."""
    return inert(words, LONGEST_WORDS)
