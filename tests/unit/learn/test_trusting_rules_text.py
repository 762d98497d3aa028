"""A rule at the end of a rules file."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import AssentError
from assent.learn.review import Offer, Trial
from assent.learn.trusting import with_rule
from assent.policy.rules import file
from assent.policy.rules.rule import Rule
from assent.toml import document
from assent.toml.document import ConfigError

RULES = Path("rules.toml")


def offer(text: str, tool: str, given_input: dict[str, str]) -> Offer:
    return Offer(
        text=text,
        is_wide=False,
        risk="care",
        saved=3,
        first=0,
        last=0,
        sessions=1,
        approved=(),
        newly_allowed=0,
        newly=(),
        test=Trial(tool, given_input),
    )


MAKE = offer("Bash(make test)", "Bash", {"command": "make test"})


def read(content: bytes) -> tuple[Rule, ...]:
    return file.parse(document.parse(RULES, content), "user")


def test_first_rule_makes_the_file() -> None:
    """What is written is readable."""
    assert with_rule(RULES, None, MAKE, "Approved 3 times.").decode() == (
        '[[rule]]\nmatch = "Bash(make test)"\ndecision = "allow"\nreason = "Approved 3 times."\n'
        '[[rule.test]]\ncommand = "make test"\nexpect = "allow"\n'
    )


@pytest.mark.parametrize(
    "before",
    [
        b"",
        b"# mine\n",
        b"# no newline at the end",
        b'version = 1\n\n[[rule]] # keep\nmatch = "Read"\ndecision = "ask"\nreason = "x"\n'
        b'[[rule.test]]\ntool = "x"\nexpect = "none"',
        b'version = 1\r\n\r\n[[rule]]\r\nmatch = "Read"\r\ndecision = "ask"\r\nreason = "x"\r\n',
    ],
)
def test_what_stood_there_stays_as_it_was(before: bytes) -> None:
    """Byte for byte, comments and line ends included."""
    after = with_rule(RULES, before, MAKE, "x")
    assert after.startswith(before)
    assert len(read(after)) == len(read(before)) + 1
    assert (b"\r\n" in before) == (b"\r\n" in after[len(before) :])
    assert [test.expect for test in read(after)[-1].tests] == ["allow"]


def test_other_tools_are_tested_with_their_input() -> None:
    """A test names the call that was approved."""
    written = read(with_rule(RULES, None, offer("Edit(~/a/**)", "Edit", {"file_path": "/home/ada/a/b"}), "x"))
    assert written[0].tests[0].input == {"file_path": "/home/ada/a/b"}
    written = read(with_rule(RULES, None, offer("mcp__a__b", "mcp__a__b", {}), "x"))
    assert (written[0].tests[0].tool, written[0].tests[0].input) == ("mcp__a__b", {})


def test_broken_file_is_refused_with_its_line() -> None:
    """Nothing is added to an unreadable file."""
    with pytest.raises(ConfigError, match=r"rules.toml:2: "):
        with_rule(RULES, b"version = 1\nrule = \n", MAKE, "x")


def test_file_that_cannot_be_added_to_is_refused() -> None:
    """An inline list takes no more tables."""
    with pytest.raises(AssentError, match="cannot be added"):
        with_rule(RULES, b'rule = [{match = "Read", decision = "ask", reason = "x"}]\n', MAKE, "x")


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_is_written_so_that_it_is_read_again(command: str) -> None:
    """Quotes, backslashes, line breaks and control characters included."""
    written = with_rule(RULES, None, offer("Bash(x)", "Bash", {"command": command}), command)
    assert all(line.isprintable() for line in written.decode().split("\n"))
    (rule,) = read(written)
    assert rule.tests[0].input == {"command": command}
    assert rule.reason == command
