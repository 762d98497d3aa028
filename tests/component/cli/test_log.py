"""The log of a real hub, followed across a restart."""

import csv
import json
import signal
import threading
from collections.abc import Callable

from assent.client import Client
from tests.component.cli.conftest import Terminal
from tests.component.hub_process import until
from tests.waiting import HANG


def reader(terminal: Terminal) -> tuple[list[int], Callable[[], int]]:
    """Follow the log in the background: the seqs it has printed, and how to end it."""
    process = terminal.start("log", "--follow", "--json", "-n", "1000")
    seen: list[int] = []

    def collect() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            seen.append(json.loads(line)["seq"])  # noqa: PERF401 - the test looks at each as it comes

    thread = threading.Thread(target=collect)
    thread.start()

    def end() -> int:
        process.send_signal(signal.SIGINT)
        thread.join(15)
        process.communicate(timeout=HANG)
        return process.returncode

    return seen, end


def test_log_shows_one_line_a_record(terminal: Terminal) -> None:
    """What the demo did can be read afterwards, the last line last."""
    terminal.ok("demo", "--speed", "0")
    until(lambda: not Client(terminal.paths).sessions()[0].is_live, "the end of the session")
    lines = terminal.ok("log", "-n", "3").splitlines()
    assert len(lines) == 3
    # What was not answered is closed with the session, in a line of its own.
    (last,) = [line for line in lines if line.endswith("  session ended prompt_input_exit")]
    assert " demo-" in last


def test_log_follow_survives_a_restart(terminal: Terminal) -> None:
    """Every record once and in order, before and after the hub was replaced."""
    terminal.up()
    seen, end = reader(terminal)
    try:
        terminal.ok("demo", "--speed", "0")
        until(lambda: len(seen) > 37, "the first demo")
        terminal.ok("restart")
        before = len(seen)
        terminal.ok("demo", "--speed", "0")
        until(lambda: len(seen) > before + 37, "the second demo")
        last = json.loads(terminal.ok("log", "-n", "1", "--json"))["seq"]
        until(lambda: seen[-1] >= last, "the end of the log")
    finally:
        code = end()
    assert code == 130
    assert seen == list(range(1, seen[-1] + 1))


def test_log_finds_shows_and_exports(terminal: Terminal) -> None:
    """A filter leads to a decision, its number to the whole story of the call."""
    terminal.ok("demo", "--speed", "0")
    until(lambda: not Client(terminal.paths).sessions()[0].is_live, "the end of the session")
    lines = terminal.ok("log", "--json", "tool:bash", "event:PreToolUse", "-decision:allow", "-n", "1").splitlines()
    (record,) = map(json.loads, lines)
    assert record["body"]["payload" if record["kind"] == "event" else "tool"]
    story = terminal.ok("log", "show", str(record["seq"]))
    assert story.startswith(f"call      {record['call']}\n")
    assert "    command: " in story
    assert terminal.ok("log", "show", record["call"]) == story
    rows = list(csv.DictReader(terminal.ok("log", "--csv", f"call:{record['call']}").splitlines()))
    assert {row["call"] for row in rows} == {record["call"]}
    assert str(record["seq"]) in {row["seq"] for row in rows}
    project = json.loads(terminal.ok("log", "--json", "-n", "1", "decision:deny,prompt,no_opinion"))["body"]["project"]
    assert terminal.ok("log", f'project:"{project}"', "decision:deny,prompt,no_opinion")
    unknown = terminal.run("log", "show", "999999")
    assert (unknown.returncode, "There is no record of that id." in unknown.stderr) == (1, True)


def test_log_verify_finds_a_changed_byte(terminal: Terminal) -> None:
    """The chain holds and the kept head is in it; once a byte of the file was changed it does not, and says where."""
    terminal.ok("demo", "--speed", "0")
    until(lambda: not Client(terminal.paths).sessions()[0].is_live, "the end of the session")
    head = terminal.ok("log", "heads").strip()
    assert f"The head that was kept is among them: {head}\n" in terminal.ok("log", "verify", "--against", head)
    victim = json.loads(terminal.ok("log", "--json", "-n", "1", "event:UserPromptSubmit"))
    terminal.ok("down")
    path = terminal.paths.journal
    data = path.read_bytes()
    prompt = victim["body"]["payload"]["prompt"].encode()
    place = data.index(prompt)
    path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
    terminal.up()
    broken = terminal.run("log", "verify")
    assert (broken.returncode, broken.stdout) == (
        1,
        f"The chain is broken at record {victim['seq']}: record {victim['seq']} was changed.\n",
    )
    nonsense = terminal.run("log", "verify", "--against", "nonsense")
    assert (nonsense.returncode, "A head is written HUB:SEQ:HASH." in nonsense.stderr) == (1, True)
