"""Test runners, and helpers that scripts are made of."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "pytest --version",
        "jest --version",
        "vitest --version",
        "coverage report -m",
        "changeset status",
        "playwright --version",
    ],
)
def test_tester_lines_that_only_tell_are_look(line: str) -> None:
    """Versions and reports are Look."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "pytest",
        "pytest -q -k 'a and b' tests/unit",
        "pytest --collect-only",
        "pytest --help",
        "jest --watch",
        "vitest run",
        "mocha",
        "playwright test",
        "playwright install",
        "coverage run -m pytest",
        "rspec",
        "phpunit",
        "bats tests",
        "vite build",
        "next dev",
        "mkdocs build",
        "uvicorn shop:app",
        "flask run",
        "rimraf dist",
        "cross-env NODE_ENV=test jest",
        "concurrently 'npm:dev' 'npm:api'",
        "nodemon server.js",
    ],
)
def test_tester_lines_run_the_project_and_are_left_to_the_client(line: str) -> None:
    """Tests are code of the project."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "pytest --basetemp=/home/me",
        "pytest --junitxml=/etc/x",
        "coverage run /etc/shadow",
        "rimraf ~",
        "rimraf /",
        "npx rimraf ~/work",
        "cross-env A=1 rm -rf ~",
        "env-cmd -f .env.test rm -rf ~",
        "concurrently 'rm -rf ~' 'echo b'",
        "nodemon -x 'rm -rf ~'",
        "nodemon --exec='rm -rf ~' server.js",
        "shx rm -rf ~",
        "changeset publish",
        "semantic-release",
        "npx cross-env-shell 'rm -rf ~'",
        "gh-pages -d dist",
        "vsce publish",
    ],
)
def test_tester_lines_that_hide_danger_are_danger(line: str) -> None:
    """What hides behind them is seen."""
    assert risk(line) == Risk.DANGER
