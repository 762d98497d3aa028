"""Whether a person sits in front of the client, by what the kernel says of its process."""

import os
from pathlib import Path

import pytest

from assent.harnesses.gemini.process import has_prompt, is_attended


def process(folder: Path, words: list[str], stdin: str = "/dev/pts/1", stdout: str = "/dev/pts/1") -> Path:
    (folder / "7/fd").mkdir(parents=True)
    (folder / "7/fd/0").symlink_to(stdin)
    (folder / "7/fd/1").symlink_to(stdout)
    (folder / "7/cmdline").write_bytes(b"".join(word.encode() + b"\0" for word in words))
    return folder


def test_terminal_without_a_prompt_is_attended(tmp_path: Path) -> None:
    assert is_attended(7, process(tmp_path, ["node", "gemini.js", "--yolo"])) is True


@pytest.mark.parametrize("streams", [{"stdin": "/dev/null"}, {"stdout": "pipe:[4]"}])
def test_run_without_a_terminal_is_not(tmp_path: Path, streams: dict[str, str]) -> None:
    """The client shows its screen only where both are one."""
    assert is_attended(7, process(tmp_path, ["node", "gemini.js"], **streams)) is False


def test_run_with_a_prompt_is_not(tmp_path: Path) -> None:
    """Though it was started in a terminal."""
    assert is_attended(7, process(tmp_path, ["node", "gemini.js", "-p", "go"])) is False


def test_process_that_is_gone_tells_nothing(tmp_path: Path) -> None:
    assert is_attended(7, tmp_path) is None
    assert is_attended(os.getpid()) in (True, False)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["-p", "go"], True),
        (["--prompt", "go"], True),
        (["--prompt=go"], True),
        (["-yp", "go"], True),
        (["-pgo"], True),
        (["--prompt-interactive", "go"], False),
        (["-i", "go"], False),
        (["go on", "--approval-mode", "plan"], False),
    ],
)
def test_prompt_as_an_option_is_seen(words: list[str], expected: bool) -> None:
    """Doubt means that no dialog can be asked for: the client would wait for ever."""
    assert has_prompt(["node", "--max-old-space-size=9", "gemini.js", *words]) is expected
