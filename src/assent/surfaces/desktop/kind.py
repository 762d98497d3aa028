"""How desktop notifications are turned on: nothing is secret about them."""

import sys
from collections.abc import Mapping
from typing import Any

from assent.surfaces.base import BadSettingsError
from assent.surfaces.desktop import program
from assent.surfaces.desktop.bus import Bus
from assent.surfaces.desktop.mac import Mac
from assent.surfaces.desktop.surface import NAME, Desktop
from assent.surfaces.kind import Checked, Tools


class DesktopKind:
    name = NAME
    title = "desktop notifications"
    secrets: Mapping[str, str] = {}

    async def check(self, settings: Mapping[str, Any], secrets: Mapping[str, str], tools: Tools) -> Checked:
        """Shows nothing: whether anybody sees it, a test tells."""
        surface = self.made(settings, secrets, tools)
        words = await surface.probe()
        if surface.notifier.can_press:
            return Checked(f"{words} They offer Deny and Open.")
        return Checked(f"{words} Nothing can be answered on them: macOS brings no press back.")

    def made(self, settings: Mapping[str, Any], secrets: Mapping[str, str], tools: Tools) -> Desktop:  # noqa: ARG002
        privacy = settings.get("privacy", "masked")
        if privacy not in ("open", "masked"):
            raise BadSettingsError('privacy in [surface.desktop] is "open" or "masked".')
        surface = Desktop(tools, privacy)
        if sys.platform == "darwin":
            surface.use(Mac(program.found("terminal-notifier"), program.found("osascript")))
        else:
            surface.use(Bus(surface.pressed, program.found("gdbus")))
        return surface


KIND = DesktopKind()
