"""How it looks: named styles in two themes, one way from drawn lines to the terminal, signs or plain letters."""

from dataclasses import dataclass, field
from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from assent.tui.text import Line, inert, one_line
from assent.words import signs

# Token: dark, light. Every text and risk colour keeps 4.7:1 on all three grounds.
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
# Names that stand for several tokens: on which ground, in which colour, how.
_ALIASES = {
    "danger-block": "on:danger fg:on-btn strong",
    "selected": "on:raised",
    "add": "on:add-bg",
    "del": "on:del-bg",
}
_ATTRIBUTES = {"strong": "bold", "struck": "strike", "under": "underline", "italic": "italic", "reverse": "reverse"}


@dataclass(frozen=True, slots=True)
class Look:
    """A style is words: a token colours the text, ``on:token`` the ground, ``strong`` makes it bold."""

    is_dark: bool = True
    is_ascii: bool = False
    _cache: dict[str, Style] = field(default_factory=dict, compare=False, repr=False)

    def colour(self, token: str) -> str:
        return TOKENS[token][0 if self.is_dark else 1]

    def style(self, words: str) -> Style:
        known = self._cache.get(words)
        if known is None:
            known = self._cache[words] = self._made(words)
        return known

    def _made(self, words: str) -> Style:
        made: dict[str, str | bool] = {"color": self.colour("text")}
        for word in " ".join(_ALIASES.get(word, word) for word in words.split()).split():
            if word in _ATTRIBUTES:
                made[_ATTRIBUTES[word]] = True
            elif word.startswith("on:"):
                made["bgcolor"] = self.colour(word[3:])
            else:
                made["color"] = self.colour(word.removeprefix("fg:"))
        return Style(**made)  # type: ignore[arg-type]

    def strip(self, line: Line, width: int, ground: str = "on:bg") -> Strip:
        """The only way to the terminal: whatever the pieces hold, what comes out is one line of printable cells."""
        base = self.style(ground)
        made = [Segment(self.shown(text), base + self.style(f"{ground} {words}")) for text, words in line if text]
        return Strip(made).adjust_cell_length(width, base)

    def shown(self, text: str) -> str:
        text = one_line(text)
        return signs.plain(text) if self.is_ascii else text


@lru_cache
def look(*, is_dark: bool = True, is_ascii: bool = False) -> Look:
    return Look(is_dark, is_ascii)


__all__ = ["TOKENS", "Line", "Look", "inert", "look"]
