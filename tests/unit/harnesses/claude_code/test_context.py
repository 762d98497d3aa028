"""How full a context is, from the end of a transcript that any program may have written."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from assent.harnesses.claude_code.context import END, context, window
from assent.policy import world
from assent.protocol.context import Context

USED = {"input_tokens": 100, "output_tokens": 20, "cache_creation_input_tokens": 40, "cache_read_input_tokens": 30_000}
OPUS = "claude-opus-5-5"


def read(path: str, most: int, is_end: bool) -> bytes | None:
    return world.read_part(path, most, -most if is_end else 0)


def answer(model: str = OPUS, usage: Any = None, **more: Any) -> dict[str, Any]:
    return {"type": "assistant", "message": {"id": "m", "model": model, "usage": usage or USED}, **more}


def told(tmp_path: Path, *lines: Any, model: str = "") -> Context | None:
    file = tmp_path / "s1.jsonl"
    file.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return context(str(file), model, read)


def test_last_answer_of_the_main_agent_counts(tmp_path: Path) -> None:
    """All that it read and wrote; results, sub-agents and broken lines are passed over."""
    side = answer(usage={"input_tokens": 5}, isSidechain=True)
    result = {"type": "user", "message": {"content": [{"usage": "x"}]}}
    found = told(tmp_path, answer(usage={"input_tokens": 9}), answer(), side, result, '{"usage"', "{}")
    assert found == Context(30_160, 1_000_000, OPUS)


@pytest.mark.parametrize(
    "usage",
    [{"input_tokens": 0}, {"input_tokens": -5, "output_tokens": 9}, {"input_tokens": "9"}, {"output_tokens": 1}],
)
def test_answer_without_counts_is_none(tmp_path: Path, usage: dict[str, Any]) -> None:
    """The client writes its own words down as answers, too."""
    assert told(tmp_path, answer(usage=usage)) is None


def test_nothing_is_known_after_a_compaction(tmp_path: Path) -> None:
    """Until the model has answered again. A result that only names the word is no compaction."""
    boundary = {"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"}
    assert told(tmp_path, answer(), boundary) is None
    assert told(tmp_path, boundary, answer()) is not None
    assert told(tmp_path, answer(), {"type": "user", "message": '"compact_boundary"'}) is not None


@pytest.mark.parametrize(
    ("answered", "session", "size"),
    [
        (OPUS, "", 1_000_000),
        ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5-20250929", 200_000),
        ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5-20250929[1m]", 1_000_000),
        # Widened or not is not known without the session's own word.
        ("claude-sonnet-4-5-20250929", "", 0),
        ("claude-sonnet-4-5-20250929", OPUS, 0),
        ("my-gateway-model", "my-gateway-model", 0),
        ("claude-nonesuch-9", "claude-nonesuch-9", 0),
    ],
)
def test_window_is_known_for_measured_models_alone(answered: str, session: str, size: int) -> None:
    """Anything else would be a guess."""
    assert window(answered, session) == size


def test_window_that_is_exceeded_is_not_the_right_one(tmp_path: Path) -> None:
    """Then the tokens are told alone."""
    name = "claude-haiku-4-5"
    assert told(tmp_path, answer(name, {"input_tokens": 200_001}), model=name) == Context(200_001, 0, name)


def test_only_the_end_of_a_regular_file_is_read(tmp_path: Path) -> None:
    """What stands further up, a pipe, and other names tell nothing."""
    assert told(tmp_path, answer(), "x" * END) is None
    os.mkfifo(tmp_path / "p.jsonl")
    assert context(str(tmp_path / "p.jsonl"), "", read) is None
    assert context("relative.jsonl", "", read) is None
    assert context("/etc/passwd", "", read) is None
