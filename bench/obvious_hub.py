"""A peer: the hub a typical author writes. A thread per connection, json, patterns, one SQLite commit per event."""

import fnmatch
import json
import socketserver
import sqlite3
import sys
import threading
from typing import Any

ALLOWED = ("git *", "ls *", "make check", "echo *")


def main() -> None:
    path, database = sys.argv[1:3]
    store = sqlite3.connect(database, check_same_thread=False)
    store.execute("CREATE TABLE events (id INTEGER PRIMARY KEY, event TEXT, decision TEXT)")
    lock = threading.Lock()

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            for line in self.rfile:
                envelope = json.loads(line)
                event = envelope["payload"]
                command = event["tool_input"]["command"]
                is_allowed = any(fnmatch.fnmatchcase(command, pattern) for pattern in ALLOWED)
                decision = "allow" if is_allowed else "none"
                with lock:
                    store.execute("INSERT INTO events (event, decision) VALUES (?, ?)", (json.dumps(event), decision))
                    store.commit()
                payload: dict[str, Any] = {"action": "passthrough"}
                if is_allowed:
                    inner = {"hookEventName": event["hook_event_name"], "permissionDecision": "allow"}
                    payload = {"action": "json_output", "stdout_json": {"hookSpecificOutput": inner}}
                reply = {"request_id": envelope["request_id"], "ts": 0, "payload": payload}
                self.wfile.write(json.dumps(reply, separators=(",", ":")).encode() + b"\n")

    class Server(socketserver.ThreadingUnixStreamServer):
        daemon_threads = True
        request_queue_size = 512

    with Server(path, Handler) as server:
        print("ready", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
