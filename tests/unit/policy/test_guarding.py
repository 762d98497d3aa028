"""Guarding the guard: whatever an agent does to Assent, its hooks or its person's keyboard reaches a person."""

from pathlib import Path
from typing import Any

import pytest

from assent.paths import find
from assent.policy.call import Scene
from assent.policy.judge import judge
from assent.policy.judges.floor import Floor
from assent.policy.judges.stance import Stance
from assent.policy.own import Own
from tests.unit.policy.calls import pre

HOME = "/home/me"
PROJECT = Path("/home/me/shop")


def word(tool: str, **fields: Any) -> str:
    own = find({"HOME": HOME})
    scene = Scene(PROJECT, own=Own((str(own.config_dir), str(own.state))))
    event = pre(tool, cwd=PROJECT, mode="bypass", **fields)
    return judge(event, scene, [Floor(own), Stance(lambda _: "balanced")]).decision.word


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", HOME)


@pytest.mark.parametrize(
    "line",
    [
        "assent down",
        "assent answer abcde allow",
        "assent trust",
        "/opt/venv/bin/assent pause --for 1h",
        "python3.12 -m assent down",
        "sh -c 'assent uninstall --yes'",
        "env -i assent down",
        "A=assent; $A down",
        "nohup assent down &",
        "echo down | xargs assent",
        "script -qc 'assent answer abcde allow' /dev/null",
        "tmux send-keys -t 1 'assent down' Enter",
        "at now <<< 'assent down'",
        "rm -rf ~/.local/state/assent",
        "mv ~/.config/assent ~/x",
        "cd ~/.local/state && rm -rf assent",
        "truncate -s 0 ~/.local/state/assent/journal.db",
        "ln -sf /bin/true ~/.local/state/assent/shim/python",
        "echo x > ~/.config/assent/rules.toml",
    ],
)
def test_operating_or_changing_assent_is_denied(line: str) -> None:
    """By any way in which the line says so."""
    assert word("Bash", command=line) == "deny"


@pytest.mark.parametrize("tool", ["Write", "Edit", "MultiEdit"])
@pytest.mark.parametrize("path", ["~/.config/assent/config.toml", "/home/me/x/../.local/state/assent/keys/post"])
def test_editing_assents_files_is_denied(tool: str, path: str) -> None:
    """Whatever the spelling of the path."""
    assert word(tool, file_path=path) == "deny"


@pytest.mark.parametrize(
    "line",
    [
        # its process
        "pkill assent",
        "killall -9 assent",
        "kill $(pgrep -f 'assent up')",
        "kill -STOP $(ps aux | grep [a]ssent | awk '{print $2}')",
        "kill -9 $(cat ~/.local/state/assent/hub.lock)",
        "kill $(lsof -t -i :8717)",
        "fuser -k 8717/tcp",
        "systemctl --user stop assent",
        "pip uninstall -y assent",
        "$(which assent) down",
        # its files, sockets and port
        "cat ~/.local/state/assent/keys/post",
        "sqlite3 ~/.local/state/assent/journal.db .dump",
        "curl --unix-socket ~/.local/state/assent/run/desk/desk.sock http://x/api/pause",
        "curl -X PUT http://127.0.0.1:8717/api/pause -d '{}'",
        "nc -U ~/.local/state/assent/run/desk/desk.sock",
        "python3 -c \"import socket; socket.socket(1).connect('/home/me/.local/state/assent/run/desk/desk.sock')\"",
        "ruby -e 'File.delete(Dir.home + \"/.local/state/assent/journal.db\")'",
        # the agent's settings
        "echo '{\"disableAllHooks\": true}' > .claude/settings.local.json",
        "jq '.disableAllHooks=true' a.json | tee .claude/settings.json",
        "sed -i s/hooks/x/ ~/.claude/settings.json",
        "rm ~/.claude/settings.json",
        "git show HEAD:x > .claude/settings.json",
        "node -e \"require('fs').writeFileSync('.claude/settings.local.json','{}')\"",
        "claude --settings '{\"disableAllHooks\":true}' -p hi",
        "CLAUDE_CONFIG_DIR=/tmp/x claude -p hi",
        # variables, start-up files, snapshots, cron
        "export ASSENT_HOME=/tmp/x",
        "ASSENT_HOME=/tmp/x make",
        "echo 'export ASSENT_HOME=/tmp' >> $CLAUDE_ENV_FILE",
        "echo 'alias ls=x' >> ~/.bashrc",
        "tee ~/.claude/shell-snapshots/snapshot-bash-1.sh < x",
        "echo '* * * * * x' | crontab -",
        # a person's keyboard
        "tmux send-keys -t 0 y Enter",
        "screen -S x -X stuff 'y\\n'",
        "xdotool key Return",
        "echo y > /dev/pts/3",
    ],
)
def test_touching_the_guard_reaches_a_person(line: str) -> None:
    """Even where the client would not ask."""
    assert word("Bash", command=line) in ("prompt", "deny")


