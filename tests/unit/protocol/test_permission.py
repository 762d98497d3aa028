"""Rules of the client as they stand in its settings files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.protocol.permission import PermissionRule


@pytest.mark.parametrize(
    ("rule", "written"),
    [
        (PermissionRule("WebSearch"), "WebSearch"),
        (PermissionRule("Bash", "npm test *"), "Bash(npm test *)"),
        (PermissionRule("Bash", "python3 -c 'print(1)'"), r"Bash(python3 -c 'print\(1\)')"),
        (PermissionRule("Bash", r"touch a\ b"), r"Bash(touch a\\ b)"),
    ],
)
def test_rule_is_written_as_the_client_writes_it(rule: PermissionRule, written: str) -> None:
    """Measured with the real client: parentheses and backslashes are escaped in the file, and nowhere else."""
    assert rule.written == written
    assert PermissionRule.read(written) == rule


def test_unescaped_parentheses_are_read() -> None:
    """As the client reads them when a person wrote them."""
    assert PermissionRule.read("Bash(print(1))") == PermissionRule("Bash", "print(1)")


@given(st.text(min_size=1))
def test_rule_survives_its_file(content: str) -> None:
    """What was written is read again."""
    assert PermissionRule.read(PermissionRule("Bash", content).written) == PermissionRule("Bash", content)


@given(st.lists(st.text(min_size=1), min_size=1, max_size=3))
def test_several_rules_survive_as_a_list(contents: list[str]) -> None:
    """Commas and parentheses inside of them are theirs."""
    rules = tuple(PermissionRule("Bash", content) for content in contents)
    assert PermissionRule.read_all(", ".join(rule.written for rule in rules)) == rules


def test_list_may_name_whole_tools() -> None:
    """They have no parentheses to end them."""
    assert [str(rule) for rule in PermissionRule.read_all("WebSearch, mcp__lab__echo,Bash(a, b)")] == [
        "WebSearch",
        "mcp__lab__echo",
        "Bash(a, b)",
    ]


def test_one_rule_written_by_hand_is_no_list() -> None:
    """Its own parentheses are taken as they are."""
    assert PermissionRule.read_all("Bash(f(a), g(b))") == (PermissionRule("Bash", "f(a), g(b)"),)


@pytest.mark.parametrize("text", ["", "(x)", "Bash(", "Bash()", "Bash(x) y", "*", "Ba sh(x)", "Bäsh"])
def test_what_is_no_rule_is_refused(text: str) -> None:
    """With how one is written."""
    with pytest.raises(ValueError, match="A rule is written like"):
        PermissionRule.read(text)
