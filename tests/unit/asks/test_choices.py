"""Who may answer what, and what a yes costs."""

from typing import Any

import pytest
from msgspec.structs import replace

from assent.asks import choices
from assent.asks.choices import CHOICES, PERMITTING, SCOPES
from assent.harnesses import codex, registry
from assent.protocol import modes
from assent.protocol.bodies import AskKind, Choice
from assent.protocol.card import Card, FormView, Peril, QuestionView, Subject, View
from assent.protocol.events import Elicitation, Event, PermissionRequest, PreToolUse, Stop
from assent.protocol.surfaces import Scope, Screen
from tests import toy_harness


def card(kind: AskKind = "permission", level: str = "change", **view: object) -> Card:
    shown = {"markdown": "# Plan", "questions": (QuestionView("Which?"),), "form": FormView("server"), **view}
    return Card(kind, View(verb="Do it", **shown), Subject("claude-code"), Peril(level))  # type: ignore[arg-type]


def offered(which: Card, scope: Scope = Scope.ADMIN, screen: Screen = "page") -> dict[Choice, str]:
    return {way.choice: way.needs for way in choices.ways(which, scope, screen)}


def test_every_choice_belongs_to_a_kind_and_has_a_scope() -> None:
    """Each choice can be given by some scope."""
    assert {choice for some in CHOICES.values() for choice in some} == SCOPES.keys()


@pytest.mark.parametrize(
    ("level", "needs"), [("look", "press"), ("change", "press"), ("care", "confirm"), ("danger", "match")]
)
def test_cost_of_yes_grows_with_risk(level: str, needs: str) -> None:
    """A no costs one press at any risk."""
    found = offered(card(level=level))
    assert {found[choice] for choice in found if choice in PERMITTING} == {needs}
    assert {found[choice] for choice in found if choice not in PERMITTING} == {"press"}


def test_deny_comes_first_for_who_moves_by_keyboard() -> None:
    """The order of the buttons is the order of the tab key."""
    assert next(iter(offered(card()))) == "deny"


@pytest.mark.parametrize(
    ("scope", "most"),
    [
        (Scope.WATCH, set()),
        (Scope.DENY, {"deny", "deny_and_stop", "hand_back"}),
        (Scope.ANSWER, {"deny", "deny_and_stop", "hand_back", "allow"}),
        (Scope.INSTRUCT, {"deny", "deny_and_stop", "hand_back", "allow", "allow_edited"}),
    ],
)
def test_scope_decides_what_is_offered(scope: Scope, most: set[str]) -> None:
    """Each scope has what the one before had, and a little more."""
    assert set(offered(card(), scope)) == most


@pytest.mark.parametrize("kind", ["permission", "question", "plan", "form", "stop"])
def test_view_that_masks_or_cuts_offers_no_yes(kind: AskKind) -> None:
    """What is not shown cannot be agreed to."""
    assert not set(offered(card(kind), screen="glance")) & (PERMITTING | {"keep_going", "revise"})


def test_plan_without_a_text_cannot_be_approved() -> None:
    """No body, no approval."""
    assert "approve" not in offered(card("plan", markdown=" "))
    assert choices.refusal(card("plan", markdown=""), "approve", Scope.ADMIN, has_words=False)


def test_form_that_cannot_be_shown_can_only_be_declined() -> None:
    """It cannot be filled in, so it is not submitted."""
    found = offered(card("form", form=FormView("server", trouble="It nests.")))
    assert set(found) == {"decline", "cancel", "hand_back"}


def test_answer_of_another_kind_is_refused() -> None:
    """A permission is not approved like a plan."""
    assert "not answered that way" in (choices.refusal(card(), "approve", Scope.ADMIN, has_words=False) or "")


def test_words_need_a_scope_of_their_own() -> None:
    """A phone presses; it does not instruct, unless its scope allows it."""
    assert choices.refusal(card(), "deny", Scope.ANSWER, has_words=True)
    assert choices.refusal(card(), "deny", Scope.INSTRUCT, has_words=True) is None


