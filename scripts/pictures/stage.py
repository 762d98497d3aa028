"""A made-up home: three projects, a hub, and agents at work in them."""

import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from assent.paths import find
from tests.browser.agent import Agent, shown
from tests.component.hub_process import HubProcess, until

LOGIN = """\
from datetime import datetime, timedelta

REMEMBERED = timedelta(days=30)


def is_remembered(seen: datetime) -> bool:
    \"\"\"Whether a visitor is still known.\"\"\"
    return datetime.now() - seen < REMEMBERED


def greeting(name: str) -> str:
    return f"Welcome back, {name}."
"""
TRACKED = {
    "webshop": {"shop/login.py": LOGIN, "package.json": "{}\n", ".gitignore": "node_modules/\n.env.local\n"},
    "api": {"src/server.ts": "export const limit = 0;\n", "package.json": "{}\n"},
    "docs": {"guide.md": "# Guide\n"},
}
LEFT_OVER = {"webshop": {".env.local": "KEY=1\n", **{f"uploads/{n}.jpg": "" for n in range(12)}}}


class Home(HubProcess):
    """`assent up` as a person has it: files where they belong, any free port."""

    def __init__(self, home: Path, config: str = "", rules: str = "") -> None:
        super().__init__(home)
        self.paths.config.unlink()
        self.environ = {"HOME": str(home), "PATH": os.environ["PATH"], "TZ": "UTC"}
        self.paths = find(self.environ)
        self.paths.config_dir.mkdir(parents=True)
        self.paths.config.write_text(f"version = 1\n{config}\n[hub]\nport = 0\n")
        if rules:
            self.paths.rules.write_text(rules)
        self.home = home
        self._seen: set[str] = set()

    def newest(self) -> str:
        """The id of the ask that came since the last time."""
        found = until(lambda: {ask["id"] for ask in shown(self)} - self._seen, "an ask")
        self._seen |= found
        return str(min(found))

    def assent(self, *arguments: str) -> str:
        command = [sys.executable, "-m", "assent", *arguments]
        return subprocess.run(command, env=self.environ, check=True, capture_output=True, text=True).stdout

    def project(self, name: str) -> Path:
        """A repository with a change in it that was not committed."""
        folder = self.home / "src" / name
        _write(folder, TRACKED[name])
        for command in (
            "init -q -b main",
            "add .",
            "-c user.name=Demo -c user.email=demo@example.com commit -qm Start",
        ):
            subprocess.run(["git", *command.split()], cwd=folder, env=self.environ, check=True)
        _write(folder, LEFT_OVER.get(name, {}))
        return folder

    def forget(self) -> None:
        """End it, whatever became of it."""
        if self.process is not None and self.process.poll() is None:
            self.stop()


class Worker(Agent):
    """A session with a title, that does more than ask."""

    def __init__(self, hub: Home, folder: Path, title: str, prompt: str) -> None:
        super().__init__(hub, folder, f"{folder.name}-{title.split()[-1].lower()}")
        self.tell("SessionStart", source="startup", model="claude-opus-5-5", session_title=title)
        self.tell("UserPromptSubmit", prompt=prompt, permission_mode="default")

    def does(self, tool: str, took: int = 12, failed: str = "", **given: Any) -> None:
        """A call that is not asked about."""
        whose: dict[str, Any] = {name: given.pop(name) for name in ("agent_id", "agent_type") if name in given}
        use = f"toolu_{os.urandom(6).hex()}"
        call: dict[str, Any] = {"permission_mode": "default", "tool_name": tool, "tool_input": given, **whose}
        call["tool_use_id"] = use
        told = self.tell("PreToolUse", **call)
        if (told.get("stdout_json") or {}).get("hookSpecificOutput", {}).get("permissionDecision") == "deny":
            return
        if failed:
            self.tell("PostToolUseFailure", **call, error=failed, is_interrupt=False, duration_ms=took)
        else:
            self.tell("PostToolUse", **call, tool_response={"stdout": "", "stderr": ""}, duration_ms=took)

    def plans_to_do(self, *names: str) -> None:
        """A list of which the first is done and the second under way."""
        for number, name in enumerate(names, 1):
            self._task("TaskCreate", {"subject": name}, {"task": {"id": str(number), "subject": name}})
        for task, status in (("1", "completed"), ("2", "in_progress")):
            self._task("TaskUpdate", {"taskId": task, "status": status}, {"success": True})

    def _task(self, tool: str, given: dict[str, Any], response: dict[str, Any]) -> None:
        use = f"toolu_{os.urandom(6).hex()}"
        call = {"permission_mode": "default", "tool_name": tool, "tool_input": given, "tool_use_id": use}
        self.tell("PreToolUse", **call)
        self.tell("PostToolUse", **call, tool_response=response, duration_ms=2)


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        with contextlib.suppress(FileExistsError):
            (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(text)
