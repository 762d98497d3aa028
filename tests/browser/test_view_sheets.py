"""Sheets over the page: stop asking, always, edit; and a finished turn."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser import views
from tests.component.hub_process import until

NPM = {
    "grant": "rule:Bash(npm test *)",
    "words": "Any npm test",
    "scopes": ["session", "project", "user"],
    "files": {"project": ".claude/settings.local.json", "user": "~/.claude/settings.json"},
    "covers": ["npm test -- a", "npm test -- b"],
    "leaves": "npm publish",
}
EXACT = {"grant": "rule:Bash(npm test)", "words": "Exactly this", "scopes": ["session"]}
WAYS = [{"choice": f"allow_{scope}", "needs": "press"} for scope in ("session", "project", "user")]


def _open(page: Page, module: str, call: str, *given: Any) -> None:
    page.evaluate(
        """async ([module, call, given]) => {
          const opened = await import(`/static/view/${module}.js`);
          window.given = "open";
          opened[call](...given).then((result) => (window.given = result));
        }""",
        [module, call, list(given)],
    )


def _given(page: Page) -> Any:
    """What the sheet gave when it was left."""
    until(lambda: page.evaluate("window.given") != "open", "the sheet was left")
    return page.evaluate("window.given")


def _ask(**more: Any) -> views.Json:
    return views.command(views.a_part("npm test"), choices=WAYS, **more)


def test_always_shows_rule_scope_file_and_examples(canvas: Page) -> None:
    """What is granted, where it is written, what it would have let pass and what not."""
    _open(canvas, "always", "openAlways", _ask(), [NPM, EXACT])
    sheet = canvas.get_by_role("dialog", name="Always allow")
    expect(sheet.get_by_label("The rule")).to_have_value("Bash(npm test *)")
    sheet.get_by_label("all my projects").check()
    expect(sheet).to_contain_text("~/.claude/settings.json")
    expect(sheet.locator(".meaning li")).to_have_text(["✓ npm test -- a", "✓ npm test -- b", "✕ npm publish"])
    sheet.get_by_role("button", name="Allow and remember").click()
    assert _given(canvas) == {"choice": "allow_user", "grant": "rule:Bash(npm test *)"}


def test_always_offers_only_the_scopes_of_an_offer(canvas: Page) -> None:
    """A rule for the session only cannot be written to a file; an edited rule is sent as edited."""
    _open(canvas, "always", "openAlways", _ask(), [NPM, EXACT])
    sheet = canvas.get_by_role("dialog")
    sheet.get_by_label("Exactly this").check()
    expect(sheet.locator(".scopes label")).to_have_text(["this session"])
    sheet.get_by_label("The rule").fill("Bash(npm test --fast)")
    expect(sheet).to_contain_text("You changed the rule")
    sheet.get_by_role("button", name="Allow and remember").click()
    assert _given(canvas) == {"choice": "allow_session", "grant": "rule:Bash(npm test --fast)"}


def test_stay_draws_what_an_agent_named_as_letters_only(canvas: Page) -> None:
    """A branch with a character that turns the text is spelled out, and markup stays text."""
    words = "`git push` of \u202efeature<b>x</b> to origin"
    stays = [{"kind": "shape", "words": words, "covers": f"{words}, alone.", "leaves": "Other branches still ask."}]
    _open(canvas, "stay", "openStay", stays, {"project": "~/src/<i>shop</i>", "agent": "Claude"})
    sheet = canvas.get_by_role("dialog", name="Stop asking here")
    expect(sheet.locator(".lone")).to_have_text("git push of ⟨U+202E⟩feature<b>x</b> to origin")
    expect(sheet.locator(".lone code")).to_have_text("git push")
    expect(sheet.locator("dd")).to_have_text(
        ["git push of ⟨U+202E⟩feature<b>x</b> to origin, alone.", "Other branches."]
    )
    expect(sheet.locator(".note")).to_contain_text("Holds for Claude in ~/src/<i>shop</i>.")


def test_stay_gives_kind_and_hours(canvas: Page) -> None:
    """A tool that only reads holds for every agent in every project."""
    stays = [
        {"kind": "shape", "words": "`foo list` in shop", "covers": "a", "leaves": "b"},
        {"kind": "reads", "words": "`foo list` only reads", "covers": "c", "leaves": "d"},
    ]
    _open(canvas, "stay", "openStay", stays, {"project": "~/src/shop", "agent": "Claude"})
    sheet = canvas.get_by_role("dialog")
    sheet.get_by_label("foo list only reads").check()
    expect(sheet.locator(".note")).to_contain_text("Holds for every agent in every project.")
    sheet.get_by_label("24 hours").check()
    sheet.get_by_role("button", name="Allow, and stop asking here").click()
    assert _given(canvas) == {"grant": "reads", "hours": 24}


def test_danger_is_remembered_only_exactly_and_with_the_word(canvas: Page) -> None:
    """The rule cannot be widened, and the match word is asked for here, too."""
    ways = [{"choice": "allow_session", "needs": "match"}]
    ask = views.command(views.a_part("rm -rf x"), choices=ways, risk={"level": "danger", "match": "uploads"})
    _open(canvas, "always", "openAlways", ask, [EXACT])
    sheet = canvas.get_by_role("dialog")
    expect(sheet.get_by_label("The rule")).not_to_be_editable()
    act = sheet.get_by_role("button", name="Allow and remember")
    act.click()
    expect(sheet.locator(".fault")).to_have_text("Type uploads to go on.")
    sheet.get_by_label("Match word").fill("uploads")
    act.click()
    assert _given(canvas) == {
        "choice": "allow_session",
        "grant": "rule:Bash(npm test)",
        "match": "uploads",
    }


def test_escape_leaves_a_sheet_and_its_keys_stay_in_it(canvas: Page) -> None:
    """No key pressed in a sheet reaches the page below; leaving it gives no answer."""
    canvas.evaluate("window.heard = []; addEventListener('keydown', (event) => window.heard.push(event.key))")
    _open(canvas, "always", "openAlways", _ask(), [NPM])
    canvas.keyboard.press("a")
    canvas.keyboard.press("Escape")
    assert _given(canvas) is None
    assert canvas.evaluate("window.heard") == []


def test_edited_command_keeps_the_rest_of_the_input(canvas: Page) -> None:
    """The command changes; what else the call was given goes with it."""
    ask = views.an_ask("permission", {"tool": "Bash", "raw": {"command": "npm test", "timeout": 5}})
    _open(canvas, "edit", "openEdit", ask)
    sheet = canvas.get_by_role("dialog", name="Edit the command")
    act = sheet.get_by_role("button", name="Allow the edited input")
    act.click()
    expect(sheet.locator(".fault")).to_have_text("Nothing was changed.")
    sheet.get_by_label("command").fill("npm test -- --fast")
    act.click()
    assert _given(canvas) == {
        "choice": "allow_edited",
        "edited": {"command": "npm test -- --fast", "timeout": 5},
    }


def test_other_input_is_edited_as_json(canvas: Page) -> None:
    """Only a JSON object is taken."""
    _open(canvas, "edit", "openEdit", views.an_ask("permission", {"tool": "Odd", "raw": {"a": 1}}))
    sheet = canvas.get_by_role("dialog", name="Edit the input")
    sheet.get_by_label("Input as JSON").fill("[1]")
    sheet.get_by_role("button", name="Allow the edited input").click()
    expect(sheet.locator(".fault")).to_have_text("This is not a JSON object.")


def test_finished_turn_is_kept_going_with_words(canvas: Page) -> None:
    """Chips fill in the words; without any there is nothing to say."""
    stop = {"message": "One\n\nTwo\n\nThree\n\nFour\n\nFive\n\nSix", "used": 2, "most": 8}
    box = views.draw(canvas, views.an_ask("stop", {"stop": stop}))
    assert "problem" in views.answer(canvas, "keep_going")
    box.get_by_role("button", name="Run the tests").click()
    assert views.answer(canvas, "keep_going") == {"message": "Run the tests."}
    expect(box).to_contain_text("2 of 8 continuations used")
    box.get_by_role("button", name="Show all of it").click()
    expect(box.get_by_text("Six")).to_be_in_viewport()
    assert views.answer(canvas, "let_stop") == {}
