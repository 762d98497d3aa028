"""What a session did, counted in its transcript."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.harnesses.claude_code.summary import LONGEST, MOST_FILES, summary
from assent.protocol.summary import Summary

FILE = "/home/u/.claude/projects/p/s.jsonl"


def told(*lines: dict[str, Any] | bytes) -> Summary | None:
    content = b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
    return summary(FILE, lambda _path, most, _end: content[:most])


def prompt(content: Any, **fields: Any) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": content}, **fields}


def answer(name: str, *blocks: dict[str, Any], usage: dict[str, int] | None = None) -> dict[str, Any]:
    return {"type": "assistant", "message": {"id": name, "content": list(blocks), "usage": usage or {}}}


def call(tool: str, **given: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": "t", "name": tool, "input": given}


def test_turns_are_prompts_of_people() -> None:
    """Neither results of tools, nor what the client adds, nor what a sub-agent is told."""
    result = prompt([{"type": "tool_result", "content": "ok"}])
    found = told(prompt("fix it"), result, prompt("note", isMeta=True), prompt("go", isSidechain=True), prompt("now"))
    assert found == Summary(turns=2)


def test_tools_and_changed_files_are_counted() -> None:
    """A file that is changed twice is one file; a file that is read is none."""
    found = told(
        answer("a", call("Edit", file_path="/p/a.py"), call("Read", file_path="/p/b.py")),
        answer("b", call("Edit", file_path="/p/a.py"), call("NotebookEdit", notebook_path="/p/n.ipynb")),
    )
    assert found is not None
    assert found.tools == {"Edit": 2, "Read": 1, "NotebookEdit": 1}
    assert (found.files, found.changed, found.calls) == (("/p/a.py", "/p/n.ipynb"), 2, 4)


def test_tokens_of_an_answer_count_once() -> None:
    """It stands there once for each of its parts."""
    used = {"input_tokens": 5, "cache_creation_input_tokens": 10, "cache_read_input_tokens": 100, "output_tokens": 7}
    found = told(answer("a", usage=used), answer("a", call("Bash"), usage=used), answer("b", usage=used))
    assert found is not None
    assert (found.tokens_in, found.tokens_out, found.tokens_cached) == (30, 14, 200)


def test_many_files_are_counted_and_some_are_listed() -> None:
    """The record stays small."""
    found = told(*(answer(str(n), call("Write", file_path=f"/p/{n}")) for n in range(MOST_FILES + 5)))
    assert found is not None
    assert (len(found.files), found.changed) == (MOST_FILES, MOST_FILES + 5)


def test_transcript_that_is_missing_empty_or_too_long_tells_nothing() -> None:
    """Half of it would tell the wrong numbers."""
    assert summary(FILE, lambda *_: None) is None
    assert told() is None
    assert summary("s.jsonl", lambda *_: b"") is None
    assert summary(FILE, lambda _path, most, _end: b"x" * min(most, LONGEST + 1)) is None


@given(
    st.lists(
        st.one_of(
            st.binary(max_size=60),
            st.recursive(
                st.none() | st.booleans() | st.integers() | st.text(max_size=5),
                lambda inner: (
                    st.lists(inner, max_size=3)
                    | st.dictionaries(
                        st.sampled_from(
                            ["type", "message", "content", "usage", "input_tokens", "name", "input", "isMeta"]
                        ),
                        inner,
                        max_size=4,
                    )
                ),
                max_leaves=8,
            ).map(lambda value: json.dumps(value).encode()),
        ),
        max_size=6,
    )
)
def test_nothing_in_the_file_raises(lines: list[bytes]) -> None:
    """Any program may have written it."""
    told(*lines)


@pytest.mark.parametrize("usage", [{"input_tokens": "5"}, {"input_tokens": -5}, {"input_tokens": True}])
def test_odd_numbers_of_tokens_are_passed_over(usage: dict[str, Any]) -> None:
    """True is not one token."""
    found = told(prompt("x"), answer("a", usage=usage))
    assert found is not None
    assert found.tokens_in == 0
