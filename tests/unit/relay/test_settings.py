"""``relay.toml``: what it may say, and what is said where it is wrong."""

import re
from pathlib import Path
from typing import get_args

import pytest

from assent.protocol.team import Role
from assent.relay import settings
from assent.relay.settings import DATABASE_VARIABLE, Settings
from assent.toml import document
from assent.toml.document import ConfigError

LEAST = """
[team]
name = "Example"
[database]
url = "postgresql://db.example.com/assent"
[people]
issuer = "https://id.example.com"
client_id = "assent"
"""
CI = """
[[workloads]]
issuer = "https://ci.example.com"
audience = "assent-ci"
subjects = ["repo:acme/*", "repo:other/one"]
"""


def read(text: str, **environment: str) -> Settings:
    return settings.parse(document.parse(Path("relay.toml"), text.encode()), environment)


def trouble(text: str, **environment: str) -> str:
    with pytest.raises(ConfigError) as caught:
        read(text, **environment)
    return str(caught.value)


def test_little_has_to_be_said() -> None:
    """The rest has defaults that let no other machine in unencrypted."""
    least = read(LEAST)
    assert least.relay.address == ("127.0.0.1", 8719)
    assert least.roles.table().member == ()
    assert least.info(1).scopes[0] == "openid"


@pytest.mark.parametrize("line", re.findall(r"^\w+ = .*$", LEAST, re.MULTILINE))
def test_what_is_missing_is_named_with_an_example(line: str) -> None:
    """Ready to be copied."""
    said = trouble(LEAST.replace(line, ""))
    assert f'"{line.split()[0]}" is missing in [' in said
    assert f"Add {line.split()[0]} = " in said


def test_mistake_is_shown_where_it_stands() -> None:
    """With file, line and caret."""
    said = trouble(f"{LEAST}[relay]\nlisten = 'everywhere'\n")
    assert said.startswith("relay.toml:10: ")
    assert "    listen = 'everywhere'\n             ^" in said


@pytest.mark.parametrize(
    ("address", "expected"),
    [("0.0.0.0:1", ("0.0.0.0", 1)), ("[::1]:8719", ("::1", 8719)), ("127.0.0.1:0", ("127.0.0.1", 0))],
)
def test_address_has_its_port(address: str, expected: tuple[str, int]) -> None:
    """IPv6 in brackets."""
    assert read(f'{LEAST}[relay]\nlisten = "{address}"\nbehind_proxy = true').relay.address == expected


@pytest.mark.parametrize("address", ["::1:8719", "localhost:1", "127.0.0.1", "1.2.3.4:99999", "[127.0.0.1]:1", ":1"])
def test_odd_address_is_refused(address: str) -> None:
    """Rather than guessed at."""
    assert "an address with its port is written like" in trouble(f'{LEAST}[relay]\nlisten = "{address}"')


def test_other_machines_are_not_let_in_without_tls() -> None:
    """Unless it is said that something in front does it."""
    open_to_all = '[relay]\nlisten = "0.0.0.0:8719"\n'
    assert "without TLS" in trouble(LEAST + open_to_all)
    assert read(f"{LEAST}{open_to_all}behind_proxy = true").relay.behind_proxy
    assert read(f'{LEAST}{open_to_all}certificate = "/c"\nkey = "/k"').relay.key == "/k"


@pytest.mark.parametrize("given", ["certificate", "key"])
def test_certificate_and_key_belong_together(given: str) -> None:
    """One of them alone would leave it unencrypted."""
    assert "given together" in trouble(f'{LEAST}[relay]\n{given} = "/etc/x"')


def test_database_may_be_named_by_the_environment() -> None:
    """So that its password stands in no file; it goes over the file's."""
    url = "postgresql://user:secret@other/assent"
    assert read(LEAST, **{DATABASE_VARIABLE: url}).database.url == url
    assert read(LEAST.replace("url", "# url"), **{DATABASE_VARIABLE: url}).database.url == url
    said = trouble(LEAST, **{DATABASE_VARIABLE: "mysql://user:secret@other"})
    assert DATABASE_VARIABLE in said
    assert "secret" not in said


@pytest.mark.parametrize("issuer", ["http://id.example.com", "id.example.com", "https://", "https://a@id.example.com"])
def test_issuer_is_asked_over_https(issuer: str) -> None:
    """A host that can answer in its place decides who people are."""
    assert '"issuer" cannot be read' in trouble(LEAST.replace("https://id.example.com", issuer))


def test_audience_of_workloads_is_not_the_client_of_people() -> None:
    """A token of a person must not pass for one of a job."""
    assert "is the client_id of people" in trouble(LEAST + CI.replace("assent-ci", "assent"))


def test_workloads_are_told_with_their_issuer() -> None:
    """As hubs and the check of tokens read them."""
    names = ("https://ci.example.com repo:acme/*", "https://ci.example.com repo:other/one")
    assert read(LEAST + CI).info(1).workloads == names


def test_workloads_name_who_may_join() -> None:
    """Leaving it out would let no one in, or everyone: neither was meant."""
    assert "subjects is empty" in trouble(LEAST + re.sub(r"subjects = .*", "subjects = []", CI))
    assert '"subjects" is missing' in trouble(LEAST + re.sub(r"subjects = .*", "", CI))


@pytest.mark.parametrize("role", get_args(Role))
def test_roles_are_given_to_persons_and_groups(role: Role) -> None:
    """To nothing else."""
    table = read(f'{LEAST}[roles]\n{role} = ["group:sre", "person:ada@example.org"]').roles.table()
    assert getattr(table, role) == ("group:sre", "person:ada@example.org")
    for wrong in ("owner", "sre", "group:", "group: a"):
        assert f'"{role}" cannot be read' in trouble(f'{LEAST}[roles]\n{role} = ["{wrong}"]')


def test_sign_in_without_an_id_token_is_refused() -> None:
    """No person could prove who they are."""
    assert '"openid" is missing' in trouble(f'{LEAST}scopes = ["email"]')


def test_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """And how to say where it is."""
    with pytest.raises(ConfigError, match="There is no such file"):
        settings.load(tmp_path / "relay.toml", {})


def test_example_of_the_page_is_valid() -> None:
    """It can be copied."""
    page = (Path(__file__).parents[3] / "docs" / "relay.md").read_text(encoding="utf-8")
    example = next(block for block in re.findall(r"```toml\n(.*?)```", page, re.DOTALL))
    assert read(example).team.name == "Example"
