"""The client's telemetry as `assent install` sets it up: what it tells, what not, and that it asks for no hub."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from assent.harnesses.claude_code import telemetry
from tests.e2e.conftest import LabFactory
from tests.e2e.lab.hub import free_port
from tests.e2e.lab.model import Turn, bash, say
from tests.e2e.lab.waiting import until

USAGE = {
    "input_tokens": 100,
    "output_tokens": 20,
    "cache_read_input_tokens": 30,
    "cache_creation_input_tokens": 40,
}


@contextmanager
def letterbox(port: int) -> Iterator[list[tuple[str, bytes]]]:
    """In the hub's place: takes whatever is posted."""
    got: list[tuple[str, bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name is the base class's
            pass

        def do_POST(self) -> None:
            got.append((self.path, self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(200)
            self.send_header("content-length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield got
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_cost_and_tokens_reach_the_session_and_the_statistics(lab: LabFactory) -> None:
    """What the client prints at its end is what Assent shows."""
    here = lab([Turn([bash("echo hello")], usage=USAGE), Turn([say("Done.")], usage=USAGE)])
    here.guard()
    run = here.headless()
    cost = run.result["total_cost_usd"]

    def told() -> dict[str, Any] | None:
        session: dict[str, Any] = json.loads(here.hub.assent("session", run.result["session_id"], "--json"))
        return session if session["cost_usd"] else None

    session = until(told, "the cost of the session")
    assert session["cost_usd"] == pytest.approx(cost)
    assert (session["tokens_in"], session["tokens_out"], session["tokens_cached"]) == (280, 40, 60)
    report = json.loads(here.hub.assent("stats", "--json"))["report"]
    assert report["cost_usd"] == pytest.approx(cost)
    assert "$0.00" in here.hub.assent("session", run.result["session_id"])
    assert "reaches the hub" in here.hub.assent("doctor")


def test_telemetry_holds_no_prompt_no_command_and_no_output(lab: LabFactory) -> None:
    """With the variables as installed the client tells figures and names of tools, not what people and agents write."""
    here = lab([[bash("echo secret-$((40+2))-output")], [say("A secret-answer.")]])
    here.install()
    with letterbox(here.hub.port) as got:
        here.headless("A secret-prompt, please.")
    posted = [body for path, body in got if path in ("/v1/logs", "/v1/metrics")]
    assert {path for path, _ in got} >= {"/v1/logs", "/v1/metrics"}
    assert any(b"api_request" in body for body in posted)
    for secret in (b"secret-prompt", b"secret-$", b"secret-42-output", b"secret-answer"):
        assert not any(secret in body for body in posted)


def test_telemetry_without_a_hub_is_silent_and_costs_no_time(lab: LabFactory) -> None:
    """A client that reaches no hub says nothing about it, neither at the end of a run nor in the terminal."""
    # Without hooks, whose own complaints would stand on the same screen.
    env = telemetry.variables(free_port(), "nobody-hears-this-token")
    here = lab([[bash("echo hello")], [say("Done.")]] * 2, settings={"env": env})
    run = here.headless()
    assert (run.code, run.stderr, run.result["result"]) == (0, "", "Done.")
    assert run.result["duration_ms"] < 10_000

    terminal = here.terminal()
    terminal.submit("go")
    screen = terminal.wait_for("Done.")
    terminal.leave()
    for word in ("OTEL", "telemetry", "ECONNREFUSED", "127.0.0.1"):
        assert word not in screen
        assert word not in terminal.screen()


def test_telemetry_variables_are_not_passed_on_to_commands(lab: LabFactory) -> None:
    """Programs an agent runs must not send their own telemetry to the hub, nor see its token."""
    here = lab(
        [[bash("env | grep -c -e OTEL -e Bearer")], [say("Done.")]], settings={"permissions": {"allow": ["Bash"]}}
    )
    here.guard()
    here.headless(mode="acceptEdits")
    assert here.model.news()[1][0].endswith("0")
