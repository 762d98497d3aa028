"""An OpenID Connect provider as programs on people's machines see it, over real HTTP.

Discovery, keys, authorization codes with PKCE for loopback addresses (RFC 8252), device codes (RFC 8628), refresh
tokens that rotate, RS256, PS256 and ES256, and the tokens of workloads as a CI service gives them out. What a real one
answers with an error, this one does; ``id_token`` and ``signed`` also make the tokens that no honest provider would.

As a program, for walks: ``python -m tests.services.oidc_provider --port 5556 --user ada@example.org:sre,dev``."""

import argparse
import base64
import functools
import hashlib
import hmac
import html
import json
import secrets
import signal
import ssl
import sys
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from assent.protocol.team import Proof
from assent.team.keys import HubKey, binding, fresh_salt

CLIENT = "assent-team"
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
CODE_LIFE, DEVICE_LIFE, TOKEN_LIFE = 60, 600, 300

Claims = dict[str, Any]
Form = dict[str, str]


def packed(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


@dataclass(frozen=True)
class SigningKey:
    kid: str
    alg: str
    private: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey

    @property
    def jwk(self) -> Claims:
        common = {"kid": self.kid, "use": "sig", "alg": self.alg}
        if isinstance(self.private, rsa.RSAPrivateKey):
            numbers = self.private.public_key().public_numbers()
            return common | {"kty": "RSA", "n": _number(numbers.n), "e": _number(numbers.e)}
        point = self.private.public_key().public_numbers()
        size = (self.private.key_size + 7) // 8
        curve = {256: "P-256", 384: "P-384"}[self.private.key_size]
        return common | {"kty": "EC", "crv": curve, "x": _number(point.x, size), "y": _number(point.y, size)}

    def sign(self, content: bytes, alg: str) -> bytes:
        if isinstance(self.private, rsa.RSAPrivateKey):
            if alg == "PS256":
                return self.private.sign(content, padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())
            return self.private.sign(content, padding.PKCS1v15(), hashes.SHA256())
        r, s = decode_dss_signature(self.private.sign(content, ec.ECDSA(hashes.SHA256())))
        size = (self.private.key_size + 7) // 8
        return r.to_bytes(size) + s.to_bytes(size)

    @property
    def public_pem(self) -> bytes:
        return self.private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def _number(value: int, size: int = 0) -> str:
    return packed(value.to_bytes(size or (value.bit_length() + 7) // 8))


@functools.cache
def _rsa(number: int) -> rsa.RSAPrivateKey:
    # Slow to make, so each is used by all providers of a run.
    return rsa.generate_private_key(65537, 2048)


def new_key(alg: str = "RS256", number: int = 0) -> SigningKey:
    private = ec.generate_private_key(ec.SECP256R1()) if alg == "ES256" else _rsa(number)
    return SigningKey(f"{alg.lower()}-{number}-{secrets.token_hex(4)}", alg, private)


def signed(key: SigningKey | None, claims: Claims, *, header: Claims | None = None, secret: bytes = b"") -> str:
    """A token in compact form. ``header`` goes over the true one; HS256 signs with ``secret``, none not at all."""
    named = {"typ": "JWT"} | ({"alg": key.alg, "kid": key.kid} if key else {"alg": "none"}) | (header or {})
    content = f"{packed(json.dumps(named).encode())}.{packed(json.dumps(claims).encode())}"
    alg = str(named["alg"])
    if alg == "HS256":
        signature = hmac.digest(secret, content.encode(), "sha256")
    elif key is None or alg == "none":
        signature = b""
    else:
        signature = key.sign(content.encode(), alg)
    return f"{content}.{packed(signature)}"


@dataclass
class User:
    subject: str
    mail: str
    name: str = ""
    groups: tuple[str, ...] = ()
    is_disabled: bool = False


def an_hour_ago() -> float:
    """For ``Provider.now``: machines that sign in there are no new ones, which may only deny."""
    return time.time() - 3_600


ADA = ("ada@example.org", ("dev", "sre-oncall"))
BOB = ("bob@example.org", ("dev",))


def user(mail: str, groups: tuple[str, ...] = ()) -> User:
    name = mail.partition("@")[0]
    return User(f"subject-of-{name}", mail, name.title(), groups)


@dataclass
class _Grant:
    """What a code or a refresh token stands for."""

    user: User
    scope: str
    nonce: str = ""
    redirect: str = ""
    challenge: str = ""
    until: float = 0.0
    # Refresh tokens that came from one sign-in end together.
    family: str = ""


@dataclass
class _Device:
    scope: str
    nonce: str
    challenge: str
    until: float
    interval: float
    asked: float = 0.0
    user: User | None = None
    is_denied: bool = False


class RefusedError(Exception):
    def __init__(self, error: str, description: str = "", status: int = 400) -> None:
        super().__init__(error)
        self.error, self.description, self.status = error, description, status


@dataclass
class Provider:
    """Start it with ``with``; tests change its fields while it runs."""

    client_id: str = CLIENT
    client_secret: str = ""
    users: dict[str, User] = field(default_factory=lambda: {mail: user(mail, groups) for mail, groups in (ADA, BOB)})
    host: str = "127.0.0.1"
    port: int = 0
    # A realm, as in the issuer https://id.example/realms/acme.
    path: str = ""
    tls: ssl.SSLContext | None = None
    # The one who signs in at once, wherever a page would ask.
    automatic: str = ""
    # Whether the ID token of a device code carries the nonce of the request, and that of a refresh token the first one.
    echoes_nonce: bool = True
    keeps_nonce: bool = False
    gives_refresh: bool = True
    interval: int = 1
    groups_claim: str = "groups"
    scopes: tuple[str, ...] = ("openid", "email", "profile", "groups", "offline_access")
    # Claims over the true ones, for the next tokens; None takes one away.
    changes: Claims = field(default_factory=dict)
    # What to answer instead, by path below the issuer: status, headers, body.
    moods: dict[str, tuple[int, dict[str, str], bytes]] = field(default_factory=dict)
    # How many polls are told to slow down, whenever they come.
    slows: int = 0
    keys: list[SigningKey] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    forms: list[tuple[str, Form]] = field(default_factory=list)
    now: Any = time.time
    _codes: dict[str, _Grant] = field(default_factory=dict)
    _devices: dict[str, _Device] = field(default_factory=dict)
    _by_user_code: dict[str, str] = field(default_factory=dict)
    _refresh: dict[str, _Grant] = field(default_factory=dict)
    _spent: dict[str, str] = field(default_factory=dict)
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _server: ThreadingHTTPServer | None = None
    _thread: threading.Thread | None = None

    @property
    def issuer(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.tls else 'http'}://{host}:{self.port}{self.path}"

    def __enter__(self) -> "Provider":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        self.keys = self.keys or [new_key()]
        self._server = ThreadingHTTPServer((self.host, self.port), _handler(self))
        self._server.daemon_threads = True
        if self.tls is not None:
            self._server.socket = self.tls.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Go away: the port is closed. ``start`` comes back at the same one."""
        if self._server is not None and self._thread is not None:
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()
        self._server = self._thread = None

    # Keys and tokens.

    def rotate(self, alg: str = "RS256", *, keeps_old: bool = False) -> SigningKey:
        """Sign with a new key from now on; the old ones are still published where they are kept."""
        key = new_key(alg, len(self.keys))
        self.keys = [key, *self.keys] if keeps_old else [key]
        return key

    def claims(self, of: User, *, nonce: str = "", **changes: Any) -> Claims:
        now = int(self.now())
        claims: Claims = {
            "iss": self.issuer,
            "sub": of.subject,
            "aud": self.client_id,
            "iat": now,
            "exp": now + TOKEN_LIFE,
            "email": of.mail,
            "email_verified": True,
            "name": of.name,
            self.groups_claim: list(of.groups),
        }
        if nonce:
            claims["nonce"] = nonce
        return {name: value for name, value in (claims | self.changes | changes).items() if value is not None}

    def id_token(self, mail: str, *, nonce: str = "", header: Claims | None = None, **changes: Any) -> str:
        """A token without a sign-in; ``changes`` are claims, true or not."""
        return signed(self.keys[0], self.claims(self.users[mail], nonce=nonce, **changes), header=header)

    def proof(self, mail: str, key: HubKey, *, fresh: str = "", **changes: Any) -> Proof:
        """That the key is this person's, as a sign-in makes it."""
        salt = fresh_salt()
        token = self.id_token(mail, **{"nonce": binding(key.public, salt), **changes})
        return Proof(key.public, salt, token, fresh)

    def workload_token(self, audience: str, *, repository: str = "acme/app", **changes: Any) -> str:
        """As the CI of a code host gives it to a job that asks for one."""
        now = int(self.now())
        claims = {
            "iss": self.issuer,
            "sub": f"repo:{repository}:ref:refs/heads/main",
            "aud": audience,
            "iat": now,
            "nbf": now,
            "exp": now + TOKEN_LIFE,
            "repository": repository,
            "repository_owner": repository.partition("/")[0],
            "workflow": "deploy",
            "job_workflow_ref": f"{repository}/.github/workflows/deploy.yml@refs/heads/main",
            "ref": "refs/heads/main",
            "actor": "ada",
            "run_id": "1",
        }
        return signed(self.keys[0], {name: value for name, value in (claims | changes).items() if value is not None})

    # What people do at the provider's pages.

    def approve(self, user_code: str, mail: str) -> None:
        with self._lock:
            self._device_of(user_code).user = self._usable(mail)

    def deny(self, user_code: str) -> None:
        with self._lock:
            self._device_of(user_code).is_denied = True

    def authorize(self, asked: Form, mail: str) -> str:
        """The address a browser is sent back to after this person signed in."""
        redirect = self._checked_redirect(asked)
        with self._lock:
            code = secrets.token_urlsafe(24)
            self._codes[code] = _Grant(
                self._usable(mail),
                asked.get("scope", ""),
                asked.get("nonce", ""),
                redirect,
                asked["code_challenge"],
                self.now() + CODE_LIFE,
                secrets.token_hex(8),
            )
        return _with_query(redirect, code=code, state=asked.get("state", ""), iss=self.issuer)

    def refused_redirect(self, asked: Form) -> str:
        """The address after the person said no."""
        redirect = self._checked_redirect(asked)
        return _with_query(redirect, error="access_denied", state=asked.get("state", ""), iss=self.issuer)

    def expire_devices(self) -> None:
        with self._lock:
            for device in self._devices.values():
                device.until = 0.0

    @property
    def refresh_tokens(self) -> list[str]:
        return list(self._refresh)

    # What is asked of it.

    def discovery(self) -> Claims:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "device_authorization_endpoint": f"{self.issuer}/device_authorization",
            "jwks_uri": f"{self.issuer}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": sorted({key.alg for key in self.keys}),
            "code_challenge_methods_supported": ["S256"],
            "grant_types_supported": ["authorization_code", "refresh_token", DEVICE_GRANT],
            "token_endpoint_auth_methods_supported": ["none"],
            "scopes_supported": list(self.scopes),
            "authorization_response_iss_parameter_supported": True,
        }

    def jwks(self) -> Claims:
        return {"keys": [key.jwk for key in self.keys]}

    def device_authorization(self, form: Form) -> Claims:
        self._check_client(form)
        self._check_scope(form)
        device, user_code = secrets.token_urlsafe(24), "-".join(_letters(4) for _ in range(2))
        with self._lock:
            until = self.now() + DEVICE_LIFE
            self._devices[device] = _Device(
                form.get("scope", ""), form.get("nonce", ""), form.get("code_challenge", ""), until, self.interval
            )
            self._by_user_code[user_code] = device
            if self.automatic:
                self._devices[device].user = self._usable(self.automatic)
        return {
            "device_code": device,
            "user_code": user_code,
            "verification_uri": f"{self.issuer}/device",
            "verification_uri_complete": f"{self.issuer}/device?user_code={user_code}",
            "expires_in": DEVICE_LIFE,
            "interval": self.interval,
        }

    def token(self, form: Form) -> Claims:
        self._check_client(form)
        grants = {
            "authorization_code": self._by_code,
            "refresh_token": self._by_refresh,
            DEVICE_GRANT: self._by_device,
        }
        grant = grants.get(form.get("grant_type", ""))
        if grant is None:
            raise RefusedError("unsupported_grant_type")
        with self._lock:
            return grant(form)

    def _by_code(self, form: Form) -> Claims:
        grant = self._codes.pop(form.get("code", ""), None)
        if grant is None or grant.until < self.now():
            raise RefusedError("invalid_grant", "The code is unknown, was used, or is too old.")
        if form.get("redirect_uri") != grant.redirect:
            raise RefusedError("invalid_grant", "redirect_uri is not that of the request.")
        _check_verifier(form, grant.challenge)
        return self._given(grant, grant.nonce)

    def _by_device(self, form: Form) -> Claims:
        code = form.get("device_code", "")
        device = self._devices.get(code)
        if device is None:
            raise RefusedError("invalid_grant", "The device code is unknown or was used.")
        if device.until < self.now():
            raise RefusedError("expired_token")
        if device.is_denied:
            raise RefusedError("access_denied")
        now = self.now()
        # A tenth of leeway, as clocks of two sides need.
        is_hasty = now - device.asked < device.interval * 0.9
        device.asked = now
        if is_hasty or self.slows > 0:
            self.slows = max(0, self.slows - 1)
            device.interval += 5
            raise RefusedError("slow_down")
        if device.user is None:
            raise RefusedError("authorization_pending")
        if device.challenge:
            _check_verifier(form, device.challenge)
        del self._devices[code]
        grant = _Grant(device.user, device.scope, device.nonce, family=secrets.token_hex(8))
        return self._given(grant, device.nonce if self.echoes_nonce else "")

    def _by_refresh(self, form: Form) -> Claims:
        token = form.get("refresh_token", "")
        if family := self._spent.get(token):
            # It was stolen: neither side goes on with it.
            self._refresh = {one: grant for one, grant in self._refresh.items() if grant.family != family}
            raise RefusedError("invalid_grant", "The refresh token was used before.")
        grant = self._refresh.get(token)
        if grant is None or grant.user.is_disabled:
            raise RefusedError("invalid_grant", "The session is over.")
        del self._refresh[token]
        self._spent[token] = grant.family
        return self._given(grant, grant.nonce if self.keeps_nonce else "")

    def _given(self, grant: _Grant, nonce: str) -> Claims:
        if grant.user.is_disabled:
            raise RefusedError("invalid_grant", "The account is disabled.")
        answer: Claims = {
            "access_token": secrets.token_urlsafe(24),
            "token_type": "Bearer",
            "expires_in": TOKEN_LIFE,
            "scope": grant.scope,
        }
        scopes = grant.scope.split()
        if "openid" in scopes:
            answer["id_token"] = signed(self.keys[0], self.claims(grant.user, nonce=nonce))
        if "offline_access" in scopes and self.gives_refresh:
            refresh = answer["refresh_token"] = secrets.token_urlsafe(24)
            self._refresh[refresh] = grant
        return answer

    def _check_client(self, form: Form) -> None:
        if form.get("client_id") != self.client_id or form.get("client_secret", "") != self.client_secret:
            raise RefusedError("invalid_client", "This client is not known.", 401)

    def _checked_redirect(self, asked: Form) -> str:
        redirect = asked.get("redirect_uri", "")
        if asked.get("client_id") != self.client_id or not _is_loopback(redirect):
            raise RefusedError("invalid_request", "This client or its redirect_uri is not known.")
        if asked.get("response_type") != "code" or "openid" not in asked.get("scope", "").split():
            raise RefusedError("invalid_request", "Only codes with the scope openid are given out.")
        self._check_scope(asked)
        if asked.get("code_challenge_method") != "S256" or len(asked.get("code_challenge", "")) != 43:
            raise RefusedError("invalid_request", "PKCE with S256 is required.")
        return redirect

    def _check_scope(self, form: Form) -> None:
        if unknown := set(form.get("scope", "").split()).difference(self.scopes):
            raise RefusedError("invalid_scope", f"There is no {', '.join(unknown)}.")

    def _device_of(self, user_code: str) -> _Device:
        device = self._devices.get(self._by_user_code.get(user_code.strip().upper(), ""))
        if device is None:
            raise RefusedError("invalid_request", "This code is not known.")
        return device

    def _usable(self, mail: str) -> User:
        found = self.users.get(mail)
        if found is None or found.is_disabled:
            raise RefusedError("access_denied", "This account cannot sign in.", 403)
        return found


def _check_verifier(form: Form, challenge: str) -> None:
    verified = packed(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
    if not hmac.compare_digest(verified, challenge):
        raise RefusedError("invalid_grant", "code_verifier does not fit.")


def _letters(count: int) -> str:
    return "".join(secrets.choice("BCDFGHJKLMNPQRSTVWXZ") for _ in range(count))


def _is_loopback(address: str) -> bool:
    parts = urlsplit(address)
    try:
        return parts.scheme == "http" and ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return parts.scheme == "http" and parts.hostname == "localhost"


def _with_query(address: str, **values: str) -> str:
    return (
        f"{address}{'&' if '?' in address else '?'}{urlencode({name: text for name, text in values.items() if text})}"
    )


def _handler(provider: Provider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = 60

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            self._answer(b"")

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers.get("Content-Length", "0"))))

        def _answer(self, body: bytes) -> None:
            parts = urlsplit(self.path)
            if not parts.path.startswith(provider.path):
                self._send(404, b"not found")
                return
            place = parts.path.removeprefix(provider.path)
            query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
            form = {name: values[-1] for name, values in parse_qs(body.decode()).items()}
            provider.requests.append(f"{self.command} {place}")
            if body:
                provider.forms.append((place, form))
            if mood := provider.moods.get(place):
                self._send(mood[0], mood[2], **mood[1])
                return
            try:
                self._routed(place, query, form)
            except RefusedError as error:
                told = {"error": error.error, "error_description": error.description}
                self._json(told, error.status)

        def _routed(self, place: str, query: Form, form: Form) -> None:
            match self.command, place:
                case "GET", "/.well-known/openid-configuration":
                    self._json(provider.discovery())
                case "GET", "/keys":
                    self._json(provider.jwks())
                case "POST", "/device_authorization":
                    self._json(provider.device_authorization(form))
                case "POST", "/token":
                    self._json(provider.token(form))
                case "GET", "/authorize" if provider.automatic:
                    self._redirect(provider.authorize(query, provider.automatic))
                case "GET", "/authorize":
                    self._page("Sign in", query)
                case "POST", "/authorize":
                    is_no = form.get("user") == "no"
                    self._redirect(provider.refused_redirect(form) if is_no else provider.authorize(form, form["user"]))
                case "GET", "/device":
                    self._page("Sign in a device", {"user_code": query.get("user_code", "")})
                case "POST", "/device":
                    if form.get("user") == "no":
                        provider.deny(form["user_code"])
                    else:
                        provider.approve(form["user_code"], form["user"])
                    self._send(200, b"<!doctype html><p>Done. Go back to the terminal.</p>", **_HTML)
                case _:
                    self._send(404, b"not found")

        def _page(self, title: str, values: Form) -> None:
            """A form with a button for each account."""
            fields = "".join(
                f'<p><label>{name} <input name="{html.escape(name)}" value="{html.escape(value)}"></label>'
                if name == "user_code"
                else f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(value)}">'
                for name, value in values.items()
            )
            buttons = "".join(
                f'<p><button name="user" value="{html.escape(mail)}">{html.escape(label)}</button>'
                for mail, label in [*((mail, f"Sign in as {mail}") for mail in provider.users), ("no", "Cancel")]
            )
            page = f'<!doctype html><title>{title}</title><h1>{title}</h1><form method="post">{fields}{buttons}</form>'
            self._send(200, page.encode(), **_HTML)

        def _json(self, value: Claims, status: int = 200) -> None:
            self._send(status, json.dumps(value).encode(), **{"Content-Type": "application/json"})

        def _redirect(self, address: str) -> None:
            self._send(302, b"", Location=address)

        def _send(self, status: int, body: bytes, **headers: str) -> None:
            self.send_response(status)
            for name, value in {"Cache-Control": "no-store", "Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    return Handler


_HTML = {"Content-Type": "text/html; charset=utf-8"}


def main() -> None:
    parser = argparse.ArgumentParser(description="An OpenID Connect provider for tests. It asks for no passwords.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--client-id", default=CLIENT)
    parser.add_argument("--path", default="", help="of the issuer, such as /realms/acme")
    parser.add_argument("--alg", default="RS256", choices=["RS256", "PS256", "ES256"])
    parser.add_argument("--user", action="append", metavar="MAIL[:GROUP,GROUP]", help="default: ada and bob")
    parser.add_argument("--automatic", default="", metavar="MAIL", help="signs in at once wherever a page would ask")
    parser.add_argument("--certificate", help="PEM of certificate and key: speak HTTPS")
    options = parser.parse_args()
    provider = Provider(
        client_id=options.client_id,
        host=options.host,
        port=options.port,
        path=options.path,
        automatic=options.automatic,
        keys=[new_key(options.alg)],
    )
    if options.user:
        named = (text.partition(":")[::2] for text in options.user)
        provider.users = {mail: user(mail, tuple(filter(None, groups.split(",")))) for mail, groups in named}
    if options.certificate:
        provider.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        provider.tls.load_cert_chain(options.certificate)
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    with provider:
        about = {"issuer": provider.issuer, "client_id": provider.client_id, "users": list(provider.users)}
        sys.stdout.write(f"{json.dumps(about)}\n")
        sys.stdout.flush()
        ended.wait()


if __name__ == "__main__":
    main()
