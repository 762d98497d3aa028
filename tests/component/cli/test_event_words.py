"""What people read names no event by its name in the record."""

import json
import os
import re
import signal
import socket
import threading

from assent.client import Client
from assent.protocol.events import EVENTS
from tests import captured
from tests.component.cli.conftest import DEADLINE, Terminal
from tests.component.hub_process import until
from tests.waiting import HANG

NAMES = re.compile(rf"(?<![\w/.:-])({'|'.join(name for name in EVENTS if name not in ('Stop', 'Setup'))})\b")
ENVIRON = {"CLAUDE_CODE_SESSION_ATTENDED": "1"}
# The end of the session comes last: it closes what is open.
LAST = "SessionEnd"
SESSION = "5c9f2a10"


def send_all(terminal: Terminal) -> None:
    """Every captured payload, the way a shim sends them, of one session."""
    sent = sorted(captured.payloads(), key=lambda payload: payload["hook_event_name"] == LAST)
    assert {payload["hook_event_name"] for payload in sent} >= EVENTS.keys()
    sent.append({**sent[0], "hook_event_name": "SomethingNew"})
    for each in sent:
        # What the client says in its own words is not ours to change.
        payload = {**each, "session_id": SESSION} | ({"message": "look"} if "message" in each else {})
        envelope = {"request_id": os.urandom(8).hex(), "ts": 1, "env": ENVIRON, "payload": payload}
        envelope |= {name: payload[name] for name in ("session_id", "hook_event_name")}
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
            sock.settimeout(DEADLINE)
            sock.connect(str(terminal.paths.hook_socket))
            sock.sendall(json.dumps(envelope).encode() + b"\n")
            assert sock.recv(65536)


def test_human_output_has_no_event_names(terminal: Terminal) -> None:
    """Every event of the client is in the journal; verbs tell of them in words, and --json has their names."""
    terminal.configure('[hub]\nport = 0\n[asks]\nwait = "0s"\n')
    terminal.up()
    watch = terminal.start("watch", "--plain")
    heard: list[str] = []
    assert watch.stdout is not None
    reading = threading.Thread(target=heard.extend, args=(watch.stdout,))
    assert "The hub is up." in watch.stdout.readline()
    reading.start()
    send_all(terminal)
    client = Client(terminal.paths)
    until(lambda: client.search(limit=1_000, before=None)[0][-1]["body"].get("event") == "SomethingNew", "the last")
    records = [json.loads(line) for line in terminal.ok("log", "--json", "-n", "1000").splitlines()]
    assert {record["body"].get("event") for record in records} >= EVENTS.keys()

    until(lambda: any("something new" in line for line in heard), "the last row")
    watch.send_signal(signal.SIGINT)
    reading.join(HANG)
    watch.communicate(timeout=HANG)
    shown = {"watch --plain": "".join(heard)}
    verbs = [
        ("log", "-n", "1000"),
        ("status",),
        ("sessions",),
        ("asks",),
        ("stats",),
        ("doctor",),
        ("review",),
        ("session", SESSION),
    ]
    first = {str(record["body"].get("event")): record["seq"] for record in reversed(records)}
    verbs += [("log", "show", ",".join(str(seq) for seq in first.values()))]
    for verb in verbs:
        done = terminal.run(*verb)
        shown[" ".join(verb[:2])] = done.stdout + done.stderr
    found = {verb: [line for line in text.splitlines() if NAMES.search(line)] for verb, text in shown.items()}
    assert {verb: lines for verb, lines in found.items() if lines} == {}
    assert "turn ended" in shown["log -n"]
