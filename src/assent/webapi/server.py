"""uvicorn without its command line: its listening and closing halves, in an event loop that belongs to the program."""

from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.server import ServerState


class HttpServer:
    """Serves one application. ``servers`` are closed with it, and its own kinds of connection take ``config`` and
    ``state``."""

    def __init__(self, app: ASGIApp, connection: Any, **more: Any) -> None:
        self.config = uvicorn.Config(
            app,
            http=connection,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            # Headers of proxies about the client are not believed.
            proxy_headers=False,
            timeout_graceful_shutdown=1,
            **more,
        )
        self.config.load()
        self._server = uvicorn.Server(self.config)
        # Signals and the main loop belong to the program.
        self._server.lifespan = self.config.lifespan_class(self.config)

    @property
    def state(self) -> ServerState:
        return self._server.server_state

    async def start(self) -> None:
        await self._server.startup(sockets=[])

    @property
    def servers(self) -> list[Any]:
        return self._server.servers

    async def shutdown(self) -> None:
        """Refuse new connections, let answers under way go out."""
        await self._server.shutdown()
