"""Lines that are read at once, against the grammar."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from accuracy import corpus
from assent.policy.shell import plain
from assent.policy.shell.parser import Grammar
from assent.policy.shell.tree import ScriptTree

WORDS = "a git x=1 -m ~ * {a,b} [ ] if time { } in export case esac a; a|b % @ - ^ ? ! # 2 3 = + '' 'x'y $x `a` \\ ( )"
MARKS = "&& || | ; & ;; |& 2>&1 >x 2>/dev/null &>y >>z <in << <<< <( >( &>2 2&>1 >| <> a2>b"
QUOTED = ["'a b'", '"c d"', '""', "\n", "\t", "> /dev/null"]
PIECES = st.sampled_from([*WORDS.split(), *MARKS.split(), *QUOTED])
LINES = st.lists(st.tuples(PIECES, st.sampled_from(["", " ", "  "])).map("".join), max_size=9).map("".join)


def by_grammar(text: str) -> ScriptTree:
    """Raises UnreadableError as ``parser.read`` does."""
    grammar = Grammar(text)
    script = grammar.script(frozenset())
    assert grammar.at == len(text)
    return script


@given(LINES)
@example("a 2&>1 b")
@example("a '' \"\" >b")
@example("a | b && c || d; e 2>&1")
def test_what_is_read_at_once_is_what_the_grammar_reads(line: str) -> None:
    """Words, redirections, texts as written: the same tree."""
    if (read := plain.read(line)) is not None:
        assert read == by_grammar(line)


def test_most_lines_of_the_corpus_are_read_at_once() -> None:
    """And all of those to the same tree."""
    lines = [each.command for each in corpus.load()]
    read = [(line, tree) for line in lines if (tree := plain.read(line)) is not None]
    assert len(read) > len(lines) / 2
    for line, tree in read:
        assert tree == by_grammar(line), line


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ",
        "a;",
        "&& a",
        "a &",
        "a # b",
        "if a; then b; fi",
        "x=1 a",
        "a $x",
        "a $(b)",
        "a\nb",
        ">x a",
        "'a' b",
        "! a",
    ],
)
def test_what_is_not_plain_is_left_to_the_grammar(line: str) -> None:
    """Whatever means more than a word, and whatever is no command."""
    assert plain.read(line) is None


def test_what_may_meet_a_limit_is_left_to_the_grammar() -> None:
    """It counts commands and words."""
    assert plain.read("a " * plain.LONGEST + "a") is None
    assert plain.read(";".join("a" * (plain.MOST_COMMANDS + 2))) is None
    assert plain.read(";".join("a" * plain.MOST_COMMANDS)) is not None
