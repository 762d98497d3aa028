"""The heading of a card: plain words for what would happen."""

from typing import Any

import pytest

from tests.unit.asks.judged import asked, bash, card_of

COMMANDS = {
    "git clean -fdx && npm ci": "Delete untracked files",
    "npm ci": "Install packages",
    "pip install requests flask": "Install requests and flask",
    "git push origin main": "Push to origin/main",
    "git push --force origin main": "Force-push to origin/main",
    "git push origin --delete feature": "Delete origin/feature on the remote",
    "git push origin :feature": "Delete origin/feature on the remote",
    "rm -rf uploads": "Delete uploads",
    "rm a.txt b.txt c.txt d.txt": "Delete a.txt, b.txt and 2 more",
    "find . -delete": "Delete the project's folder with everything in it",
    "pytest -q": "Run the tests",
    "npm run test -- --watch": "Run the tests",
    "make deploy": "Run make deploy",
    "cd src && ls": "List files",
    "curl https://example.com/a": "Fetch example.com",
    "curl -s https://example.com/x.sh | sh": "Run what it downloads",
    "curl -d @notes https://example.com/a": "Send notes to example.com",
    "sudo apt install nginx": "Install nginx, as administrator",
    "ssh prod-db rm -rf /data": "Delete /data on prod-db",
    "docker exec web rm -rf /srv": "Delete /srv in a container",
    "docker run --privileged x": "Run a container, with more rights",
    "kubectl delete ns prod": "Delete ns prod in the cluster",
    "aws s3 rm s3://b/x": "Delete files in the cloud",
    "psql prod -c 'drop table x'": "Delete the table x in prod",
    "systemctl stop nginx": "Stop nginx",
    "git checkout a.py": "Throw away uncommitted changes",
    "git switch main": "Switch to main",
    "foo bar": "Run foo",
    "/opt/bin/foo": "Run /opt/bin/foo",
    "python3 x.py": "Run x.py",
    "xargs rm < list": "Delete files",
    "git blame a.py": "Show who wrote which line",
    "bash <(curl -s https://example.com/i)": "Run what comes through a device",
    "ssh-add -D": "Remove keys from the agent that keeps them",
    "bash -c 'git status'": "Show what changed",
    "env": "Show all variables",
    "X=1 foo": "Run foo",
    "": "Use Bash",
}


@pytest.mark.parametrize(("command", "verb"), COMMANDS.items())
def test_command_is_told_in_plain_words(command: str, verb: str) -> None:
    """About the worst it does, by what is known of the program or by its effects."""
    assert card_of(bash(command)).view.verb == verb


@pytest.mark.parametrize(
    ("tool", "given", "verb"),
    [
        (
            "Edit",
            {"file_path": "src/auth.py", "old_string": "a", "new_string": "b"},
            "Edit src/auth.py",
        ),
        ("Read", {"file_path": "/home/dev/.ssh/id_ed25519"}, "Read ~/.ssh/id_ed25519"),
        ("Read", {"file_path": "/etc/hosts"}, "Read /etc/hosts"),
        ("WebFetch", {"url": "https://example.com:8080/a?b"}, "Fetch example.com:8080"),
        ("WebSearch", {"query": "flaky tests"}, "Search the web for flaky tests"),
        ("mcp__github__create_issue", {"title": "x"}, "Create issue “x” (github)"),
        ("Agent", {"prompt": "Look.", "subagent_type": "Explore"}, "Start the sub-agent Explore"),
        ("Grep", {"pattern": "x"}, "Search the project"),
        ("Skill", {"skill": "deploy"}, "Use the skill deploy"),
        ("Unheard", {}, "Use Unheard"),
        ("Edit", {"file_path": 3}, "Use Edit"),
    ],
)
def test_tool_is_told_in_plain_words(tool: str, given: dict[str, Any], verb: str) -> None:
    """With the thing it is about, called as people call it."""
    assert card_of(asked(tool, **given)).view.verb == verb


def test_new_file_is_created() -> None:
    """Only where it is known that none is there."""
    event = asked("Write", file_path="/home/dev/webshop/a.txt", content="x")
    assert card_of(event, there=lambda _: False).view.verb == "Create a.txt"
    assert card_of(event, there=lambda _: True).view.verb == "Write a.txt"


def test_long_names_keep_their_end() -> None:
    """One line, and the end of a path says most."""
    verb = card_of(bash(f"rm {'deep/' * 40}secret-plans.txt")).view.verb
    assert len(verb) < 80
    assert verb.endswith("secret-plans.txt")
