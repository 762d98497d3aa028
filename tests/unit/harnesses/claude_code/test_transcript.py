"""What an agent said before a call: from the end of a file that anybody may have written."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from assent.harnesses.base import SaidBefore
from assent.harnesses.claude_code.transcript import END, said_before
from assent.policy import world
from assent.protocol.events import PermissionRequest

GIVEN = {"command": "ls"}


def read(path: str, most: int, is_end: bool) -> bytes | None:
    return world.read_part(path, most, -most if is_end else 0)


def says(text: str, message: str = "m1", **more: Any) -> dict[str, Any]:
    return {"type": "assistant", "message": {"id": message, "content": [{"type": "text", "text": text}]}, **more}


def calls(use: str = "toolu_1", message: str = "m1", given: Any = GIVEN, **more: Any) -> dict[str, Any]:
    block = {"type": "tool_use", "id": use, "name": "Bash", "input": given}
    return {"type": "assistant", "message": {"id": message, "content": [block]}, **more}


def user(content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": content}, **more}


def event(path: Path | str, agent: str | None = None) -> PermissionRequest:
    return PermissionRequest(
        session_id="s1", transcript_path=str(path), agent_id=agent, tool_name="Bash", tool_input=GIVEN
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "s1.jsonl"


def written(file: Path, *lines: Any) -> PermissionRequest:
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return event(file)


def test_words_of_the_message_with_the_call_are_found(file: Path) -> None:
    """Both texts of it, whatever stands between them and the call."""
    asked = written(file, user("go"), says("First."), says("Then this."), {"type": "mode"}, calls(), {"type": "x"})
    assert said_before(asked, "toolu_1", read) == SaidBefore("First.\n\nThen this.")


def test_call_without_words_has_those_of_the_message_before(file: Path) -> None:
    """As long as the same turn goes on; results of tools are no turn."""
    result = user([{"type": "tool_result", "content": "ok"}])
    lines = (user("go"), says("I look around.", "m1"), calls("toolu_0"), result, calls("toolu_1", "m2"))
    assert said_before(written(file, *lines), "toolu_1", read) == SaidBefore("I look around.")
    assert said_before(written(file, says("Old."), user("go"), calls()), "toolu_1", read) == SaidBefore()


def test_call_that_is_not_written_yet_is_waited_for(file: Path) -> None:
    """None is not the same as nothing said."""
    assert said_before(written(file, user("go"), says("I look.")), "toolu_1", read) is None
    assert said_before(event(file, "a1"), "toolu_1", read) is None


def test_call_without_a_name_is_found_by_what_it_does(file: Path) -> None:
    """The newest of its kind."""
    lines = (says("Other.", "m0"), calls("toolu_0", "m0", {"command": "pwd"}), says("This."), calls())
    assert said_before(written(file, *lines), None, read) == SaidBefore("This.")


def test_sub_agent_has_a_file_of_its_own_with_its_task(file: Path) -> None:
    """Its hooks name the file of the main agent."""
    own = file.with_suffix("") / "subagents" / "agent-a1.jsonl"
    own.parent.mkdir(parents=True)
    side: dict[str, Any] = {"isSidechain": True, "agentId": "a1"}
    lines = (user("Find the leak.", **side), says("I grep.", **side), calls(**side))
    own.write_text("\n".join(map(json.dumps, lines)))
    written(file, says("Main."), calls())
    assert said_before(event(file, "a1"), "toolu_1", read) == SaidBefore("I grep.", "Find the leak.")
    assert said_before(event(file, "../../etc"), "toolu_1", read) == SaidBefore()


def test_lines_of_sub_agents_are_not_the_main_agents_words(file: Path) -> None:
    """Older clients wrote all into one file."""
    lines = (user("go"), says("Mine."), says("Not mine.", "m9", isSidechain=True), calls())
    assert said_before(written(file, *lines), "toolu_1", read) == SaidBefore("Mine.")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "null",
        "[" * 10_000,
        '"assistant"',
        '{"type": "assistant"}',
        '{"type": "assistant", "message": []}',
        '{"type": "assistant", "message": {"id": 3, "content": "text"}}',
        '{"type": "assistant", "message": {"content": [1, {"type": "text", "text": 3}, {"type": "text"}]}}',
        '{"type": "user", "message": {"content": {"a": 1}}}',
        "\x00\xff",
    ],
)
def test_lines_of_another_shape_are_passed_over(file: Path, line: str) -> None:
    """Nothing in the file can do more than be not found."""
    whole = [json.dumps(says("Before.")), line, json.dumps(calls())]
    file.write_bytes("\n".join(whole).encode("latin-1"))
    assert said_before(event(file), "toolu_1", read) == SaidBefore("Before.")


def test_only_the_end_is_read(file: Path) -> None:
    """However long a session is; of a line that is cut nothing is taken."""
    asked = written(file, says("Far away."), user([{"content": "x" * END}]), calls())
    assert said_before(asked, "toolu_1", read) == SaidBefore()
    assert said_before(written(file, says("x" * END), calls()), "toolu_1", read) == SaidBefore()


def test_what_is_no_regular_file_is_not_read(file: Path) -> None:
    """Nothing, a link, a pipe that nobody writes to, a folder: none of them is waited for."""
    assert said_before(event(file), "toolu_1", read) == SaidBefore()
    real = file.with_name("real.jsonl")
    written(real, says("Linked."), calls())
    file.symlink_to(real)
    assert said_before(event(file), "toolu_1", read) == SaidBefore()
    file.unlink()
    os.mkfifo(file)
    assert said_before(event(file), "toolu_1", read) == SaidBefore()
    file.unlink()
    file.mkdir()
    assert said_before(event(file), "toolu_1", read) == SaidBefore()


@pytest.mark.parametrize("path", ["", "relative.jsonl", "/etc/passwd"])
def test_what_is_no_transcript_says_nothing(path: str) -> None:
    """And is not opened."""
    assert said_before(event(path), "toolu_1", lambda *_: pytest.fail("it was read")) == SaidBefore()
