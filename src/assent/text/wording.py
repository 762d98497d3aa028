"""The table of words: what every choice, ending, state and risk is called, its sign, and the role of its colour.

Python reads it here; ``scripts/wording.py`` writes ``web/wording.js`` from it for the page. A role is the name of a
colour of the theme: the terminal UI and the page have a colour of that name, and ``cli/output.py`` says which style of
a plain terminal stands for it. Every sign takes one cell and has a twin in plain letters."""

from typing import TYPE_CHECKING, NamedTuple

from assent.expressions import later
from assent.text import times

if TYPE_CHECKING:
    # Not needed to run, and a status line has no time for it.
    from assent.protocol.bodies import AskKind, Choice, Ending
    from assent.protocol.card import Flag, GrantScope, ShownAsk
    from assent.protocol.lasting import Given
    from assent.protocol.queue import Goal


class Word(NamedTuple):
    word: str
    sign: str = ""
    role: str = ""

    @property
    def text(self) -> str:
        """``✓ ran``"""
        return f"{self.sign} {self.word}".lstrip()


class ChoiceWords(NamedTuple):
    # On a button.
    offer: str
    # What was done, within a sentence; at its beginning with a capital letter.
    past: str
    # The same for a column of the log.
    short: str
    # Beside its key, where there is little room.
    hint: str
    # After "Yes, ", where a second press is asked for.
    confirm: str = ""


