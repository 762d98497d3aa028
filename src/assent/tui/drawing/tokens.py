"""The colours by name, for terminals that have all of them, 256, or 16.

Each is said as a value that ends up as the wanted colour when Textual turns it into what the terminal has."""

from typing import Literal

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
