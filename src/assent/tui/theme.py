"""The look, for the parts Textual draws itself: scroll bars, text fields."""

from textual.theme import Theme

from assent.tui.drawing.look import Look


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
