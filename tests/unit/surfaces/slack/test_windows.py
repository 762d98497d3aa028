"""Windows: what they carry, and what is made of what comes back."""

from assent.protocol.card import OptionView, QuestionView, View
from assent.surfaces.slack.envelopes import Given
from assent.surfaces.slack.windows import Origin, answers, lacking, origin, questions, sure
from tests.services.slack_blocks import check_view
from tests.shown_asks import shown

OF = Origin("a:kptwm::mac", "D0ADA", "1.1")
ASK = shown(
    kind="question",
    view=View("Asks", questions=(QuestionView("One?", "", (OptionView("A"), OptionView("B"))), QuestionView("Two?"))),
)


def test_a_window_knows_where_it_was_opened() -> None:
    """And nothing that only looks like it is believed."""
    assert origin(OF.text) == OF
    assert [origin(odd) for odd in ("", "{", "[]", "[1,2,3]", '{"value": "x"}')] == [None] * 5


def test_what_was_never_offered_is_no_answer() -> None:
    """A number beyond the options counts as nothing."""
    assert answers(ASK, {"pick0": Given(("7",)), "own1": Given(text="  two ")}) == {"Two?": "two"}
    assert answers(ASK, {"pick0": Given(("-1", "x", "²"))}) == {}


def test_what_lacks_an_answer_is_said_where_it_can_be_given() -> None:
    """Beneath one's own words, where there is room for them."""
    empty = {"pick0": Given(), "own1": Given()}
    assert list(lacking(ASK, empty)) == ["pick0", "own1"]
    assert list(lacking(ASK, {**empty, "own0": Given()})) == ["own0", "own1"]
    assert lacking(ASK, {"pick0": Given(("1",)), "own1": Given(text="x")}) == {}


def test_windows_fit_whatever_an_agent_wrote() -> None:
    """Long, empty and hostile texts keep within Slack's limits."""
    hostile = "<!channel> & \u202e" * 900
    many = tuple(OptionView(hostile) for _ in range(150))
    views = (
        View(hostile, questions=(QuestionView(hostile, hostile, many, multi=True), QuestionView(""))),
        View("", markdown=hostile),
        View(""),
    )
    for view in views:
        ask = shown(kind="question", view=view)
        check_view(sure(OF, ask))
        for can_tell in (True, False):
            check_view(questions(OF, ask, can_tell=can_tell))
