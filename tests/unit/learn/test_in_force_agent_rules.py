"""The agent's own permission rules: what they allow, and how ours are written there."""

from pathlib import Path

import pytest

from assent.harnesses import claude_code
from assent.learn.in_force import AgentRules, as_agent_writes
from assent.policy.call import Call


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Bash(git commit *)", "Bash(git commit:*)"),
        ("Bash(npm test)", "Bash(npm test)"),
        ("Edit(~/src/webshop/docs/**)", "Edit(~/src/webshop/docs/**)"),
        ("WebFetch(domain:docs.example.com)", "WebFetch(domain:docs.example.com)"),
        ("mcp__github__get_issue", "mcp__github__get_issue"),
        ("Bash(python *)", None),
        ("Bash(ls \\*.py)", None),
        ("Edit(~/app/(shop)/page.tsx)", None),
        ("Bash(git commit -m 'a\nb')", None),
        ("Bash", None),
    ],
)
def test_rule_is_written_as_the_agent_reads_it_or_not_at_all(ours: str, theirs: str | None) -> None:
    """What would mean something else there is not written there."""
    assert as_agent_writes(ours) == theirs


def test_rules_of_every_settings_file_count_together(tmp_path: Path) -> None:
    """The user's, the project's and those of this machine alone; each command of a line may be covered by another."""
    project = tmp_path / "project"
    for file, rule in (
        (tmp_path / "home/.claude/settings.json", "Bash(make:*)"),
        (project / ".claude/settings.json", "Bash(npm test)"),
        (project / ".claude/settings.local.json", "Edit(docs/**)"),
    ):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f'{{"permissions": {{"allow": ["{rule}"]}}}}')
    rules = AgentRules(home=tmp_path / "home")
    for call, allowed in (
        (Call("Bash", {"command": "make a && npm test"}, "/"), True),
        (Call("Bash", {"command": "make a && rm b"}, "/"), False),
        (Call("Write", {"file_path": f"{project}/docs/a.md"}, "/"), True),
        (Call("Write", {"file_path": f"{project}/src/a.py"}, "/"), False),
    ):
        assert rules.allow(call, str(project)) is allowed, call.input
    assert not rules.allow(Call("Bash", {"command": "npm test"}, "/"), str(tmp_path / "elsewhere"))


def test_only_managed_rules_count_where_managed_settings_say_so(tmp_path: Path) -> None:
    """`allowManagedPermissionRulesOnly`: what the user allowed is asked again, so it may be proposed as a rule."""
    managed = tmp_path / claude_code.MANAGED_FOLDER / "managed-settings.json"
    for file, content in (
        (tmp_path / "home/.claude/settings.json", '{"permissions": {"allow": ["Bash(make:*)"]}}'),
        (managed, '{"permissions": {"allow": ["Bash(npm test)"]}, "allowManagedPermissionRulesOnly": true}'),
    ):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    rules = AgentRules(home=tmp_path / "home", root=tmp_path)
    assert rules.allow(Call("Bash", {"command": "npm test"}, "/"), str(tmp_path))
    assert not rules.allow(Call("Bash", {"command": "make a"}, "/"), str(tmp_path))


@pytest.mark.parametrize("content", ["", "{", "[]", '{"permissions": []}', '{"permissions": {"allow": "Bash"}}'])
def test_settings_that_cannot_be_read_allow_nothing(tmp_path: Path, content: str) -> None:
    """A broken file is no reason to fail, and no reason to trust."""
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/settings.json").write_text(content)
    assert not AgentRules(home=tmp_path).allow(Call("Bash", {"command": "x"}, "/"), "/nowhere")
