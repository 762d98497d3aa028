"""What looks after versions."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "nvm ls",
        "nvm current",
        "fnm list",
        "volta list",
        "pyenv versions",
        "pyenv install --list",
        "pyenv local",
        "asdf current",
        "asdf plugin list",
        "mise ls",
        "mise tasks",
        "sdk current",
    ],
)
def test_version_lines_that_only_tell_are_look(line: str) -> None:
    """What they only tell is Look."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "nvm install 20",
        "pyenv install 3.12",
        "pyenv local 3.12",
        "asdf install",
        "mise use node@20",
        "mise run test",
        "mise tasks run test",
        "volta install node",
    ],
)
def test_version_lines_that_install_are_left_to_the_client(line: str) -> None:
    """Installing is neither waved through nor stopped."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "nvm exec 20 rm -rf ~",
        "fnm exec --using=20 rm -rf ~",
        "volta run rm -rf ~",
        "pyenv exec rm -rf ~",
        "asdf exec rm -rf ~",
        "mise exec node@20 -- rm -rf ~",
        "mise x -- rm -rf ~",
        "mise exec -c 'rm -rf ~'",
    ],
)
def test_version_lines_that_run_danger_are_danger(line: str) -> None:
    """What they run is judged as if it stood alone."""
    assert risk(line) == Risk.DANGER
