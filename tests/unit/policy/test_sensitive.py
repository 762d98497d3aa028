"""Names that matter."""

import pytest

from assent.policy.sensitive import is_agents, is_deciding, is_obeyed, is_secret, may_be_agents


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
        "/home/me/.local/share/fish/fish_history",
        "/home/me/.SSH/ID_RSA",
        "/p/privkey.pem",
        "/p/wallet.dat",
        "/home/me/.codex/auth.json",
        "/home/me/.config/Slack/storage",
        "/Users/me/Library/Messages/chat.db",
        "/home/me/.mylogin.cnf",
        "/home/me/.cargo/credentials.toml",
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
        "/p/fullchain.pem",
        "/p/ca-bundle.pem",
        "/p/server-cert.pem",
        "/p/history.py",
        "/p/keys.ts",
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
        "/home/me/.local/share/systemd/user/x.timer",
        "/home/me/.zlogout",
        "/home/me/.Rprofile",
        "/home/me/.cargo/config.toml",
        "/home/me/.pip/pip.conf",
        "/home/me/.git-templates/hooks/post-checkout",
        "/Users/me/Library/LaunchAgents/x.plist",
        "/p/.venv/lib/python3.12/site-packages/x.pth",
        "/p/lefthook.yml",
    ],
)
def test_obeyed_names_are_known(path: str) -> None:
    """Programs or agents act on these later, unasked."""
    assert is_obeyed(path)


@pytest.mark.parametrize("path", ["/p/src/main.py", "/p/.gitignore", "/p/.github/CODEOWNERS", "/p/README.md"])
def test_ordinary_names_are_not_obeyed(path: str) -> None:
    """Most files are only files."""
    assert not is_obeyed(path)


@pytest.mark.parametrize(
    "path",
    [
        "/p/.claude/settings.local.json",
        "/p/AGENTS.md",
        "/p/docs/agents.md",
        "/p/.cursor/mcp.json",
        "/p/.aider.conf.yml",
        "/p/.windsurfrules",
        "/p/.github/copilot-instructions.md",
        "/home/me/.config/opencode/opencode.json",
        "/Users/me/Library/Application Support/Claude/claude_desktop_config.json",
        "/etc/claude-code/managed-settings.json",
        "/p/.github/copilot/settings.json",
        "/p/.github/copilot/settings.local.json",
        "/p/.github/hooks/x.json",
        "/home/me/.copilot/hooks/x.json",
        "/home/me/.grok/config.toml",
        "/p/.grok/hooks/x.json",
        "/home/me/.grok/disabled-hooks",
        "/p/.vibe/hooks.toml",
        "/home/me/.pi/agent/extensions/x.ts",
        "/home/me/.kimi-code/config.toml",
        "/p/.cline/hooks/PreToolUse",
        "/p/.cursor/hooks.json",
        "/etc/codex/requirements.toml",
        "/etc/gemini-cli/settings.json",
        "/home/me/.config/Code/User/settings.json",
        "/home/me/.codeium/windsurf/hooks.json",
        "/home/me/.claude/shell-snapshots/x.sh",
        "/home/me/.claude/projects/-p/memory/MEMORY.md",
        "/p/.CLAUDE/Settings.JSON",
    ],
)
def test_names_that_instruct_agents_are_known(path: str) -> None:
    """They say what agents do and what they may do, so changing them is tampering."""
    assert is_agents(path)
    assert is_obeyed(path)


@pytest.mark.parametrize("path", ["/p/.bashrc", "/p/.git/config", "/p/src/agents.py", "/p/claude.py", "/p/rules.md"])
def test_other_settings_do_not_instruct_agents(path: str) -> None:
    """A shell's settings are a shell's."""
    assert not is_agents(path)


def test_project_checked_out_among_an_agents_files_is_a_project() -> None:
    """Agents keep whole working copies in their folder."""
    assert not is_obeyed("/p/.claude/worktrees/fix/src/main.py")
    assert is_obeyed("/p/.claude/worktrees/fix/.git/hooks/x")
    assert is_obeyed("/p/.claude/worktrees/fix/CLAUDE.md")
    assert is_obeyed("/p/.claude/worktrees")


@pytest.mark.parametrize(
    "path",
    [
        "/home/me/.claude/projects/-p/21f9823f-bc2d-42f4-8635-f1cf51b4d6ce.jsonl",
        "/home/me/.claude/todos/x.json",
        "/home/me/.claude/debug/x.txt",
        "/home/me/.claude/history.jsonl",
        "/home/me/.codex/sessions/2026/x.jsonl",
        "/home/me/.gemini/tmp/x/chats/y.json",
        "/home/me/.copilot/logs/x.log",
        "/home/me/.grok/sessions/x.json",
        "/home/me/.kimi-code/logs/x.log",
        "/home/me/.vibe/logs/x.json",
        "/home/me/.pi/agent/sessions/x.jsonl",
    ],
)
def test_what_agents_keep_for_themselves_is_no_instruction(path: str) -> None:
    """Transcripts, to-do lists and logs lie beside the settings."""
    assert not is_agents(path)


@pytest.mark.parametrize(
    "pattern",
    [
        "/p/.cla*/settings.json",
        "/p/.cl?ude/settings.json",
        "/p/.[c]laude/settings.json",
        "/p/.*/settings.json",
        "/p/.[a-z]*/settings.local.json",
        "/p/.g*/config.toml",
        "/p/.mcp*",
        "/p/CLAU*.md",
        "/p/.github/cop*/settings.json",
        "/p/.@(claude)/settings.json",
        "/p/**/*claude/settings.json",
    ],
)
def test_patterns_that_fit_settings_of_agents_are_known(pattern: str) -> None:
    """What is not spelled out may be just that file."""
    assert may_be_agents(pattern)


@pytest.mark.parametrize(
    "pattern",
    ["/p/*.json", "/p/*.md", "/p/.git*", "/p/.e*", "/p/src/agent*.py", "/p/docs/*settings*", "/p/*/settings.json"],
)
def test_patterns_for_everything_are_ordinary(pattern: str) -> None:
    """They are written every day."""
    assert not may_be_agents(pattern)


def test_instructions_decide_nothing() -> None:
    """They tell models what to do, not programs what to start."""
    assert is_deciding("/p/.claude/settings.json")
    assert is_deciding("/p/.claude/hooks/x.sh")
    assert not is_deciding("/p/CLAUDE.md")
    assert not is_deciding("/p/.claude/skills/x/run.py")
