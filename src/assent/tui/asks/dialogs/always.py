"""Always: the exact rule, where it holds, which file changes, what it would have let pass and what it would not."""

from collections.abc import Sequence
from typing import ClassVar

from assent.protocol.card import GRANTS, GrantScope, Offer, ShownAsk
from assent.protocol.lasting import RUN_MEANS, Stay
from assent.text import who, wording
from assent.text.invisible import has_hidden
from assent.text.wording import SCOPES
from assent.tui.asks.ask_view import Typing
from assent.tui.asks.dialogs import picker
from assent.tui.asks.dialogs.dialog import Did, Done, Sheet, Wrong
from assent.tui.drawing.text import Line, hung, label, safe_text
from assent.tui.sessions.facts import short
from assent.tui.shared import Shared

# None until a person takes it back.
HOURS: dict[int | None, str] = {None: "until you take it back", 1: "1 h", 8: "8 h", 24: "24 h"}
_STEPS = {"Down": 1, "j": 1, "Tab": 1, "Up": -1, "k": -1, "BackTab": -1}
_TIMES = {"h": 1, "Right": 1, "Left": -1}
_LABEL = 13


class Staying:
    is_yes: ClassVar[bool] = True
    title = "Yes, and stop asking for this here"
    choice = "allow_here"
    act = "allow and stop asking"
    unit = "hours"
    times: ClassVar[dict[int | None, str]] = HOURS

    def __init__(self, ask: ShownAsk, home: str = "") -> None:
        """``home``: that of the person the hub runs for."""
        self._ask = ask
        self._home = home
        self._at = 0
        self._hours = 0
        self.cursor: int | None = None

    @property
    def _stay(self) -> Stay:
        return self._stays[self._at]

    @property
    def _stays(self) -> tuple[Stay, ...]:
        return self._ask.stays

    def lines(self, width: int) -> list[Line]:
        if not self._stays:
            return hung([("There is nothing that could be remembered about this.", "")], width, [(" ", "")])
        options = [[(_inert(stay.words), "strong" if at == self._at else "")] for at, stay in enumerate(self._stays)]
        picked, cursor = picker.below(options, self._at, width)
        self.cursor = 1 + cursor
        stay = self._stay
        covers = _inert(stay.covers)
        made = [[(" What", "text-2 strong")], *picked, []]
        if stay.kind == "run":
            covers = covers.replace(RUN_MEANS, "").strip()
        made += hung([(covers, "")], width, _label("Passes"))
        if stay.kind == "run":
            made += hung([(RUN_MEANS, "care strong")], width, _label("Means"))
        made += hung([(_inert(stay.leaves), "")], width, _label("Still asks"))
        made += [[], *hung([(self._where(), "")], width, _label("Where"))]
        return [*made, *picker.beside([*self.times.values()], self._hours, width, _label("How long"))]

    def _where(self) -> str:
        if self._stay.kind == "reads":
            return "every project, every agent"
        agent = (
            f"{who.agent_name(self._ask.subject.harness)} only"
            if self._stay.kind in ("shape", "exact")
            else "every agent"
        )
        return f"{short(self._ask.subject.project, self._home)}, {agent}"

    def key(self, key: str) -> Did:
        count = len(self._stays)
        if not count:
            return False
        if len(key) == 1 and key in "123456789":
            self._at = int(key) - 1 if int(key) <= count else self._at
            return True
        # With one to choose from, these keys scroll.
        if key in _STEPS and count > 1:
            self._at = (self._at + _STEPS[key]) % count
            return True
        if key in _TIMES:
            self._hours = (self._hours + _TIMES[key]) % len(self.times)
            return True
        return self._decided() if key == "Enter" else False

    def _decided(self) -> Done:
        count = [*self.times][self._hours]
        lasts = {self.unit: count} if count is not None else {}
        return Done({"choice": self.choice, "grant": self._stay.kind, **lasts})

    def keys(self) -> list[tuple[str, str]]:
        count = len(self._stays)
        if not count:
            return []
        return [("Enter", self.act), *([(f"1-{count}", "what")] if count > 1 else []), ("h", "how long")]


class Timed(Staying):
    """The same for some minutes: it ends by itself."""

    title = "Yes, and for some minutes without asking"
    choice = "allow_for"
    act = "allow for so long"
    unit = "minutes"
    times: ClassVar[dict[int | None, str]] = {count: wording.minutes(count) for count in wording.MINUTES}

    def __init__(self, ask: ShownAsk, home: str = "") -> None:
        super().__init__(ask, home)
        self._hours = wording.MINUTES.index(10)

    @property
    def _stays(self) -> tuple[Stay, ...]:
        return self._ask.timed


