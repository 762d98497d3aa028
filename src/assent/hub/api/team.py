"""The team over HTTP: how the link to its relay stands, and the word that a person joined or left."""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from assent.hub.access.caller import DESK, who
from assent.hub.recorder import Recording
from assent.hub.team.link import TeamLink
from assent.protocol.surfaces import Scope
from assent.webapi.endpoint import ProblemError, Route, json_response


@dataclass(frozen=True, slots=True)
class TeamApi:
    link: TeamLink
    recorder: Recording

    def routes(self) -> list[Route]:
        return [
            ("GET", "/api/team", Scope.WATCH, self.get),
            ("POST", "/api/team/reload", Scope.ADMIN, self.reload),
        ]

    async def get(self, _: Request) -> Response:
        """The team this hub is in, and whether its relay is connected; null where it is in none."""
        return json_response({"team": self.link.told()})

    async def reload(self, request: Request) -> Response:
        """Look again at which team this hub is in. Only on the desk socket, where `assent join` and `leave` are run."""
        if who(request).surface != DESK:
            hint = "use `assent join` and `assent leave` on the hub's machine."
            raise ProblemError(403, "desk-only", "Teams are joined and left at the desk alone.", hint=hint)
        before = self.link.membership
        self.link.reload()
        after = self.link.membership
        if before is not None and (after is None or after.hub != before.hub):
            self.recorder.note(f"left the team {before.info.name}", "person:desk")
        if after is not None and (before is None or after.hub != before.hub):
            self.recorder.note(f"joined the team {after.info.name} as {after.owner}", "person:desk")
        elif before is not None and after is not None and before.proof != after.proof:
            self.recorder.note(f"{after.owner} signed in to the team {after.info.name}", "person:desk")
        return json_response({"team": self.link.told()})
