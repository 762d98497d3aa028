"""Whether a person sits in front of a running Gemini CLI: by its terminal and its arguments, as the kernel tells them.

It decides whether its own dialog can be asked for: without a screen the client would wait for an answer for ever."""

from collections.abc import Sequence
from pathlib import Path

PROC = Path("/proc")
_TERMINALS = ("/dev/pts/", "/dev/tty")


def is_attended(pid: int, proc: Path = PROC) -> bool | None:
    """None where that cannot be told."""
    folder = proc / str(pid)
    try:
        has_screen = all(str((folder / "fd" / name).readlink()).startswith(_TERMINALS) for name in ("0", "1"))
        words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return None
    return has_screen and not has_prompt(words)


def has_prompt(words: Sequence[str]) -> bool:
    """Whether a prompt is given as an option: it is then answered without a screen. One letter may stand among others,
    so every group with a p in it counts; a prompt without an option opens the screen."""
    return any(
        word.partition("=")[0] == "--prompt" or (word.startswith("-") and word[1:2] != "-" and "p" in word)
        for word in words
    )
