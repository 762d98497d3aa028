"""Look: named styles in two themes, one way from drawn lines to the terminal, signs or plain letters."""

import os
import re
import select
import termios
import time
import tty
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual import constants
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.strip import Strip
from textual.theme import Theme

from assent.text import wording
from assent.tui.drawing import glyphs
from assent.tui.drawing.glyphs import one_line
from assent.tui.drawing.text import Line

# The ground's colour; then a question that every terminal answers, so that one need not wait for those that do not
# know the first.
_QUESTION = b"\x1b]11;?\x1b\\\x1b[c"
_COLOUR = re.compile(rb"\x1b\]11;rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})")
_ANSWERED = re.compile(rb"\x1b\[\?[0-9;]*c")
# Within this a terminal on the same machine has answered; one that has not will not.
LIMIT = 0.1
# How much longer what it begins to say is waited for.
REST = 0.2
# Numbers of the usual palette that are light.
_LIGHT = frozenset({7, 9, 10, 11, 12, 13, 14, 15})
# These do not answer, or print the question.
_SILENT = frozenset({"", "dumb", "unknown", "linux"})


def light_background(environ: Mapping[str, str]) -> bool:
    """Dark where it is unknown."""
    configured = _told(environ.get("COLORFGBG", ""))
    if configured is not None:
        return configured
    # Over a slow line the reply may come too late, and arrive among the keys.
    if environ.get("TERM", "") in _SILENT or environ.get("SSH_CONNECTION") or environ.get("SSH_TTY"):
        return False
    return brightness(ask("/dev/tty")) > 0.5


def _told(colours: str) -> bool | None:
    ground = colours.rpartition(";")[2]
    return int(ground) in _LIGHT if colours and ground.isdecimal() and int(ground) < 16 else None


def ask(terminal: str) -> bytes:
    """What the terminal answers; nothing where there is none, or where it belongs to another program just now."""
    try:
        descriptor = os.open(terminal, os.O_RDWR | os.O_NOCTTY)
    except OSError:
        return b""
    try:
        if os.tcgetpgrp(descriptor) != os.getpgrp():
            return b""
        before = termios.tcgetattr(descriptor)
        try:
            tty.setcbreak(descriptor)
            os.write(descriptor, _QUESTION)
            return _read(descriptor)
        finally:
            # And what was typed meanwhile: it cannot be meant for the screen that comes next.
            termios.tcsetattr(descriptor, termios.TCSAFLUSH, before)
    except (OSError, termios.error):
        return b""
    finally:
        os.close(descriptor)


def _read(descriptor: int) -> bytes:
    answer = b""
    ends = time.monotonic() + LIMIT
    while _ANSWERED.search(answer) is None:
        if not select.select([descriptor], [], [], max(0.0, ends - time.monotonic()))[0]:
            break
        if not (data := os.read(descriptor, 1024)):
            break
        answer += data
        ends = max(ends, time.monotonic() + REST) if b"\x1b" in answer else ends
    return answer


def brightness(answer: bytes) -> float:
    """From black, 0, to white, 1; 0 where no colour was told."""
    match = _COLOUR.search(answer)
    if match is None:
        return 0.0
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in match.groups())
    return float(0.299 * red + 0.587 * green + 0.114 * blue)


# Without colours, meaning is carried by words, signs and bold print alone.
Depth = Literal["none", "16", "256", "all"]

