"""Other machines: off by default, over TLS, under one name, and less without TLS."""

import contextlib
import datetime
import http.client
import json
import socket
import ssl
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from assent import keys
from assent.hub.access.authority import Authority
from tests.component.hub.conftest import StartHub
from tests.component.hub_process import HubProcess
from tests.component.signing import Browser
from tests.waiting import HANG

NAME = "desk.assent.test"
OWN = f'[remote]\nbind = "127.0.0.1"\nport = 0\nname = "{NAME}"\n'


class Far:
    """Another machine: it reaches the second door under its name."""

    def __init__(self, hub: HubProcess, context: ssl.SSLContext | None, name: str = NAME) -> None:
        self.hub, self.context, self.name = hub, context, name
        self.url: str = hub.api("GET", "/api/status")[1]["remote"]
        self.port = int(self.url.rpartition(":")[2])
        # Browsers say where a request comes from only to servers they can trust.
        self.own_page = {"Origin": self.url} | ({"Sec-Fetch-Site": "same-origin"} if context else {})

    def raw(
        self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> tuple[int, bytes, dict[str, str]]:
        sock: socket.socket = socket.create_connection(("127.0.0.1", self.port), timeout=HANG)
        if self.context:
            sock = self.context.wrap_socket(sock, server_hostname=self.name)
        connection = http.client.HTTPConnection(self.name, self.port)
        connection.sock = sock
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response.status, response.read(), {name.lower(): value for name, value in response.getheaders()}
        finally:
            connection.close()

    def call(self, method: str, path: str, value: Any = None, **headers: str) -> tuple[int, Any]:
        body = b"" if value is None else json.dumps(value).encode()
        status, text, _ = self.raw(method, path, body, self.own_page | headers)
        return status, json.loads(text)


def trusting(authority: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(authority))


@pytest.fixture
def own(start_hub: StartHub) -> HubProcess:
    """A hub with a door for other machines and a certificate authority of its own."""
    return start_hub(config=OWN)


def paired(far: Far, **wanted: str) -> tuple[dict[str, str], str]:
    """A phone that cannot sign, let in; its proof and its id."""
    code = far.hub.api("POST", "/api/pair", json.dumps({"for": "phone", **wanted}).encode())[1]["code"]
    _, waiting = far.call("POST", "/api/pair/claim", {"code": code})
    device = waiting["device"]["id"]
    assert far.hub.api("POST", "/api/pair/confirm", json.dumps({"id": device, "match": True}).encode())[0] == 200
    return {"Assent-Device": device, "Assent-Secret": waiting["secret"]}, device


def let_time_pass(hub: HubProcess, device: str) -> None:
    """Ten minutes, for one device: its file says since when it may do all of it."""
    hub.stop()
    file = hub.paths.keys / "devices.json"
    content = json.loads(file.read_text())
    for entry in content["devices"]:
        if entry["id"] == device:
            entry["active_from"] = 1
    file.write_text(json.dumps(content))
    hub.start()


def test_other_machines_are_off_by_default(hub: HubProcess) -> None:
    """Nothing but loopback listens by default."""
    assert hub.api("GET", "/api/status")[1]["remote"] is None
    assert not (hub.paths.keys / "ca.key").exists()


def test_phone_that_installed_the_authority_trusts_the_hub(own: HubProcess) -> None:
    """What the hub offers for download makes its own name, and no other, good."""
    near = own.raw("GET", "/ca.crt")
    assert near[0] == 200
    assert near[2]["content-type"] == "application/x-x509-ca-cert"
    pem = x509.load_der_x509_certificate(near[1]).public_bytes(serialization.Encoding.PEM).decode()
    context = ssl.create_default_context(cadata=pem)
    far = Far(own, context)
    assert far.url == f"https://{NAME}:{far.port}"
    assert far.call("GET", "/healthz")[0] == 200
    with pytest.raises(ssl.SSLCertVerificationError):
        Far(own, context, "other.assent.test").raw("GET", "/healthz")
    with pytest.raises(ssl.SSLCertVerificationError):
        Far(own, ssl.create_default_context()).raw("GET", "/healthz")


@pytest.mark.parametrize("name", ["evil.example", "192.0.2.9"])
def test_stolen_authority_vouches_for_no_other_name(tmp_path: Path, name: str) -> None:
    """A client that trusts the authority refuses what it signs for another name."""
    moment = datetime.datetime.now(datetime.UTC)
    authority = Authority(tmp_path, NAME)
    authority.renew(moment)
    thief = Authority(tmp_path, name)
    key = serialization.load_pem_private_key((tmp_path / "ca.key").read_bytes(), None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    root = x509.load_pem_x509_certificate(authority.certificate.read_bytes())
    thief._make_server(root, key, moment)
    assert handshake(authority, name) in ("permitted subtree violation", "excluded subtree violation")
    Authority(tmp_path, NAME)._make_server(root, key, moment)
    assert handshake(authority, NAME) is None


def handshake(authority: Authority, name: str) -> str | None:
    """Why a client refuses; None if it does not. Both ends in memory."""
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(authority.server_certificate, authority.server_key)
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = trusting(authority.certificate).wrap_bio(down, up, server_hostname=name)
    server = serving.wrap_bio(up, down, server_side=True)
    for _ in range(4):
        try:
            client.do_handshake()
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLCertVerificationError as error:
            return error.verify_message
        else:
            return None
        with contextlib.suppress(ssl.SSLWantReadError):
            server.do_handshake()
    raise AssertionError("the handshake did not end")


def test_given_certificate_is_used(start_hub: StartHub, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Who has a certificate that phones trust already needs none of ours."""
    folder = tmp_path_factory.mktemp("given")
    given = Authority(folder, NAME)
    given.renew(datetime.datetime.now(datetime.UTC))
    files = f'certificate = "{given.server_certificate}"\nkey = "{given.server_key}"\n'
    hub = start_hub(config=OWN + files)
    assert Far(hub, trusting(given.certificate)).call("GET", "/healthz")[0] == 200
    assert hub.raw("GET", "/ca.crt")[0] == 404
    assert not (hub.paths.keys / "ca.key").exists()


@pytest.mark.parametrize("content", [None, "junk"])
def test_bad_certificate_shuts_the_door_and_says_so(start_hub: StartHub, tmp_path: Path, content: str | None) -> None:
    """Nothing is served without the TLS that was asked for; the rest of the hub goes on."""
    for name in ("c.pem", "k.pem"):
        if content:
            (tmp_path / name).write_text(content)
    hub = start_hub(config=OWN + f'certificate = "{tmp_path}/c.pem"\nkey = "{tmp_path}/k.pem"\n')
    status = hub.api("GET", "/api/status")[1]
    assert status["remote"] is None
    assert "other machines do not reach the hub" in status["remote_trouble"]
    assert hub.tcp("GET", "/healthz")[0] == 200


def test_taken_port_shuts_the_door_and_says_so(start_hub: StartHub) -> None:
    """The gates on this machine are not affected."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        hub = start_hub(config=OWN.replace("port = 0", f"port = {port}"))
    assert f"Port {port}" in hub.api("GET", "/api/status")[1]["remote_trouble"]
    assert hub.tcp("GET", "/healthz")[0] == 200


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "evil.example", f"x.{NAME}"])
def test_far_door_answers_to_its_own_name_only(own: HubProcess, host: str) -> None:
    """Another name on the same address is another site."""
    far = Far(own, trusting(own.paths.keys / "ca.crt"))
    status, answer = far.call("GET", "/healthz", Host=f"{host}:{far.port}")
    assert (status, answer["error"]["code"]) == (403, "wrong-host")


def test_link_of_the_desk_is_no_use_elsewhere(own: HubProcess) -> None:
    """Who carries it to another machine gets nothing for it, and a desk browser's key counts only at the desk."""
    far = Far(own, trusting(own.paths.keys / "ca.crt"))
    code = own.api("POST", "/api/pair")[1]["code"]
    assert far.call("POST", "/api/pair/claim", {"code": code})[1]["error"]["code"] == "desk-only"
    desk = Browser(own)
    desk.claim(own.api("POST", "/api/pair")[1]["code"])
    headers = desk.headers("GET", "/api/devices", b"") | far.own_page
    assert far.raw("GET", "/api/devices", b"", headers)[0] == 401
    assert far.raw("GET", "/api/status", b"", {"Cookie": desk.cookie})[0] == 401


def test_phone_over_tls_signs_and_gets_a_secure_cookie(own: HubProcess) -> None:
    """After ten minutes it may do what it was paired for."""
    far = Far(own, trusting(own.paths.keys / "ca.crt"))
    phone = Browser(own)
    code = own.api("POST", "/api/pair", b'{"for":"phone","scope":"instruct"}')[1]["code"]
    _, waiting = far.call("POST", "/api/pair/claim", {"code": code, "key": phone.public})
    phone.device = waiting["device"]["id"]
    assert own.api("POST", "/api/pair/confirm", json.dumps({"id": phone.device, "match": True}).encode())[0] == 200
    body = json.dumps({"claim": waiting["claim"]}).encode()
    status, _, headers = far.raw("POST", "/api/pair/finish", body, far.own_page)
    assert status == 200
    assert "secure" in headers["set-cookie"].lower()
    let_time_pass(own, phone.device)
    far = Far(own, far.context)
    signed = phone.headers("GET", "/api/me", b"") | far.own_page
    status, text, _ = far.raw("GET", "/api/me", b"", signed)
    assert (status, json.loads(text)["scope"]) == (200, "instruct")


def test_plain_http_phone_may_not_allow(start_hub: StartHub) -> None:
    """Not after ten minutes either, and not with a key: who is on the way could answer in its name."""
    hub = start_hub(config=OWN + "tls = false\n")
    far = Far(hub, None)
    assert far.url.startswith("http://")
    proof, device = paired(far)
    let_time_pass(hub, device)
    far = Far(hub, None)
    status, me = far.call("GET", "/api/me", **proof)
    assert (status, me["scope"]) == (200, "deny")
    assert "Without TLS" in me["limit"]
    assert far.call("PUT", "/api/pause", {"seconds": 60}, **proof)[0] == 403


def test_setting_lifts_the_limit_with_a_warning_that_stays(start_hub: StartHub) -> None:
    """Who wants it gets it, and is told as long as it is so."""
    hub = start_hub(config=OWN + "tls = false\nallow_without_tls = true\n")
    far = Far(hub, None)
    proof, device = paired(far)
    assert far.call("GET", "/api/me", **proof)[1]["scope"] == "deny"
    let_time_pass(hub, device)
    assert Far(hub, None).call("GET", "/api/me", **proof)[1]["scope"] == "answer"
    assert "allow_without_tls" in hub.api("GET", "/api/status")[1]["remote_warning"]


def test_tunnel_comes_in_under_its_name(start_hub: StartHub) -> None:
    """`tailscale serve` and the like: TLS ends on this machine, the name is the one that was configured."""
    hub = start_hub(config=f'[remote]\nname = "{NAME}"\n')
    assert hub.api("GET", "/api/status")[1]["remote"] == f"https://{NAME}"
    page = {"Host": NAME, "Origin": f"https://{NAME}", "Sec-Fetch-Site": "same-origin"}
    assert hub.raw("GET", "/pair", headers={"Host": NAME})[0] == 200
    assert hub.raw("GET", "/pair", headers={"Host": f"x{NAME}"})[0] == 403
    assert hub.tcp("POST", "/api/pair/claim", b'{"code":"x"}', page | {"Origin": f"http://{NAME}"})[0] == 403
    answer = hub.api("POST", "/api/pair", b'{"for":"phone"}')[1]
    assert answer["url"] == f"https://{NAME}/pair#{answer['code']}"
    assert set("".join(answer["qr"])) == {"0", "1"}
    assert len({len(row) for row in answer["qr"]}) == 1
    assert "ways" not in answer
    phone = Browser(hub)
    body = json.dumps({"code": answer["code"], "key": phone.public}).encode()
    assert hub.tcp("POST", "/api/pair/claim", body, page)[0] == 202
    desk = json.dumps({"code": hub.api("POST", "/api/pair")[1]["code"], "key": phone.public}).encode()
    assert hub.tcp("POST", "/api/pair/claim", desk, page)[1]["error"]["code"] == "desk-only"


def test_pairing_tells_how_to_trust_the_authority(own: HubProcess) -> None:
    """With the fingerprint to compare before it is installed."""
    note = own.api("POST", "/api/pair", b'{"for":"phone"}')[1]["note"]
    root = x509.load_pem_x509_certificate((own.paths.keys / "ca.crt").read_bytes())
    assert root.fingerprint(hashes.SHA256()).hex(":").upper() in note
    assert f"https://{NAME}" in note


def test_keys_never_leave_the_machine(own: HubProcess) -> None:
    """No address gives out what signs for the hub."""
    far = Far(own, trusting(own.paths.keys / "ca.crt"))
    for path in ("/ca.key", "/server.key", "/keys/ca.key", "/static/ca.key"):
        assert far.raw("GET", path)[0] == 404


@pytest.mark.parametrize("path", ["/hook/claude-code", "/v1/logs", "/v1/metrics"])
def test_post_token_counts_on_this_machine_alone(own: HubProcess, path: str) -> None:
    """It stands in a settings file here; over the door for other machines it posts nothing."""
    far = Far(own, trusting(Authority(own.paths.keys, NAME).certificate))
    token = {"Authorization": f"Bearer {keys.post_token(own.paths)}", "Content-Type": "application/json"}
    assert far.raw("POST", path, b"{}", token)[0] == 401
    assert own.raw("POST", path, b"{}", token)[0] != 401


def test_post_token_does_not_count_through_a_tunnel(start_hub: StartHub) -> None:
    """Others come in by its name, also if they end up at the door of this machine."""
    hub = start_hub(config=f'[remote]\nname = "{NAME}"\n')
    token = {"Authorization": f"Bearer {keys.post_token(hub.paths)}", "Content-Type": "application/json"}
    assert hub.raw("POST", "/v1/logs", b"{}", token | {"Host": NAME})[0] == 401
    assert hub.raw("POST", "/v1/logs", b"{}", token)[0] == 200
