"""One tool call as the record tells it: what was wanted, what was decided, what people said, whether it ran."""

from dataclasses import dataclass
from typing import Any

from assent.policy.call import EDITS, READS, SHELL_TOOLS, SUB_AGENTS

# Redaction leaves these brackets where it took something away or cut a text.
MARK = "⟨"
# A longer list of fields was cut, and the one that decides may be among those that are gone.
MOST_FIELDS = 200
# What of a payload decides, or tells what the call was about.
NEEDED = ("session_id", "hook_event_name", "cwd", "permission_mode", "tool_name", "tool_input", "agent_id")

# All that the policy looks at, by tool. Of any other tool it knows the name alone.
DECIDING: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(SHELL_TOOLS, ("command", "dangerouslyDisableSandbox")),
    **dict.fromkeys(READS | EDITS, ("file_path", "notebook_path", "path", "pattern", "glob")),
    **dict.fromkeys(SUB_AGENTS, ("subagent_type",)),
    "WebFetch": ("url",),
    "Skill": ("skill", "command"),
}

YES = frozenset({"allow", "allow_session", "allow_project", "allow_user"})
NO = frozenset({"deny", "deny_and_stop"})


@dataclass(slots=True)
class Case:
    """Filled in as the records of the call are read, oldest first."""

    # The record of the event that opened it.
    seq: int
    at: int
    event: str
    session: str
    harness: str
    project: str
    payload: dict[str, Any]
    agent: str | None = None
    attended: bool | None = None
    # What was told at that event, by whom; empty if no record says so.
    decision: str = ""
    by: str = ""
    risk: str = ""
    # Whether a dialog opened, what we told it, and what a person chose on a screen of ours.
    asked: bool = False
    told: str = ""
    choice: str | None = None
    # The agent's own check refused it.
    blocked: bool = False
    ran: bool = False
    # The turn went on without it: what has not run by now did not run.
    over: bool = False
    asks: tuple[str, ...] = ()
    # Not even all names of its fields are on record.
    is_cut: bool = False

    @property
    def tool(self) -> str:
        return str(self.payload.get("tool_name", ""))

    @property
    def input(self) -> dict[str, Any]:
        given = self.payload.get("tool_input")
        return given if isinstance(given, dict) else {}

    @property
    def deciding(self) -> tuple[Any, ...]:
        given = self.input
        return tuple(given.get(name) for name in DECIDING.get(self.tool, ()))

    @property
    def is_whole(self) -> bool:
        """Whether everything that decides is on record as it was: nothing redacted, nothing cut."""
        texts = (self.tool, self.project, str(self.payload.get("cwd", "")), *self.deciding)
        return not self.is_cut and not any(isinstance(text, str) and MARK in text for text in texts)

    @property
    def is_approved(self) -> bool:
        """A person said yes to exactly this: on a screen of ours, or in the terminal, where only its result tells."""
        if self.choice is not None:
            return self.choice in YES
        return self.asked and self.told in ("no_opinion", "") and self.ran and not self.blocked

    @property
    def is_refused(self) -> bool:
        """A person said no, as far as the record tells: it was asked about, somebody was there, and it did not run."""
        if self.choice is not None:
            return self.choice in NO
        was_shown = (self.asked and self.told in ("no_opinion", "")) or self.decision == "prompt"
        # A dialog that could not be matched to its call cannot be matched to its result either.
        is_matched = self.event == "PreToolUse"
        return was_shown and is_matched and self.over and not self.ran and self.attended is not False

    @property
    def refusal(self) -> str | None:
        """Who did not want it, in words; None if nobody is on record for that."""
        if self.choice in NO:
            return "a person said no"
        if self.decision == "deny" or self.told == "deny":
            return f"denied by {self.by}"
        if self.blocked:
            return "the agent's own check refused it"
        return "it was asked about and did not run" if self.is_refused else None


def needed(payload: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """What is kept of a payload, and whether fields of its input are gone: there may be many calls to remember."""
    kept = {name: payload[name] for name in NEEDED if name in payload}
    given = kept.get("tool_input")
    if not isinstance(given, dict):
        return kept, False
    # Contents stand there as a size and a fingerprint, and decide nothing.
    kept["tool_input"] = {name: value for name, value in given.items() if not isinstance(value, dict)}
    return kept, len(given) >= MOST_FIELDS
