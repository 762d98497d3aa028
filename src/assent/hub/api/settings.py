"""Settings over HTTP: all that hold, and those that people change while they work, in the file where they stand."""

from dataclasses import dataclass

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from assent.errors import AssentError
from assent.hub.pipeline.policy_in_force import SettingsInForce
from assent.install import settings_file
from assent.paths import Paths
from assent.protocol.surfaces import Scope
from assent.toml.document import ConfigError
from assent.webapi import endpoint
from assent.webapi.endpoint import ProblemError, Route, json_response

# Changing these needs no restart and no set-up of something else.
CHANGEABLE = frozenset(
    {"stance", "asks.wait", "asks.on_expiry", "asks.subagent_hold", "asks.hold_stops", "asks.unattended"}
    | {"asks.snippets", "presence.quiet", "presence.wake_for", "presence.ladder", "presence.finished"}
    | {"journal.keep", "journal.max_size", "redact.extra"}
)


@dataclass(frozen=True, slots=True)
class SettingsApi:
    paths: Paths
    policy: SettingsInForce

    def routes(self) -> list[Route]:
        return [
            ("GET", "/api/settings", Scope.WATCH, self.look),
            ("PATCH", "/api/settings", Scope.ADMIN, self.change),
        ]

    async def look(self, _: Request) -> Response:
        """Surfaces keep addresses and names in their tables, so those stay here."""
        settings = msgspec.structs.replace(self.policy.config, surface={})
        in_force = msgspec.to_builtins(settings, enc_hook=str)
        url = str(in_force["journal"]["url"])
        in_force["journal"]["url"] = url.partition(":")[0]
        written = {name: value for name, value in self.policy.settings.items() if name not in ("surface", "journal")}
        changeable = sorted(CHANGEABLE)
        return json_response(
            {"file": str(self.paths.config), "settings": in_force, "written": written, "changeable": changeable}
        )

    async def change(self, request: Request) -> Response:
        """``{"asks.hold_stops": "always"}``: all of them or none."""
        wanted = await endpoint.decoded(request, dict[str, str | list[str]])
        unknown = sorted(wanted.keys() - CHANGEABLE)
        if unknown or not wanted:
            name = unknown[0] if unknown else "nothing"
            raise ProblemError(422, "not-changeable", f"{name} is not changed here.", hint=f"edit {self.paths.config}.")
        try:
            settings_file.change(self.paths, wanted)
        except ConfigError as error:
            raise ProblemError(422, "bad-setting", str(error)) from None
        except AssentError as error:
            raise ProblemError(409, "not-written", error.message, hint=error.hint) from None
        return json_response({"file": str(self.paths.config)})
