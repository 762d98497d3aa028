"""``assent keys`` without a hub."""

import json
import stat
from pathlib import Path

import pytest

from assent import keys
from assent.harnesses.claude_code.settings import own_file
from assent.harnesses.names import MARKERS
from assent.harnesses.site import Site, find
from assent.install.apply import apply
from assent.install.plan import plan_install, plan_uninstall
from assent.paths import Paths
from tests.unit.cli.conftest import Run


@pytest.fixture(autouse=True)
def not_in_an_agents_session(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in MARKERS:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def site(paths: Paths) -> Site:
    """Installed for the user, with a token in the settings and two keys more."""
    found = find()
    apply(plan_install(found), paths)
    keys.cookie_key(paths)
    keys.digest_key(paths)
    return found


def secrets(paths: Paths) -> dict[str, str]:
    return {path.name: path.read_text() for path in paths.keys.iterdir()}


def test_list_names_keys_and_shows_none(assent: Run, paths: Paths, site: Site) -> None:
    """Name, mode, age and purpose; never what is in them."""
    (paths.keys / "cookie.key").chmod(0o644)
    shown = assent("keys").out
    assert assent("keys", "list").out == shown
    assert [line.split()[:2] for line in shown.splitlines()[1:]] == [
        ["cookie.key", "0644"],
        ["digest.key", "0600"],
        ["post.token", "0600"],
    ]
    assert not any(secret in shown for secret in secrets(paths).values())


def test_list_is_json_for_programs(assent: Run, paths: Paths, site: Site) -> None:
    """With whether Assent can make a new one."""
    (paths.keys / "telegram.token").write_text("123:abc")
    told = json.loads(assent("keys", "list", "--json").out)["keys"]
    assert [(key["name"], key["rotates"]) for key in told] == [
        ("cookie.key", True),
        ("digest.key", True),
        ("post.token", True),
        ("telegram.token", False),
    ]
    assert "123:abc" not in str(told)


def test_list_before_the_first_start_is_empty(assent: Run, paths: Paths) -> None:
    """And makes nothing."""
    assert "no keys yet" in assent("keys").out
    assert not paths.keys.exists()


def test_rotation_replaces_every_key_and_the_token_in_the_settings(assent: Run, paths: Paths, site: Site) -> None:
    """Each is named with what it means; the settings carry the new token and stay private."""
    before, settings = secrets(paths), own_file(site, "user")
    done = assent("keys", "rotate", "--yes")
    assert done.code == 0, done
    after = secrets(paths)
    assert before.keys() == after.keys()
    assert not set(before.values()) & set(after.values())
    for name in before:
        assert keys.BY_NAME[name].renewal in done.out
    text = settings.read_text()
    assert after["post.token"] in text
    assert before["post.token"] not in text
    assert stat.S_IMODE(settings.stat().st_mode) == 0o600
    assert not any(secret in done.out for secret in (*before.values(), *after.values()))
    assert plan_install(site).is_noop


def test_rotation_of_one_key_leaves_the_others(assent: Run, paths: Paths, site: Site) -> None:
    """By its name."""
    before, settings = secrets(paths), own_file(site, "user").read_bytes()
    assert assent("keys", "rotate", "cookie.key", "--yes").code == 0
    after = secrets(paths)
    assert {name for name in before if before[name] != after[name]} == {"cookie.key"}
    assert own_file(site, "user").read_bytes() == settings


def test_uninstall_after_a_rotation_gives_the_file_back(assent: Run, paths: Paths, home: Path) -> None:
    """The new token is not a foreign change."""
    site = find()
    settings = own_file(site, "user")
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_bytes(b'{ "model":"x"}')
    apply(plan_install(site), paths)
    assert assent("keys", "rotate", "post.token", "--yes").code == 0
    plan = plan_uninstall(paths, settings)
    assert plan.restored
    apply(plan, paths)
    assert settings.read_bytes() == b'{ "model":"x"}'


def test_rotation_is_json_for_programs(assent: Run, paths: Paths, site: Site) -> None:
    """What was renewed, where, and whether the hub was started again."""
    output = json.loads(assent("keys", "rotate", "post.token", "--yes", "--json").out)
    assert output == {
        "rotated": [{"name": "post.token", "renewal": keys.POST.renewal}],
        "settings": [str(own_file(site, "user"))],
        "refused": [],
        "restarted": False,
    }


def test_settings_that_cannot_be_changed_are_named(assent: Run, paths: Paths, site: Site) -> None:
    """The keys are new all the same: an old token in a file is worth nothing."""
    own_file(site, "user").chmod(0o400)
    done = assent("keys", "rotate", "--yes")
    assert done.code == 1
    assert f"{own_file(site, 'user')} is read-only" in done.out
    assert "assent install" in done.out


@pytest.mark.parametrize("name", ["telegram.token", "nonsense", "ca.key", "devices.json"])
def test_key_that_cannot_be_made_is_refused(assent: Run, paths: Paths, site: Site, name: str) -> None:
    """Given by a service, unknown, or not there."""
    before = secrets(paths)
    done = assent("keys", "rotate", name, "--yes")
    assert done.code == (1 if name == "ca.key" else 2)
    assert "Nothing was changed." in done.err
    assert secrets(paths) == before


def test_rotation_is_asked_about_first(assent: Run, paths: Paths, site: Site) -> None:
    """And without a terminal to ask on, nothing is done."""
    before = secrets(paths)
    done = assent("keys", "rotate")
    assert done.code == 2
    assert "no terminal to ask on" in done.err
    assert secrets(paths) == before


@pytest.mark.parametrize("name", ["CLAUDECODE", "CODEX_SANDBOX", "COPILOT_CLI"])
def test_agents_session_replaces_no_keys(
    assent: Run, paths: Paths, site: Site, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Without a hub to say who asks, what its client leaves in the environment does."""
    before = secrets(paths)
    monkeypatch.setenv(name, "1")
    done = assent("keys", "rotate", "--yes")
    assert done.code == 1
    assert "person at the desk" in done.err
    assert secrets(paths) == before
