"""The short way with a real client: with hooks of ours a look runs, a danger is stopped, and the model reads why.

The client gets a home of its own, an environment built from nothing and a scripted model on loopback; neither the
user's settings nor an account are touched, and a hub of its own listens in the same folder."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

from assent import paths as locations
from assent.client import Client
from assent.errors import AssentError
from assent.harnesses.base import Dialect, Harness, Trial
from assent.harnesses.site import Finding
from assent.live.chat import ChatModel
from assent.live.gemini import GeminiModel
from assent.live.messages import MessagesModel
from assent.live.model import ScriptedModel
from assent.live.responses import ResponsesModel

MODELS: Mapping[Dialect, type[ScriptedModel]] = {
    "chat": ChatModel,
    "gemini": GeminiModel,
    "messages": MessagesModel,
    "responses": ResponsesModel,
}
LOOK = "ls"
# Nothing happens by it in a folder without a remote, even where it is not stopped.
DANGER = "git push --force origin main"
_SEEN = "a-file-to-see.txt"
SECONDS = 120.0
LONGEST = 400


def tried(harness: Harness, program: str, path: str) -> Iterator[Finding]:
    """What was found, one after the other."""
    code, trial = f"live-{harness.NAME}", harness.TRIAL
    if trial is None:
        yield Finding(code, "note", f"There is no short way with {harness.TITLE} yet.")
        return
    with tempfile.TemporaryDirectory(prefix="assent-live-", ignore_cleanup_errors=True) as folder, ExitStack() as end:
        model = MODELS[trial.dialect]([[trial.runs(LOOK)], [trial.runs(DANGER)]])
        end.callback(model.close)
        run = _Run(harness, trial, Path(folder), model, program, path)
        end.callback(run.stop_hub)
        try:
            run.prepare()
            run.client()
            yield from run.findings(code)
        except AssentError as error:
            yield Finding(code, "problem", f"{harness.TITLE} could not be tried: {error.message}", error.hint)


class _Run:
    def __init__(
        self, harness: Harness, trial: Trial, folder: Path, model: ScriptedModel, program: str, path: str
    ) -> None:
        self._harness, self._trial, self._model, self._program = harness, trial, model, program
        self._home, self._project = folder / "home", folder / "project"
        own = {"HOME": str(self._home), "PATH": path, "LANG": "C.UTF-8", "ASSENT_HOME": str(folder / "assent")}
        self._environ = {**own, "TERM": "xterm-256color", **trial.environ(model.url)}
        self._paths = locations.find(own)

    def prepare(self) -> None:
        """A project with one file, the client's own files, a hub on no port, and our hooks."""
        self._project.mkdir(parents=True)
        (self._project / _SEEN).write_text("Here.\n")
        for name, content in self._trial.files(self._model.url, str(self._project)).items():
            file = self._home / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content)
        self._home.mkdir(exist_ok=True)
        self._paths.config_dir.mkdir(parents=True)
        self._paths.config.write_text("[hub]\nport = 0\n")
        self._assent("install", "--harness", self._harness.NAME, "--yes", "--no-telemetry")
        for name, content in self._trial.after_install(self._home, self._project).items():
            (self._home / name).write_text(content)
        # On a busy machine its start may take longer than a hook waits; what is tried is the client.
        self._assent("up", "--detach")

    def _assent(self, *words: str) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "assent", *words],
            env=self._environ,
            cwd=self._project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        if done.returncode:
            raise AssentError(f"`assent {' '.join(words)}` failed: {_end(done.stderr or done.stdout)}")

    def client(self) -> None:
        """One run of it without a terminal, to its end."""
        command = [self._program, *self._trial.words("List the files, then push.")]
        with tempfile.TemporaryFile("w+") as said:
            process = subprocess.Popen(
                command,
                env=self._environ,
                cwd=self._project,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )
            try:
                process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                said.seek(0)
                raise AssentError(f"it did not end within {SECONDS:g} s. {_end(said.read())}") from None
            said.seek(0)
            if not self._model.requests:
                raise AssentError(f"it never asked its model. It said: {_end(said.read())}")

    def findings(self, code: str) -> Iterator[Finding]:
        title, results = self._harness.TITLE, self._model.results()
        looked, pushed = [*results, "", ""][:2]
        if _SEEN in looked:
            yield Finding(code, "ok", f"{title}: a look (`{LOOK}`) ran without a prompt.")
        else:
            yield Finding(code, "problem", f"{title}: a look (`{LOOK}`) did not run: {_end(looked)}")
        if "It overwrites commits on the remote" in pushed:
            yield Finding(code, "ok", f"{title}: a danger (`{DANGER}`) was stopped, and its model read why.")
        else:
            yield Finding(code, "problem", f"{title}: a danger (`{DANGER}`) was not stopped by Assent: {_end(pushed)}")
        try:
            sessions = [each for each in Client(self._paths).sessions() if each.harness == self._harness.NAME]
        except AssentError:
            sessions = []
        if sessions and sessions[0].calls >= 2:
            yield Finding(code, "ok", f"{title}: both calls are on record, under its own name.")
        else:
            yield Finding(code, "problem", f"{title}: its calls are not on record.")

    def stop_hub(self) -> None:
        """Ours; or one that the client's hooks started after it."""
        try:
            pid = int(Client(self._paths).status()["pid"])
        except (AssentError, KeyError, ValueError):
            return
        os.kill(pid, signal.SIGTERM)
        shutil.rmtree(self._paths.run, ignore_errors=True)


def _end(text: str) -> str:
    """The last words of a text, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"… {line[-LONGEST:]}"
