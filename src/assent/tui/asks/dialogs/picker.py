"""One of a few: rows with a digit each."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from assent.errors import AssentError
from assent.protocol import modes
from assent.protocol.card import Denial, ShownAsk
from assent.tui.asks.dialogs.dialog import Did, Done, Sheet
from assent.tui.drawing.text import Line, hung, safe_text
from assent.tui.drawing.text import width as line_width
from assent.tui.shared import Shared

_WITH_DIGITS = 9
_GAP = ("   ", "")


def below(options: Sequence[Line], at: int, width: int) -> tuple[list[Line], int]:
    """The lines of all, and how many stand before the marked one."""
    lines: list[Line] = []
    cursor = 0
    for number, words in enumerate(options):
        if number == at:
            cursor = len(lines)
        mark = f" {number + 1 if number < _WITH_DIGITS else ' '} {'(●)' if number == at else '( )'} "
        lines += hung(words, width, [(mark, "focus")])
    return lines, cursor


def beside(options: Sequence[str], at: int, width: int, first: Line) -> list[Line]:
    """Behind ``first``; none is broken that fits on a line of its own."""
    room = width - line_width(first)
    packed: list[Line] = []
    for number, words in enumerate(options):
        is_on = number == at
        option: Line = [("(●) " if is_on else "( ) ", "focus"), (words, "strong" if is_on else "")]
        if packed and line_width([*packed[-1], _GAP, *option]) <= room:
            packed[-1] += [_GAP, *option]
        else:
            packed.append(option)
    blank: Line = [(" " * line_width(first), "")]
    return [line for row, option in enumerate(packed) for line in hung(option, width, blank if row else first)]


_STEPS = {"Down": 1, "j": 1, "Tab": 1, "Up": -1, "k": -1, "BackTab": -1}


@dataclass(frozen=True, slots=True)
class Pick:
    words: str
    fields: dict[str, Any]
    about: str = ""


class Picker:
    is_yes: ClassVar[bool] = False

    def __init__(self, title: str, picks: Sequence[Pick], act: str) -> None:
        self.title = title
        self._picks = picks
        self._act = act
        self._at = 0
        self.cursor: int | None = None

    def lines(self, width: int) -> list[Line]:
        lines: list[Line] = []
        for at, pick in enumerate(self._picks):
            is_here = at == self._at
            if is_here:
                self.cursor = len(lines)
            mark: Line = [(" ▌" if is_here else "  ", "focus strong"), (f"{at + 1} ", "focus")]
            mark += [("(●) " if is_here else "( ) ", "focus")]
            lines += hung([(pick.words, "strong" if is_here else "")], width, mark)
            if pick.about:
                lines += hung([(pick.about, "text-2")], width, [("        ", "")])
        return lines

    def key(self, key: str) -> Did:
        if key in _STEPS:
            self._at = (self._at + _STEPS[key]) % len(self._picks)
            return True
        if len(key) == 1 and key in "123456789":
            self._at = min(int(key), len(self._picks)) - 1
            return True
        return Done(self._picks[self._at].fields) if key == "Enter" else False

    def keys(self) -> list[tuple[str, str]]:
        return [(f"1-{len(self._picks)}", "pick"), ("Enter", self._act)]


class YesPicker(Picker):
    """What is picked is a yes."""

    is_yes: ClassVar[bool] = True


MODES = (
    Pick("ask before edits", {"choice": "approve", "mode": "default"}, "Each change is asked about as before."),
    Pick(
        "accept edits",
        {"choice": "approve", "mode": modes.ACCEPT_EDITS},
        "Edits in the project are not asked about until the session ends.",
    ),
)


class ModeSheet(Sheet):
    """For `push_screen_wait`: the fields of the answer, or None."""

    def __init__(self, shared: Shared, ask: ShownAsk) -> None:
        super().__init__(shared, YesPicker("Approve the plan, and after that", MODES, "approve"), ask)


class DenySheet(Sheet):
    """For `push_screen_wait`: the fields of a no for good, or None."""

    def __init__(self, shared: Shared, ask: ShownAsk, denials: Sequence[Denial]) -> None:
        picks = [
            Pick(
                safe_text(each.words),
                {"choice": "deny_here", "grant": each.grant},
                safe_text(f"deny {each.grant.removeprefix('rule:')}", is_command=True),
            )
            for each in denials
        ]
        super().__init__(shared, Picker("Deny this from now on; Rules takes it back", picks, "always deny"), ask)


TIMES = (
    Pick("15 minutes", {"quiet": 15 * 60, "told": "Quiet for 15 minutes."}),
    Pick("1 hour", {"quiet": 60 * 60, "told": "Quiet for an hour."}),
    Pick("until morning", {"quiet": "morning", "told": "Quiet until morning."}),
    Pick("not quiet", {"quiet": 0, "told": "Not quiet any more."}, "Phones and channels are told again."),
)


class QuietSheet(Sheet):
    def __init__(self, shared: Shared) -> None:
        super().__init__(shared, Picker("Quiet: nothing is sent to phones and channels", TIMES, "be quiet"))

    def decided(self, fields: dict[str, Any]) -> None:
        self.run_worker(self._be_quiet(fields["quiet"], fields["told"]), exclusive=True)

    async def _be_quiet(self, wish: Any, text: str) -> None:
        try:
            self.shared.mirror.presence = await asyncio.to_thread(self.shared.client.be_quiet, wish)
        except AssentError as error:
            self.complain(str(error))
            return
        self._outer.say(text)
        self._outer.refresh_bars()
        self.close()
