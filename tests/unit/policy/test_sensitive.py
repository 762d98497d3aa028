"""Names that matter."""

import pytest

from assent.policy.sensitive import is_obeyed, is_secret


@pytest.mark.parametrize(
    "path",
    [
        "/p/.env",
        "/p/.env.production",
        "/p/prod.env",
        "/p/server.pem",
        "/p/tls.KEY",
        "/home/me/.ssh/id_ed25519",
        "/home/me/.ssh/config",
        "/p/id_rsa",
        "/p/id_rsa.bak",
        "/home/me/.aws/credentials",
        "/p/credentials.json",
        "/p/gcp-credentials.json",
        "/home/me/.netrc",
        "/home/me/.npmrc",
        "/home/me/.git-credentials",
        "/home/me/.kube/config",
        "/home/me/.docker/config.json",
        "/home/me/.config/gh/hosts.yml",
        "/p/secrets.yaml",
        "/p/terraform.tfstate",
        "/etc/shadow",
        "/home/me/.bash_history",
    ],
)
def test_secret_names_are_known(path: str) -> None:
    """By the file's name or by the folder's."""
    assert is_secret(path)


@pytest.mark.parametrize(
    "path",
    [
        "/p/.env.example",
        "/p/id_generator.py",
        "/p/id_rsa.pub",
        "/p/keyboard.py",
        "/p/environment.py",
        "/p/src/secrets.py",
        "/p",
    ],
)
def test_ordinary_names_are_not_secret(path: str) -> None:
    """Templates, public halves and source files are read every day."""
    assert not is_secret(path)


@pytest.mark.parametrize(
    "path",
    [
        "/p/.git/config",
        "/p/.git/hooks/pre-commit",
        "/p/.claude/settings.json",
        "/p/CLAUDE.md",
        "/p/.mcp.json",
        "/p/.assent/rules.toml",
        "/p/.github/workflows/ci.yml",
        "/p/.gitlab-ci.yml",
        "/p/Jenkinsfile",
        "/p/.envrc",
        "/p/.husky/pre-push",
        "/home/me/.bashrc",
        "/home/me/.config/systemd/user/x.service",
    ],
)
def test_obeyed_names_are_known(path: str) -> None:
    """Programs or agents act on these later, unasked."""
    assert is_obeyed(path)


@pytest.mark.parametrize("path", ["/p/src/main.py", "/p/.gitignore", "/p/.github/CODEOWNERS", "/p/README.md"])
def test_ordinary_names_are_not_obeyed(path: str) -> None:
    """Most files are only files."""
    assert not is_obeyed(path)
