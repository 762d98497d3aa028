"""Table of user actions, by name: one table for the page, the terminal UI and the command line.

The page reads a copy in JavaScript, which `make docs` writes."""

from dataclasses import dataclass

from assent.text.wording import TELLING, offer


@dataclass(frozen=True, slots=True)
class Action:
    name: str
    # As it is pressed: two letters one after the other, "" where only the palette has it.
    key: str
    words: str
    # The same in the shell; "" for what only moves around on a screen.
    shell: str = ""

    @property
    def room(self) -> str:
        """What it is about: list, ask, view, page, feed, go."""
        return self.name.partition(".")[0]


ACTIONS = (
    Action("list.next", "j", "next row"),
    Action("list.previous", "k", "previous row"),
    Action("ask.open", "Enter", "open", "answer ID"),
    Action("ask.next", "n", "next that needs me", "asks"),
    Action("ask.allow", "a", "allow once (Care: then Enter; Danger: type the match word)", "answer ID allow"),
    Action("ask.stop_asking", "A", "stop asking for this here…", "answer ID allow_here"),
    Action("ask.allow_for", "m", offer("allow_for").lower(), "answer ID allow_for"),
    Action("ask.allow_session", "s", offer("allow_session").lower(), "answer ID allow_session"),
    Action("ask.always", "R", "always: write a rule…", "answer ID allow_project"),
    Action("ask.deny", "d", offer("deny").lower(), "answer ID deny"),
    Action("ask.deny_tell", "D", TELLING["deny"].lower(), "answer ID deny --message TEXT"),
    Action("ask.deny_here", "N", offer("deny_here").lower(), "answer ID deny_here"),
    Action("ask.edit", "e", "edit the input…", "answer ID allow_edited"),
    Action("ask.deny_stop", "x", offer("deny_and_stop").lower(), "answer ID deny_and_stop"),
    Action("ask.hand_back", "t", offer("hand_back").lower(), "answer ID hand_back"),
    Action("ask.alike", "=", "answer those like it, too…"),
    Action("ask.note", "", "allow with a note…", "answer ID allow --message TEXT"),
    Action("ask.cancel", "", offer("cancel").lower(), "answer ID cancel"),
    Action("ask.undo", "u", "undo while possible"),
    Action("ask.raw", "r", "raw JSON", "asks --json"),
    Action("ask.copy", "y", "copy"),
    Action("ask.queue", "c", "queue an instruction", "queue SESSION add TEXT"),
    Action("ask.jump", "T", "go to its terminal", "jump SESSION"),
    Action("ask.test", "", "send a test ask"),
    Action("ask.end", "End", "to the end of the text"),
    Action("view.diff", "v", "diff: the next way to draw it"),
    Action("view.previous", "[", "previous file or hunk"),
    Action("view.next", "]", "next file or hunk"),
    Action("view.pick", "1-9", "pick an option (question only)", "answer ID answer"),
    Action("view.other", "o", "other answer (question only)", "answer ID answer"),
    Action("view.peek", "Space", "page down"),
    Action("list.filter", "/", "filter", "asks FILTER"),
    Action("page.palette", ":", "command palette"),
    Action("page.help", "?", "help for this screen", "--help"),
    Action("page.quiet", "z", "quiet 15 min / 1 h / until morning", "quiet TIME"),
    Action("page.back", "q", "back; never answers"),
    Action("feed.lanes", "L", "lanes"),
    Action("go.inbox", "g i", "go to Inbox", "asks"),
    Action("go.sessions", "g s", "go to Sessions", "sessions"),
    Action("go.feed", "g f", "go to Feed", "log --follow"),
    Action("go.log", "g l", "go to Log", "log"),
    Action("go.rules", "g r", "go to Rules", "rules list"),
    Action("go.grants", "g a", "go to Grants", "grants"),
    Action("go.settings", "g ,", "go to Settings", "status"),
)
# Other keys for the same.
ALSO = {"Down": "list.next", "Up": "list.previous", "Escape": "page.back"}

BY_NAME = {action.name: action for action in ACTIONS}
BY_KEY = {action.key: action for action in ACTIONS if action.key} | {key: BY_NAME[name] for key, name in ALSO.items()}
# A key that waits for a second one.
PREFIXES = frozenset(action.key.split()[0] for action in ACTIONS if " " in action.key)


def is_harmless(name: str) -> bool:
    """It only moves or looks: it may come at any moment, and again and again while a key is held."""
    return name.partition(".")[0] in ("list", "go", "page", "view", "feed") or name in _HARMLESS_ASKS


_HARMLESS_ASKS = frozenset({"ask.open", "ask.next", "ask.end", "ask.raw", "ask.copy"})
