"""A peer: the hook a typical author writes. It does the shim's work with the standard library and default flags."""

import json
import socket
import sys
import uuid


def main() -> None:
    path, harness = sys.argv[1:3]
    event = json.load(sys.stdin)
    envelope = {
        "request_id": uuid.uuid4().hex[:16],
        "ts": 0,
        "session_id": event["session_id"],
        "hook_event_name": event["hook_event_name"],
        "harness": harness,
        "payload": event,
    }
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.settimeout(5)
        sock.connect(path)
        sock.sendall(json.dumps(envelope).encode() + b"\n")
        with sock.makefile() as replies:
            reply = json.loads(next(line for line in replies if line.strip()))
    output = reply["payload"].get("stdout_json")
    if output:
        print(json.dumps(output))


if __name__ == "__main__":
    main()
