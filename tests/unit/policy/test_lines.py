"""Splitting a command line."""

import shlex

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assent.policy.lines import LONGEST, MOST_SEGMENTS, Line, split


def texts(line: Line) -> list[str]:
    return [segment.text for segment in line.segments]


def hidden(line: Line) -> list[str]:
    return [segment.text for segment in line.hidden]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("  ", []),
        ("ls", ["ls"]),
        ("ls  -la\tsrc", ["ls -la src"]),
        ("a; b", ["a", "b"]),
        ("a && b || c", ["a", "b", "c"]),
        ("a | b |& c", ["a", "b", "c"]),
        ("a\nb", ["a", "b"]),
        ("a |\nb", ["a", "b"]),
        ("a;b;;c", ["a", "b", "c"]),
        ("echo 'a; b' \"c && d\"", ["echo 'a; b' \"c && d\""]),
        (r"echo a\;b", [r"echo a\;b"]),
        ("echo a\\\nb", ["echo ab"]),
        ("ls 2>&1 >/dev/null", ["ls"]),
        ("ls 2>/dev/null | wc -l", ["ls", "wc -l"]),
        ("ls &>/dev/null", ["ls"]),
        ("cat < /dev/null", ["cat"]),
        ("echo $HOME ${USER} $1 $?", ["echo $HOME ${USER} $1 $?"]),
        ("echo a#b", ["echo a#b"]),
        ("git commit -m 'one\ntwo'", ["git commit -m 'one\ntwo'"]),
        ('echo "it\'s"', ['echo "it\'s"']),
        (r'echo "a\"; b"', [r'echo "a\"; b"']),
    ],
)
def test_split_is_sure_of_plain_lines(text: str, expected: list[str]) -> None:
    """Quotes are respected, harmless redirections are left out, and nothing else happens in these lines."""
    line = split(text)
    assert texts(line) == expected
    assert line.unsure == ()
    assert line.hidden == ()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("echo $(id)", "a substitution"),
        ('echo "$(id)"', "a substitution"),
        ("echo `id`", "a substitution"),
        ("diff <(a) <(b)", "a substitution"),
        ("tee >(a)", "a substitution"),
        ("echo $((1+1))", "a substitution"),
        ("a > file", "a redirection"),
        ("a >> file", "a redirection"),
        ("a < file", "a redirection"),
        ("a >| /dev/null", "a redirection"),
        ("a >&file", "a redirection"),
        ("a 3>&1", "a redirection"),
        ("a <<EOF\nx\nEOF", "a redirection"),
        ("a <<< x", "a redirection"),
        ("a >", "a redirection to nowhere"),
        ("a &", "a background command"),
        ("a & b", "a background command"),
        ("(a)", "a group"),
        ("{ a; }", "a compound command"),
        ("if a; then b; fi", "a compound command"),
        ("! a", "a compound command"),
        ("a)", "unbalanced parentheses"),
        ("echo 'a", "unbalanced quotes"),
        ('echo "a', "unbalanced quotes"),
        ("echo $'a", "unbalanced quotes"),
        ("echo $(a", "a substitution that does not end"),
        ("echo $'a'", "escaped text"),
        ('echo $"a"', "translated text"),
        ("echo ${x:-y}", "an expansion"),
        ("echo ${x@P}", "an expansion"),
        ("echo $[1+1]", "an expansion"),
        ("a # b", "a comment"),
        ("a \x1b[2K", "control characters"),
        ("a\rb", "control characters"),
        ("a \u202e b", "control characters"),
        ("a$IFS-b", "a changed word separator"),
        ("a " * 40_000, "more than can be judged"),
        ("a;" * (MOST_SEGMENTS + 2), "more than can be judged"),
        ("$(" * 100, "more than can be judged"),
    ],
)
def test_split_says_what_it_is_unsure_of(text: str, why: str) -> None:
    """Each of these keeps an allow rule from covering the line."""
    assert why in split(text).unsure


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("echo $(rm x)", ["rm x"]),
        ('echo "a $(rm x) b"', ["rm x"]),
        ("echo `rm x`", ["rm x"]),
        ("diff <(rm x; ls) y", ["rm x", "ls"]),
        ("echo $(echo $(rm x))", ["rm x", "echo $(rm x)"]),
        ('echo "$(echo "$(rm x)")"', ["rm x", 'echo "$(rm x)"']),
        ("cat <<EOF\nall $(rm x) here\nEOF", ["$", "rm x", "here"]),
        ("cat <<'EOF'\nall $(rm x) here\nEOF", []),
    ],
)
def test_split_finds_commands_inside_substitutions(text: str, expected: list[str]) -> None:
    """They run, wherever they stand."""
    assert hidden(split(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        '"${x:-"\'"}" ; rm x #\'',
        "echo 'unbalanced ; rm x",
        "echo `echo \\`rm x\\``",
        'echo "$(case a in a) echo "\'";; esac)"; rm x; echo "\'"',
        "echo $((1<<2))\nrm x\n2",
        "rm$IFS'x'",
        "${x:-rm x}; rm x",
    ],
)
def test_split_also_ignores_quotes_where_quoting_is_in_doubt(text: str) -> None:
    """A deny rule still finds its command where this reading and the shell's may differ."""
    line = split(text)
    found = [" ".join(word.value for word in segment.words) for segment in (*line.segments, *line.hidden)]
    assert any(command.startswith("rm x") for command in found)


