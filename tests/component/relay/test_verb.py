"""``assent relay`` as people start it."""

import asyncio
import datetime
import json
import logging
import os
import re
import resource
import signal
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.cli import main
from assent.hub.access.authority import Authority
from assent.relay import server, settings
from assent.relay.server import RunningRelay
from assent.relay.settings import DATABASE_VARIABLE
from tests.component import postgres
from tests.services.oidc_provider import Provider
from tests.waiting import HANG, let_pass_in_loop

TOML = """
[team]
name = "Example"
[relay]
listen = "127.0.0.1:0"
[people]
issuer = "{issuer}"
client_id = "assent-team"
"""


@pytest.fixture(autouse=True)
def surroundings() -> Iterator[None]:
    """The verb is a program of its own: limits and signals that it sets are put back, for the tests that follow."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as running:
        yield running


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch) -> str:
    url = postgres.emptied()
    monkeypatch.setenv(DATABASE_VARIABLE, url)
    return url


@pytest.fixture
def config(tmp_path: Path, provider: Provider) -> Path:
    path = tmp_path / "relay.toml"
    path.write_text(TOML.format(issuer=provider.issuer))
    return path


def with_tls(config: Path, certificate: Path, key: Path) -> None:
    files = f'certificate = "{certificate}"\nkey = "{key}"\n'
    config.write_text(config.read_text().replace("[people]", f"{files}[people]"))


def test_relay_serves_https_and_stops_when_told(config: Path, database: str, tmp_path: Path) -> None:
    """In a process of its own; what it says has no password in it."""
    authority = Authority(tmp_path, "localhost")
    authority.renew(datetime.datetime.now(datetime.UTC))
    with_tls(config, authority.server_certificate, authority.server_key)
    command = [sys.executable, "-m", "assent", "relay", "--config", str(config)]
    environ = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as relay:
        assert relay.stdout is not None
        first = relay.stdout.readline()
        port = re.fullmatch(r"The relay of Example is running at https://127\.0\.0\.1:(\d+)\.\n", first)
        assert port is not None, first
        trusting = ssl.create_default_context(cafile=str(authority.certificate))
        url = f"https://localhost:{port[1]}/healthz"
        with urllib.request.urlopen(url, context=trusting, timeout=HANG) as response:
            assert json.load(response)["up"] is True
        relay.send_signal(signal.SIGTERM)
        out, err = relay.communicate(timeout=HANG)
    assert (relay.returncode, out.splitlines()[-1]) == (0, "The relay stopped.")
    assert "stopping" in err
    assert database.split("@")[0].rpartition(":")[2] not in err


@pytest.mark.anyio
async def test_renewed_certificate_is_taken_up(
    config: Path, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a restart, which would send all hubs elsewhere; one that is half written is left."""
    monkeypatch.setattr(server, "CERTIFICATE_SECONDS", 0.05)
    authority = Authority(tmp_path, "localhost")
    authority.renew(now := datetime.datetime.now(datetime.UTC))
    with_tls(config, authority.server_certificate, authority.server_key)
    relay = RunningRelay(settings.load(config))
    await relay.start()
    try:
        shown = await asyncio.to_thread(ssl.get_server_certificate, ("localhost", relay.port), timeout=HANG)
        authority.server_certificate.write_text("half")
        authority.renew(now + datetime.timedelta(days=80))
        while await asyncio.to_thread(ssl.get_server_certificate, ("localhost", relay.port), timeout=HANG) == shown:
            await let_pass_in_loop(0.05)
    finally:
        await relay.stop()


def test_check_says_that_all_is_well(config: Path, database: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Before a relay is started for the first time; nothing is changed by it."""
    assert main.run(["relay", "--config", str(config), "--check"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines] == [["✓", "listen"], ["✓", "database"], ["✓", "issuer"]]
    assert postgres.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'") == []


def test_check_says_what_is_wrong(
    config: Path, provider: Provider, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All of it at once."""
    provider.stop()
    monkeypatch.setenv(DATABASE_VARIABLE, "postgresql://assent:s3cret@127.0.0.1:1/assent")
    with_tls(config, config, config)
    assert main.run(["relay", "--config", str(config), "--check"]) == 1
    out = capsys.readouterr().out
    assert [line.split()[1] for line in out.splitlines() if line.startswith("✗")] == ["listen", "database", "issuer"]
    assert "s3cret" not in out


def test_foreign_tables_are_left_alone(config: Path, database: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither a check nor a start touches what is another program's."""
    postgres.execute("CREATE TABLE team_meta (other text)")
    assert main.run(["relay", "--config", str(config)]) == 1
    assert "are no relay's" in capsys.readouterr().err
    assert main.run(["relay", "--config", str(config), "--check"]) == 1
    assert postgres.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'") == [("team_meta",)]


def test_newer_tables_are_left_alone(config: Path, database: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An older relay must not write into what it does not know."""
    postgres.execute("CREATE TABLE team_meta (name text, value text); CREATE TABLE team_hub (hub text)")
    postgres.execute("INSERT INTO team_meta VALUES ('version', '99')")
    assert main.run(["relay", "--config", str(config)]) == 1
    assert "set up by a newer assent (schema 99" in capsys.readouterr().err


def test_taken_port_is_named(config: Path, database: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With the setting that names another one."""
    config.write_text(config.read_text().replace("127.0.0.1:0", '192.0.2.1:80"\nbehind_proxy = true #'))
    assert main.run(["relay", "--config", str(config)]) == 2
    assert "Cannot listen on 192.0.2.1, port 80" in capsys.readouterr().err


def test_mistake_in_the_settings_is_shown(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And nothing is started."""
    config.write_text("[team]\nnam = 'x'\n")
    assert main.run(["relay", "--config", str(config)]) == 2
    assert '"nam" is not a known key' in capsys.readouterr().err


def test_driver_that_is_missing_is_named(
    config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the command that installs it."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert main.run(["relay", "--config", str(config)]) == 1
    assert "assent[postgres]" in capsys.readouterr().err


@pytest.fixture(autouse=True)
def plain_logging(monkeypatch: pytest.MonkeyPatch) -> None:
    """The verb sets up logging for its process, which is ours here."""
    monkeypatch.setattr(logging, "basicConfig", lambda **_: None)
