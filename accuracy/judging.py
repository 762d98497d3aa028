"""Judges lines as a user meets them: no rules, the default stance, a project under git, a home outside temp."""

import contextlib
import os
import pwd
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from accuracy import projects
from accuracy.corpus import Line
from assent import paths
from assent.config import Config
from assent.learn.replayer import Court
from assent.policy.call import Scene
from assent.protocol.events import PreToolUse

ROOT = Path(__file__).parent.parent
_GIT_FOLDER = re.compile(r"/[^\s()]*/\.git\b[^\s()]*")
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
    with shop() as (court, scene):
        return [Judged(line, *answer(court, scene, event_of(line.command, scene.project))) for line in lines]


def event_of(command: str, project: Path, mode: str = "default") -> PreToolUse:
    return PreToolUse(
        session_id="s",
        cwd=str(project),
        permission_mode=mode,
        tool_name="Bash",
        tool_input={"command": command},
    )


def answer(court: Court, scene: Scene, event: PreToolUse) -> tuple[str, str]:
    """The word that decides, and why."""
    verdict = court.judge(event, scene)
    if failed := next((each for each in verdict.trace if each.by.startswith("judge:")), None):
        # Heard as a prompt by a user, which would look like a success here.
        raise AssertionError(f"The judge failed on {event.tool_input!r}: {failed.why}")
    spoke = next((each for each in verdict.trace if each.by == verdict.by), None)
    # The projects lie inside of this repository, whose path on this machine does not belong on the page.
    return verdict.decision.word, "" if spoke is None else _GIT_FOLDER.sub("…/.git", spoke.why)


@contextlib.contextmanager
def shop() -> Iterator[tuple[Court, Scene]]:
    """A small project under git."""
    with home() as (folder, court):
        project = folder / "shop"
        projects.write(project, _FILES)
        yield court, Scene(project=project, attended=True)


@contextlib.contextmanager
def home() -> Iterator[tuple[Path, Court]]:
    """An empty home folder that is the user's as long as this lasts, and a court without rules."""
    with tempfile.TemporaryDirectory(prefix="accuracy-", dir=_outside_temp()) as name:
        folder = Path(name).resolve()
        before = os.environ.get("HOME")
        os.environ["HOME"] = str(folder)
        try:
            found = paths.find({"HOME": str(folder)})
            yield folder, Court(found, Config(), found.rules)
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
