"""The page's files: read once, made lean and compressed once, asked for again only when they changed."""

import functools
import gzip
import hashlib
import re
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import Response

from assent.webapi.endpoint import Endpoint

TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
# Every screen is the same page, which finds its screen from the address.
SCREENS = ("/", "/a/{id}", "/s", "/s/{id}", "/f", "/log", "/log/{id}", "/stats", "/grants", "/rules", "/set", "/pair")
# A service worker rules over the paths beside it, so this one stands at the root.
AT_ROOT = {"sw.js", "manifest.webmanifest"}
# One after the other in one file: together they are smaller, and asked for once.
STYLES = ("tokens.css", "page.css", "ask.css", "view.css")
# What people need to read the source and browsers do not: comments of whole lines, and indentation. Lines stay, so that
# a browser's error names the right one.
_COMMENT = re.compile(rb"^[ \t]*(?://[^\n]*|/\*.*?\*/[ \t]*)$", re.MULTILINE | re.DOTALL)
_INDENTATION = re.compile(rb"^[ \t]+", re.MULTILINE)
# No error names a line of a style.
_BETWEEN_RULES = re.compile(rb"(?<=[;{},])\s+|\s+(?=\{)|;\s*(?=\})")


def routes() -> Iterator[tuple[str, Endpoint]]:
    web = resources.files("assent.web")
    style = _BETWEEN_RULES.sub(b"", b"".join(lean(web.joinpath(name).read_bytes()) for name in STYLES))
    yield "/static/style.css", _server_of(style, TYPES[".css"])
    for name, file in _files(web, ""):
        if name in STYLES:
            continue
        content = file.read_bytes()
        if _suffix(name) in (".js", ".css") and name not in AT_ROOT:
            content = lean(content)
        endpoint = _server_of(content, TYPES[_suffix(name)])
        if name == "index.html":
            yield from ((screen, endpoint) for screen in SCREENS)
        else:
            yield f"/{name}" if name in AT_ROOT else f"/static/{name}", endpoint


def lean(source: bytes) -> bytes:
    without = _COMMENT.sub(lambda comment: b"\n" * comment[0].count(b"\n"), source)
    return _INDENTATION.sub(b"", without)


def _files(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _files(entry, f"{prefix}{entry.name}/")
        elif _suffix(entry.name) in TYPES:
            yield prefix + entry.name, entry


def _suffix(name: str) -> str:
    return name[name.rfind(".") :]


def _server_of(content: bytes, media_type: str) -> Endpoint:
    # When it is first asked for: most hubs start without a page that is open.
    small = functools.cache(lambda: gzip.compress(content, mtime=0))
    tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'

    async def serve(request: Request) -> Response:
        headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(content, media_type=media_type, headers=headers)
        return Response(small(), media_type=media_type, headers=headers | {"Content-Encoding": "gzip"})

    return serve
