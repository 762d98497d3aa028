"""Where shims reach the hub."""

import socket
import stat
from collections.abc import Iterator

from assent.install.doctor.check import Finding, Situation

PATIENCE = 2.0


def check(situation: Situation) -> Iterator[Finding]:
    path = situation.paths.hook_socket
    if path.parent.is_dir() and stat.S_IMODE(path.parent.stat().st_mode) != 0o700:
        text = f"Other users may look into {path.parent}."
        yield Finding("socket-open", "problem", text, f"chmod 700 {path.parent}")
    if situation.hub is None:
        # Whether there should be a hub is another check's question.
        return
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(PATIENCE)
        try:
            probe.connect(str(path))
        except OSError as e:
            text = f"The hub runs, but nothing answers on {path} ({e.strerror or e}): events do not arrive."
            yield Finding("socket-dead", "problem", text, "run `assent restart`.")
        else:
            yield Finding("socket", "ok", f"The hub listens on {path}.")
