"""The page's files, served as they are: read once, compressed once, asked for again only when they changed."""

import gzip
import hashlib
from collections.abc import Awaitable, Callable, Iterator
from importlib import resources
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import Response

TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
# Every screen is the same page, which finds its screen from the address.
SCREENS = ("/", "/a/{id}", "/s", "/s/{id}", "/f", "/log", "/log/{id}", "/rules", "/set", "/pair")
# A service worker rules over the paths beside it, so this one stands at the root.
AT_ROOT = {"sw.js", "manifest.webmanifest"}

Endpoint = Callable[[Request], Awaitable[Response]]


def routes() -> Iterator[tuple[str, Endpoint]]:
    for name, file in _files(resources.files("assent.web"), ""):
        endpoint = _server_of(file.read_bytes(), TYPES[_suffix(name)])
        if name == "index.html":
            yield from ((screen, endpoint) for screen in SCREENS)
        else:
            yield f"/{name}" if name in AT_ROOT else f"/static/{name}", endpoint


def _files(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _files(entry, f"{prefix}{entry.name}/")
        elif _suffix(entry.name) in TYPES:
            yield prefix + entry.name, entry


def _suffix(name: str) -> str:
    return name[name.rfind(".") :]


def _server_of(content: bytes, media_type: str) -> Endpoint:
    small = gzip.compress(content, mtime=0)
    tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'

    async def serve(request: Request) -> Response:
        headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(content, media_type=media_type, headers=headers)
        return Response(small, media_type=media_type, headers=headers | {"Content-Encoding": "gzip"})

    return serve
