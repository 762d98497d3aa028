"""Patches of ``apply_patch``: read as a whole, or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.harnesses.apply_patch import BEGIN, END, files_of, in_command
from assent.protocol.operations import FileChange, Part

WORDS = st.text(alphabet="ab +-@*.\t\u2028\r", max_size=6)
NAMES = st.lists(st.text(alphabet="abc/._", min_size=1, max_size=8), unique=True, min_size=1, max_size=4)


def patch(*lines: str) -> str:
    return "\n".join([BEGIN, *lines, END])


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("*** Add File: a", "+one", "+", "+two"), [FileChange(path="a", new="one\n\ntwo\n")]),
        (("*** Add File: a",), [FileChange(path="a", new="")]),
        (("*** Delete File: a b",), [FileChange(path="a b")]),
        (
            ("*** Update File: a", "@@ def f():", " x", "-y", "+z", "", "*** End of File"),
            [
                FileChange(
                    path="a",
                    old="x\ny\n\n",
                    new="x\nz\n\n",
                    parts=(Part(old="x\ny\n\n", new="x\nz\n\n", after="def f():"),),
                )
            ],
        ),
        (
            ("*** Update File: a", "-y", "+z", "@@", "+w"),
            [
                FileChange(
                    path="a", old="y\n", new="z\nw\n", parts=(Part(old="y\n", new="z\n"), Part(old="", new="w\n"))
                )
            ],
        ),
        (
            ("*** Update File: a", "*** Move to: b", "@@", "-y", "+z"),
            [
                FileChange(path="a"),
                FileChange(path="b", old="y\n", new="z\n", parts=(Part(old="y\n", new="z\n"),), moved_from="a"),
            ],
        ),
        (
            ("*** Update File: a", "*** Move to: b"),
            [FileChange(path="a"), FileChange(path="b", old="", new="", moved_from="a")],
        ),
    ],
)
def test_file_is_added_deleted_changed_or_moved(lines: tuple[str, ...], expected: list[FileChange]) -> None:
    assert files_of(patch(*lines)) == tuple(expected)


def test_several_files_keep_their_order() -> None:
    text = patch("*** Add File: a", "+1", "*** Delete File: b", "*** Update File: c", "@@", "-x", "+y")
    assert [file.path for file in files_of(text)] == ["a", "b", "c"]


@pytest.mark.parametrize("text", [f"\n{patch('*** Add File: a', '+1')}\n\n", patch("*** Add File: a", "+1\r")])
def test_space_around_it_and_line_ends_of_windows_change_nothing(text: str) -> None:
    assert [file.path for file in files_of(text)] == ["a"]


@pytest.mark.parametrize("word", ["<<'EOF'", '<<"EOF"', "<<EOF"])
def test_marks_of_a_document_around_it_are_passed_over(word: str) -> None:
    """As the client does."""
    assert files_of(f"{word}\n{patch('*** Delete File: a')}\nEOF") == (FileChange(path="a"),)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no patch",
        BEGIN,
        patch(),
        patch("*** Add File: a", "+1").removesuffix(END),
        patch("*** Add File: a", "no plus"),
        patch("*** Add File: "),
        patch("*** Add File: a\x00b"),
        patch("*** Delete File: a", "+1"),
        patch("*** Update File: a"),
        patch("*** Update File: a", "@@"),
        patch("*** Update File: a", "@@ one", "@@ two", "-x"),
        patch("*** Update File: a", "@@", "-x", "*** End of File", "-y"),
        patch("*** Rename File: a"),
        patch("*** Add File: a", "+1", END, "*** Delete File: b"),
        patch("*** Add File: a", "+1", "  *** Delete File: b"),
        patch("*** Update File: a", "@@", " x", "  *** Delete File: b", "-y"),
        patch("*** Delete File: a", "*** Add File: a", "+1"),
    ],
)
def test_what_could_be_read_in_two_ways_is_not_read(text: str) -> None:
    """A file must not hide behind another: none at all is a danger."""
    assert files_of(text) == ()


@given(
    st.text()
    | st.lists(st.sampled_from([BEGIN, END, "*** Add File: a", "@@", "+x", "*** Move to: b", " *** x"])).map("\n".join)
)
def test_bad_input_never_raises(text: str) -> None:
    files_of(text)
    in_command(text)


@given(NAMES, st.lists(WORDS, max_size=4))
def test_every_file_is_seen_and_nothing_of_its_text_is_lost(names: list[str], lines: list[str]) -> None:
    """Whatever stands in the lines, they are no names of files."""
    body = [f"+{line.removesuffix(chr(13))}" for line in lines]
    text = patch(*(line for name in names for line in (f"*** Add File: {name}", *body)))
    assert files_of(text) == tuple(
        FileChange(path=name, new="".join(f"{line[1:]}\n" for line in body)) for name in names
    )


@given(
    st.lists(st.sampled_from(["*** Add File: ", "*** Delete File: ", "*** Update File: ", "*** Move to: "]), max_size=5)
)
def test_every_name_in_a_patch_that_is_read_is_judged(heads: list[str]) -> None:
    """None is dropped: each becomes a path, or the whole is not read."""
    named = [f"f{number}" for number in range(len(heads))]
    read = files_of(patch(*(head + name for head, name in zip(heads, named, strict=True))))
    assert not read or [file.path for file in read] == named


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("apply_patch <<'EOF'\n{}\nEOF\n", "a"),
        ('applypatch << "X"\n{}\nX', "a"),
        # Nothing in it that a shell would put a value in for.
        ("apply_patch <<EOF\n{}\nEOF", "a"),
        ("cd /etc && apply_patch <<'EOF'\n{}\nEOF", "/etc/a"),
        ("cd '../my dir'&&apply_patch <<EOF\n{}\nEOF", "../my dir/a"),
        ('cd "sub" && applypatch <<EOF\n{}\nEOF', "sub/a"),
    ],
)
def test_line_that_only_hands_over_a_patch_is_that_patch(line: str, path: str) -> None:
    """In the folder that it names: the client goes there by itself and starts no shell."""
    assert in_command(line.format(patch("*** Delete File: a"))) == (FileChange(path=path),)


def test_file_that_is_moved_keeps_its_folder() -> None:
    text = patch("*** Update File: a", "*** Move to: /b")
    read = in_command(f"cd sub && apply_patch <<'EOF'\n{text}\nEOF") or ()
    assert [(file.path, file.moved_from) for file in read] == [("sub/a", None), ("/b", "sub/a")]


@pytest.mark.parametrize(
    "line",
    [
        "apply_patch <<'EOF'\n{}\nEOF\ntouch b",
        "apply_patch <<'EOF'\nEOF\n{}\nEOF",
        "touch b; apply_patch <<'EOF'\n{}\nEOF",
        "cd ~ && apply_patch <<'EOF'\n{}\nEOF",
        "cd ~/x && apply_patch <<'EOF'\n{}\nEOF",
        "cd - && apply_patch <<'EOF'\n{}\nEOF",
        "cd \"$HOME\" && apply_patch <<'EOF'\n{}\nEOF",
        "cd a && cd b && apply_patch <<'EOF'\n{}\nEOF",
        "cd a &&\napply_patch <<'EOF'\n{}\nEOF",
        "# a word\napply_patch <<'EOF'\n{}\nEOF",
        "sh -c \"apply_patch <<'EOF'\n{}\nEOF\"",
        "apply_patch '{}'",
        "echo '{}' | applypatch",
        "apply_patch <<EOF\n*** Begin Patch\n*** Add File: a\n+$(id)\n*** End Patch\nEOF",
        "apply_patch <<'EOF'\nno patch\nEOF",
    ],
)
def test_patch_in_a_line_that_does_more_is_not_read(line: str) -> None:
    """Nor is it a line of a shell: the client may take it for itself, and write what no shell would."""
    assert in_command(line.replace("{}", patch("*** Delete File: a"))) == ()


@pytest.mark.parametrize(
    "line",
    [
        "grep -rn apply_patch src",
        "cat apply_patch.py <<'EOF'\nx\nEOF",
        "cat <<'EOF'\n*** Begin Patch\nEOF",
        "<<'EOF'\n*** Begin Patch\nEOF",
        "./my-apply_patch <<'EOF'\nx\nEOF",
    ],
)
def test_line_without_a_patch_stays_a_line_of_a_shell(line: str) -> None:
    assert in_command(line) is None
