"""Host names each listener answers to: foreign pages reach the port under names of their own."""

from dataclasses import dataclass

from starlette.requests import Request

from assent.hub.access.caller import Door, door_of
from assent.webapi.endpoint import ProblemError

SAFE_METHODS = frozenset({"GET", "HEAD"})
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
_STANDARD_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Places:
    """For each door the values of ``Host`` it takes, each with the one ``Origin`` its pages have."""

    loopback: dict[str, str]
    remote: dict[str, str]
    # A name under which a tunnel brings others to the loopback door.
    tunnel: frozenset[str] = frozenset()

    def check(self, request: Request) -> None:
        """Raises ProblemError."""
        origins = self.loopback if door_of(request) is Door.LOOPBACK else self.remote
        headers = request.headers
        expected = origins.get(headers.get("host", "").lower())
        if expected is None or len(headers.getlist("host")) > 1:
            raise ProblemError(
                403,
                "wrong-host",
                "This hub does not answer under that name.",
                hint="on this machine use localhost; for others set [remote] name.",
            )
        if headers.get("origin", expected) != expected:
            raise _wrong_origin()
        if request.method not in SAFE_METHODS and headers.get("sec-fetch-site", "same-origin") != "same-origin":
            raise _wrong_origin()

    def must_be_own_page(self, request: Request) -> None:
        """What only the page does: there the browser has to say that it was the page. Raises ProblemError."""
        # A browser leaves it out where a page reads from its own server.
        if request.method not in SAFE_METHODS and "origin" not in request.headers:
            raise _wrong_origin()
        # And this where it cannot trust the server.
        default = "" if self.is_private(request) else "same-origin"
        if request.headers.get("sec-fetch-site", default) != "same-origin":
            raise _wrong_origin()

    def is_at_the_desk(self, request: Request) -> bool:
        """Whether the browser runs on this machine, as far as the address tells."""
        return door_of(request) is Door.LOOPBACK and request.headers.get("host", "").lower() not in self.tunnel

    def is_local(self, host: str) -> bool:
        """Whether this is a name of the loopback door itself, in small letters."""
        return host in self.loopback and host not in self.tunnel

    @staticmethod
    def is_private(request: Request) -> bool:
        """Whether the connection cannot be read on its way: the same machine, a tunnel that ends here, TLS."""
        return door_of(request) is Door.LOOPBACK or request.url.scheme == "https"


def places(port: int | None, *, remote: str = "", remote_port: int = 0, tls: bool = True, tunnel: str = "") -> Places:
    loopback = {f"{name}:{port}": f"http://{name}:{port}" for name in LOOPBACK_NAMES}
    tunnels = {tunnel.lower(): f"https://{tunnel.lower()}"} if tunnel else {}
    scheme = "https" if tls else "http"
    far = with_port(remote.lower(), remote_port, scheme)
    return Places(loopback | tunnels, {far: f"{scheme}://{far}"} if remote else {}, frozenset(tunnels))


def with_port(name: str, port: int, scheme: str) -> str:
    """As a browser writes it: an IPv6 address in brackets, a standard port not at all."""
    host = f"[{name}]" if ":" in name else name
    return host if port == _STANDARD_PORTS[scheme] else f"{host}:{port}"


def _wrong_origin() -> ProblemError:
    return ProblemError(403, "wrong-origin", "This hub answers its own page only.")
