"""The plugin folder."""

import json
from pathlib import Path

from assent.harnesses.claude_code import SUBSCRIPTIONS, install
from assent.harnesses.claude_code.settings import form_of
from assent.harnesses.hook_table import handlers

FOLDER = Path(__file__).parents[4] / "plugin"


def test_committed_plugin_is_current() -> None:
    """After a change run ``python -m assent.harnesses.claude_code.install plugin``."""
    committed = {str(p.relative_to(FOLDER)): p.read_bytes() for p in FOLDER.rglob("*") if p.is_file()}
    assert committed == install.render()


def test_plugin_subscribes_the_same_events() -> None:
    """The plugin misses no event."""
    hooks = json.loads(install.render()["hooks/hooks.json"])
    assert [at[1] for at, _ in handlers(hooks)] == list(SUBSCRIPTIONS)
    assert {form_of(handler) for _, handler in handlers(hooks)} == {"shared"}


def test_plugin_holds_nothing_of_a_machine(home: Path) -> None:
    """It is published: no path of a user and no token."""
    text = b"".join(install.render().values()).decode()
    for private in (str(home), str(Path.cwd()), "Bearer", "127.0.0.1", "/home/", "/Users/", "/root"):
        assert private not in text
