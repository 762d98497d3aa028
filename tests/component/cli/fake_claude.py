"""Stands in for the agent's client: takes --settings, runs the hooks in it, and obeys PreToolUse.

    claude [--settings FILE] -p COMMANDS [--code N] [--stay]

COMMANDS is a JSON list of Bash calls; each is announced, and what is said about it is printed. ``--stay`` waits to be
ended."""

import json
import os
import signal
import subprocess
import sys

SESSION = "5d0c1e9a-0000-4000-8000-00000000face"


def value(name: str, default: str) -> str:
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


def main() -> int:
    with open(value("--settings", os.devnull), encoding="utf-8") as file:
        settings = json.loads(file.read() or "{}")
    os.environ.update(settings.get("env", {}))
    os.environ.update(CLAUDE_CODE_SESSION_ATTENDED="0", CLAUDE_CODE_SESSION_ID=SESSION, CLAUDE_PROJECT_DIR=os.getcwd())
    hooks = {} if settings.get("disableAllHooks", True) else settings.get("hooks", {})

    def fire(event: str, **fields: object) -> str:
        payload = {"session_id": SESSION, "cwd": os.getcwd(), "hook_event_name": event, "transcript_path": "", **fields}
        printed = ""
        for group in hooks.get(event, []):
            for entry in group["hooks"]:
                argv = ["/bin/sh", "-c", entry["command"]]
                done = subprocess.run(argv, input=json.dumps(payload).encode(), capture_output=True, check=True)
                printed = printed or done.stdout.decode()
        return printed

    fire("SessionStart", source="startup")
    for number, command in enumerate(json.loads(value("-p", "[]"))):
        call = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": f"toolu_{number}"}
        output = json.loads(fire("PreToolUse", permission_mode="default", **call) or "{}").get("hookSpecificOutput", {})
        word = output.get("permissionDecision", "none")
        os.write(1, f"{word} {command}\n".encode())
        if word == "allow":
            fire("PostToolUse", tool_response={}, **call)
    while "--stay" in sys.argv:
        signal.pause()
    fire("Stop", stop_hook_active=False)
    fire("SessionEnd", reason="other")
    return int(value("--code", "0"))


if __name__ == "__main__":
    sys.exit(main())
