"""Questions of the agent, answered from another screen."""

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.hub import Ask
from tests.e2e.lab.lab import Lab
from tests.e2e.lab.model import call, say

DATABASE = {
    "question": "Which database?",
    "header": "Database",
    "multiSelect": False,
    "options": [
        {"label": "SQLite", "description": "One file"},
        {"label": "Postgres", "description": "A server", "preview": "docker run postgres"},
    ],
}
EXTRAS = {
    "question": "Which extras?",
    "header": "Extras",
    "multiSelect": True,
    "options": [
        {"label": "Cache", "description": "Faster"},
        {"label": "Search", "description": "Full text"},
        {"label": "Queue", "description": "Later"},
    ],
}
NAME = {
    "question": "What is it called?",
    "header": "Name",
    "multiSelect": False,
    "options": [{"label": "Shop", "description": "Plain"}, {"label": "Store", "description": "Longer"}],
}


def asked(lab: Lab) -> Ask:
    lab.install()
    lab.hub.start()
    terminal = lab.terminal()
    terminal.submit("go")
    ask = lab.hub.wait_for_ask()
    terminal.wait_for("Which database?")
    assert ask["kind"] == "question"
    return ask


def test_every_question_is_shown_and_answered(lab: LabFactory) -> None:
    """One choice, several choices and words of one's own: the model hears all of them."""
    here = lab([[call("AskUserQuestion", questions=[DATABASE, EXTRAS, NAME])], [say("Done.")]])
    ask = asked(here)
    views = ask["view"]["questions"]
    assert [view["question"] for view in views] == ["Which database?", "Which extras?", "What is it called?"]
    assert [view.get("multi", False) for view in views] == [False, True, False]
    assert views[0]["options"][1]["preview"] == "docker run postgres"
    answers = {"Which database?": "Postgres", "Which extras?": "Cache, Queue", "What is it called?": "Emporium"}
    here.hub.answer(ask, "answer", answers=answers)
    [news] = here.model.wait_for(2).news()
    for question, answer in answers.items():
        assert f'"{question}"="{answer}"' in news


def test_half_an_answer_is_refused(lab: LabFactory) -> None:
    """Every question is answered, or none."""
    here = lab([[call("AskUserQuestion", questions=[DATABASE, EXTRAS])], [say("Done.")]])
    ask = asked(here)
    status, reply = here.hub.try_answer(ask, "answer", answers={"Which database?": "Postgres"})
    assert status in (409, 422)
    assert "Which extras?" in reply["error"]["message"]
    assert len(here.model.requests()) == 1


def test_question_turned_away_tells_the_model_why(lab: LabFactory) -> None:
    """A no with words is what the model gets."""
    here = lab([[call("AskUserQuestion", questions=[DATABASE])], [say("Done.")]])
    here.hub.answer(asked(here), "deny", message="Find out by reading the README.")
    assert here.model.wait_for(2).news() == ["[error] Find out by reading the README."]
