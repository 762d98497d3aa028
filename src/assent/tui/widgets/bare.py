"""Widgets that are nothing but lines: what frames, paddings and tints would cost on every line is left out."""

from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget


class Bare(Widget):
    """Each line is drawn by ``render_line`` alone. Filters of the terminal, as for NO_COLOR, are kept."""

    def render_lines(self, crop: Region) -> list[Strip]:
        width, ground = self.outer_size.width, self.background_colors[1]
        # A filter reads the style of every piece.
        plain = Style.null()
        strips = [self.render_line(y).adjust_cell_length(width, plain) for y in crop.line_range]
        for each in self.get_line_filters():
            strips = [strip.apply_filter(each, ground) for strip in strips]
        return strips if crop.column_span == (0, width) else [strip.crop(*crop.column_span) for strip in strips]
