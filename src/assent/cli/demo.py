"""``assent demo``: a recorded session, replayed into the hub."""

import time

import click

from assent import paths as locations
from assent.cli import hub_process, output
from assent.cli.page_link import page_link
from assent.client import Client
from assent.demo import recording, replay
from assent.demo.recording import Step
from assent.paths import Paths
from assent.protocol.record import Record
from assent.views.line import describe

ANSWER_STYLES = {"allow": "good", "deny": "bad", "block": "bad", "ask": "warn"}
REFUSALS = ("deny", "block")
LONGEST_WAIT = 60.0
# How long an ask waits on the page before the recorded answer counts.
FOR_A_PERSON = 20.0
# Where silence is an answer too: it leaves the question to the client.
GATES = ("PreToolUse", "PermissionRequest")


@click.command("demo")
@click.option(
    "--speed", type=click.FloatRange(min=0), default=1.0, show_default=True, help="2 is twice as fast, 0 does not wait."
)
def command(speed: float) -> None:
    """Replay a recorded session into the hub, to see what Assent does before you install it. Takes about a minute.

    No agent runs and nothing is executed; the records it leaves belong to a session whose id begins with "demo-".

    \b
    Examples:
      assent demo
      assent demo --speed 0
    """
    paths = locations.find()
    client = Client(paths)
    if not client.healthy():
        hub_process.start(paths)
        output.say("No hub was running, so one was started. `assent down` stops it.")
    port = client.status()["port"]
    if port is not None:
        output.say(f"Watch it on the page: {page_link(client, port)}")
    session = _play(paths, speed)
    output.say()
    output.say('"no opinion" leaves the question to Claude Code, which asks you as it always does.')
    output.say(f"That was {session}: `assent session {session}` shows it, `assent log` its records.")


def _play(paths: Paths, speed: float) -> str:
    steps = recording.steps()
    refused: set[str] = set()
    with replay.Sender(paths.hook_socket) as sender:
        for step in steps:
            if step.call in refused:
                continue
            if speed > 0:
                time.sleep(min(step.wait / speed, LONGEST_WAIT))
            output.say(f"{_indent(step)}{_line(step)}")
            told = sender.send(step, FOR_A_PERSON / speed if speed > 0 else 0, _say_who_is_asked)
            if told is None:
                output.say(f"    {output.styled('→ no answer there, so the recorded one counts', 'faint')}")
                continue
            word, reason = replay.answer(told)
            if word != "no opinion" or step.event in GATES:
                said = f"→ {word}: {output.said_by_agent(reason, 160)}" if reason else f"→ {word}"
                output.say(f"    {output.styled(said, ANSWER_STYLES.get(word, 'faint'))}")
            if word in REFUSALS and step.call and step.event in GATES:
                refused.add(step.call)
    return str(steps[0].payload["session_id"])


def _say_who_is_asked() -> None:
    output.say(f"    {output.styled('→ asks you: answer it on the page', 'warn')}")


def _indent(step: Step) -> str:
    return "  └ " if "agent_id" in step.payload else ""


def _line(step: Step) -> str:
    """The words the log will use for it."""
    body = {"event": step.event, "payload": step.payload}
    return describe(Record(at=0, kind="event", body=body, hub="", seq=0, prev="", hash=""))