def test_split_comment_hides_nothing_behind_its_line() -> None:
    """The apostrophe in a comment opens no quote."""
    assert texts(split("ls # don't\nrm x")) == ["ls", "rm x"]


def test_split_comment_in_backquotes_ends_with_them() -> None:
    """And not at the end of the line."""
    assert texts(split("echo `# a` b; rm x")) == ["echo `# a` b", "rm x"]


def test_split_goes_on_behind_a_here_document() -> None:
    """Its body is text, whatever quotes it holds, and what follows is a command again."""
    line = split("cat <<-'END' && a\n\tdon't; rm y\n\tEND\nrm x")
    assert texts(line) == ["cat", "a", "rm x"]
    assert line.bodies == ("\tdon't; rm y",)


def test_split_keeps_here_strings_as_bodies() -> None:
    """They are what a shell on the left would run."""
    assert split("bash <<< 'rm x'").bodies == ("rm x",)


def test_split_marks_pipelines() -> None:
    """A group does not break one."""
    assert [segment.piped for segment in split("a | b; (c; d) | e && f").segments] == [
        False,
        True,
        False,
        False,
        True,
        False,
    ]


def test_split_reads_words_as_the_shell_would_pass_them() -> None:
    """Quotes, escapes and escape sequences are gone from the value, and kept in the text."""
    (segment,) = split("r\\m 'a b' \"c d\" $'\\x65\\n\\u0066\\101' e\"f\"'g'").segments
    assert [word.value for word in segment.words] == ["rm", "a b", "c d", "e\nfA", "efg"]


def test_split_reads_redirections() -> None:
    """With their descriptor and target."""
    (segment,) = split("a 2>>'b c' &> d").segments
    assert [(r.fd, r.operator, r.target.value) for r in segment.redirects] == [("2", ">>", "b c"), ("", "&>", "d")]
    assert segment.text == "a"


def test_split_cuts_what_is_too_long() -> None:
    """And says so."""
    line = split("x" * (LONGEST + 1))
    assert line.over
    assert len(line.text) == LONGEST


shell_text = st.text(alphabet=st.sampled_from("ab '\"\\$`<>|&;()#\n{}=-~*!\t\x00é")) | st.text()


@given(shell_text)
@example("`" * 50)
@example("$(" * 50)
@example("<<a" * 50)
def test_split_never_raises_and_always_ends(text: str) -> None:
    """Whatever an agent sends."""
    line = split(text)
    assert line.text == text


words = st.text(alphabet="abc;|&<>$`'\"\\ #(){}\n*", min_size=1, max_size=8)


@given(st.lists(words, min_size=1, max_size=4))
def test_split_keeps_quoted_words_whole(written: list[str]) -> None:
    """Operators inside single quotes are text, and the words come out as they went in."""
    quoted = " ".join("'" + word.replace("'", "'\\''") + "'" for word in written)
    (segment,) = split(quoted).segments
    assert [word.value for word in segment.words] == written


simple = st.lists(st.sampled_from(["git", "status", "-x", "a.b", "'q q'", '"d"']), min_size=1, max_size=4).map(" ".join)


@given(simple, st.sampled_from([";", "&&", "||", "|", "|&", "&", "\n", " ; ", " && "]), simple)
def test_split_separates_at_every_operator(left: str, operator: str, right: str) -> None:
    """What stands behind an operator is a segment of its own."""
    assert texts(split(left + operator + right)) == [left, right]


@given(simple)
def test_split_agrees_with_the_standard_library_on_plain_words(text: str) -> None:
    """Two readings of the same rules."""
    (segment,) = split(text).segments
    assert [word.value for word in segment.words] == shlex.split(text)
