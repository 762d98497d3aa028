"""The shell beside the real Claude Code: its status line, and an answer with keys."""

import json
import shlex
import sys

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.model import bash, say
from tests.e2e.lab.terminal import Terminal
from tests.e2e.lab.waiting import until

ASSENT = [sys.executable, "-I", "-m", "assent"]


def test_ask_is_answered_in_the_shell_and_the_status_line_tells(lab: LabFactory) -> None:
    """The client draws what `assent statusline` prints; `assent answer` shows the card, a key allows, the tool runs."""
    here = lab([[bash("touch one.txt")], [say("Done.")]])
    home = f"ASSENT_HOME={shlex.quote(here.hub.environ['ASSENT_HOME'])}"
    line = {"type": "command", "command": f"env {home} {shlex.join(ASSENT)} statusline"}
    here.user_settings().write_text(f'{{"statusLine": {json.dumps(line)}}}\n')
    here.install()
    here.hub.start()
    (here.folder / "shell").mkdir()
    environ = {**here.hub.environ, "TERM": "xterm-256color", "PS1": "$ "}
    # Open before the agent starts: of a terminal that comes later, the hub cannot tell whose it is.
    person = Terminal(here.folder / "shell", here.project, environ, ["sh"])
    agent = here.terminal()
    agent.wait_for("✓ assent")
    agent.submit("go")
    ask = here.hub.wait_for_ask()
    agent.wait_for_dialog()
    try:
        person.submit(f"exec {shlex.join([*ASSENT, 'answer', ask['id']])}")
        shown = person.wait_for("q leave")
        assert "◐ Change · " in shown
        assert "touch one.txt" in shown
        person.press("a")
        person.wait_for("Allowed. Claude was told.")
        until(person.has_ended, "the end of the answer")
    finally:
        person.close()
    here.model.wait_for(2)
    assert (here.project / "one.txt").exists()
