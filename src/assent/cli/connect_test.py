"""A test ask on one surface, watched until somebody presses something there."""

import time
from typing import Any

from assent.cli import output
from assent.client import Client

POLL = 0.3
# The hub ends it after a minute; a little longer is nobody's fault.
LASTS = 70.0
ENDS = {
    "failed": "It did not get there: {words}",
    "decided": "Nobody was asked: a rule of yours, or the stance, decided it.",
    "unanswered": "Nobody answered within a minute. The message was taken back.",
}


def try_out(client: Client, name: str, *, as_json: bool) -> int:
    """The exit code: 0 once it was answered, or got where nobody can answer."""
    title = str(client.surface(name)["title"])
    test = client.try_surface(name)
    told = _watched(client, name, test, title, as_json=as_json)
    is_good = told["state"] == "answered" or (told["state"] == "shown" and not told["can_answer"])
    if as_json:
        output.say_json({"name": name, **told})
    elif is_good:
        words = told["words"] or f"{title}: the test ask was taken. Nobody can answer there."
        output.say(f"{output.styled('✓', 'good')} {words}")
        if told["surface"] not in ("", name):
            output.say(output.styled("It was answered elsewhere, so the way back from there is not proven.", "warn"))
    else:
        words = ENDS.get(told["state"], ENDS["unanswered"]).format(**told)
        output.say(f"{output.styled('✗', 'bad')} {words}")
    return 0 if is_good else 1


def _watched(client: Client, name: str, test: str, title: str, *, as_json: bool) -> dict[str, Any]:
    end, is_said = time.monotonic() + LASTS, False
    while True:
        told = client.tried_surface(name, test)
        if told["state"] not in ("asking", "shown") or time.monotonic() > end:
            return told
        if told["state"] == "shown" and not is_said:
            is_said = True
            if not told["can_answer"]:
                return told
            if not as_json:
                output.say(f"{title}: a test ask is there. Answer it; nothing is run, whatever you say.")
        time.sleep(POLL)
