"""Actions on rules: add, remove, undo, and take a permission back. What allows is confirmed twice."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from assent.errors import AssentError
from assent.protocol.lasting import Given
from assent.text.safe import plain_line
from assent.tui.asks.ask_view import Typing
from assent.tui.drawing.text import sentence
from assent.tui.rules import lasting
from assent.tui.rules import rows as rule_rows
from assent.tui.rules.rows import Rule
from assent.tui.sessions.facts import short
from assent.tui.shared import Shared

DECISIONS = ("allow", "ask", "deny")
LONGEST = 80


@dataclass(frozen=True, slots=True)
class Draft:
    """A rule that is not written yet."""

    match: str
    decision: str
    reason: str

    @property
    def words(self) -> str:
        return f"{self.decision} {plain_line(self.match, LONGEST)}"


class RuleHands:
    def __init__(
        self,
        shared: Shared,
        run: Callable[[Coroutine[Any, Any, None]], None],
        *,
        drafted: Callable[[], None],
        written: Callable[[], None],
    ) -> None:
        """``drafted``: one waits to be agreed to. ``written``: the rules are others now, or should be looked at."""
        self._shared = shared
        self._run = run
        self._drafted = drafted
        self._written = written
        self.draft: Draft | None = None
        # The rule that Enter would remove, or the permission that it would take back.
        self.doomed: Rule | Given | None = None
        # How the last change is taken back, in words and in deed.
        self.undo: tuple[str, Callable[[], object]] | None = None

    @property
    def can_undo(self) -> bool:
        """An answer that can be taken back comes first."""
        return self.undo is not None and not self._shared.answers.is_one_held

    def add(self, match: str = "", decision: str = "deny") -> None:
        """Three lines to type; nothing is written before the last."""
        prompt = self._shared.prompt

        def matched(pattern: str) -> str | None:
            if not pattern.strip():
                return "Say what it matches: a tool, and in brackets what it is called with."
            take = lambda says: said(pattern.strip(), says.strip())  # noqa: E731 - one of three that lead on
            prompt(Typing("allow, ask or deny:", take, decision, complete=_decision))
            return None

        def said(pattern: str, says: str) -> str | None:
            if says not in DECISIONS:
                return "A rule says allow, ask or deny."
            take = lambda why: reasoned(Draft(pattern, says, why.strip()))  # noqa: E731 - one of three that lead on
            prompt(Typing("why (people and agents read it):", take))
            return None

        def reasoned(draft: Draft) -> None:
            if draft.decision != "allow":
                self._run(self._write(draft))
                return
            # Agreed to with a key of its own: the Enter that ended the typing may still be held down.
            self.draft, self.doomed = draft, None
            self._drafted()

        prompt(Typing("what it matches, e.g. Bash(npm test *):", matched, match))

    def agree(self) -> None:
        if self.draft is not None and self._shared.grace.counts("W"):
            draft, self.draft = self.draft, None
            self._run(self._write(draft))

    @property
    def doomed_key(self) -> str:
        """As its row is called; "" where nothing is to go."""
        if isinstance(self.doomed, Given):
            return lasting.key(self.doomed)
        return rule_rows.key(self.doomed) if self.doomed is not None else ""

    def doom(self, rule: Rule | Given | None, home: str) -> None:
        if rule is None:
            self._shared.say("Choose a rule first, with j and k.")
        elif isinstance(rule, Given) and rule.fixed:
            self._shared.warn(f"This cannot be taken back here. {rule.fixed}")
        elif isinstance(rule, Given):
            self.doomed = rule
            self._shared.say("Enter takes it back, and it asks again from then on; Esc keeps it.")
        elif not rule_rows.can_remove(rule):
            self._shared.warn(f"This rule is not ours to remove: it stands in {short(rule['file'], home)}.")
        else:
            self.doomed = rule
            self._shared.say(f"Enter removes it from {short(rule['file'], home)}; Esc keeps it.")

    def remove(self, folder: str) -> None:
        """The one that was shown as doomed, whatever is selected now."""
        if self.doomed is not None:
            rule, self.doomed = self.doomed, None
            self._run(self._take_back(rule) if isinstance(rule, Given) else self._remove(rule, folder))

    def take_back(self) -> None:
        if self.undo is None:
            return
        (_, act), self.undo = self.undo, None

        async def take_back() -> None:
            try:
                await asyncio.to_thread(act)
                self._shared.say("Undone.")
            except AssentError as error:
                self._shared.warn(sentence(error))
            self._written()

        self._run(take_back())

    async def _write(self, draft: Draft) -> None:
        client = self._shared.client
        try:
            await asyncio.to_thread(client.add_rule, draft.match, draft.decision, draft.reason)
        except AssentError as error:
            self._shared.warn(sentence(error))
        else:
            self.undo = (f"take back {draft.words}", lambda: self._without(draft))
            self._shared.say(f"Written: {draft.words}.")
        self._written()

    def _without(self, draft: Draft) -> None:
        client = self._shared.client
        mine = [r for r in client.rules()["rules"] if r["level"] == "user" and list(r["match"]) == [draft.match]]
        match = next((rule for rule in reversed(mine) if rule["decision"] == draft.decision), None)
        if match is None:
            raise AssentError("It does not stand there any more.")
        client.remove_rule(match)

    async def _take_back(self, given: Given) -> None:
        """For good: it is given again by an answer."""
        try:
            await asyncio.to_thread(self._shared.client.take_back, given.id)
        except AssentError as error:
            self._shared.warn(sentence(error))
        else:
            self.undo = None
            self._shared.say(f"Taken back: {plain_line(lasting.text(given), LONGEST)}. It asks again from now on.")
        self._written()

    async def _remove(self, rule: Rule, folder: str) -> None:
        client = self._shared.client
        try:
            done = await asyncio.to_thread(client.remove_rule, dict(rule), folder)
        except AssentError as error:
            self._shared.warn(sentence(error))
            self._written()
            return
        text = f"{rule['decision']} {plain_line(rule_rows.text(rule), LONGEST)}"
        if rule["level"] == "user" and len(rule["match"]) == 1 and not rule.get("when"):
            args = (rule["match"][0], rule["decision"], rule.get("reason", ""))
            self.undo = (f"put back {text}", lambda: client.add_rule(*args))
            self._shared.say(f"Removed: {text}. u puts it back.")
        else:
            # More than could be written again as it was.
            backup = done.get("backup")
            self.undo = None
            self._shared.warn(
                f"Removed: {text}." + (f" The file as it was: {plain_line(backup, 200)}" if backup else "")
            )
        self._written()


def _decision(text: str) -> str:
    return next((word for word in DECISIONS if word.startswith(text) and word != text), "")
