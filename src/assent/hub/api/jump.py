"""Going to the terminal of a session, over HTTP: for the person at the desk alone. It answers and allows nothing."""

from dataclasses import dataclass

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from assent.hub import tmux
from assent.hub.recorder import Live
from assent.protocol.surfaces import Scope
from assent.protocol.terminal import PANE
from assent.webapi import endpoint
from assent.webapi.endpoint import ProblemError, Route, json_response

NOT_ATTACHED = "No terminal is attached to its tmux. The pane is selected there for the next one that is."
WENT = "Your terminal shows it now."


class JumpRequest(msgspec.Struct, forbid_unknown_fields=True):
    # The pane of the same tmux from which the person goes there.
    origin: str = ""


@dataclass(frozen=True, slots=True)
class JumpApi:
    live: Live

    def routes(self) -> list[Route]:
        # Phones never have this scope, and what an agent started only watches.
        return [("POST", "/api/sessions/{session}/jump", Scope.ADMIN, self.jump)]

    async def jump(self, request: Request) -> Response:
        """Switch the person's tmux to the pane in which the session runs."""
        wanted = await endpoint.decoded(request, JumpRequest)
        session = self.live.sessions.get(request.path_params["session"])
        if session is None:
            raise ProblemError(
                404, "no-such-session", "There is no such session.", hint="`assent sessions` lists them."
            )
        if wanted.origin and not PANE.fullmatch(wanted.origin):
            raise ProblemError(422, "bad-pane", "A pane of tmux is called like %3.")
        if session.terminal is None or session.terminal.kind != "tmux" or not session.is_live:
            raise ProblemError(409, "no-terminal", "No way to the terminal of this session is known.")
        try:
            moved = await tmux.jump(session.terminal, wanted.origin)
        except tmux.TmuxError as error:
            raise ProblemError(502, "not-there", str(error)) from None
        return json_response({"moved": moved, "words": WENT if moved else NOT_ATTACHED})
