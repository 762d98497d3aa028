"""Other ways to the guard's own things: its environment's installers, added databases, many processes at once."""

import pytest

from tests.unit.policy.owning import HOME, VENV, words

JOURNAL = f"{HOME}/.local/state/assent/journal.db"


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", HOME)


@pytest.mark.parametrize(
    "line",
    [
        f"{VENV}/bin/pip install x",
        f"{VENV}/bin/pip3.12 install x",
        "~/.local/share/pipx/venvs/assent/bin/pip install x",
        f"{VENV}/bin/python -m pip install x",
        "../.local/share/pipx/venvs/assent/bin/pip install x",
        "find ~ -name '*.toml' -exec sed -i s/a/b/ {} +",
        "find ~ -name '*.db' -exec truncate -s0 {} +",
        f"sqlite3 x 'attach \"{JOURNAL}\" as j; select * from j.t'",
        f"sqlite3 x 'attach database `{JOURNAL}` as j; select * from j.t'",
        f"sqlite3 x 'attach \"file:{JOURNAL}?mode=ro\" as j; select * from j.t'",
        f"sqlite3 x \"attach 'file:{JOURNAL}?mode=ro' as j; select * from j.t\"",
        "kill -9 {4194300..4194304}",
        "for p in {4194300..4194304}; do kill -9 $p; done",
    ],
)
def test_other_ways_to_what_is_ours_are_asked_and_denied_in_bypass(line: str) -> None:
    """Each changes, reads or ends what is Assent's without its name standing where a file is expected."""
    usual, bypassed = words(line)
    assert (usual in ("prompt", "deny"), bypassed) == (True, "deny")


@pytest.mark.parametrize(
    "line",
    [
        "pipx upgrade-all",
        "pipx reinstall-all",
        "pipx runpip assent install x",
        "renice -n 19 -u me",
        "systemctl --user stop app.slice",
        "systemctl --user stop 'app-*.scope'",
        "systemctl --user kill app.slice",
    ],
)
def test_what_reaches_the_guard_among_others_is_asked(line: str) -> None:
    """All programs of pipx, all processes of a user, all units of a slice."""
    assert words(line)[0] == "prompt"


@pytest.mark.parametrize(
    "line",
    [
        ".venv/bin/pip install requests",
        "/usr/bin/python3 -m pip install requests",
        "pipx install black",
        "pipx runpip black list",
        "find . -name '*.toml' -exec sed -i s/a/b/ {} +",
        "find ~ -name '*.log' -delete -maxdepth 1",
        "systemctl --user restart web.service",
    ],
)
def test_the_same_for_other_things_is_not_denied(line: str) -> None:
    """Other environments, other tools, files of the project."""
    assert words(line)[1] != "deny"
