"""Who else can look in?"""

import dataclasses

import pytest
from msgspec import structs

from assent.config import Journal, JournalUrl
from assent.harnesses.claude_code.settings import own_file
from assent.harnesses.site import SCOPES, Scope, Situation
from assent.install.doctor.access import permissions as check
from tests.unit.install.doctor.situations import edit, texts, wrong


def test_private_folders_are_fine(healthy: Situation) -> None:
    """What the installer makes, the doctor accepts."""
    assert wrong(check, healthy) == []


@pytest.mark.parametrize(("name", "mode"), [("", 0o755), ("keys", 0o750), ("keys/post.token", 0o644)])
def test_open_place_is_a_problem(healthy: Situation, name: str, mode: int) -> None:
    """State and keys are for this user alone."""
    (healthy.paths.state / name).chmod(mode)
    assert wrong(check, healthy) == [("permissions-open", "problem")]
    assert f"(mode {mode:o})" in texts(check(healthy))


def test_configuration_others_may_write_is_a_problem(healthy: Situation) -> None:
    """A writer of the rules decides; reading them is no harm."""
    healthy.paths.config_dir.mkdir(parents=True, mode=0o755)
    healthy.paths.rules.touch()
    healthy.paths.rules.chmod(0o644)
    assert wrong(check, healthy) == []
    healthy.paths.rules.chmod(0o666)
    assert wrong(check, healthy) == [("permissions-written", "problem")]


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_token_others_may_read_is_a_warning(healthy: Situation, mode: int) -> None:
    """Settings of the client that hold a token are for this user alone."""
    own_file(healthy.site, "user").chmod(mode)
    assert wrong(check, healthy) == [("permissions-token", "warning")]
    assert f"(mode {mode:o})" in texts(check(healthy))


@pytest.mark.parametrize("scope", SCOPES)
def test_world_writable_settings_are_a_problem(healthy: Situation, scope: Scope) -> None:
    """One line there switches off every hook, in each of the client's files."""
    edit(healthy, lambda s: s.pop("env", None), scope)
    path = own_file(healthy.site, scope)
    path.chmod(0o602)
    assert ("permissions-written", "problem") in wrong(check, healthy)
    path.chmod(0o600)
    assert wrong(check, healthy) == []


@pytest.mark.parametrize(
    ("url", "is_wrong"),
    [
        ("sqlite", False),
        ("postgresql://me@db.example:5432/assent", False),
        ("postgresql://db.example:5432/assent", False),
        ("postgresql://me:secret@db.example/assent", True),
        ("postgresql://db.example/assent?password=secret", True),
    ],
)
def test_password_others_may_read_is_a_problem(healthy: Situation, url: str, is_wrong: bool) -> None:
    """Settings are no secret, until they hold one."""
    healthy.paths.config_dir.mkdir(parents=True, mode=0o755)
    healthy.paths.config.touch()
    config = structs.replace(healthy.config, journal=Journal(url=JournalUrl(url)))
    situation = dataclasses.replace(healthy, config=config)
    healthy.paths.config.chmod(0o644)
    assert wrong(check, situation) == [("permissions-password", "problem")] * is_wrong
    assert "secret" not in texts(check(situation))
    healthy.paths.config.chmod(0o600)
    assert wrong(check, situation) == []


def test_foreign_owner_is_a_problem(healthy: Situation, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen as another user, nothing here is one's own."""
    me = healthy.paths.state.stat().st_uid
    monkeypatch.setattr("os.getuid", lambda: me + 1)
    assert ("permissions-owner", "problem") in wrong(check, healthy)


def test_nothing_installed_is_nothing_to_say(healthy: Situation) -> None:
    """Without a state folder there is nothing to protect."""
    from assent.install.undo import uninstall

    uninstall(healthy.site, purge=True)
    assert list(check(healthy)) == []
