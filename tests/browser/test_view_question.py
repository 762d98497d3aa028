"""Questions as they are filled in."""

from playwright.sync_api import Page, expect

from tests.browser import views

DATABASE = {
    "question": "Which database?",
    "header": "Database",
    "options": [
        {"label": "PostgreSQL", "description": "As the others.", "preview": "image: postgres"},
        {"label": "SQLite", "description": "One file."},
    ],
}
CHECKS = {"question": "Which checks?", "multi": True, "options": [{"label": "Lint"}, {"label": "Types"}]}


def _asked(*questions: views.Json) -> views.Json:
    return views.an_ask("question", {"questions": list(questions)})


def test_every_question_has_its_step_and_a_review(canvas: Page) -> None:
    """Keys pick and go on; nothing is given before all of it stood there once more."""
    box = views.draw(canvas, _asked(DATABASE, CHECKS))
    expect(box.locator(".step")).to_have_text("1 of 2 · Database")
    views.press(canvas, "2", "1", "ArrowRight")
    expect(box.locator(".step")).to_have_text("2 of 2 · pick any number")
    views.press(canvas, "1", "2")
    assert views.answer(canvas, "answer") == {"problem": "Look over your answers, then submit them."}
    expect(box.locator(".review .answer")).to_have_text(["PostgreSQL", "Lint, Types"])
    assert views.answer(canvas, "answer") == {
        "answers": {"Which database?": "PostgreSQL", "Which checks?": "Lint, Types"}
    }


def test_question_without_an_answer_is_shown_again(canvas: Page) -> None:
    """A gap is found, named and shown."""
    box = views.draw(canvas, _asked(DATABASE, CHECKS))
    views.press(canvas, "1")
    assert views.answer(canvas, "answer") == {"problem": "Question 2 has no answer yet."}
    expect(box.locator("h3")).to_have_text("Which checks?")


def test_own_words_take_the_place_of_an_option(canvas: Page) -> None:
    """With one answer to give, other words replace the pick; with several they join it."""
    box = views.draw(canvas, _asked(DATABASE))
    views.press(canvas, "1", "o")
    box.get_by_label("Other answer").fill("DuckDB")
    assert views.answer(canvas, "answer") == {"answers": {"Which database?": "DuckDB"}}
    views.press(canvas, "2")
    assert views.answer(canvas, "answer") == {"answers": {"Which database?": "SQLite"}}
    expect(box.get_by_label("Other answer")).to_be_hidden()


def test_preview_is_shown_for_what_is_picked(canvas: Page) -> None:
    """An option that comes with a preview shows it."""
    box = views.draw(canvas, _asked(DATABASE))
    expect(box.locator(".preview")).to_be_hidden()
    views.press(canvas, "1")
    expect(box.locator(".preview")).to_have_text("image: postgres")


def test_picks_outlive_another_drawing(canvas: Page) -> None:
    """Picks are still there after another ask was shown."""
    views.draw(canvas, _asked(DATABASE))
    views.press(canvas, "2")
    box = views.draw(canvas, _asked(DATABASE))
    expect(box.get_by_label("SQLite")).to_be_checked()
    assert views.answer(canvas, "deny") == {}