RISKS: "dict[str, Word]" = {
    "look": Word("Look", "○", "look"),
    "change": Word("Change", "◐", "change"),
    "care": Word("Care", "▲", "care"),
    "danger": Word("Danger", "■", "danger"),
}
KINDS: "dict[str, Word]" = {
    "question": Word("Question", "?"),
    "plan": Word("Plan", "¶"),
    "form": Word("Form", "✎"),
    "stop": Word("Turn ended", "◇"),
}
CHOICES: "dict[Choice, ChoiceWords]" = {
    "allow": ChoiceWords("Allow once", "allowed", "allowed once", "allow", "allow it"),
    "allow_edited": ChoiceWords("Edit…", "allowed with changes", "allowed, changed", "edit", "allow the edited input"),
    "allow_here": ChoiceWords(
        "Stop asking here",
        "allowed, and no longer asked about here",
        "allowed, stays",
        "stop asking",
        "allow it and stop asking for this here",
    ),
    "allow_for": ChoiceWords(
        "Allow for some minutes…", "allowed for a while", "allowed, a while", "minutes…", "allow it for a while"
    ),
    "allow_session": ChoiceWords(
        "Allow for this session", "allowed for the session", "allowed, session", "session", "allow for this session"
    ),
    "allow_project": ChoiceWords(
        "Always…", "allowed for the project", "allowed, project", "always…", "allow it in this project"
    ),
    "allow_user": ChoiceWords(
        "Always…", "allowed for all projects", "always allowed", "always…", "allow it in all my projects"
    ),
    "deny": ChoiceWords("Deny", "denied", "denied", "deny"),
    "deny_here": ChoiceWords("Always deny…", "denied for good", "always denied", "never…"),
    "deny_and_stop": ChoiceWords("Deny and stop the turn", "denied, and the turn stopped", "denied, stopped", "stop"),
    "hand_back": ChoiceWords("Leave for the terminal", "left for the terminal", "left for the terminal", "terminal"),
    "answer": ChoiceWords("Submit", "answered", "answered", "submit", "send it"),
    "approve": ChoiceWords("Approve plan", "approved", "approved", "approve", "approve it"),
    "revise": ChoiceWords("Send notes", "sent back with notes", "sent back", "send notes"),
    "submit": ChoiceWords("Submit", "filled in", "filled in", "submit", "send it"),
    "decline": ChoiceWords("Decline", "declined", "declined", "decline"),
    "cancel": ChoiceWords("Cancel the form", "cancelled", "cancelled", "cancel"),
    "keep_going": ChoiceWords("Keep going", "kept going", "kept going", "keep going"),
    "let_stop": ChoiceWords("Let it stop", "let stop", "let stop", "let it stop"),
}
# A no with words to the agent, and other choices that wait for words.
TELLING: "dict[Choice, str]" = {"deny": "Deny and tell…", "revise": "Send notes…", "keep_going": "Keep going…"}
# What a kind of ask is answered with, the no and the yes. Where a no has another name than elsewhere, it stands here.
MAIN: "dict[AskKind, tuple[Choice, Choice]]" = {
    "permission": ("deny", "allow"),
    "question": ("deny", "answer"),
    "plan": ("revise", "approve"),
    "form": ("decline", "submit"),
    "stop": ("let_stop", "keep_going"),
}
REFUSALS: "dict[AskKind, str]" = {"question": "Do not answer"}
ENDINGS: "dict[Ending, Word]" = {
    "ran": Word("ran", "✓", "ok"),
    "failed": Word("failed", "✕", "care"),
    "denied": Word("not run", "✕", "text-2"),
    "terminal": Word("answered at the terminal", "→", "text-2"),
    "expired": Word("expired", "◌", "text-3"),
    "handed_back": Word("left for the terminal", "→", "text-2"),
    "withdrawn": Word("moved on", "◌", "text-2"),
    "unknown": Word("not known", "◌", "text-2"),
}
# States of an ask on a screen. In braces stands what the screen fills in.
STATES: "dict[str, Word]" = {
    "open": Word("waiting {time}"),
    "gone": Word("Looks answered at the terminal{why}", "◌", "text-2"),
    "sending": Word("Sending…", "◔", "text-2"),
    "told": Word("Told {agent} {ago}", "✓", "ok"),
    "done": Word("ran{took}", "✓", "ok"),
    "failed": Word("failed{why}{took}", "✕", "care"),
    "no": Word("{said}", "✕", "text-2"),
    "elsewhere": Word("{said}", "→", "text-2"),
    "expired": Word("Expired at {at}. Nothing was sent; the terminal decides.", "◌", "text-3"),
    "handed_back": Word("Left for the terminal", "→", "text-2"),
    "withdrawn": Word("The agent moved on", "◌", "text-2"),
    "unknown": Word("Nobody reported how it ended", "◌", "text-2"),
    "lost": Word("{agent} was not told: {why}", "▲", "danger"),
}
# The same in a column of closed asks, where the place of the answer does not say it.
CLOSED: "dict[str, str]" = {
    "expired": "expired",
    "handed_back": "terminal",
    "withdrawn": "moved on",
    "lost": "not told",
}
# By the state on the wire.
SESSIONS: "dict[str, Word]" = {
    "working": Word("working", "◐", "change"),
    "waiting": Word("waiting for you", "◆", "focus"),
    "idle": Word("your turn", "●", "ok"),
    "ended": Word("ended", "✓", "text-3"),
    "done": Word("done", "✓", "text-3"),
    "vanished": Word("vanished", "◌", "text-2"),
}
# Entries of an agent's to-do list.
TODOS: "dict[str, Word]" = {
    "open": Word("open", "○", "text-2"),
    "doing": Word("doing", "◐", "change"),
    "done": Word("done", "✓", "text-3"),
}
DECISIONS: "dict[str, Word]" = {
    "allow": Word("allowed", role="ok"),
    "deny": Word("denied", role="danger"),
    "prompt": Word("prompted", role="care"),
    "block": Word("held back", role="danger"),
    "halt": Word("halted", role="danger"),
    "proceed": Word("kept going"),
    "no_opinion": Word("no opinion"),
}
# Who decided a call, and how an ask ended, as statistics count them.
DECIDERS: "dict[str, Word]" = {
    "rule": Word("a rule", role="ok"),
    "permission": Word("answers that stay", role="ok"),
    "stance": Word("the stance", role="ok"),
    "person": Word("a person on a screen", role="focus"),
    "terminal": Word("a person at the terminal", role="focus"),
    "floor": Word("the floor", role="danger"),
    "client": Word("the agent's own mode", role="text-3"),
    "unknown": Word(ENDINGS["unknown"].word, role="text-3"),
}
ASKS_ENDED: "dict[str, Word]" = {
    "allowed": Word("allowed on a screen", role="ok"),
    "denied": Word("denied on a screen", role="danger"),
    "terminal_allowed": Word("allowed at the terminal", role="ok"),
    "terminal_denied": Word("denied at the terminal", role="danger"),
    "terminal": Word(ENDINGS["terminal"].word, role="focus"),
    "expired": Word(ENDINGS["expired"].word, role="care"),
    "handed_back": Word(ENDINGS["handed_back"].word, role="care"),
    "withdrawn": Word(ENDINGS["withdrawn"].word, role="text-3"),
    "unknown": Word(ENDINGS["unknown"].word, role="text-3"),
}
# Screens that answers came from; the others are called as their service is.
SCREENS = {"page": "the page", "desk": "watch and command line", "terminal": "the agent's terminal"}
# Why no opinion was told.
CAUSES: "dict[str, str]" = {
    "no_rule": "no rule speaks about it",
    "asked": "the client's own dialog asks",
    "timed_out": "nobody answered in time",
    "handed_back": "left for the terminal",
    "answered_elsewhere": "answered at the terminal",
    "hub_unreachable": "the hub could not be reached",
    "unknown_event": "this event is not known",
    "paused": "the policy is paused",
    "bad_input": "it could not be read",
    "too_large": "it was too large",
    "no_journal": "it could not be recorded",
}
# States of a row of the feed.
FEED: "dict[str, Word]" = {
    "running": Word("running", "◐", "change"),
    "prompted": Word("prompted", "?", "care"),
    "done": Word("done", "✓", "ok"),
    "failed": Word("failed", "✕", "danger"),
    "denied": Word("denied", "■", "danger"),
    "unfinished": Word("no result", "◌", "text-3"),
}
# Events of agents, as people read them. Records, filters and --json keep the names.
EVENTS: "dict[str, str]" = {
    "SessionStart": "session started",
    "Setup": "setup",
    "SessionEnd": "session ended",
    "InstructionsLoaded": "instructions read",
    "UserPromptSubmit": "prompt",
    "UserPromptExpansion": "command of a prompt",
    "MessageDisplay": "message shown",
    "PreToolUse": "call",
    "PermissionRequest": "permission asked",
    "PermissionDenied": "refused by auto mode",
    "PostToolUse": "call done",
    "PostToolUseFailure": "call failed",
    "PostToolBatch": "calls done together",
    "Notification": "notice",
    "SubagentStart": "sub-agent started",
    "SubagentStop": "sub-agent ended",
    "Stop": "turn ended",
    "StopFailure": "turn failed",
    "TaskCreated": "task created",
    "TaskCompleted": "task called done",
    "TeammateIdle": "teammate without work",
    "PreCompact": "compaction begins",
    "PostCompact": "compaction done",
    "PreModelSwitch": "model about to change",
    "PostModelSwitch": "model changed",
    "ConfigChange": "settings changed",
    "CwdChanged": "folder changed",
    "DirectoryAdded": "folder added",
    "FileChanged": "file changed",
    "WorktreeCreate": "worktree made",
    "WorktreeRemove": "worktree removed",
    "Elicitation": "form",
    "ElicitationResult": "form answered",
}
_WORD_END = later(r"(?<=[a-z0-9])(?=[A-Z])")


