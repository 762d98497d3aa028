"""Always: the exact rule, where it holds, which file changes, what it would have let pass and what it would not."""

from collections.abc import Sequence
from typing import ClassVar

from assent.hidden import has_hidden
from assent.protocol.card import GRANTS, GrantScope, Offer, ShownAsk
from assent.tui.asks.sheets.paper import Did, Done, Wrong
from assent.tui.asks.sheets.sheet import Sheet
from assent.tui.asks.thing import Typing
from assent.tui.drawing.parts import hung
from assent.tui.drawing.text import Line, inert, label
from assent.tui.shared import Shared
from assent.words.offered import SCOPES

_CHOICES = {scope: choice for choice, scope in GRANTS.items()}
MOST_EXAMPLES = 3
_RULE = "rule:"
_EDGE: Line = [(" ", "")]
_BAR: Line = [("  │ ", "line")]


class Always:
    is_yes: ClassVar[bool] = True
    title = "Always allow"

    def __init__(self, ask: ShownAsk, offers: Sequence[Offer]) -> None:
        self._ask = ask
        self._ways = {way.choice for way in ask.choices}
        self._offers = list(offers)
        self._at = 0
        # Rules in other words, by the offer they were made from.
        self._edited: dict[int, str] = {}
        self._scope: GrantScope | None = None
        self.cursor: int | None = None
        self._settle()

    @property
    def _offer(self) -> Offer:
        return self._offers[self._at]

    @property
    def _scopes(self) -> list[GrantScope]:
        return [scope for scope in self._offer.scopes if _CHOICES[scope] in self._ways]

    def _settle(self) -> None:
        """A scope that holds for the offer."""
        if self._offers and self._scope not in self._scopes:
            self._scope = next(iter(self._scopes), None)

    @property
    def _is_danger(self) -> bool:
        return self._ask.risk.level == "danger"

    @property
    def _rule(self) -> str | None:
        """None where it is a mode or a folder."""
        if not self._offer.grant.startswith(_RULE):
            return None
        return self._edited.get(self._at, self._offer.grant.removeprefix(_RULE))

    def lines(self, width: int) -> list[Line]:
        self.cursor = None
        if not self._offers:
            return hung([("There is nothing that could be remembered about this.", "")], width, _EDGE)
        lines: list[Line] = [[(" What", "text-2 strong")]]
        for at, offer in enumerate(self._offers):
            is_on = at == self._at
            if is_on:
                self.cursor = len(lines)
            mark = f" {at + 1 if at < 9 else ' '} {'(●)' if is_on else '( )'} "
            who: Line = [("  suggested by the agent", "care")] if offer.suggested else []
            words: Line = [(label(offer.words), "strong" if is_on else ""), *who]
            lines += hung(words, width, [(mark, "focus")])
        return [*lines, [], *self._drawn_rule(width), *self._drawn_scope(width), [], *self._examples(width)]

    def _drawn_rule(self, width: int) -> list[Line]:
        rule = self._rule
        text = self._offer.grant if rule is None else rule
        head: Line = [(" Rule" if rule is not None else " Grant", "text-2 strong")]
        lines = [head, *hung([(inert(text, is_command=True), "strong")], width, _BAR, _BAR)]
        if self._is_danger:
            lines += hung([("Danger is remembered only for exactly this.", "care")], width, _EDGE)
        if self._at in self._edited:
            told = "You changed the rule: the examples below are for the one that was offered."
            lines += hung([(told, "care")], width, _EDGE)
        return [*lines, []]

    def _drawn_scope(self, width: int) -> list[Line]:
        line: Line = []
        for scope in self._scopes:
            mark = "(●)" if scope == self._scope else "( )"
            between: Line = [("   ", "")] if line else []
            line += [*between, (f"{mark} ", "focus"), (SCOPES[scope], "strong" if scope == self._scope else "")]
        file = self._offer.files.get(self._scope) if self._scope else None
        ends = "none; it ends with the session" if self._scope == "session" else "settings of the agent"
        told = inert(file, is_command=True) if file else ends
        where: Line = line or [("This cannot be remembered from here.", "care")]
        return [
            *hung(where, width, [(" Where  ", "text-2 strong")]),
            *hung([(told, "")], width, [(" File   ", "text-2 strong")]),
        ]

    def _examples(self, width: int) -> list[Line]:
        offer = self._offer
        if offer.covers:
            lines = hung([("It would have let pass:", "text-2")], width, _EDGE)
            for line in offer.covers[:MOST_EXAMPLES]:
                lines += hung([(inert(line, is_command=True), "")], width, [("  ✓ ", "ok")])
        else:
            lines = hung([("No earlier call matches it.", "text-2")], width, _EDGE)
        if offer.leaves:
            lines += hung([("It would still ask about:", "text-2")], width, _EDGE)
            lines += hung([(inert(offer.leaves), "")], width, [("  ✕ ", "care")])
        return lines

    def key(self, key: str) -> Did:
        if not self._offers:
            return False
        if len(key) == 1 and key in "123456789":
            return self._pick(int(key) - 1) if int(key) <= len(self._offers) else True
        if key in ("Tab", "BackTab"):
            return self._pick((self._at + (1 if key == "Tab" else -1)) % len(self._offers))
        if key in ("Left", "Right") and self._scope is not None:
            scopes = self._scopes
            self._scope = scopes[(scopes.index(self._scope) + (1 if key == "Right" else -1)) % len(scopes)]
            return True
        if key == "e":
            return self._edit()
        return self._decide() if key == "Enter" else False

    def _pick(self, at: int) -> bool:
        self._at = at
        self._settle()
        return True

    def _edit(self) -> Typing | Wrong:
        rule = self._rule
        if rule is None:
            return Wrong("This is no rule: there is nothing to edit.")
        if self._is_danger:
            return Wrong("Danger is remembered only for exactly this.")
        if "\n" in rule or has_hidden(rule):
            return Wrong("The rule holds line ends or characters that cannot be seen: it cannot be edited here.")
        return Typing("rule:", self._take, rule)

    def _take(self, text: str) -> str | None:
        if not text.strip():
            return "The rule is empty."
        self._edited[self._at] = text.strip()
        if text.strip() == self._offer.grant.removeprefix(_RULE):
            del self._edited[self._at]
        return None

    def _decide(self) -> Done | Wrong:
        if self._scope is None:
            return Wrong("This cannot be remembered from here.")
        rule = self._rule
        grant = self._offer.grant if rule is None else f"{_RULE}{rule}"
        return Done({"choice": _CHOICES[self._scope], "grant": grant})

    def keys(self) -> list[tuple[str, str]]:
        if not self._offers:
            return []
        pick = [("Tab", "what")] if len(self._offers) > 1 else []
        where = [("←→", "where")] if len(self._scopes) > 1 else []
        edit = [("e", "edit the rule")] if self._rule is not None and not self._is_danger else []
        return [("Enter", "allow and remember"), *pick, *where, *edit]


class AlwaysSheet(Sheet):
    def __init__(self, shared: Shared, ask: ShownAsk, offers: Sequence[Offer]) -> None:
        super().__init__(shared, Always(ask, offers), ask)
