"""A line is read the way bash reads it."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.policy.shell.acts import Act
from assent.policy.shell.limits import UnreadableError
from assent.policy.shell.parser import read
from assent.policy.shell.tree import ScriptTree, Simple
from assent.policy.shell.walk import Walk
from tests.unit.policy.setting import SETTING


def names(acts: list[Act]) -> Iterator[str]:
    for act in acts:
        yield act.text
        yield from names(act.children)


# Each runs ``touch marker`` when bash reads it.
HIDDEN = [
    "touch marker",
    "ls; touch marker",
    "ls & touch marker",
    "true && touch marker",
    "ls | touch marker",
    "! touch marker",
    "time touch marker",
    "(touch marker)",
    "{ touch marker; }",
    "if true; then touch marker; fi",
    "if touch marker; then :; fi",
    "while touch marker; do break; done",
    "for x in 1; do touch marker; done",
    "for ((i=0;i<1;i++)); do touch marker; done",
    "case a in a) touch marker;; esac",
    "case a in (a) touch marker;& *) :; esac",
    "f() { touch marker; }; f",
    "function f { touch marker; }; f",
    "echo $(touch marker)",
    'echo "$(touch marker)"',
    "echo `touch marker`",
    'echo "`touch marker`"',
    "echo `echo \\`touch marker\\``",
    "echo ${x:-$(touch marker)}",
    "echo ${x#$(touch marker)}",
    'echo "${x:-`touch marker`}"',
    "echo ${x/a/$(touch marker)}",
    "echo $((1+$(touch marker)))",
    "echo $[1+$(touch marker)]",
    "echo ${x[$(touch marker)]}",
    "x[$(touch marker)]=1",
    "x=(1 $(touch marker))",
    "x=$(touch marker) ls",
    "((x=$(touch marker)))",
    "((touch marker); true)",
    "echo $((touch marker); true)",
    "[[ -n $(touch marker) ]]",
    "[[ a =~ $(touch marker) ]]",
    "cat <<EOF\n$(touch marker)\nEOF",
    "cat <<EOF\n`touch marker`\nEOF",
    "cat <<-EOF\n\t$(touch marker)\n\tEOF",
    "cat <<$X\n$(touch marker)\n$X",
    "cat <<A <<B\na\nA\n$(touch marker)\nB",
    "cat <<EOF | sort\nx\nEOF\ntouch marker",
    'cat <<< "$(touch marker)"',
    "cat <(touch marker)",
    "echo x > >(touch marker)",
    "ls > $(touch marker)",
    "coproc touch marker",
    "coproc X { touch marker; }",
    "tou\\\nch marker",
    "ls \\\n; touch marker",
    "ls # comment\ntouch marker",
    "$'\\x74ouch' marker",
    "'tou'ch marker",
    '"touch" marker',
    "t\\ouch marker",
    "{touch,marker}",
    "X=touch; $X marker",
    "select x in a; do touch marker; break; done <<< 1",
    "!(touch marker)",
    "trap 'touch marker' EXIT",
    "eval 'touch marker'",
    "x='a[$(touch marker)]'; echo $((x))",
    "${x:=touch} marker",
]


@pytest.mark.parametrize("line", HIDDEN)
def test_command_is_seen_wherever_it_stands(line: str) -> None:
    """What bash would run is an act of the walk."""
    acts = Walk(SETTING).line(line)
    assert any(re.search(r"touch.?.?marker|marker", text) for text in names(acts))
    assert any(
        "touch" in effect.why or "marker" in effect.target for act in acts for a in act.all() for effect in a.effects
    )


@pytest.mark.parametrize(
    "line",
    [
        "'",
        '"',
        "`",
        "$(",
        "(",
        "ls )",
        "if true",
        "for",
        "case x in",
        "x() ",
        "ls &&",
        "| ls",
        "<",
        "${",
        "${x",
        "a ( b )",
        "\0",
    ],
)
def test_line_that_bash_refuses_is_unreadable(line: str) -> None:
    """No reading is guessed."""
    with pytest.raises(UnreadableError):
        read(line)


@given(st.text(alphabet="abc $`'\"\\(){}[]<>|&;\n#!*?~=-+:/x1", max_size=60))
def test_reading_ends_and_raises_nothing_else(line: str) -> None:
    """Whatever is written, there is a script or a reason why not."""
    try:
        script = read(line)
    except UnreadableError:
        return
    assert isinstance(script, ScriptTree)


def test_words_come_as_written() -> None:
    """Quotes part nothing and are gone."""
    script = read("""git commit -m "a b" 'c d' e\\ f""")
    command = script.items[0].first.stages[0]
    assert isinstance(command, Simple)
    assert [word.plain for word in command.words] == ["git", "commit", "-m", "a b", "c d", "e f"]
