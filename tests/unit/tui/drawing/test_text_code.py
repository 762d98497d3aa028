"""Code in a few colours."""

import pytest

from assent.tui.drawing.text import LONGEST, coloured

PYTHON = 'def f(x):\n    """Doc\n    string."""\n    return x  # why\n'


@pytest.mark.parametrize("language", ["python", "Python title", "nonsense", "", "json"])
def test_coloured_code_is_the_same_text(language: str) -> None:
    """Line by line, nothing added and nothing lost."""
    lines = coloured(PYTHON, language)
    assert ["".join(part for part, _ in line) for line in lines] == PYTHON.split("\n")


def test_coloured_code_has_styles_where_the_language_is_known() -> None:
    """Comments, keywords and texts look different; long code stays plain."""
    styles = {style for line in coloured(PYTHON, "python") for _, style in line}
    assert {"hue-5", "hue-2", "text-3 italic"} <= styles
    assert {style for line in coloured(PYTHON * LONGEST, "python") for _, style in line} == {""}
