"""Calls, put together from their records."""

import pytest

from assent.learn import recorded_call
from assent.learn.recorded_call import cases
from assent.protocol.bodies import AnswerBody, body
from tests.unit.learn.stories import Story, bash


def test_call_that_ran_after_a_dialog_is_approved() -> None:
    """A yes in the terminal shows in the result alone."""
    story = Story()
    story.approved("Bash", bash("make"))
    (case,) = story.cases()
    assert (case.is_approved, case.is_refused, case.refusal) == (True, False, None)
    assert (case.decision, case.by, case.risk) == ("no_opinion", "stance:balanced", "care")


def test_call_that_never_ran_after_a_dialog_is_refused() -> None:
    """A no in the terminal ends the turn without any event of its own."""
    story = Story()
    story.refused("Bash", bash("make"))
    (case,) = story.cases()
    assert (case.is_approved, case.is_refused) == (False, True)
    assert case.refusal == "it was asked about and did not run"


def test_open_call_is_neither_approved_nor_refused() -> None:
    """A dialog that is open right now has no answer yet."""
    story = Story()
    story.asked("Bash", bash("make"))
    (case,) = story.cases()
    assert (case.is_approved, case.is_refused) == (False, False)


def test_call_in_an_unattended_run_is_not_refused_by_a_person() -> None:
    """Without a person the client refuses by itself."""
    story = Story(attended="0")
    story.refused("Bash", bash("make"))
    assert not story.cases()[0].is_refused


def test_call_that_ran_without_a_dialog_is_not_approved() -> None:
    """It was not asked about, so it was not approved."""
    story = Story()
    story.ran("Bash", bash("make"), story.wanted("Bash", bash("make")))
    assert not story.cases()[0].is_approved


def test_dialog_that_we_answered_is_no_approval() -> None:
    """A rule's allow is not a person's."""
    story = Story()
    story.ran("Bash", bash("make"), story.asked("Bash", bash("make"), told="allow"))
    assert not story.cases()[0].is_approved


def test_denied_call_names_who_denied_it() -> None:
    """Refusals are told with their author."""
    story = Story()
    story.wanted("Bash", bash("make"), "deny")
    (case,) = story.cases()
    assert (case.refusal, case.is_refused) == ("denied by stance:balanced", False)


def test_agents_own_refusal_is_a_refusal() -> None:
    """The client's classifier said no."""
    story = Story()
    call = story.wanted("Bash", bash("make"))
    story.event("PermissionDenied", call=call, tool_name="Bash", tool_input=bash("make"))
    assert story.cases()[0].refusal == "the agent's own check refused it"


def test_answer_on_a_screen_decides_before_anything_else() -> None:
    """What a person chose is on record, whatever happened to the call then."""
    for choice, approved, refused in (
        ("allow", True, False),
        ("allow_user", True, False),
        ("deny", False, True),
        ("deny_and_stop", False, True),
    ):
        story = Story()
        call = story.asked("Bash", bash("make"))
        story.add("ask", session="s1", call=call, ask="abcde", body={})
        story.add("answer", session="s1", ask="abcde", by="person:page", body={"choice": choice, "surface": "page"})
        (case,) = story.cases()
        assert (case.is_approved, case.is_refused) == (approved, refused), choice


def test_outcome_that_says_denied_is_a_refusal() -> None:
    """The no was given at the terminal."""
    story = Story()
    call = story.asked("Bash", bash("make"))
    story.add("outcome", session="s1", call=call, ask="abcde", body={"ending": "denied", "certainty": "reported"})
    assert story.cases()[0].refusal == "a person said no"


def test_edited_call_is_not_an_approval_of_what_was_asked() -> None:
    """The person agreed to something else than what stands in the record."""
    story = Story()
    call = story.asked("Bash", bash("make"))
    said = AnswerBody(choice="allow_edited", surface="page")
    story.add("answer", session="s1", call=call, ask="abcde", by="person:page", body=body(said))
    story.ran("Bash", bash("make"), call)
    assert not story.cases()[0].is_approved


def test_late_result_still_finds_its_call() -> None:
    """A turn may end before the result is reported."""
    story = Story()
    call = story.asked("Bash", bash("make"))
    story.event("Stop")
    story.ran("Bash", bash("make"), call)
    assert story.cases()[0].is_approved


def test_turn_of_a_sub_agent_leaves_other_calls_open() -> None:
    """The main thread may still be waiting for its answer."""
    story = Story()
    story.asked("Bash", bash("make"))
    story.event("SubagentStop", agent_id="a1")
    story.event("SubagentStop", agent_id="a1")
    assert not story.cases()[0].over


def test_unmatched_dialog_is_not_refused() -> None:
    """Its result cannot be found, so nothing is known about it."""
    story = Story()
    story.event("PermissionRequest", tool_name="Bash", tool_input=bash("make"))
    story.decision("PermissionRequest", "no_opinion", by="judge", call=None)
    story.event("SessionEnd")
    (case,) = story.cases()
    assert (case.asked, case.is_refused, case.is_approved) == (True, False, False)


def test_cases_do_not_gather_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls that never end are let go, oldest first."""
    monkeypatch.setattr(recorded_call, "MOST_OPEN", 10)
    story = Story()
    for number in range(50):
        story.wanted("Bash", bash(f"make {number}"))
    read = iter(story.records)
    told = cases(read)
    assert next(told).input == bash("make 0")
    assert next(read).seq == 22
    assert len(list(told)) == 49


def test_redacted_or_cut_call_is_not_whole() -> None:
    """What decides must be on record as it was; contents decide nothing."""
    whole = {
        "Bash": bash("make"),
        "Write": {"file_path": "/a", "content": {"size": 3, "fingerprint": "⟨x"}},
        "mcp__x__y": {"token": "⟨token:12345678⟩"},
    }
    marked = {
        "Bash": bash("curl -H ⟨token:12345678⟩"),
        "Read": {"file_path": "/a/⟨12 more⟩"},
        "WebFetch": {"url": "https://u:⟨password:12345678⟩@h/"},
    }
    for is_whole, calls in ((True, whole), (False, marked)):
        for tool, given in calls.items():
            story = Story()
            story.wanted(tool, given)
            assert story.cases()[0].is_whole is is_whole, tool
    story = Story()
    story.wanted("Bash", {f"field{number}": "x" for number in range(200)})
    assert not story.cases()[0].is_whole
    story = Story(project="/home/⟨token:12345678⟩")
    story.wanted("Bash", bash("make"))
    assert not story.cases()[0].is_whole
