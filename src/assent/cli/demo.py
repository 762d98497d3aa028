"""``assent demo``: a recorded session, replayed into the hub."""

import time

import click

from assent import demo
from assent import paths as locations
from assent.cli import hub_process, output
from assent.cli.common import opened, page_link, wait_for_ask
from assent.client import Client
from assent.demo import Step
from assent.harnesses import names
from assent.paths import Paths
from assent.protocol.record import Record
from assent.views.line import describe

ANSWER_STYLES = {"allow": "good", "deny": "bad", "block": "bad", "ask": "warn"}
REFUSALS = ("deny", "block")
LONGEST_WAIT = 60.0
# Where silence is an answer too: it leaves the question to the client.
GATES = ("PreToolUse", "PermissionRequest")


@click.command("demo")
@click.option(
    "--speed", type=click.FloatRange(min=0), default=1.0, show_default=True, help="2 is twice as fast, 0 does not wait."
)
def command(speed: float) -> None:
    """Replay a recorded session into the hub, to see what Assent does before you install it. Takes about a minute.

    It asks you once, and waits for your answer: on the page, in `assent watch` or with `assent answer`. No agent runs
    and nothing is executed. Its records belong to a session whose id begins with "demo-", and count in no statistics.

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
    if (port := client.status()["port"]) is not None:
        output.say(f"Watch it on the page: {page_link(client, port)}")
    session = _play(paths, client, speed)
    output.say()
    output.say(f'"no opinion" leaves the question to {names.TITLE}, which asks you as it always does.')
    output.say(f"That was {session}: `assent session {session}` shows it, `assent log` its records.")


def _play(paths: Paths, client: Client, speed: float) -> str:
    steps = demo.steps()
    session = str(steps[0].payload["session_id"])
    refused: set[str] = set()
    with demo.Sender(paths.hook_socket) as sender:
        for step in steps:
            if step.call in refused:
                continue
            if speed > 0:
                time.sleep(min(step.wait / speed, LONGEST_WAIT))
            # That a call went well says its answer above.
            if step.event != "PostToolUse":
                output.say(f"{_indent(step)}{_line(step)}")
            reply = sender.send(step, lambda: _say_where_to_answer(client, session, waits=speed > 0), waits=speed > 0)
            if reply is None:
                output.say(f"    {output.styled('→ not waited for, so the recorded answer counts', 'faint')}")
                continue
            word, reason = demo.answer(reply)
            if word != "no opinion" or step.event in GATES:
                text = f"→ {word}: {output.said_by_agent(reason, 160)}" if reason else f"→ {word}"
                output.say(f"    {output.styled(text, ANSWER_STYLES.get(word, 'faint'))}")
            if word in REFUSALS and step.call and step.event in GATES:
                refused.add(step.call)
    return session


def _say_where_to_answer(client: Client, session: str, *, waits: bool) -> None:
    found = wait_for_ask(client, session)
    ask = found.id if found else ""
    port = client.status()["port"]
    where = f"`assent answer {ask}`" if port is None else page_link(client, port, f"a/{ask}" if ask else "")
    output.say(f"    {output.styled('→ asks you:', 'warn')} {where}")
    if waits:
        output.say(f"    {'It is open in your browser. ' if port is not None and opened(where) else ''}Waiting …")


def _indent(step: Step) -> str:
    return "  └ " if "agent_id" in step.payload else ""


def _line(step: Step) -> str:
    """The words the log will use for it."""
    body = {"event": step.event, "payload": step.payload}
    return describe(Record(at=0, kind="event", body=body, hub="", seq=0, prev="", hash=""))