def test_mode_that_lasts_needs_more_than_the_scope_for_yes() -> None:
    """Approving a plan is a yes; never to be asked about edits again is one for longer."""
    plan = card("plan", markdown="# Plan")
    assert choices.refusal(plan, "approve", Scope.ANSWER, has_words=False) is None
    assert "grant" in (choices.refusal(plan, "approve", Scope.INSTRUCT, has_words=False, lasts=True) or "")
    assert choices.refusal(plan, "approve", Scope.GRANT, has_words=False, lasts=True) is None


@pytest.mark.parametrize(
    "event",
    [
        PermissionRequest(session_id="s", tool_name="Bash", tool_input={}),
        Elicitation(session_id="s"),
        Stop(session_id="s"),
    ],
)
def test_the_first_client_can_be_told_every_answer(event: Event) -> None:
    assert choices.untold(event, registry.default()) == ()


def test_answers_that_the_client_cannot_be_told_are_not_offered() -> None:
    """By what it honours and what is known of it, not by the tool."""
    event = PermissionRequest(session_id="s", tool_name="reckon", tool_input={})
    untold = choices.untold(event, toy_harness)
    assert set(untold) >= {"allow_edited", "answer", "approve"}
    # Assent remembers in its place.
    assert not set(untold) & {"allow", "allow_session", "allow_project", "allow_user"}
    shown = replace(card(), untold=untold)
    kept = {"allow_session", "allow_project", "allow_user"}
    assert offered(shown).keys() == {"deny", "allow", "hand_back"} | kept
    assert "cannot be told" in (choices.refusal(shown, "allow_edited", Scope.ADMIN, has_words=False) or "")
    assert choices.untold(Stop(session_id="s"), toy_harness) == ("keep_going",)


def test_client_that_takes_changed_input_early_is_offered_it_there() -> None:
    """And where it cannot be made to ask, a call is not handed back to it."""
    fields: dict[str, Any] = {"session_id": "s", "tool_name": "Bash", "tool_input": {}}
    before = choices.untold(PreToolUse(**fields), codex)
    asked = choices.untold(PermissionRequest(**fields), codex)
    assert ("allow_edited" in before, "hand_back" in before) == (False, True)
    assert ("allow_edited" in asked, "hand_back" in asked) == (True, False)


def test_input_that_is_fixed_before_the_call_is_not_edited() -> None:
    """But where the client asks for the permission it is."""
    harness = registry.HARNESSES["qwen"]
    assert "allow_edited" in choices.untold(PreToolUse(session_id="s", tool_name="x", tool_input={}), harness)
    assert "allow_edited" not in choices.untold(
        PermissionRequest(session_id="s", tool_name="x", tool_input={}), harness
    )


@pytest.mark.parametrize(("mode", "is_heard"), [(modes.BYPASS, True), (modes.DEFAULT, False), (None, False)])
def test_yes_is_offered_in_modes_in_which_it_is_heard(mode: str | None, is_heard: bool) -> None:
    """In others the client goes on to ask by itself; a no is always heard."""
    event = PreToolUse(session_id="s", tool_name="x", tool_input={}, permission_mode=mode)
    untold = set(choices.untold(event, registry.HARNESSES["grok"]))
    assert untold.isdisjoint({"allow", "allow_here", "allow_edited"}) is is_heard
    assert "deny" not in untold


@pytest.mark.parametrize("level", ["look", "change", "care", "danger"])
@pytest.mark.parametrize("kind", list(CHOICES))
def test_chat_offers_what_is_given_with_one_press_there(kind: AskKind, level: str) -> None:
    """Nothing that lasts or is written, and no yes to danger, which needs a word that is typed."""
    whole = card(kind, level)
    found, everywhere = set(offered(whole, screen="chat")), set(offered(whole))
    left_out = choices._NOT_IN_CHAT | (PERMITTING if level == "danger" else frozenset())
    assert found == everywhere - left_out


@pytest.mark.parametrize("level", ["look", "danger"])
def test_glance_offers_only_a_no(level: str) -> None:
    """Whatever the scope."""
    assert set(offered(card(level=level), screen="glance")) == {"deny", "deny_and_stop", "hand_back"}
