#!/usr/bin/env python3
"""A throw-away PostgreSQL server for tests and benches: private, on loopback and a socket, gone with its last user.

By hand: `python scripts/postgres_server.py` prints an address that works until Ctrl-C.
"""

import fcntl
import os
import pwd
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

USER = "assent"
# Only a hang takes so long.
DEADLINE = 120.0
# Another process may take the port between our check and the server's start; the next try finds it free.
STARTS = 5
# Small, because it shares a laptop; durable, because that is what is tested.
SETTINGS = {"shared_buffers": "32MB", "max_connections": "100", "fsync": "on", "log_min_messages": "warning"}
UNPRIVILEGED = ("postgres", "nobody")
PORT_TAKEN = "could not bind"
LOOK_AGAIN = 0.02


class CannotBeHadError(Exception):
    """Says in one sentence why there is no server."""


@dataclass(frozen=True)
class Place:
    """Where a server runs."""

    socket_folder: str
    port: int
    password: str

    @property
    def url(self) -> str:
        return f"postgresql://{USER}:{self.password}@127.0.0.1:{self.port}/postgres"

    def written(self) -> str:
        return f"{self.socket_folder}\n{self.port}\n{self.password}\n"

    @classmethod
    def read(cls, text: str) -> "Place":
        folder, port, password = text.split("\n")[:3]
        return cls(folder, int(port), password)


def binaries() -> Path:
    """The folder that has initdb and postgres."""
    candidates = [Path(found).parent for found in [shutil.which("initdb")] if found]
    newest_first = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parent.name, reverse=True)
    candidates += [*newest_first, *Path("/opt/homebrew/opt").glob("postgresql*/bin")]
    if config := shutil.which("pg_config"):
        done = subprocess.run([config, "--bindir"], capture_output=True, text=True)
        candidates.append(Path(done.stdout.strip() or "/nonexistent"))
    for folder in candidates:
        if os.access(folder / "initdb", os.X_OK) and os.access(folder / "postgres", os.X_OK):
            return folder
    raise CannotBeHadError("PostgreSQL is not installed; scripts/test-needs installs it where it can")


class Server:
    """One cluster in a folder of its own. Can be stopped and started again on the same port."""

    def __init__(self, **settings: str) -> None:
        self._settings = SETTINGS | settings
        self._programs = binaries()
        self._identity = _unprivileged() if os.getuid() == 0 else None
        self.folder = Path(tempfile.mkdtemp(prefix="assent-pg-"))
        self.data = self.folder / "data"
        self.log = self.folder / "log"
        self.process: subprocess.Popen[bytes] | None = None
        self.place = Place(str(self.folder), 0, secrets.token_hex(12))
        if self._identity:
            os.chown(self.folder, self._identity.pw_uid, self._identity.pw_gid)
        try:
            self._make()
            self._start_somewhere()
        except BaseException:
            self.remove()
            raise

    def _make(self) -> None:
        words = self.folder / "password"
        words.write_text(self.place.password)
        if self._identity:
            os.chown(words, self._identity.pw_uid, self._identity.pw_gid)
        command = [str(self._programs / "initdb"), "-D", str(self.data), "-U", USER, f"--pwfile={words}"]
        command += ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions"]
        done = self._run(command)
        words.unlink()
        if done.returncode:
            raise CannotBeHadError(f"initdb failed: {done.stderr.decode(errors='replace').strip()}")

    def _start_somewhere(self) -> None:
        for start in range(STARTS):
            self.place = replace(self.place, port=_free_port())
            try:
                self.start()
            except CannotBeHadError:
                if start == STARTS - 1 or PORT_TAKEN not in self.log.read_text(errors="replace"):
                    raise
            else:
                return

    def start(self) -> None:
        """Returns when it takes connections."""
        settings = self._settings | {
            "listen_addresses": "127.0.0.1",
            "port": str(self.place.port),
            "unix_socket_directories": self.place.socket_folder,
        }
        command = [str(self._programs / "postgres"), "-D", str(self.data)]
        command += [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with self.log.open("ab") as log:
            self.process = self._popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        end = time.monotonic() + DEADLINE
        while not self._is_ready():
            if self.process.poll() is not None or time.monotonic() > end:
                raise CannotBeHadError(f"the server did not start: {self.log.read_text(errors='replace')[-2000:]}")
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(LOOK_AGAIN)

    def _is_ready(self) -> bool:
        """By the server's own word: the eighth line of its pid file."""
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
        except OSError:
            return False
        return self.process is not None and lines[7:8] == ["ready   "] and lines[0] == str(self.process.pid)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT ends all sessions and stops; SIGQUIT is as good as a power cut."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(DEADLINE)

    def remove(self) -> None:
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, command: list[str]) -> subprocess.CompletedProcess[bytes]:
        process = self._popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        out, err = process.communicate(timeout=DEADLINE)
        return subprocess.CompletedProcess(command, process.returncode, out, err)

    def _popen(
        self, command: list[str], *, stdin: int, stdout: int | IO[bytes], stderr: int | IO[bytes]
    ) -> "subprocess.Popen[bytes]":
        # A session of its own: Ctrl-C in the terminal is for the test run, which then stops the server.
        environ = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C", "TZ": "UTC"}
        who = self._identity
        return subprocess.Popen(
            command,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            env=environ,
            cwd=self.folder,
            start_new_session=True,
            user=who.pw_uid if who else None,
            group=who.pw_gid if who else None,
            extra_groups=[] if who else None,
        )


