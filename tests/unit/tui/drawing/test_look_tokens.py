"""Every colour can be read on every ground, however many colours the terminal has."""

import pytest
from rich.color import Color, ColorSystem
from rich.palette import Palette

from assent.tui.drawing.look import SIXTEEN, TOKENS, TWINS, Depth, colour

GROUNDS = ("bg", "surface", "raised")
NOT_TEXT = {*GROUNDS, "add-bg", "del-bg", "line", "edge", "on-btn"}
TEXTS = sorted(TOKENS.keys() - NOT_TEXT)
# What stands in a diff.
IN_DIFFS = ("text", "text-3", "hue-0", "hue-2", "hue-4", "hue-5")

Triplet = tuple[int, int, int]


def palette_of(values: str) -> Palette:
    return Palette([(value[0], value[1], value[2]) for value in map(bytes.fromhex, values.split())])


XTERM = palette_of(
    "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff"
)
VGA = palette_of(
    "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa 555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff"
)
STEPS = (0, 95, 135, 175, 215, 255)


def contrast(one: Triplet, other: Triplet) -> float:
    def light(value: Triplet) -> float:
        parts = [part / 255 for part in value]
        red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    brighter, darker = sorted((light(one), light(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def of_256(number: int, first: Palette) -> Triplet:
    """As xterm mixes them."""
    if number < 16:
        return tuple(first[number])  # type: ignore[return-value]
    if number >= 232:
        return (8 + 10 * (number - 232),) * 3
    number -= 16
    return STEPS[number // 36], STEPS[number // 6 % 6], STEPS[number % 6]


def on_screen(token: str, depth: Depth, is_dark: bool, first: Palette = XTERM) -> Triplet:
    """What the terminal shows in the end."""
    parsed = Color.parse(colour(token, depth, is_dark=is_dark))
    if depth == "all":
        return parsed.get_truecolor()
    made = parsed.downgrade(ColorSystem.EIGHT_BIT if depth == "256" else ColorSystem.STANDARD)
    assert made.number is not None
    return of_256(made.number, first)


KINDS: tuple[tuple[Depth, Palette], ...] = (("all", XTERM), ("256", XTERM), ("16", XTERM), ("16", VGA))
SCREENS = [(depth, is_dark, palette) for depth, palette in KINDS for is_dark in (True, False)]


@pytest.mark.parametrize(("depth", "is_dark", "palette"), SCREENS)
def test_texts_are_legible_on_every_ground(depth: Depth, is_dark: bool, palette: Palette) -> None:
    """Four and a half to one, also where the terminal has few colours."""
    pairs = [(token, ground) for token in TEXTS for ground in GROUNDS]
    pairs += [(token, ground) for token in IN_DIFFS for ground in ("add-bg", "del-bg")]
    pairs.append(("on-btn", "danger"))
    faint = {
        (token, ground): round(ratio, 2)
        for token, ground in pairs
        if (ratio := contrast(*(on_screen(each, depth, is_dark, palette) for each in (token, ground)))) < 4.5
    }
    assert not faint


@pytest.mark.parametrize("is_dark", [True, False])
@pytest.mark.parametrize("depth", ["all", "256"])
def test_grounds_of_a_diff_are_told_apart(depth: Depth, is_dark: bool) -> None:
    """What comes and what goes stand on different grounds, and on another one than the rest."""
    grounds = {on_screen(token, depth, is_dark) for token in ("surface", "add-bg", "del-bg")}
    assert len(grounds) == 3


@pytest.mark.parametrize("is_dark", [True, False])
@pytest.mark.parametrize("depth", ["all", "256"])
def test_selected_row_stands_out(depth: Depth, is_dark: bool) -> None:
    """The row under the cursor has a ground of its own; with 16 colours it is reversed."""
    assert on_screen("raised", depth, is_dark) != on_screen("bg", depth, is_dark)


@pytest.mark.parametrize(("depth", "is_dark", "palette"), SCREENS)
def test_care_and_danger_have_colours_of_their_own(depth: Depth, is_dark: bool, palette: Palette) -> None:
    """The two that cost more than a press are never drawn alike, nor like the others."""
    levels = ("look", "care", "danger")
    assert len({on_screen(level, depth, is_dark, palette) for level in (*levels, "change")}) == 4


def test_tables_name_the_same_tokens() -> None:
    """A token that one table forgot would be drawn in a default colour."""
    assert SIXTEEN.keys() == TOKENS.keys()
    assert TWINS.keys() <= TOKENS.keys()
