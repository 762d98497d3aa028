"""Agents started so that the hooks of their user do not apply."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "claude --bare -p hi",
        "claude --safe-mode -p hi",
        "claude -p hi --setting-sources user",
        "CLAUDE_CODE_SIMPLE=1 claude -p hi",
        "CLAUDE_CODE_SAFE_MODE=1 claude",
        "QWEN_CODE_SIMPLE=1 qwen",
        "export CLAUDE_CODE_SIMPLE=1; claude",
        "env CLAUDE_CODE_SIMPLE=1 claude -p hi",
        "HOME=/tmp/x claude -p hi",
        "env HOME=/tmp/x claude -p hi",
        "export HOME=$(mktemp -d); claude -p hi",
        "XDG_CONFIG_HOME=/tmp/x opencode run hi",
        "env -i claude -p hi",
        "env -i PATH=$PATH claude -p hi",
        "env - PATH=/usr/bin claude",
        "env -u HOME claude -p hi",
        "unset HOME; claude -p hi",
        "exec -c claude -p hi",
        "CLAUDE_CONFIG_DIR=/tmp/x claude",
        "COPILOT_HOME=/tmp/x copilot -p hi",
        "KIMI_CODE_HOME=/tmp/x kimi",
        "codex --disable hooks exec hi",
        "codex --disable=hooks exec hi",
        "codex -c features.hooks=false hi",
        "opencode --pure run hi",
        "pi --no-extensions hi",
        "qwen --bare hi",
        "qwen --safe-mode hi",
        "gemini --experimental-acp",
        "npx -y @anthropic-ai/claude-code --bare -p hi",
        "HOME=/tmp/x npx @anthropic-ai/claude-code -p hi",
        "node node_modules/@anthropic-ai/claude-code/cli.js --safe-mode",
    ],
)
def test_agent_apart_from_its_hooks_is_danger(line: str) -> None:
    """By a switch, a variable, another home or no environment at all."""
    assert risk(line) is Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "cp $(which claude) /tmp/c",
        'cp "$(command -v codex)" ./tool',
        "ln -s ~/.local/bin/claude ./x",
        "cp ~/.local/share/claude/versions/2.1.325 /tmp/y",
        "/tmp/claude -p hi",
        "./claude -p hi",
    ],
)
def test_copy_of_an_agents_program_is_danger(line: str) -> None:
    """Under another name the agent would not be recognised."""
    assert risk(line) is Risk.DANGER


@pytest.mark.parametrize(
    "line",
    ["claude -p hi", "npx @openai/codex hi", "node_modules/.bin/claude -p hi", "HOME=/tmp/x npm test", "env -i ls"],
)
def test_ordinary_start_stays_below_danger(line: str) -> None:
    """An agent with its user's settings is Care, and another home matters only with an agent."""
    assert risk(line) is not Risk.DANGER


@pytest.mark.parametrize(
    "line", ["claude --version", "cp bin/build bin/build.old", "cp docs/claude.md notes.md", "which claude"]
)
def test_what_only_looks_alike_is_left_alone(line: str) -> None:
    """Versions, and files that are called like an agent."""
    assert risk(line) < Risk.CARE
