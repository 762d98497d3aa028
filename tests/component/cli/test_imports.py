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
        " protocol.bodies protocol.card protocol.context protocol.lasting protocol.modes protocol.queue"
        " protocol.record protocol.session protocol.summary protocol.terminal protocol.todos"
    ),
    "statusline": "cli.line paths expressions text.times text.wording",
}
LIBRARIES = {"status": {"click", "msgspec"}, "asks": {"click", "msgspec"}, "statusline": set[str]()}
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
        [sys.executable, "-c", LOOK, verb],
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
