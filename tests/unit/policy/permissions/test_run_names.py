"""Names of commands, scripts and files that the run permission goes by."""

import pytest

from assent.policy.permissions.run_names import decides, is_allowed_name, is_runner, lock_files, names


@pytest.mark.parametrize(
    "name",
    sorted(
        names(
            "build test lint check typecheck format compile dev test:unit build:css lint-fix unit-tests e2e"
            " check_types testWatch"
        )
    ),
)
def test_names_that_test_or_build(name: str) -> None:
    """Also with what stands behind a colon, a dash or an underscore."""
    assert is_allowed_name(name)


@pytest.mark.parametrize(
    "name",
    sorted(
        names(
            "deploy build:prod test-production release publish sync build-and-deploy migrate db:test test:secrets"
            " start serve lint:push seed install buildRelease"
        )
    ),
)
def test_names_that_leave_the_project(name: str) -> None:
    """A name that says deploy, production or release, whatever else it says; and names that say nothing."""
    assert not is_allowed_name(name)


@pytest.mark.parametrize(
    "line", ["pytest", "cargo test", "go vet", "eslint src", "next build", "mvn verify", "ruff check"]
)
def test_commands_that_only_test_or_build(line: str) -> None:
    """By program, or by program and sub-command."""
    assert is_runner(line.split())


@pytest.mark.parametrize(
    "line",
    [
        "cargo run",
        "cargo publish",
        "go run",
        "go generate",
        "next start",
        "mvn deploy",
        "npm",
        "docker build",
        "cypress open",
    ],
)
def test_commands_that_do_more(line: str) -> None:
    """Running, publishing and installing are no tests."""
    assert not is_runner(line.split())


@pytest.mark.parametrize(
    "path",
    sorted(
        names(
            "package.json frontend/package.json Makefile rules.mk conftest.py tests/conftest.py pyproject.toml tox.ini"
            " vitest.config.ts .eslintrc.cjs jest.setup.js package-lock.json uv.lock Cargo.toml build.rs"
            " build.gradle.kts .husky/pre-commit .pre-commit-config.yaml go.mod Gemfile spec/spec_helper.rb"
            " tsconfig.build.json .env.test requirements-dev.txt Dockerfile CMakeLists.txt noxfile.py sitecustomize.py"
        )
    ),
)
def test_files_that_decide_what_runs(path: str) -> None:
    """Scripts, build files, settings of runners, hooks and lock files, in any folder."""
    assert decides(f"/srv/project/{path}")


@pytest.mark.parametrize(
    "path", ["src/app.py", "README.md", "tests/test_app.py", "src/makefile.py", "docs/package.json.md"]
)
def test_files_that_decide_nothing(path: str) -> None:
    """Code and prose."""
    assert not decides(f"/srv/project/{path}")


def test_installs_from_lock_files() -> None:
    """Which file pins what an install brings."""
    assert lock_files("npm", "ci") == ("package-lock.json", "npm-shrinkwrap.json")
    assert lock_files("uv", "sync") == ("uv.lock",)
    assert lock_files("npm", "exec") == ()
    assert lock_files("pip", "install") == ()