# Token: dark, light. Every text and risk colour keeps 4.7:1 on bg, surface and raised.
TOKENS = {
    "bg": ("#0F1216", "#FAFAF8"),
    "surface": ("#171B21", "#FFFFFF"),
    "raised": ("#20262E", "#F1F2F0"),
    "line": ("#39424D", "#C9CED4"),
    "edge": ("#6B7683", "#7E8893"),
    "text": ("#E8ECF1", "#14181D"),
    "text-2": ("#A9B3BE", "#4E5965"),
    "text-3": ("#86909C", "#606B77"),
    "focus": ("#7CC4FF", "#005FB8"),
    "look": ("#A9B3BE", "#606B77"),
    "change": ("#56B4E9", "#0B62A8"),
    "care": ("#F2B134", "#8A5F00"),
    "danger": ("#FF6B6B", "#A80030"),
    "ok": ("#3CC79A", "#00704F"),
    "on-btn": ("#0F1216", "#FFFFFF"),
    "add-bg": ("#10283A", "#E3F0FA"),
    "del-bg": ("#33270A", "#FBF0D9"),
    "hue-0": ("#D79A4A", "#9A5B00"),
    "hue-1": ("#B3BB4A", "#6B7300"),
    "hue-2": ("#5FBF7F", "#1D7A3E"),
    "hue-3": ("#45BCC4", "#00747C"),
    "hue-4": ("#7AA5F0", "#2B63C4"),
    "hue-5": ("#A690EE", "#6A4FC0"),
    "hue-6": ("#D983CD", "#A03C94"),
    "hue-7": ("#EA8F8B", "#B0413E"),
}
# Those of the 256 that are nearest would be too much alike, or not legible: these are.
TWINS = {
    "bg": ("#121212", "#FFFFFF"),
    "surface": ("#1C1C1C", "#FFFFFF"),
    "raised": ("#262626", "#F1F2F0"),
    "text-3": ("#A8A8A8", "#626262"),
    "look": ("#BCBCBC", "#626262"),
    "add-bg": ("#00005F", "#D7FFFF"),
    # There is no amber that is dark enough.
    "del-bg": ("#303030", "#FFFFD7"),
    "hue-1": ("#AFAF5F", "#5F5F00"),
    "hue-2": ("#5FAF87", "#005F00"),
    "hue-3": ("#5FAFD7", "#005F5F"),
    "hue-6": ("#D787D7", "#87005F"),
    "hue-7": ("#D78787", "#875F5F"),
}
_BLACK, _WHITE = "#000000", "#FFFFFF"
_RED, _MAGENTA, _BLUE = "#AA0000", "#AA00AA", "#0000AA"
_GREY, _BRIGHT_RED, _GREEN, _YELLOW = "#AAAAAA", "#FF5555", "#55FF55", "#FFFF55"
_PINK, _CYAN, _BRIGHT_CYAN = "#FF55FF", "#00AAAA", "#55FFFF"
# Of the 16, those that are legible on black, or on white, in every usual palette.
SIXTEEN = {
    "bg": (_BLACK, _WHITE),
    "surface": (_BLACK, _WHITE),
    # Drawn reversed: there is no third ground on which everything can be read.
    "raised": (_BLACK, _WHITE),
    "line": (_GREY, _BLACK),
    "edge": (_GREY, _BLACK),
    "text": (_WHITE, _BLACK),
    "text-2": (_GREY, _BLACK),
    "text-3": (_GREY, _BLACK),
    "focus": (_BRIGHT_CYAN, _BLUE),
    "look": (_GREY, _BLACK),
    "change": (_CYAN, _BLUE),
    "care": (_YELLOW, _MAGENTA),
    "danger": (_BRIGHT_RED, _RED),
    "ok": (_GREEN, _BLACK),
    "on-btn": (_BLACK, _WHITE),
    "add-bg": (_BLACK, _WHITE),
    "del-bg": (_BLACK, _WHITE),
    "hue-0": (_YELLOW, _MAGENTA),
    "hue-1": (_YELLOW, _BLACK),
    "hue-2": (_GREEN, _BLACK),
    "hue-3": (_CYAN, _BLUE),
    "hue-4": (_BRIGHT_CYAN, _BLUE),
    "hue-5": (_PINK, _MAGENTA),
    "hue-6": (_PINK, _MAGENTA),
    "hue-7": (_BRIGHT_RED, _RED),
}


def colour(token: str, depth: Depth, *, is_dark: bool) -> str:
    tokens = SIXTEEN if depth == "16" else TOKENS | TWINS if depth == "256" else TOKENS
    return tokens[token][0 if is_dark else 1]


# Names that stand for several tokens: on which ground, in which colour, how.
_ALIASES = {
    "danger-block": "on:danger fg:on-btn strong",
    "selected": "on:raised",
    "add": "on:add-bg",
    "del": "on:del-bg",
}
_ATTRIBUTES = {"strong": "bold", "struck": "strike", "under": "underline", "italic": "italic", "reverse": "reverse"}
# Grounds that have to be seen. With few colours or none, text and ground change places on them.
_REVERSED: dict[Depth, frozenset[str]] = {"none": frozenset({"raised", "danger"}), "16": frozenset({"raised"})}
_DEPTHS: dict[str | None, Depth] = {None: "none", "standard": "16", "256": "256", "truecolor": "all"}


