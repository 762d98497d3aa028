"""What the real client starts, at the desk socket."""

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.client import BYPASS
from tests.e2e.lab.lab import write
from tests.e2e.lab.model import bash, say

# Asks the hub for a pause, at a terminal of its own.
SCRIPT = """
import os, pty, socket
said = os.dup(1)
if pty.fork()[0] == 0:
    desk = socket.socket(socket.AF_UNIX)
    desk.connect(open("where").read())
    head = b"PUT /api/pause HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\nContent-Length: 13\\r\\n\\r\\n"
    desk.sendall(head + b'{"seconds":9}')
    os.write(said, desk.recv(12))
    os._exit(0)
os.wait()
"""
# A line that the client asks about, and runs in this mode.
CLEARED = "env -i /usr/bin/env PATH=/usr/bin:/bin python3 ./t.py"


def test_what_the_client_started_may_only_watch(lab: LabFactory) -> None:
    """Without its environment, and at a terminal that it made: the hub knows the client by its hooks."""
    here = lab([[bash(CLEARED)], [bash("python3 ./t.py")], [say("Done.")]])
    # What the script does is seen, and would be refused before it runs.
    here.hub.configure('stance = "watch"')
    here.guard()
    # A script that a line names is read before it runs; what that loads is not.
    write(here.project / "t.py", "import helper\n")
    write(here.project / "helper.py", SCRIPT)
    write(here.project / "where", str(here.hub.paths.desk_socket))
    here.headless(mode=BYPASS)
    results = [line for round_ in (1, 2) for line in here.model.news()[round_]]
    assert len(results) >= 2
    assert all("403" in line for line in results[:2]), results
    assert here.hub.api("PUT", "/api/pause", {"seconds": 1})[0] == 200
    (session,) = here.hub.api("GET", "/api/sessions")[1]["sessions"]
    assert session["pid"]
