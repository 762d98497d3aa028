"""To-do list and context of a session of the real client."""

import json
from typing import Any

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.model import Turn, call, say
from tests.e2e.lab.waiting import until

USAGE = {
    "input_tokens": 100,
    "output_tokens": 20,
    "cache_read_input_tokens": 300_000,
    "cache_creation_input_tokens": 40,
}


def test_to_do_list_and_context_are_known(lab: LabFactory) -> None:
    """From the results of its tools, those of a sub-agent among them, and from the transcript's last answer."""
    explore = {"description": "Look", "prompt": "SUBAGENT", "subagent_type": "general-purpose"}
    script = {
        "SUBAGENT": [[call("TaskCreate", subject="Read the API", description="All")], [say("Looked.")]],
        "main": [
            [call("TaskCreate", subject="Write docs", description="All", activeForm="Writing")],
            [call("TaskCreate", subject="Drop this", description="No")],
            [call("Agent", **explore, run_in_background=False)],
            [call("TaskUpdate", taskId="1", status="in_progress", subject="Write the docs")],
            [call("TaskUpdate", taskId="3", status="completed")],
            [call("TaskUpdate", taskId="2", status="deleted")],
            [call("TaskUpdate", taskId="9", status="completed")],
            Turn([say("Done.")], usage=USAGE),
        ],
    }
    here = lab(script)
    here.install()
    here.hub.start()
    name = here.headless().result["session_id"]

    def known() -> dict[str, Any] | None:
        session: dict[str, Any] = json.loads(here.hub.assent("session", name, "--json"))
        return session if session["context"] and session["context"]["tokens"] > 300_000 else None

    session = until(known, "the context of the session")
    assert session["todos"] == [
        {"text": "Write the docs", "state": "doing", "id": "1"},
        {"text": "Read the API", "state": "done", "id": "3"},
    ]
    assert session["context"] == {"tokens": 300_160, "window": 1_000_000, "model": "claude-opus-5-5"}
    until(lambda: json.loads(here.hub.assent("session", name, "--json"))["summary"], "what the session did in all")
    shown = here.hub.assent("session", name)
    assert "1 turn, 7 calls, " in shown
    assert "1 of 2 done" in shown
    assert "◐ Write the docs" in shown
    assert "30 % of 1 M" in shown