def event(name: str) -> str:
    """An event in words; one that is not known by the words in its name."""
    return EVENTS.get(name) or _WORD_END.sub(" ", name).lower()


# What a rule says, and what would become of a command that is only tried.
RULES: "dict[str, Word]" = {
    "allow": Word("allow", "✓", "ok"),
    "ask": Word("ask", "?", "care"),
    "deny": Word("deny", "■", "danger"),
}
TRIALS: "dict[str, Word]" = {
    "allow": Word("It would run", "✓", "ok"),
    "ask": Word("A person would be asked", "?", "care"),
    "deny": Word("It would be denied", "■", "danger"),
    "no_opinion": Word("Nobody would say anything", "–", "text-2"),
}
FLAGS: "dict[Flag, str]" = {
    "hidden_characters": "hidden characters",
    "redacted": "secrets shown as marks",
    "outside_project": "outside the project",
    "unattended": "nobody at the terminal",
    "bypass": "bypass: nothing is asked here",
    "limited_host": "limited: this host does not report refusals",
    "unread": "not read to its end",
    "burst": "one of many",
    "appeal": "refused by auto mode: a yes lets it run once",
    "guarded": "guarded by the agent's client: only you can do it, in a terminal",
    "no_yes": "only you can say yes, in a terminal",
    "shortened": "too long to be shown whole here: only a no can be given",
    "read_only": "for others to answer",
    "new_machine": "this machine just joined the team: for ten minutes it may only deny",
    "asks_itself": "its own dialog may follow a yes",
}


def auto_mode(answered: int = 0, refused: int = 0, appealed: int = 0) -> str:
    """What became of calls in auto mode; "" where nothing was counted."""
    if not answered and not refused:
        return ""
    calls = "1 call" if answered == 1 else f"{answered:,} calls"
    return f"auto mode: {calls} answered before the classifier, {refused:,} refused, {appealed:,} appealed"


# Where a permission holds.
SCOPES: "dict[GrantScope, str]" = {"session": "this session", "project": "this project", "user": "all my projects"}
# For how long something can be allowed for a while.
MINUTES = (5, 10, 30, 60)
# What an agent may do next: a name, and what the agent is told.
NEXT = (("Keep going", "Keep going."), ("Run the tests", "Run the tests."), ("Commit", "Commit what is done."))
# When a queued instruction is told.
TOLD_WHEN: "dict[Goal, str]" = {
    "stop": "when it stops",
    "tool": "with its next tool result",
    "subagent": "when a sub-agent stops",
    "teammate": "when a teammate idles",
    "task": "when a task is called done",
}

