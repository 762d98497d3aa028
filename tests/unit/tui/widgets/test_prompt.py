"""What may stand in a line that is typed."""

import pytest

from assent.tui.widgets.prompt import is_seen, typed


@pytest.mark.parametrize(
    ("pasted", "stands"),
    [
        ("npm test", "npm test"),
        ("one\r\ntwo\rthree\n", "one two three"),
        ("a\x1b[2Jb\x9b", "a⟨U+001B⟩[2Jb⟨U+009B⟩"),
        ("a\u202eb\tc", "a⟨U+202E⟩b c"),
        ("größe 日本", "größe 日本"),
    ],
)
def test_pasted_text_is_one_line_that_is_seen(pasted: str, stands: str) -> None:
    """Nothing in it steers a terminal, and it may be put there again."""
    assert typed(pasted) == stands
    assert typed(pasted).isprintable()
    assert is_seen(stands)
    assert is_seen(pasted) is (pasted == stands)
