"""How it looks: named styles in two themes, one way from drawn lines to the terminal, signs or plain letters."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual import constants
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.strip import Strip

from assent.tui.drawing import background, glyphs, tokens
from assent.tui.drawing.glyphs import one_line
from assent.tui.drawing.text import Line
from assent.tui.drawing.tokens import Depth
from assent.words import signs

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
        return tokens.colour(token, self.depth, is_dark=self.is_dark)

    def style(self, words: str) -> Style:
        known = self._cache.get(words)
        if known is None:
            known = self._cache[words] = self._made(words)
        return known

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
        return signs.plain(text) if self.is_ascii else text


class _WholeCells(ScrollBarRender):
    """A scroll bar without signs for parts of a cell."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]


def found_look(environ: Mapping[str, str], *, is_ascii: bool = False, is_light: bool | None = None) -> Look:
    """As this terminal can show it. Before anything else is drawn or read: it may ask the terminal."""
    glyphs.plain_only(is_ascii)
    ScrollBar.renderer = _WholeCells if is_ascii else ScrollBarRender
    if is_light is None:
        is_light = background.is_light(environ)
    return Look(not is_light, is_ascii, depth(environ))


def depth(environ: Mapping[str, str]) -> Depth:
    """As many colours as Textual will use."""
    if environ.get("NO_COLOR"):
        return "none"
    system = constants.COLOR_SYSTEM if constants.COLOR_SYSTEM != "auto" else _detected(environ)
    return _DEPTHS.get(system, "16")


def _detected(environ: Mapping[str, str]) -> str | None:
    return Console(_environ=environ, force_terminal=True, legacy_windows=False).color_system
