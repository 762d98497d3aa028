"""The screens of the terminal UI, in the order of their keys."""

from assent.tui.feed.pane import FeedPane
from assent.tui.feed.pulse import Pulse
from assent.tui.inbox.pane import Inbox
from assent.tui.log.pane import Log
from assent.tui.pane import Pane
from assent.tui.rules.pane import Rules
from assent.tui.sessions.pane import Sessions
from assent.tui.shared import Shared


def panes(shared: Shared, pulse: Pulse) -> list[Pane]:
    return [
        Inbox(shared, pulse, id="inbox"),
        Sessions(shared, id="sessions"),
        FeedPane(shared, pulse, id="feed"),
        Log(shared, id="log"),
        Rules(shared, id="rules"),
    ]
