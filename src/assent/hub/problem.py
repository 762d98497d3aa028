"""How the API says no: one shape for every error."""

from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response


class ProblemError(Exception):
    """An answer other than the one asked for."""

    def __init__(self, status: int, code: str, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint

    def response(self) -> Response:
        error = {"code": self.code, "message": self.message, "hint": self.hint}
        return json_response({"error": error}, status=self.status)


def json_response(value: Any, *, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status_code=status, media_type="application/json")


async def problem_response(_: Request, error: Exception) -> Response:
    assert isinstance(error, ProblemError)
    return error.response()