def _inert(text: str) -> str:
    """In one line. It names commands and branches: what looks like another letter is spelled out."""
    return " ".join(safe_text(text, is_command=True).split())


def _label(name: str) -> Line:
    return [(f" {name:{_LABEL - 1}}", "text-2 strong")]


class StaySheet(Sheet):
    def __init__(self, shared: Shared, ask: ShownAsk) -> None:
        super().__init__(shared, Staying(ask, str(shared.mirror.hub.get("home") or "")), ask)


class TimedSheet(Sheet):
    def __init__(self, shared: Shared, ask: ShownAsk) -> None:
        super().__init__(shared, Timed(ask, str(shared.mirror.hub.get("home") or "")), ask)


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
    def _is_kept(self) -> bool:
        """Assent remembers what is offered, where the client cannot be told to."""
        return self._offer.keeper == "assent"

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
        picked, cursor = picker.below([self._option(at) for at in range(len(self._offers))], self._at, width)
        self.cursor = 1 + cursor
        lines: list[Line] = [[(" What", "text-2 strong")], *picked, []]
        return [*lines, *self._drawn_rule(width), *self._drawn_scope(width), [], *self._examples(width)]

    def _option(self, at: int) -> Line:
        offer = self._offers[at]
        source: Line = [("  suggested by the agent", "care")] if offer.suggested else []
        return [(label(offer.words), "strong" if at == self._at else ""), *source]

    def _drawn_rule(self, width: int) -> list[Line]:
        rule = self._rule
        text = self._offer.grant if rule is None else rule
        head: Line = [(" Rule" if rule is not None else " Grant", "text-2 strong")]
        lines = [head, *hung([(safe_text(text, is_command=True), "strong")], width, _BAR, _BAR)]
        if self._is_danger:
            lines += hung([("Danger is remembered only for exactly this.", "care")], width, _EDGE)
        if self._at in self._edited:
            warning = "You changed the rule: the examples below are for the one that was offered."
            lines += hung([(warning, "care")], width, _EDGE)
        return [*lines, []]

    def _drawn_scope(self, width: int) -> list[Line]:
        at = self._scopes.index(self._scope) if self._scope else 0
        head: Line = [(" Where  ", "text-2 strong")]
        where = picker.beside([SCOPES[scope] for scope in self._scopes], at, width, head)
        file = self._offer.files.get(self._scope) if self._scope else None
        if self._is_kept:
            place = f"in {safe_text(file, is_command=True)}" if file else "until this session ends"
            text = f"by Assent, {place}, for {who.agent_name(self._ask.subject.harness)} only"
            return [*where, *hung([(text, "")], width, [(" Kept   ", "text-2 strong")])]
        ends = "none; it ends with the session" if self._scope == "session" else "settings of the agent"
        text = safe_text(file, is_command=True) if file else ends
        return [
            *(where or hung([("This cannot be remembered from here.", "care")], width, head)),
            *hung([(text, "")], width, [(" File   ", "text-2 strong")]),
        ]

    def _examples(self, width: int) -> list[Line]:
        offer = self._offer
        if offer.covers:
            lines = hung([("It would have let pass:", "text-2")], width, _EDGE)
            for line in offer.covers[:MOST_EXAMPLES]:
                lines += hung([(safe_text(line, is_command=True), "")], width, [("  ✓ ", "ok")])
        else:
            lines = hung([("No earlier call matches it.", "text-2")], width, _EDGE)
        if offer.leaves:
            lines += hung([("It would still ask about:", "text-2")], width, _EDGE)
            lines += hung([(safe_text(offer.leaves), "")], width, [("  ✕ ", "care")])
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
        if self._is_kept:
            return Wrong("Assent remembers what is offered. Rules of your own stand in rules.toml.")
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
        is_fixed = self._rule is None or self._is_danger or self._is_kept
        edit = [] if is_fixed else [("e", "edit the rule")]
        return [("Enter", "allow and remember"), *pick, *where, *edit]


class AlwaysSheet(Sheet):
    def __init__(self, shared: Shared, ask: ShownAsk, offers: Sequence[Offer]) -> None:
        super().__init__(shared, Always(ask, offers), ask)
