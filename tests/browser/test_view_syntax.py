"""Colours of code: painted over the text of a change, never a part of it."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import views
from tests.component.hub_process import until

PAINTED = """() => {
  const text = ({ startContainer: node, startOffset: from, endOffset: to }) => node.data.slice(from, to);
  return Object.fromEntries([...CSS.highlights].map(([name, all]) => [name.replace("code-", ""), [...all].map(text)]));
}"""
SHOWN_ON = ("--bg", "--surface", "--raised", "--add-bg", "--del-bg")
COLOURS = ("--code-keyword", "--code-string", "--code-name", "--text-3")
LEAST_CONTRAST = 4.5


def _edit(path: str, *lines: str) -> views.Json:
    hunks = [{"old_start": 1, "new_start": 1, "lines": list(lines)}]
    return views.an_ask(
        "permission", {"tool": "Edit", "diffs": [{"path": path, "added": 1, "removed": 1, "hunks": hunks}]}
    )


def painted(page: Page, ask: views.Json) -> dict[str, list[str]]:
    """What has which colour, once something has."""
    views.draw(page, ask)
    found: dict[str, list[str]] = until(lambda: page.evaluate(PAINTED), "colours")
    return found


def test_four_roles_are_told_apart(canvas: Page) -> None:
    """Keywords, strings, comments, and names and numbers; everything else keeps the colour of text."""
    ask = _edit(
        "shop/login.py", " def greet(name):", '-    return "hi" + name', "+    # Politely.", '+    return 10 * "hello"'
    )
    assert painted(canvas, ask) == {
        "keyword": ["return", "def", "return"],
        "name": ["greet", "10"],
        "string": ['"hi"', '"hello"'],
        "comment": ["# Politely."],
    }


@pytest.mark.parametrize(
    ("path", "line", "role", "text"),
    [
        ("a.ts", "+const a = `x` // why", "comment", "// why"),
        ("a.rs", "+fn f<'a>(x: &'a str) {}", "name", "f"),
        ("a.sql", "+SELECT 1", "keyword", "SELECT"),
        ("a.yaml", "+port: 80 # web", "comment", "# web"),
        ("Makefile", "+# all", "comment", "# all"),
        ("a.css", "+a { b: url('x') }", "string", "'x'"),
        ("a.html", "+<!-- no -->", "comment", "<!-- no -->"),
    ],
)
def test_language_is_known_by_the_name_of_the_file(canvas: Page, path: str, line: str, role: str, text: str) -> None:
    """One reading of quotes and comments for each family of languages."""
    assert text in painted(canvas, _edit(path, line))[role]


def test_string_over_several_lines_is_read_as_one(canvas: Page) -> None:
    """Each side of a change is read as the file it is."""
    found = painted(canvas, _edit("a.py", ' """One', "-for two", "+if three", ' """'))
    assert set(found) == {"string"}
    assert sorted("".join(found["string"])) == sorted('"""Onefor twoif three"""')


def test_marks_keep_their_own_colour(canvas: Page) -> None:
    """A sign for a character that is not seen, and a changed word, stay what they are."""
    found = painted(canvas, _edit("a.py", '-x = "ab cd"', '+x = "ab\u202e xy"'))
    box = canvas.locator(".thing")
    expect(box.locator(".mark")).to_have_text("⟨U+202E⟩")
    expect(box.locator("ins").first).to_be_visible()
    assert not any("⟨" in text for texts in found.values() for text in texts)
    assert "".join(found["string"]).endswith('xy"')


def test_markup_in_code_is_text_and_no_element(canvas: Page) -> None:
    """Colours add nothing to the page."""
    line = "<img src=x onerror='window.ran = 1'>"
    painted(canvas, _edit("a.html", f"+{line}", '+"string"'))
    box = canvas.locator(".thing")
    expect(box.locator(".tx").first).to_have_text(line)
    assert "img" not in views.made_of(box)
    assert canvas.evaluate("window.ran") is None


def test_very_long_code_stays_plain(canvas: Page) -> None:
    """Code that was written to keep a highlighter busy is not read at all; short code of the same ask is."""
    long = _edit("a.js", *(f"+'{chr(92)}'" * 500 for _ in range(60)))
    long["view"]["diffs"].append(_edit("b.js", "+const b = 1")["view"]["diffs"][0])
    assert painted(canvas, long) == {"keyword": ["const"], "name": ["1"]}


def test_browser_without_highlights_shows_plain_text(canvas: Page) -> None:
    """Colours only help."""
    canvas.evaluate("Object.defineProperty(CSS, 'highlights', { value: undefined })")
    box = views.draw(canvas, _edit("a.py", "+return 1"))
    canvas.evaluate("import('/static/view/syntax.js')")
    expect(box.locator(".tx")).to_have_text("return 1")


def test_colours_of_what_is_gone_are_forgotten(canvas: Page) -> None:
    """Another ask, another text."""
    painted(canvas, _edit("a.py", "+return 1"))
    views.draw(canvas, _edit("a.py", "+yield 2"))
    until(lambda: canvas.evaluate(PAINTED).get("keyword") == ["yield"], "the colours of the second ask alone")


def test_shell_words_and_strings_have_the_same_colours(canvas: Page) -> None:
    """A command is read with the eyes that read a change."""
    box = views.draw(canvas, views.command(views.a_part("for f in *.txt; do echo \"$f\" 'x'; done # all")))
    expect(box.locator(".sh-keyword")).to_have_text(["for", "do", "done"])
    expect(box.locator("b")).to_have_text(["echo"])
    expect(box.locator(".sh-string")).to_have_text(['"$f"', "'x'"])


def _light(colour: list[int]) -> float:
    parts = [part / 255 for part in colour]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: list[int], other: list[int]) -> float:
    high, low = sorted((_light(one), _light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_can_be_read_on_every_ground(canvas: Page, scheme: Any) -> None:
    """In both themes, on added and removed lines, too."""
    canvas.emulate_media(color_scheme=scheme)

    def rgb(name: str) -> list[int]:
        made: list[int] = canvas.evaluate(
            """(name) => {
              document.body.style.color = `var(${name})`;
              return getComputedStyle(document.body).color.match(/\\d+/g).map(Number);
            }""",
            name,
        )
        return made

    grounds = {name: rgb(name) for name in SHOWN_ON}
    found = {(name, on): contrast(rgb(name), ground) for name in COLOURS for on, ground in grounds.items()}
    assert {pair: value for pair, value in found.items() if value < LEAST_CONTRAST} == {}
