"""Other agents, and those who guard them."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "claude -p 'say hi'",
        "claude",
        "codex exec 'fix it'",
        "gemini -p hi",
        "aider README.md",
        "opencode run hi",
        "codex -s read-only hi",
        "claude --permission-mode plan -p hi",
        "ollama run x",
        "llm hi",
    ],
)
def test_agents_that_are_started_take_care(line: str) -> None:
    """They work by their own rules."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "claude --version",
        "codex --version",
        "claude mcp list",
        "gemini extensions list",
        "assent --version",
        "assent status",
        "nah status",
        "ollama list",
    ],
)
def test_agents_that_tell_look(line: str) -> None:
    """Versions, and what is set."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "claude --dangerously-skip-permissions",
        "claude -p hi --permission-mode bypassPermissions",
        "claude --permission-mode=acceptEdits -p hi",
        "claude --allowedTools 'Bash(*)' -p hi",
        "claude --settings /tmp/x.json -p hi",
        "claude --mcp-config x.json",
        "claude -p hi $flags",
        "env claude --dangerously-skip-permissions",
        "codex --full-auto hi",
        "codex --yolo",
        "codex exec --dangerously-bypass-approvals-and-sandbox hi",
        "codex -a never hi",
        "codex --ask-for-approval never hi",
        "codex --sandbox danger-full-access hi",
        "codex -c approval_policy=never hi",
        "codex -c 'approval_policy=\"never\"' hi",
        "gemini --yolo",
        "gemini -y -p hi",
        "gemini --approval-mode yolo",
        "qwen -y",
        "cursor-agent -f hi",
        "aider --yes-always x",
        "aider --test-cmd 'rm -rf /' x",
        "amp --dangerously-allow-all",
        "copilot --allow-all-tools",
        "crush --yolo",
        "droid exec --skip-permissions-unsafe hi",
        "GOOSE_MODE=auto goose run x",
    ],
)
def test_agents_with_asking_switched_off_are_danger(line: str) -> None:
    """A way around what guards this session."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "claude mcp add x -- npx y",
        "claude mcp remove x",
        "claude config set x y",
        "claude plugin install x",
        "claude setup-token",
        "claude update",
        "codex mcp add x",
        "codex login",
        "gemini extensions install x",
        "opencode serve",
        "assent down",
        "assent pause",
        "assent uninstall",
        "assent review accept 1",
        'assent "$verb"',
        "assent-hook x",
        "nah uninstall",
        "dcg allow x",
        "cc-safety-net disable",
        "ASSENT_HOME=/tmp/x ls",
        "export CLAUDE_CONFIG_DIR=/tmp/x",
        "unset ASSENT_HOME",
    ],
)
def test_agents_whose_settings_change_are_danger(line: str) -> None:
    """And so are guards that are told to look away."""
    assert risk(line) == Risk.DANGER
