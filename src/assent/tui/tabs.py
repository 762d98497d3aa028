"""The tabs in their order. One is opened with the program, the others are loaded while it is looked at."""

from assent.tui.feed.pulse import Pulse
from assent.tui.pane import Pane
from assent.tui.shared import Shared

FIRST = "inbox"
# Each by its id.
TITLES = {FIRST: "Inbox", "sessions": "Sessions", "feed": "Feed", "log": "Log", "rules": "Rules"}


def others(shared: Shared, pulse: Pulse) -> list[Pane]:
    """All but the first."""
    from assent.tui.feed.pane import FeedPane
    from assent.tui.log.pane import Log
    from assent.tui.rules.pane import Rules
    from assent.tui.sessions.pane import Sessions

    return [
        Sessions(shared, id="sessions"),
        FeedPane(shared, pulse, id="feed"),
        Log(shared, id="log"),
        Rules(shared, id="rules"),
    ]
