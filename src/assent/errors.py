"""Errors people see. Each says what did not happen, and what to do about it."""


class AssentError(Exception):
    """Something expected went wrong."""

    exit_code = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\nhint: {self.hint}" if self.hint else self.message


class UsageError(AssentError):
    """The command line or a file written by a person is wrong."""

    exit_code = 2


class NotFoundError(AssentError):
    """There is nothing of that name."""


class HubUnreachableError(AssentError):
    """No hub answers on the desk socket."""

    exit_code = 4


class AnswerLostError(AssentError):
    """Another answer was first, or it waits no more: the answer was not used."""

    exit_code = 5
