"""What an agent wrote is drawn, whatever it is: it neither runs nor hides."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import checks, views
from tests.browser.views import a_part, command
from tests.component.hub_process import until

HTML = "<script>window.ran = 1</script><img src=x onerror='window.ran = 1'>"


def test_markup_in_a_command_is_text(canvas: Page) -> None:
    """A command that holds HTML is shown with every character of it, and nothing of it runs."""
    box = views.draw(canvas, command(a_part(f"echo '{HTML}'")))
    expect(box.locator("pre")).to_have_text(f"echo '{HTML}'")
    assert not views.made_of(box) & {"script", "img"}
    assert canvas.evaluate("window.ran") is None


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        pytest.param("a\u202eb", "a⟨U+202E⟩b", id="direction"),
        pytest.param("a\u200bb", "a⟨U+200B⟩b", id="no-width"),
        pytest.param("\x1b[31mred", "⟨U+001B⟩[31mred", id="escape"),
        pytest.param("a\rb", "a⟨U+000D⟩b", id="carriage-return"),
        pytest.param("a\u00a0b", "a⟨U+00A0⟩b", id="odd-blank"),
        pytest.param("a\u3164b", "a⟨U+3164⟩b", id="filler"),
        pytest.param("a\U000e0041b", "a⟨U+E0041⟩b", id="tag"),
        pytest.param("p\u0430ypal.example", "p\u0430⟨U+0430⟩ypal.example", id="twin"),
        pytest.param("\U0001d41cat x", "\U0001d41c⟨U+1D41C⟩at x", id="mathematical"),
        pytest.param("\uff4cs", "\uff4c⟨U+FF4C⟩s", id="wide"),
        pytest.param("\u0441\u0443", "\u0441⟨U+0441⟩\u0443⟨U+0443⟩", id="all-twins"),
        pytest.param(f"a{' ' * 40}b", "a␣×40b", id="blanks"),
        pytest.param("a\n\n\n\n\n\nb", "a↵×6\nb", id="empty-lines"),
        pytest.param("a\nb", "a↵\nb", id="newline"),
    ],
)
def test_what_is_not_seen_is_drawn(canvas: Page, text: str, drawn: str) -> None:
    """Characters that would not be seen, or be taken for others, are spelled out."""
    box = views.draw(canvas, command(a_part(text)))
    assert box.locator("pre").evaluate("(pre) => pre.textContent") == drawn


@pytest.mark.parametrize("text", ["echo 'Привет, как дела?'", "echo 你好 café", "echo ❤️ 👩‍💻 done"])
def test_other_languages_are_left_alone(canvas: Page, text: str) -> None:
    """Words of other scripts and emoji are no trick."""
    box = views.draw(canvas, command(a_part(text)))
    expect(box.locator(".mark")).to_have_count(0)
    assert box.locator("pre").evaluate("(pre) => pre.textContent") == text


def test_long_text_keeps_its_start_and_its_end(canvas: Page) -> None:
    """12,000 characters are folded in the middle, which says how much it hides and opens on a press."""
    text = "echo start; " + "x" * 12_000 + "; rm -rf end"
    box = views.draw(canvas, command(a_part(text)))
    expect(box.locator("pre")).to_contain_text("echo start")
    expect(box.locator("pre")).to_contain_text("rm -rf end")
    fold = box.get_by_role("button", name="characters")
    expect(fold).to_have_text("⋯ 8 424 characters ⋯")
    fold.click()
    assert box.locator("pre").evaluate("(pre) => pre.textContent") == text


def test_hostile_length_does_not_stall(canvas: Page) -> None:
    """Quotes, here-documents and brackets that never end cost no more than their length."""
    for piece in ("'", '"', '\\"', "<<A\n", "${", "$(", "`", "((", "|&"):
        text = piece * (60_000 // len(piece))
        took = canvas.evaluate(
            """async (text) => {
              const { drawThing } = await import("/static/view/thing.js");
              const began = performance.now();
              const segments = [{ text, risk: "care", needs_you: true }];
              const box = drawThing({ kind: "permission", view: { tool: "Bash", segments }, subject: {}, risk: {} });
              box.querySelector(".fold").click();
              return performance.now() - began;
            }""",
            text,
        )
        assert took < 3_000, piece


def test_end_counts_only_when_it_was_in_view(canvas: Page) -> None:
    """Without scrolling down it was not read."""
    box = views.draw(canvas, command(*(a_part(f"echo {number}\n") for number in range(200))))
    watched = box.evaluate_handle(
        """(box) => {
          const watched = { seen: 0 };
          document.body.style.cssText = "display: block; overflow: visible; height: auto";
          // More stands below it, as on the screen.
          box.after(Object.assign(document.createElement("div"), { style: "height: 900px" }));
          window.view.watchEnd(box, () => (watched.seen += 1));
          return watched;
        }"""
    )
    checks.settle(canvas)
    assert watched.evaluate("(watched) => watched.seen") == 0
    canvas.locator(".thing-end").evaluate("(end) => end.scrollIntoView({ block: 'center' })")
    until(lambda: watched.evaluate("(watched) => watched.seen") == 1, "the end was seen")


def test_part_that_needs_you_is_marked(canvas: Page) -> None:
    """Of two commands one is guilty: it is marked; the other is quiet."""
    box = views.draw(
        canvas,
        command(
            a_part("git clean -fdx", "danger", why="Removes 214 files."),
            {"text": " && "},
            a_part("npm ci", "care", needs_you=False),
        ),
    )
    expect(box.locator("pre")).to_have_text("git clean -fdx && npm ci")
    expect(box.locator("mark")).to_have_text("git clean -fdx")
