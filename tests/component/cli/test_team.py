"""`assent join`, `leave` and `team`, with an identity provider and a relay on loopback."""

import asyncio
import functools
import http.client
import json
import re
import signal
import stat
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from assent import paths as locations
from assent.cli import main
from assent.client import Client
from assent.paths import Paths
from assent.protocol.team import VERSION, TeamInfo
from assent.secrets_store import Vault
from assent.team import membership as memberships
from assent.team.keys import HubKey
from assent.team.sign_in import by_device_code
from tests.component.cli.conftest import Person, Terminal
from tests.component.hub_process import HubProcess
from tests.services.oidc_provider import Provider
from tests.services.team_relay import Relay, certified
from tests.waiting import HANG, until

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider(automatic="ada@example.org") as provider:
        yield provider


@pytest.fixture
def relay(provider: Provider) -> Iterator[Relay]:
    info = TeamInfo(VERSION, "Example", provider.issuer, provider.client_id, workloads=(f"{provider.issuer} *",))
    with Relay(info=info) as relay:
        yield relay


@pytest.fixture
def paths(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Paths:
    # A short name, for the hub's sockets.
    monkeypatch.setenv("ASSENT_HOME", str(tmp_path_factory.mktemp("h")))
    return locations.find()


@pytest.fixture
def assent(paths: Paths, capsys: pytest.CaptureFixture[str]) -> Run:
    """A verb in this process: its code, what it said and what it complained about."""

    def run(*argv: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main.run(list(argv))
        return code, *capsys.readouterr()

    return run


@pytest.fixture(autouse=True)
def quick_sign_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Verbs of this process ask for a token without waiting: the provider has one at once."""

    async def no_sleep(_: float) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr("assent.cli.teams.by_device_code", functools.partial(by_device_code, sleep=no_sleep))
    # What they say of the hub is what it comes to.
    monkeypatch.setattr("assent.cli.teams.CONNECTED_WITHIN", HANG)


@pytest.fixture
def joined(assent: Run, relay: Relay) -> dict[str, Any]:
    """Without a hub."""
    code, out, _ = assent("join", relay.url, "--yes", "--json")
    assert code == 0
    found: dict[str, Any] = json.loads(out)["joined"]
    return found


@pytest.fixture
def hub(paths: Paths) -> Iterator[HubProcess]:
    hub = HubProcess(paths.state.parent).start()
    yield hub
    hub.stop()


def state(paths: Paths) -> str:
    told = Client(paths).team()
    return str(told and told["state"])


def test_join_by_device_code_shows_the_code_and_writes_all_down(assent: Run, paths: Paths, relay: Relay) -> None:
    """For its owner's eyes alone."""
    code, out, _ = assent("join", relay.url, "--yes", "--machine", "laptop")
    assert code == 0, out
    assert re.search(r"  http://127\.0\.0\.1:\d+/device\n  [B-Z]{4}-[B-Z]{4}\n", out)
    assert "Joined: this machine is laptop of ada@example.org." in out
    assert "No hub is running" in out
    membership = memberships.load(paths.team)
    key = HubKey.load(paths.team_key)
    assert membership is not None
    assert key is not None
    assert (membership.hub, membership.machine, membership.urls) == (key.id, "laptop", (relay.url,))
    assert membership.info == relay.info
    assert relay.hubs[key.id].request.proof == membership.proof
    assert Vault(paths).get("team", "refresh")
    for path in (paths.team, paths.team_key, paths.keys / "team.refresh"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_join_tells_whom_it_will_believe(assent: Run, relay: Relay, provider: Provider) -> None:
    """Before anyone signs in."""
    _, out, _ = assent("join", relay.url, "--yes")
    told = out.partition("Open this address")[0]
    for text in ("Example", relay.url, provider.issuer, provider.client_id, "and no other"):
        assert text in told


def test_join_in_a_browser_signs_in_by_code_flow(paths: Paths, relay: Relay, terminal: Terminal) -> None:
    """The browser comes back to this machine."""
    process = subprocess.Popen(
        [sys.executable, "-m", "assent", "join", relay.url, "--yes", "--browser"],
        env=terminal.environ | {"PYTHONUNBUFFERED": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    address = next(line.strip() for line in process.stdout if line.startswith("  http"))
    with urllib.request.urlopen(address, timeout=HANG) as page:
        assert "Signed in" in page.read().decode()
    out, _ = process.communicate(timeout=HANG)
    assert process.returncode == 0
    assert "of ada@example.org" in out
    assert memberships.load(terminal.paths.team) is not None


def test_browser_on_another_machine_is_no_hindrance(relay: Relay, terminal: Terminal) -> None:
    """It ends at a page that it cannot open, and the person pastes the address of that."""
    person = Person(terminal, "join", relay.url, "--yes", "--browser")
    try:
        person.reads("paste the address of that page here:")
        address = next(line.strip() for line in person.screen.splitlines() if line.startswith("  http"))
        parts = urlsplit(address)
        there = http.client.HTTPConnection(parts.netloc, timeout=HANG)
        there.request("GET", f"{parts.path}?{parts.query}")
        person.types(there.getresponse().headers["Location"])
        there.close()
        assert person.leaves() == 0
    finally:
        person.close()
    assert "of ada@example.org" in person.screen


def test_join_asks_first_and_takes_no_for_an_answer(relay: Relay, terminal: Terminal, provider: Provider) -> None:
    """Nothing is left, and no one signed in."""
    person = Person(terminal, "join", relay.url)
    try:
        person.reads("Join it? [y/N] ").types("n")
        assert person.leaves() == 1
    finally:
        person.close()
    assert provider.requests == []
    assert not terminal.paths.team.exists()
    assert not terminal.paths.team_key.exists()


def test_join_without_a_terminal_needs_a_yes(assent: Run, relay: Relay, paths: Paths) -> None:
    """A script says it in so many words."""
    code, _, err = assent("join", relay.url)
    assert code == 2
    assert "--yes" in err
    assert not paths.team_key.exists()
    assert assent("join", relay.url, "--json")[0] == 2


@pytest.mark.parametrize(
    ("option", "value"), [("--issuer", "https://id.example.net"), ("--client-id", "another")], ids=["issuer", "client"]
)
def test_relay_that_names_another_provider_is_refused(
    assent: Run, relay: Relay, paths: Paths, provider: Provider, option: str, value: str
) -> None:
    """What was pinned beforehand counts."""
    code, _, err = assent("join", relay.url, "--yes", option, value)
    assert code == 1
    assert "Nothing was changed" in err
    assert provider.requests == []
    assert not paths.team.exists()
    assert not paths.team_key.exists()


def test_pinned_provider_that_the_relay_names_too_is_taken(assent: Run, relay: Relay, provider: Provider) -> None:
    """As an administrator hands it out."""
    code, _, _ = assent(
        "join", relay.url, "--yes", "--issuer", provider.issuer, "--client-id", provider.client_id, "--json"
    )
    assert code == 0


def test_workload_joins_with_a_token_and_names_who_answers(
    assent: Run, relay: Relay, provider: Provider, paths: Paths, tmp_path: Path
) -> None:
    """The relay's own word about that is not taken."""
    file = tmp_path / "token"
    file.write_text(provider.workload_token(provider.client_id))
    relay.owner = "repo:acme/app"
    code, out, _ = assent(
        "join", relay.url, "--yes", "--workload", str(file), "--from", "group:sre", "--from", "person:ada@example.org"
    )
    assert code == 0
    assert "group:sre, person:ada@example.org" in out
    membership = memberships.load(paths.team)
    assert membership is not None
    assert membership.answerers == ("group:sre", "person:ada@example.org")
    assert (membership.identity, membership.proof, membership.owner) == (None, None, "repo:acme/app")
    assert membership.token_source == str(file)
    assert relay.hubs[membership.hub].request.workload == file.read_text()


def test_workload_token_comes_from_the_environment(
    assent: Run, relay: Relay, paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As CI services give them out."""
    monkeypatch.setenv("CI_TOKEN", "token-1")
    assert assent("join", relay.url, "--yes", "--workload", "env:CI_TOKEN", "--from", "group:sre")[0] == 0
    membership = memberships.load(paths.team)
    assert membership is not None
    assert relay.hubs[membership.hub].request.workload == "token-1"


@pytest.mark.parametrize(
    "argv",
    [
        ("--workload", "env:CI_TOKEN"),
        ("--workload", "env:CI_TOKEN", "--from", "owner"),
        ("--workload", "env:CI_TOKEN", "--from", "everyone"),
        ("--from", "group:sre"),
        ("--workload", "env:NO_SUCH_TOKEN", "--from", "group:sre"),
        ("--workload", "/no/such/file", "--from", "group:sre"),
        ("--machine", "two\nlines"),
    ],
    ids=["no one answers", "owner", "no name", "no workload", "no variable", "no file", "machine"],
)
def test_join_refuses_what_it_cannot_use(
    assent: Run, relay: Relay, paths: Paths, monkeypatch: pytest.MonkeyPatch, argv: tuple[str, ...]
) -> None:
    """Nothing is left of it."""
    monkeypatch.setenv("CI_TOKEN", "token-1")
    code, _, err = assent("join", relay.url, "--yes", *argv)
    assert code == 2, err
    assert not paths.team.exists()
    assert not paths.team_key.exists()


@pytest.mark.parametrize(
    "url", ["http://relay.example.net", "https://", "https://a/b", "ftp://relay.example", "https://u:p@relay", "a b"]
)
def test_join_refuses_addresses_that_are_no_relay(assent: Run, url: str) -> None:
    """Only https, except on this machine."""
    assert assent("join", url, "--yes")[0] == 2


def test_relay_that_is_away_is_told(assent: Run, relay: Relay, paths: Paths) -> None:
    """In one sentence; nothing is left."""
    relay.stop()
    code, _, err = assent("join", relay.url, "--yes")
    assert code == 1
    assert "cannot be reached" in err
    assert not paths.team_key.exists()


def test_other_relay_is_asked_where_one_cannot(assent: Run, relay: Relay, paths: Paths) -> None:
    """One is away, one has lost its database; all are written down."""
    with Relay(info=relay.info) as away, Relay(info=relay.info) as busy:
        away.stop()
        busy.refuses["/team"] = (503, "database-away")
        urls = (away.url, busy.url, relay.url)
        assert assent("join", *urls, "--yes")[0] == 0
    membership = memberships.load(paths.team)
    assert membership is not None
    assert membership.urls == urls
    assert list(relay.hubs) == [membership.hub]


def test_what_is_no_relay_is_told(assent: Run, provider: Provider) -> None:
    """Another web server, for instance."""
    code, _, err = assent("join", provider.issuer, "--yes")
    assert code == 1
    assert "no relay" in err


def test_relay_of_another_version_is_told(assent: Run, relay: Relay, provider: Provider) -> None:
    """With what to upgrade."""
    relay.info = TeamInfo(VERSION + 1, "Example", provider.issuer, provider.client_id)
    code, _, err = assent("join", relay.url, "--yes")
    assert code == 1
    assert "upgrade the hub" in err


def test_person_who_is_refused_leaves_nothing(assent: Run, relay: Relay, paths: Paths) -> None:
    """Neither key nor tokens."""
    relay.refuses["/team/join"] = (403, "not-a-member")
    code, _, _ = assent("join", relay.url, "--yes")
    assert code == 1
    assert not paths.team.exists()
    assert not paths.team_key.exists()
    assert not (paths.keys / "team.refresh").exists()


def test_hostile_names_do_not_steer_the_terminal(assent: Run, relay: Relay, provider: Provider) -> None:
    """Those of a relay are shown before it is believed."""
    relay.info = TeamInfo(VERSION, "\x1b[2JExample\u202e", provider.issuer, provider.client_id)
    code, out, _ = assent("join", relay.url, "--yes")
    assert code == 0
    assert "\x1b" not in out
    assert "\u202e" not in out


def test_hostile_refusals_do_not_steer_the_terminal(assent: Run, relay: Relay) -> None:
    """A relay writes them itself, and as long as it likes."""
    relay.words = "\x1b[2J\u202eno\r\n" + "x" * 10_000
    relay.refuses["/team/join"] = (403, "not-a-member")
    code, out, err = assent("join", relay.url, "--yes")
    assert code == 1
    assert not {"\x1b", "\u202e", "\r"} & set(out + err)
    assert len(err) < 1_000


@pytest.mark.parametrize("url", ["same", "https://other.example.net"])
def test_joining_twice_is_an_error(assent: Run, relay: Relay, joined: dict[str, Any], url: str) -> None:
    """The team of before stays."""
    code, _, err = assent("join", relay.url if url == "same" else url, "--yes")
    assert code == 1
    assert "assent leave" in err
    assert len(relay.hubs) == 1


def test_join_over_tls_with_an_authority_of_ones_own(
    assent: Run, relay: Relay, provider: Provider, paths: Paths, tmp_path: Path
) -> None:
    """Relay and identity provider of a company, which this machine does not know."""
    tls, authority = certified(tmp_path, "127.0.0.1")
    for server in (provider, relay):
        server.stop()
        server.tls = tls
        server.start()
    relay.info = TeamInfo(VERSION, "Example", provider.issuer, provider.client_id)
    assert relay.url.startswith("https:")
    assert provider.issuer.startswith("https:")
    code, _, err = assent("join", relay.url, "--yes")
    assert code == 1
    assert "not trusted" in err
    paths.config_dir.mkdir(parents=True, exist_ok=True)
    paths.config.write_text(f'[team]\nca_file = "{authority}"\n')
    assert assent("join", relay.url, "--yes")[0] == 0


def test_interrupted_join_leaves_nothing(relay: Relay, terminal: Terminal, provider: Provider) -> None:
    """While it waits for the person."""
    provider.automatic = ""
    process = subprocess.Popen(
        [sys.executable, "-m", "assent", "join", relay.url, "--yes"],
        env=terminal.environ | {"PYTHONUNBUFFERED": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert any("Waiting for it" in line for line in process.stdout)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=HANG)
    assert (process.returncode, err.strip()) == (130, "")
    assert not terminal.paths.team_key.exists()


def test_running_hub_connects_without_a_restart(assent: Run, paths: Paths, relay: Relay, hub: HubProcess) -> None:
    """And its journal has who joined."""
    code, out, _ = assent("join", relay.url, "--yes")
    assert code == 0
    assert f"The hub is connected to {relay.url}." in out
    assert len(relay.connected) == 1
    assert assent("team")[0] == 0
    records, _ = Client(paths).search("", limit=20, before=None)
    assert "joined the team Example as ada@example.org" in json.dumps(records)


def test_status_and_doctor_tell_of_the_team(assent: Run, relay: Relay, hub: HubProcess) -> None:
    """Connected, and away."""
    assent("join", relay.url, "--yes")
    _, out, _ = assent("status")
    assert re.search(rf"team +Example, as ada@example.org; connected to {relay.url} for", out)
    assert "in the team Example, connected" in assent("doctor")[1]
    relay.stop()
    until(lambda: "away for" in assent("status")[1], "a link that is away")
    assert "asks stay on this machine" in assent("doctor")[1]
    assert assent("team", "status")[0] == 1


def test_hub_starts_while_its_relay_is_away(assent: Run, paths: Paths, relay: Relay, joined: dict[str, Any]) -> None:
    """It judges, and connects once the relay is back."""
    relay.stop()
    hub = HubProcess(paths.state.parent).start()
    try:
        event = {"session_id": "s1", "cwd": "/p", "hook_event_name": "PreToolUse", "tool_name": "Bash"}
        hub.send({**event, "tool_input": {"command": "ls"}, "tool_use_id": "toolu_1", "permission_mode": "default"})
        until(lambda: state(paths) == "away", "a link that is away")
        relay.start()
        until(lambda: state(paths) == "connected", "a link")
    finally:
        hub.stop()


def test_hub_with_a_damaged_team_file_starts_and_says_so(assent: Run, paths: Paths, joined: dict[str, Any]) -> None:
    """In status and doctor, with a hub and without."""
    paths.team.write_text("{")
    assert "assent leave" in assent("doctor")[1]
    code, _, err = assent("team")
    assert code == 1
    assert "cannot be used" in err
    hub = HubProcess(paths.state.parent).start()
    try:
        assert "team.json cannot be used" in assent("status")[1]
        code, out, _ = assent("doctor")
        assert code == 1
        assert "assent leave" in out
    finally:
        hub.stop()
    assert assent("leave", "--yes")[0] == 0
    assert assent("leave", "--yes")[0] == 1


def test_leave_forgets_all_and_tells_the_relay(
    assent: Run, paths: Paths, relay: Relay, joined: dict[str, Any], hub: HubProcess
) -> None:
    """The hub is disconnected, and does not join again."""
    until(lambda: state(paths) == "connected", "a link")
    code, out, _ = assent("leave", "--yes")
    assert code == 0
    assert "Left: this machine is in no team any more." in out
    assert relay.hubs == {}
    assert relay.posted[-1][0] == "/team/leave"
    assert Client(paths).team() is None
    assert not any(path.exists() for path in (paths.team, paths.team_key, paths.keys / "team.refresh"))


def test_leave_works_while_the_relay_is_away(assent: Run, paths: Paths, relay: Relay, joined: dict[str, Any]) -> None:
    """And says who has to be told."""
    relay.stop()
    code, out, _ = assent("leave", "--yes")
    assert code == 0
    assert f"assent team revoke {joined['hub'][:8]}" in " ".join(out.split())
    assert not any(path.exists() for path in (paths.team, paths.team_key, paths.keys / "team.refresh"))


def test_leaving_no_team_is_an_error(assent: Run) -> None:
    """Nothing is done."""
    code, _, err = assent("leave", "--yes")
    assert code == 1
    assert "in no team" in err


def test_team_verbs_without_a_team_say_how_to_join(assent: Run) -> None:
    """Each of them."""
    for argv in ((), ("status",), ("hubs",), ("revoke", "x", "--yes"), ("sign-in",)):
        code, _, err = assent("team", *argv)
        assert code == 1
        assert "assent join URL" in err


def test_team_status_without_a_hub_tells_what_is_known(assent: Run, joined: dict[str, Any]) -> None:
    """And its code says that no hub runs."""
    code, out, _ = assent("team")
    assert code == 4
    assert "no hub is running" in out
    told = json.loads(assent("team", "status", "--json")[1])
    assert (told["team"]["hub"], told["link"]) == (joined["hub"], None)


def test_hubs_are_listed_and_shut_out(
    assent: Run, relay: Relay, provider: Provider, joined: dict[str, Any], tmp_path: Path
) -> None:
    """By the beginning of the id, or by name."""
    other = HubKey.create()
    body = json.dumps({"key": other.public, "machine": "lost laptop", "version": "1"}).encode()
    relay.join(other.id, body)
    _, out, _ = assent("team", "hubs")
    assert "this machine" in out
    assert "lost laptop" in out
    listed = json.loads(assent("team", "hubs", "--json")[1])["hubs"]
    assert {hub["hub"]: hub["is_this"] for hub in listed} == {joined["hub"]: True, other.id: False}
    assert assent("team", "revoke", "nothing", "--yes")[0] == 1
    assert assent("team", "revoke", joined["hub"], "--yes")[0] == 2
    code, out, _ = assent("team", "revoke", "lost laptop", "--yes")
    assert code == 0
    assert relay.revoked == [other.id]


def test_hub_that_was_shut_out_tells_its_owner(
    assent: Run, paths: Paths, relay: Relay, joined: dict[str, Any], hub: HubProcess
) -> None:
    """With a way out, which needs a new key."""
    until(lambda: state(paths) == "connected", "a link")
    relay.revoked.append(joined["hub"])
    relay.drop()
    until(lambda: "shut out" in assent("status")[1], "the word of it")
    assert assent("leave", "--yes")[0] == 0
    assert assent("join", relay.url, "--yes")[0] == 0
    membership = memberships.load(paths.team)
    assert membership is not None
    assert membership.hub != joined["hub"]


def test_sign_in_again_renews_the_proof(
    assent: Run, paths: Paths, relay: Relay, joined: dict[str, Any], hub: HubProcess
) -> None:
    """Under the same key; the relay hears of it."""
    before = memberships.load(paths.team)
    code, out, _ = assent("team", "sign-in")
    assert code == 0
    assert "Signed in as ada@example.org" in out
    after = memberships.load(paths.team)
    assert before is not None
    assert after is not None
    assert (after.hub, after.joined_at) == (before.hub, before.joined_at)
    assert after.proof != before.proof
    until(lambda: after.proof in [_proof(body) for body in relay.bodies("/team/proof")], "the newer proof at the relay")


def _proof(body: dict[str, str]) -> Any:
    from assent.protocol.team import Proof

    return Proof(**body)


def test_signing_in_as_somebody_else_changes_nothing(
    assent: Run, paths: Paths, provider: Provider, joined: dict[str, Any]
) -> None:
    """Whose machine it is was said as it joined."""
    before = paths.team.read_bytes()
    provider.automatic = "bob@example.org"
    code, _, err = assent("team", "sign-in")
    assert code == 1
    assert "bob@example.org" in err
    assert paths.team.read_bytes() == before


@pytest.mark.parametrize(
    "argv", [("join", "https://relay.example.net", "--yes"), ("leave", "--yes"), ("team", "sign-in")]
)
def test_agent_joins_and_leaves_no_team(assent: Run, monkeypatch: pytest.MonkeyPatch, argv: tuple[str, ...]) -> None:
    """It would choose whose word counts."""
    monkeypatch.setenv("CLAUDECODE", "1")
    code, _, err = assent(*argv)
    assert code == 1
    assert "by a person at the desk" in err


def test_keys_of_a_team_are_listed_and_not_rotated(assent: Run, joined: dict[str, Any]) -> None:
    """A new one is another machine to the team."""
    assert "signs what this machine says in its team" in assent("keys")[1]
    code, _, err = assent("keys", "rotate", "team.key", "--yes")
    assert code == 2
    assert "assent leave" in err


def test_purge_leaves_the_team(assent: Run, paths: Paths, relay: Relay, joined: dict[str, Any]) -> None:
    """Nothing of it stays, here or at the relay."""
    code, out, _ = assent("uninstall", "--purge", "--yes")
    assert code == 0, out
    assert not any(path.exists() for path in (paths.team, paths.team_key, paths.keys))
    assert relay.hubs == {}
