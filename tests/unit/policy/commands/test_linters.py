"""Linters, type checkers, formatters."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "ruff check src tests",
        "ruff check --select E,F --output-format=json .",
        "ruff format --diff .",
        "black --check .",
        "black -q --diff src",
        "isort --check-only --diff .",
        "shellcheck -S warning scripts/a.sh",
        "shfmt -d scripts",
        "hadolint Dockerfile",
        "yamllint .github",
        "clang-format -n main.c",
        "biome lint src",
        "bandit -r src",
        "codespell docs",
        "prettier --version",
        "eslint --version",
        "golangci-lint linters",
    ],
)
def test_linter_lines_that_only_read_are_look(line: str) -> None:
    """Those whose settings are no programs only look."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "ruff check --fix .",
        "ruff check --add-noqa .",
        "ruff format",
        "black .",
        "isort src",
        "shfmt -w scripts/a.sh",
        "biome check --write .",
        "clang-format -i main.c",
        "codespell -w docs",
        "eslint .",
        "eslint --fix src",
        "prettier --check .",
        "prettier --write .",
        "stylelint '**/*.css'",
        "tsc --noEmit",
        "tsc -p .",
        "mypy src",
        "pyright",
        "flake8",
        "pylint src",
        "rubocop -A",
        "golangci-lint run ./...",
        "phpstan analyse src",
        "swiftlint",
        "eslint -c /tmp/x.js .",
        "eslint --rulesdir /tmp/rules .",
        "ruff check --frobnicate .",
        "black $files",
    ],
)
def test_linter_lines_that_run_the_project_or_rewrite_are_left_to_the_client(line: str) -> None:
    """Settings that are code run, and rewriting can be undone."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "ruff check -o /etc/x .",
        "ruff check --output-file=/etc/x .",
        "black /etc/x.py",
        "isort ~/.bashrc",
        "eslint -o /etc/x .",
        "shfmt -w ~/.bashrc",
        "clang-format -i /etc/x.c",
        "yamllint .env",
        "prettier --write ~/.claude/settings.json",
        "pylint --init-hook='import os; os.system(\"rm -rf ~\")' src",
        "clang-tidy --load=/tmp/x.so main.c",
    ],
)
def test_linter_lines_that_leave_the_project_are_danger(line: str) -> None:
    """Other places, secrets and hidden programs reach a person."""
    assert risk(line) == Risk.DANGER