_PLAIN = {
    "○": "[.]",
    "◐": "[~]",
    "▲": "[!]",
    "■": "[#]",
    "¶": "[P]",
    "✎": "[F]",
    "◇": "[S]",
    "✓": "+",
    "✕": "x",
    "◌": "-",
    "→": ">",
    "←": "<",
    "◀": "<",
    "◔": "*",
    "●": "*",
    "◆": "?",
    "↳": "/",
    "✱": "*",
    "·": "-",
    "…": "...",
    "⋯": "...",
    "‹": "<",
    "›": ">",
    "▸": ">",
    "▾": "v",
    "▌": "|",
    "│": "|",
    "─": "-",
    "├": "|",
    "└": "`",
    "–": "-",
    "−": "-",
    "×": "x",
    "“": '"',
    "”": '"',
    "⟨": "<",
    "⟩": ">",
    "␣": "_",
    "⇥": "^I",
    "↵": "^J",
    "█": "#",
    "▇": "#",
    "▆": "=",
    "▅": "=",
    "▄": "-",
    "▃": "-",
    "▂": ".",
    "▁": ".",
}
_TO_PLAIN = str.maketrans(_PLAIN)
_OTHERS = later(r"[^\x00-\x7f]")


def plain(text: str) -> str:
    """Our own signs as letters every terminal has; what it cannot show at all is spelled out."""
    return text if text.isascii() else _OTHERS.sub(lambda match: f"<U+{ord(match[0]):04X}>", text.translate(_TO_PLAIN))


def screen(name: str) -> str:
    return SCREENS.get(name) or begun(name)


def risk_sign(level: str) -> str:
    return RISKS.get(level, RISKS["care"]).sign


def risk_word(level: str) -> str:
    return RISKS[level].word if level in RISKS else level.capitalize() or "Care"


def risk_role(level: str) -> str:
    return RISKS.get(level, RISKS["care"]).role


def sign(ask: "ShownAsk") -> str:
    """A permission is known by its risk, the other kinds by what they are."""
    return KINDS[ask.kind].sign if ask.kind in KINDS else risk_sign(ask.risk.level)


def label(ask: "ShownAsk") -> str:
    """``Danger``, or ``Question``; both where a question, plan or form is more than Look."""
    if ask.kind not in KINDS:
        return risk_word(ask.risk.level)
    kind = KINDS[ask.kind].word
    return f"{kind}, {risk_word(ask.risk.level)}" if ask.risk.level in ("care", "danger") else kind


def hint(choice: "Choice", kind: "AskKind | None" = None) -> str:
    """What a choice is called beside its key."""
    return REFUSALS[kind].lower() if kind in REFUSALS and choice == MAIN[kind][0] else CHOICES[choice].hint


def offer(choice: "Choice", kind: "AskKind | None" = None) -> str:
    """What a choice is called on a button."""
    return REFUSALS[kind] if kind in REFUSALS and choice == MAIN[kind][0] else CHOICES[choice].offer


def minutes(count: int) -> str:
    return f"{count // 60} h" if count % 60 == 0 else f"{count} min"


# Where something that lasts stands, as the end of a sentence.
_KEEPERS = {"rules": "a rule of yours", "client": "in the agent's settings", "session": "until the session ends"}


def grant_used(given: "Given") -> str:
    """``let 3 calls pass``"""
    calls = f"{given.saved} {'call' if given.saved == 1 else 'calls'}"
    did = f"denied {calls}" if given.kind == "deny" else f"let {calls} pass"
    return did if given.saved else "not used yet"


def grant_facts(given: "Given", now: float) -> list[str]:
    """Since when, by whom and where, until when, where it stands, how often it was used, and why it stays."""
    by = given.by.removeprefix("person:").replace("-", " ")
    where = f" on {screen(given.surface)}" if given.surface else ""
    since = f"since {times.day_time(given.at, now)}" if given.at else "since before what is on record"
    ends = times.until(given.until, now) if given.until is not None else ""
    rule = f"{given.file or 'session ' + given.session[:8]}: {given.rule}" if given.keeper != "assent" else ""
    twice = f"the agent's own settings say it as well: {given.rule}" if given.keeper == "assent" and given.rule else ""
    facts = [f"{since}{f' by {by}' if by else ''}{where}", ends, _KEEPERS.get(given.keeper, ""), grant_used(given)]
    return [fact for fact in (*facts, rule, twice, given.fixed) if fact]


def begun(text: str) -> str:
    """As the beginning of a sentence; what follows the first letter stays as it is."""
    return text[:1].upper() + text[1:]


def said(choice: "Choice") -> str:
    """``Allowed for the session``: what a choice did, as the beginning of a sentence."""
    return begun(CHOICES[choice].past)


def did(choice: "Choice") -> str:
    """The same within a sentence, where an allow has to be told from one that lasts."""
    return CHOICES[choice].short if choice == "allow" else CHOICES[choice].past


def together(count: int) -> str:
    """Of an answer that was given to several asks."""
    return f"one of {count} at once"
