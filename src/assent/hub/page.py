"""The page's files, served as they are."""

from collections.abc import Awaitable, Callable, Iterator
from importlib import resources

from starlette.requests import Request
from starlette.responses import Response

FILES = {
    "/": ("index.html", "text/html"),
    "/static/page.css": ("page.css", "text/css"),
    **{f"/static/{name}": (name, "text/javascript") for name in ("page.js", "dom.js", "feed.js", "sessions.js")},
    "/static/icon.svg": ("icon.svg", "image/svg+xml"),
}


def routes() -> Iterator[tuple[str, Callable[[Request], Awaitable[Response]]]]:
    for path, (name, media_type) in FILES.items():
        yield path, _server_of(resources.files("assent.web").joinpath(name).read_bytes(), media_type)


def _server_of(content: bytes, media_type: str) -> Callable[[Request], Awaitable[Response]]:
    async def serve(_: Request) -> Response:
        return Response(content, media_type=media_type)

    return serve