class Shared:
    """One server for all processes that name the same folder; it ends with the last of them, however that one ended."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "door").open("a") as door:
            fcntl.flock(door, fcntl.LOCK_EX)
            # Held until this process ends.
            self._using = os.open(folder / "users", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._using, fcntl.LOCK_SH)
            told = folder / "place"
            if not told.exists():
                _supervise(folder)
            text = told.read_text()
        if not text.startswith("/"):
            raise CannotBeHadError(text)
        self.place = Place.read(text)


def _supervise(folder: Path) -> None:
    """Start a process that starts the server, and waits for the last user to leave."""
    command = [sys.executable, str(Path(__file__)), "--shared", str(folder)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as starting:
        assert starting.stdout is not None
        # Closed by the last process that has it: the one that told the place, or failed to.
        if not select.select([starting.stdout], [], [], DEADLINE)[0] or not (folder / "place").exists():
            raise CannotBeHadError("the server did not start")


def _serve(folder: Path) -> None:
    """Goes on in a process that is not waited for."""
    if os.fork():
        return
    os.setsid()
    told = folder / "place"
    try:
        server = Server()
    except CannotBeHadError as error:
        _write(told, f"{error}\n")
        return
    try:
        _write(told, server.place.written())
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        with (folder / "users").open("a") as users:
            # Users hold it shared: this is had when none is left.
            fcntl.flock(users, fcntl.LOCK_EX)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        server.remove()


def _write(path: Path, text: str) -> None:
    half = path.with_suffix(".new")
    half.touch(0o600)
    half.write_text(text)
    half.rename(path)


def _unprivileged() -> pwd.struct_passwd:
    for name in UNPRIVILEGED:
        with suppress(KeyError):
            return pwd.getpwnam(name)
    raise CannotBeHadError("PostgreSQL does not run as root, and there is no other user to run it as")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main() -> None:
    if sys.argv[1:2] == ["--shared"]:
        _serve(Path(sys.argv[2]))
        return
    try:
        server = Server()
    except CannotBeHadError as error:
        sys.exit(f"No server was started: {error}.")
    try:
        print(server.place.url, flush=True)
        signal.pause()
    except KeyboardInterrupt:
        pass
    finally:
        server.remove()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    main()
