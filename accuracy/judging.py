"""Judges lines as a user meets them: no rules, the default stance, a project under git, a home outside temp."""

import contextlib
import os
import pwd
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from accuracy.corpus import Line
from assent import paths
from assent.config import Config
from assent.learn.court import Court
from assent.policy.voice import Scene
from assent.protocol.events import PreToolUse

ROOT = Path(__file__).parent.parent
_TEMPORARY = ("/tmp/", "/var/tmp/", "/private/", "/var/folders/", "/dev/shm/")
_FILES = {
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/config": "[core]\n\tbare = false\n",
    "README.md": "# shop\n",
    "src/app.py": "print('shop')\n",
    "tests/test_app.py": "",
}


class Judged(msgspec.Struct, frozen=True):
    line: Line
    # "allow", "no_opinion" (left to the agent's own rules), "prompt" or "deny"
    word: str
    why: str


def judge(lines: Iterable[Line]) -> list[Judged]:
    with _project() as (court, scene):
        return [_judged(court, scene, line) for line in lines]


def _judged(court: Court, scene: Scene, line: Line) -> Judged:
    event = PreToolUse(
        session_id="s",
        cwd=str(scene.project),
        permission_mode="default",
        tool_name="Bash",
        tool_input={"command": line.command},
    )
    verdict = court.judge(event, scene)
    if failed := next((each for each in verdict.trace if each.by.startswith("judge:")), None):
        # Heard as a prompt by a user, which would look like a success here.
        raise AssertionError(f"The judge failed on {line.command!r}: {failed.why}")
    spoke = next((each for each in verdict.trace if each.by == verdict.by), None)
    return Judged(line, verdict.decision.word, "" if spoke is None else spoke.why)


@contextlib.contextmanager
def _project() -> Iterator[tuple[Court, Scene]]:
    with tempfile.TemporaryDirectory(prefix="accuracy-", dir=_outside_temp()) as name:
        home = Path(name).resolve()
        project = home / "shop"
        for path, text in _FILES.items():
            (project / path).parent.mkdir(parents=True, exist_ok=True)
            (project / path).write_text(text)
        before = os.environ.get("HOME")
        os.environ["HOME"] = str(home)
        try:
            found = paths.find({"HOME": str(home)})
            yield Court(found, Config(), found.rules), Scene(project=project, attended=True)
        finally:
            if before is None:
                del os.environ["HOME"]
            else:
                os.environ["HOME"] = before


def _outside_temp() -> Path:
    """In the temp folder everything may be deleted, so ``rm -rf ~`` would look harmless there."""
    for folder in (ROOT / ".work", Path(pwd.getpwuid(os.getuid()).pw_dir) / ".cache"):
        if not f"{folder.resolve()}/".startswith(_TEMPORARY):
            folder.mkdir(exist_ok=True, parents=True)
            return folder
    raise OSError("Nothing was judged: project and home both lie in a temporary folder. Move the project elsewhere.")
