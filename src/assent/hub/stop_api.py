"""The person's order to stop: `assent down`."""

from collections.abc import Callable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from assent.hub.log_api import Endpoint
from assent.hub.problem import ProblemError, json_response
from assent.protocol.scope import Scope


@dataclass(frozen=True, slots=True)
class StopApi:
    # Leaves the mark that shims obey and ends the hub; raises OSError where the mark cannot be written.
    stop: Callable[[], None]

    def routes(self) -> list[tuple[str, str, Scope, Endpoint]]:
        return [("POST", "/api/stop", Scope.ADMIN, self.post)]

    async def post(self, _: Request) -> Response:
        """Stop the hub and keep it stopped until `assent up`. What waits for a person gets the answer it would get
        when its time is up."""
        try:
            self.stop()
        except OSError as error:
            why = f"The mark that keeps the hub stopped cannot be written: {error.strerror}. It was not stopped."
            raise ProblemError(507, "no-mark", why) from error
        return json_response({"state": "stopping"}, status=202)