@pytest.mark.parametrize(
    ("tool", "fields"),
    [
        ("Read", {"file_path": "~/.local/state/assent/keys/post"}),
        ("Grep", {"pattern": "x", "path": "/home/me/.config/assent"}),
        ("Write", {"file_path": ".claude/settings.json", "content": "{}"}),
        ("Edit", {"file_path": "/home/me/.claude/settings.json", "old_string": "a", "new_string": "b"}),
        ("WebFetch", {"url": "http://localhost:8717/api/status"}),
        ("mcp__shell__exec", {"command": "assent down"}),
        ("mcp__fs__write_file", {"path": "/home/me/.local/state/assent/journal.db"}),
    ],
)
def test_other_tools_that_touch_the_guard_reach_a_person(tool: str, fields: dict[str, Any]) -> None:
    """The same through every tool we can look into."""
    assert word(tool, **fields) in ("prompt", "deny")


@pytest.mark.parametrize(
    "line",
    [
        "echo '{}' > .cla*/settings.json",
        "echo '{}' > .cl$X/settings.json",
        "cp x .c[l]aude/settings.json",
        "echo '{}' > .github/copilot/settings.json",
        "echo x > .grok/hooks/x.json",
        "echo x > $(ls -d .cla*)/settings.json",
        "cd $(ls -d .cla*) && echo x > settings.json",
        "find . -name settings.json -exec sed -i s/a/b/ {} +",
        "ln -s .claude c && echo x > c/settings.json",
        "ln .claude/settings.json x && echo x > x",
        "cp -l .claude/settings.json x",
        "echo x > /proc/self/root/home/me/.kimi-code/config.toml",
    ],
)
def test_settings_of_agents_in_any_spelling_are_denied_in_bypass(line: str) -> None:
    """The client drops a prompt about such a file together with its own."""
    assert word("Bash", command=line) == "deny"


@pytest.mark.parametrize(
    ("tool", "fields"),
    [
        ("mcp__fs__write_file", {"path": ".claude/settings.json", "content": "{}"}),
        ("mcp__fs__move_file", {"source": "x.json", "destination": "/home/me/shop/.claude/settings.json"}),
        ("mcp__fs__save", {"uri": "file:///home/me/shop/.gemini/settings.json"}),
        ("NotebookEdit", {"notebook_path": ".claude/settings.json", "new_source": "{}"}),
    ],
)
def test_settings_of_agents_by_any_tool_are_denied_in_bypass(tool: str, fields: dict[str, Any]) -> None:
    """A server's tool for files writes like Write."""
    assert word(tool, **fields) == "deny"


@pytest.mark.parametrize("line", ["assent status", "assent --version", "assent statusline", "git log --grep assent"])
def test_looking_at_assent_from_a_session_is_free(line: str) -> None:
    """An agent may see that it is guarded."""
    assert word("Bash", command=line) == "allow"
