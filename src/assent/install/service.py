"""The hub as a service of this user, so that page and phone work after a boot: a systemd unit or a launchd agent."""

import os
import plistlib
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assent import files
from assent.errors import AssentError

UNIT = "assent.service"
LABEL = "assent.hub"
# As a terminal starts it: found under these names again after a boot.
KEPT = ("PATH", "LANG", "ASSENT_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")
PATIENCE = 30.0


@dataclass(frozen=True, slots=True)
class Service:
    """What starts the hub on this kind of machine. Without a program to run there is no such thing here."""

    file: Path
    content: bytes
    # Absolute path of systemctl or launchctl; None where there is none.
    program: str | None
    # For it: have it started from now on, start it now, forget it, say whether it runs.
    turn_on: tuple[tuple[str, ...], ...]
    start: tuple[str, ...]
    turn_off: tuple[tuple[str, ...], ...]
    look: tuple[str, ...]
    # What a person may want to know afterwards.
    note: str = ""

    @property
    def is_installed(self) -> bool:
        return self.file.exists()

    @property
    def is_running(self) -> bool:
        """Whether its manager says that it runs."""
        return self.program is not None and _run(self.program, self.look)[0] == 0

    def install(self, *, now: bool) -> None:
        """Write the file and have the hub started from now on, and at once if ``now``. Raises AssentError."""
        if self.program is None:
            raise AssentError(
                "Neither systemd nor launchd is here, so nothing was written.",
                hint=f"have your system run this when you log in: {' '.join(command())}",
            )
        if files.read(self.file) != self.content:
            files.replace(self.file, files.read(self.file), self.content, new_mode=0o644)
        for arguments in (*self.turn_on, *((self.start,) if now and not self.is_running else ())):
            code, said = _run(self.program, arguments)
            if code:
                words = " ".join((Path(self.program).name, *arguments))
                why = f"{self.file} is written, but could not be turned on: {said or f'exit code {code}'}"
                raise AssentError(why, hint=f"where you are logged in: {words}")

    def uninstall(self) -> bool:
        """Whether there was one. A hub that runs is not stopped."""
        content = files.read(self.file)
        if content is None:
            return False
        if self.program is not None:
            for arguments in self.turn_off:
                _run(self.program, arguments)
        files.remove(self.file, content)
        return True


def command() -> list[str]:
    return [sys.executable, "-I", "-m", "assent", "up", "--background"]


def find(environ: Mapping[str, str] | None = None, *, platform: str = sys.platform) -> Service:
    """The one of this machine and user. Nothing is run or written."""
    environ = os.environ if environ is None else environ
    home = Path(environ.get("HOME") or Path.home())
    kept = {name: environ[name] for name in KEPT if environ.get(name)}
    if platform == "darwin":
        return _launchd(home, kept, shutil.which("launchctl", path=environ.get("PATH")))
    folder = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
    return _systemd(folder / "systemd" / "user" / UNIT, kept, shutil.which("systemctl", path=environ.get("PATH")))


def _systemd(file: Path, kept: Mapping[str, str], program: str | None) -> Service:
    variables = "".join(f"Environment={_quoted(f'{name}={value}')}\n" for name, value in kept.items())
    start = " ".join(_quoted(word).replace("$", "$$") for word in command())
    content = (
        "[Unit]\nDescription=Assent hub\n\n"
        # A hub that was stopped, or found another one at work, stays down; one that crashed comes back.
        f"[Service]\nExecStart={start}\n{variables}Restart=on-abnormal\n\n"
        "[Install]\nWantedBy=default.target\n"
    )
    return Service(
        file,
        content.encode(),
        program,
        turn_on=(("--user", "daemon-reload"), ("--user", "enable", UNIT)),
        start=("--user", "start", UNIT),
        turn_off=(("--user", "disable", UNIT),),
        look=("--user", "is-active", "--quiet", UNIT),
        note="It starts when you log in. `loginctl enable-linger` starts it at boot.",
    )


def _launchd(home: Path, kept: Mapping[str, str], program: str | None) -> Service:
    file = home / "Library" / "LaunchAgents" / f"{LABEL}.plist"
    agent = {
        "Label": LABEL,
        "ProgramArguments": command(),
        "EnvironmentVariables": dict(kept),
        "RunAtLoad": True,
        "KeepAlive": {"Crashed": True},
    }
    domain = f"gui/{os.getuid()}"
    return Service(
        file,
        plistlib.dumps(agent),
        program,
        # A file in that folder is enough.
        turn_on=(),
        start=("bootstrap", domain, str(file)),
        turn_off=(),
        look=("print", f"{domain}/{LABEL}"),
        note="It starts when you log in.",
    )


def _quoted(text: str) -> str:
    """One word of a unit file, where a percent sign means something."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'


def _run(program: str, arguments: Sequence[str]) -> tuple[int, str]:
    try:
        done = subprocess.run(
            [program, *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return 1, str(error)
    return done.returncode, done.stderr.strip()