@dataclass(frozen=True, slots=True)
class Look:
    """A style is words: a token colours the text, ``on:token`` the ground, ``strong`` makes it bold."""

    is_dark: bool = True
    is_ascii: bool = False
    depth: Depth = "all"
    _cache: dict[str, Style] = field(default_factory=dict, compare=False, repr=False)

    @property
    def is_colourless(self) -> bool:
        return self.depth == "none"

    def colour(self, token: str) -> str:
        return colour(token, self.depth, is_dark=self.is_dark)

    def style(self, words: str) -> Style:
        style = self._cache.get(words)
        if style is None:
            style = self._cache[words] = self._made(words)
        return style

    def _made(self, words: str) -> Style:
        attributes: dict[str, Any] = {}
        colour, ground = "text", ""
        for word in " ".join(_ALIASES.get(word, word) for word in words.split()).split():
            if word in _ATTRIBUTES:
                attributes[_ATTRIBUTES[word]] = True
            elif word.startswith("on:"):
                ground = word[3:]
            else:
                colour = word.removeprefix("fg:")
        # Said in either case: a style is laid over that of its line, which may be reversed.
        is_reversed = ground in _REVERSED.get(self.depth, ()) or attributes.get("reverse", False)
        if ground or is_reversed:
            attributes["reverse"] = is_reversed
        if self.is_colourless:
            return Style(**attributes)
        if is_reversed:
            # In one colour: each piece on a ground of its own would be a patchwork.
            colour = "text"
        return Style(color=self.colour(colour), bgcolor=self.colour(ground) if ground else None, **attributes)

    def strip(self, line: Line, width: int, ground: str = "on:bg") -> Strip:
        """The only way to the terminal: whatever the pieces hold, what comes out is one line of printable cells."""
        base = self.style(ground)
        made = [Segment(self.shown(text), base + self.style(f"{ground} {words}")) for text, words in line if text]
        return Strip(made).adjust_cell_length(width, base)

    def shown(self, text: str) -> str:
        text = one_line(text)
        return wording.plain(text) if self.is_ascii else text


class _WholeCells(ScrollBarRender):
    """A scroll bar without signs for parts of a cell."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]


def found_look(environ: Mapping[str, str], *, is_ascii: bool = False, is_light: bool | None = None) -> Look:
    """As this terminal can show it. Before anything else is drawn or read: it may ask the terminal."""
    glyphs.plain_only(is_ascii)
    ScrollBar.renderer = _WholeCells if is_ascii else ScrollBarRender
    if is_light is None:
        is_light = light_background(environ)
    return Look(not is_light, is_ascii, depth(environ))


def depth(environ: Mapping[str, str]) -> Depth:
    """As many colours as Textual will use."""
    if environ.get("NO_COLOR"):
        return "none"
    system = constants.COLOR_SYSTEM if constants.COLOR_SYSTEM != "auto" else _detected(environ)
    return _DEPTHS.get(system, "16")


def _detected(environ: Mapping[str, str]) -> str | None:
    return Console(_environ=environ, force_terminal=True, legacy_windows=False).color_system


def theme(look: Look) -> Theme:
    return Theme(
        name="assent",
        primary=look.colour("focus"),
        secondary=look.colour("edge"),
        accent=look.colour("focus"),
        foreground=look.colour("text"),
        background=look.colour("bg"),
        surface=look.colour("surface"),
        panel=look.colour("raised"),
        warning=look.colour("care"),
        error=look.colour("danger"),
        success=look.colour("ok"),
        dark=look.is_dark,
        variables={
            "scrollbar": look.colour("line"),
            "scrollbar-background": look.colour("bg"),
            "scrollbar-hover": look.colour("text-2"),
            "scrollbar-active": look.colour("focus"),
            "input-cursor-background": look.colour("text"),
            "input-cursor-foreground": look.colour("bg"),
        },
    )
