"""What a verb imports that is typed all day: it is most of what its start takes."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.component.cli.conftest import DEADLINE, Terminal
from tests.component.hub_process import HubProcess, running_hub

# Modules that take longer to import than such a verb takes to run.
HEAVY = {
    *(
        "asyncio",
        "dataclasses",
        "difflib",
        "email",
        "hashlib",
        "http",
        "importlib.metadata",
        "logging",
        "multiprocessing",
    ),
    *("sqlite3", "ssl", "subprocess", "tempfile", "tomllib", "webbrowser"),
    *("cryptography", "httpx", "markdown_it", "pygments", "rich", "starlette", "textual", "uvicorn"),
}
# Every verb is loaded by these.
ALWAYS = "__main__ _version errors cli cli.main cli.output harnesses harnesses.names text"
SHOWS = "expressions text.invisible text.safe text.times text.wording"
ASKS = "paths client client.wire"
# What each may import of Assent, beside what every verb does.
OWN = {
    "--version": SHOWS,
    "--help": SHOWS,
    "status": f"{SHOWS} {ASKS} cli.status cli.common",
    "asks": (
        f"{SHOWS} {ASKS} cli.asks cli.common cli.completing text.ask_state text.who client.snapshot protocol"
        " protocol.approval protocol.bodies protocol.card protocol.context protocol.lasting protocol.modes"
        " protocol.queue protocol.record protocol.session protocol.summary protocol.terminal protocol.todos"
    ),
    # The judge is in the hub.
    "try": (
        f"{SHOWS} {ASKS} cli.try_ cli.common surroundings text.who protocol protocol.approval protocol.decision"
        " protocol.modes protocol.operations protocol.permission protocol.rule_words"
    ),
    "statusline": "cli.line paths expressions text.times text.wording",
}
LIBRARIES = {
    "status": {"click", "msgspec"},
    "asks": {"click", "msgspec"},
    "try": {"click", "msgspec"},
    "statusline": set[str](),
}
WORDS = {"try": ("git push --force",)}
LOOK = """
import atexit, sys
atexit.register(lambda: print("\\n".join(sys.modules), file=sys.stderr))
from assent.__main__ import main
main()
"""


@pytest.fixture
def hub(terminal: Terminal, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    with running_hub(tmp_path_factory.mktemp("i")) as hub:
        yield hub


def imported(hub: HubProcess, verb: str) -> set[str]:
    """Every module that was there when the verb was done."""
    done = subprocess.run(
        [sys.executable, "-c", LOOK, verb, *WORDS.get(verb, ())],
        env=hub.environ | {"LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=DEADLINE,
    )
    assert done.returncode == 0, done
    assert done.stdout
    return set(done.stderr.split())


@pytest.mark.parametrize("verb", OWN)
def test_verb_imports_no_more_than_it_needs(hub: HubProcess, verb: str) -> None:
    """A new import is made where it is used, or its verb is given it here for a reason."""
    there = imported(hub, verb)
    own = {name.removeprefix("assent.") for name in there if name.startswith("assent.")}
    always = "__main__ _version cli harnesses harnesses.names text" if verb == "statusline" else ALWAYS
    assert own - {*OWN[verb].split(), *always.split()} == set(), f"assent {verb} imports more of Assent than it did"
    hint = f"find it with python -X importtime -m assent {verb}"
    assert there & HEAVY == set(), f"assent {verb} imports what takes long: {hint}"
    assert there & {"click", "msgspec"} <= LIBRARIES.get(verb, {"click"}), f"assent {verb} imports a library: {hint}"


def test_the_look_sees_what_is_imported(hub: HubProcess) -> None:
    """A list that is always empty would hold nothing."""
    there = imported(hub, "status")
    assert {"click", "msgspec", "assent.client.wire", "assent.cli.status"} <= there


# What the first picture of `assent watch` needs: the other tabs, sheets and languages are loaded behind it.
WATCH = """
    _version actions cli cli.common cli.completing cli.main cli.output cli.watch client client.snapshot
    client.wire errors expressions filter harnesses harnesses.names hub_state paths record_text text
    text.ask_state text.invisible text.safe text.times text.who text.wording units protocol protocol.approval
    protocol.bodies protocol.card protocol.context protocol.decision protocol.lasting protocol.modes
    protocol.operations protocol.permission protocol.queue protocol.record protocol.rule_words protocol.session
    protocol.summary protocol.terminal protocol.todos protocol.usage tui tui.app tui.bars tui.ending
    tui.filter_line tui.jumping tui.keys tui.pane tui.shared tui.tabs tui.asks tui.asks.answers
    tui.asks.ask_actions tui.asks.ask_view tui.asks.ask_views tui.asks.card tui.asks.detail tui.asks.yes
    tui.drawing tui.drawing.glyphs tui.drawing.listing tui.drawing.look tui.drawing.text tui.feed tui.feed.pulse
    tui.inbox tui.inbox.pane tui.inbox.rows tui.widgets tui.widgets.prompt tui.widgets.rows tui.widgets.text
    views views.feed views.feed_asks views.feed_rows views.figures views.line views.sentences
"""
LOOK_AT_WATCH = """
import sys
import textual.app, textual.widgets
before = set(sys.modules)
import assent.cli.main, assent.cli.watch
from assent.tui.app import Watch
from assent.tui.drawing.look import found_look
print("\\n".join(set(sys.modules) - before))
"""


def test_watch_imports_no_more_than_its_first_picture_needs() -> None:
    """Beside Textual, which takes longer than all of this."""
    done = subprocess.run(
        [sys.executable, "-c", LOOK_AT_WATCH], capture_output=True, text=True, timeout=DEADLINE, check=True
    )
    there = set(done.stdout.split())
    own = {name.removeprefix("assent.") for name in there if name.startswith("assent.")}
    assert "tui.inbox.pane" in own
    assert own - set(WATCH.split()) == set(), "assent watch imports more of Assent before its first picture"
    assert {name for name in there if name in HEAVY or name.startswith("pygments")} == set()
