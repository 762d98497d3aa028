"""Hubs whose journal is a database they share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.config import Team
from assent.hub.journals import machine_name
from scripts.postgres_server import Server
from tests.component import postgres
from tests.component.hub.conftest import RULES
from tests.component.hub_process import HubProcess, bash, until


def config(url: str) -> str:
    return f'[journal]\nurl = "{url}"\n'


@pytest.fixture
def hubs(tmp_path: Path) -> Iterator[list[HubProcess]]:
    """Two hubs, one database."""
    url = postgres.emptied()
    hubs = [HubProcess(tmp_path / name, config=config(url), rules=RULES) for name in ("one", "other")]
    try:
        yield [hub.start() for hub in hubs]
    finally:
        for hub in hubs:
            if hub.process and hub.process.poll() is None:
                hub.stop()


def is_allowed(hub: HubProcess) -> bool:
    return bool(hub.send(bash("make build"))["action"] == "json_output")


def journal(hub: HubProcess) -> dict[str, object]:
    found: dict[str, object] = hub.api("GET", "/api/status")[1]["journal"]
    return found


def test_records_of_all_hubs_are_read_as_one(hubs: list[HubProcess]) -> None:
    """By time, each with the name of its machine, in pages that go on where the one before ended."""
    one, other = hubs
    for hub in (one, other, one, other, other):
        assert is_allowed(hub)
    names = [str(journal(hub)["hub"]) for hub in hubs]
    status, reply = one.api("GET", "/api/log/all?q=decision:allow")
    assert (status, reply["before"]) == (200, None)
    assert [record["hub"] for record in reply["records"]] == [names[0], names[1], names[0], names[1], names[1]]
    assert {record["machine"] for record in reply["records"]} == {machine_name(Team())}
    pages: list[dict[str, object]] = []
    before: str | None = ""
    while before is not None:
        _, page = other.api("GET", f"/api/log/all?q=decision:allow&limit=2&before={before}")
        pages, before = page["records"] + pages, page["before"]
    assert pages == reply["records"]
    assert one.api("GET", "/api/log/all?before=x")[0] == 400
    assert one.api("GET", "/api/log/heads")[1]["machines"] == dict.fromkeys(names, machine_name(Team()))


def test_hubs_record_side_by_side_and_know_of_each_other(hubs: list[HubProcess]) -> None:
    """Each allows with a record in its own chain, names the other, and can read and check what it recorded."""
    one, other = hubs
    assert is_allowed(one)
    assert is_allowed(other)
    names = [str(journal(hub)["hub"]) for hub in hubs]
    assert names[0] != names[1]
    until(lambda: journal(one)["others"] == {names[1]: journal(other)["seq"]}, "news of the other hub")
    (session,) = other.api("GET", "/api/sessions")[1]["sessions"]
    (told,) = one.api("GET", "/api/sessions/elsewhere")[1]["sessions"]
    assert (told["id"], told["hub"], told["machine"]) == (session["id"], names[1], machine_name(Team()))
    assert all(own["id"] != told["id"] or "hub" not in own for own in one.api("GET", "/api/sessions")[1]["sessions"])
    heads = one.api("GET", "/api/log/heads")[1]["heads"]
    assert [head["hub"] for head in heads] == names
    status, reply = one.api("GET", f"/api/log?hub={names[1]}&q=decision:allow")
    assert (status, [record["hub"] for record in reply["records"]]) == (200, [names[1]])
    checked = one.api("GET", "/api/log/verify")[1]
    assert checked["broken"] is None
    assert [(each["head"]["hub"], each["broken"]) for each in checked["others"]] == [(names[1], None)]
    against = ":".join(str(heads[1][part]) for part in ("hub", "seq", "hash"))
    checked = one.api("GET", f"/api/log/verify?against={against}")[1]
    assert (checked["against"], checked["others"][0]["against"], checked["others"][0]["broken"]) == (
        None,
        heads[1],
        None,
    )
    assert one.api("GET", "/api/log?hub=nobody")[0] == 404


def test_hub_keeps_its_name_and_its_chain_across_restarts(hubs: list[HubProcess]) -> None:
    """The name is in a private file beside its other state; sessions and records are there again."""
    hub = hubs[0]
    assert is_allowed(hub)
    name = journal(hub)["hub"]
    hub.stop()
    hub.start()
    assert journal(hub)["hub"] == name
    assert (hub.paths.state / "hub-id").read_text().strip() == name
    assert (hub.paths.state / "hub-id").stat().st_mode & 0o777 == 0o600
    assert [session["id"] for session in hub.api("GET", "/api/sessions")[1]["sessions"]] == ["s1"]
    assert not hub.paths.journal.exists()


def test_hub_that_kept_a_file_goes_on_under_its_name(tmp_path: Path) -> None:
    """Moving to a database does not make another hub of it."""
    hub = HubProcess(tmp_path, rules=RULES).start()
    name = journal(hub)["hub"]
    hub.stop()
    hub.paths.config.write_text(f"version = 1\n{config(postgres.url())}[hub]\nport = 0\n")
    hub.start()
    try:
        assert journal(hub)["hub"] == name
    finally:
        hub.stop()


def test_hub_without_its_server_allows_nothing_and_recovers_by_itself(tmp_path: Path) -> None:
    """It starts at once, denies and prompts as ever, says why it allows nothing, and goes on when the server comes."""
    server = Server()
    hub = HubProcess(tmp_path, config=config(server.place.url), rules=RULES)
    try:
        hub.start()
        assert is_allowed(hub)
        hub.stop()
        server.stop()
        hub.start()
        assert not is_allowed(hub)
        assert hub.send(bash("git push"))["stdout_json"]["hookSpecificOutput"]["permissionDecision"] == "deny"
        said = journal(hub)
        assert "PostgreSQL at 127.0.0.1" in str(said["trouble"])
        assert server.place.password not in str(hub.api("GET", "/api/status")) + hub.log()
        assert hub.api("GET", "/api/log")[0] == 503
        server.start()
        until(lambda: journal(hub)["trouble"] is None, "the end of the trouble, though nothing happens")
        assert is_allowed(hub)
        until(lambda: hub.api("GET", "/api/sessions")[1]["sessions"][0]["calls"] >= 2, "what was recorded before")
        assert hub.api("GET", "/api/log/verify")[1]["broken"] is None
    finally:
        if hub.process and hub.process.poll() is None:
            assert server.place.password not in hub.stop()
        server.remove()


def test_password_is_not_among_the_arguments(hubs: list[HubProcess]) -> None:
    """It is not in the list of processes."""
    password = postgres.url().partition("://assent:")[2].partition("@")[0]
    for hub in hubs:
        hub.stop()
        hub.start(hub.python, "-m", "assent", "up")
        assert hub.process is not None
        for name in ("cmdline", "environ"):
            found = Path(f"/proc/{hub.process.pid}/{name}")
            assert not found.exists() or password not in found.read_text()
