"""One person with a browser of their own, and what their page must never do."""

from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, Response, WebError, expect

from tests.waiting import HANG_MS


class AnyHub(Protocol):
    """The hub of a component test, or of a lab."""

    @property
    def port(self) -> int: ...

    def api(self, method: str, path: str, /) -> tuple[int, Any]: ...


@dataclass
class Visit:
    """A fresh context. Errors on the console, exceptions and requests to another host are kept, and fail the test."""

    context: BrowserContext
    hub: AnyHub
    troubles: list[str] = field(default_factory=list)
    # Words of troubles this test brings about on purpose.
    expected: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.context.set_default_timeout(HANG_MS)
        self.context.set_default_navigation_timeout(HANG_MS)
        self.context.on("console", self._on_console)
        self.context.on("weberror", self._on_error)
        self.context.on("request", self._on_request)
        self.context.on("response", self._on_response)

    def open(self, path: str = "/") -> Page:
        """A page, opened for the first time, through the link that the desk gives out."""
        page = self.context.new_page()
        page.goto(f"{self.address()}{path}#open={self.code()}")
        # Only now does the hub know that the page is watched.
        expect(page.locator("#hub")).to_have_class("up")
        return page

    def address(self) -> str:
        return f"http://localhost:{self.hub.port}"

    def code(self) -> str:
        status, made = self.hub.api("POST", "/api/pair")
        assert status == 200, made
        return str(made["code"])

    def expect(self, *words: str) -> None:
        self.expected += words

    def unexpected(self) -> list[str]:
        return [trouble for trouble in self.troubles if not any(words in trouble for words in self.expected)]

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(f"console {message.type}: {message.text}")

    def _on_error(self, error: WebError) -> None:
        self.troubles.append(f"exception: {error.error}")

    def _on_request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.hostname != "localhost":
            self.troubles.append(f"request to another host: {request.url}")

    def _on_response(self, response: Response) -> None:
        if response.status >= 500:
            self.troubles.append(f"HTTP {response.status} from {response.url}")
