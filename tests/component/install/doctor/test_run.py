"""A healthy machine, all checks."""

import socket
from pathlib import Path

from assent.harnesses.site import Situation
from assent.install.doctor.run import run_all, summary


def test_healthy_machine_has_nothing_but_good_news(healthy: Situation) -> None:
    """No check complains, every line has a text, and the summary says working."""
    claude = Path(healthy.environ["PATH"]) / "claude"
    claude.parent.mkdir()
    claude.write_text("#!/bin/sh\necho '2.1.325 (Claude Code)'\n")
    claude.chmod(0o700)
    path = healthy.paths.hook_socket
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        findings = run_all(healthy)
    # Only root can write what would prevent that.
    assert [finding.code for finding in findings if finding.level != "ok"] == ["not-held"]
    assert all(finding.text.endswith(".") for finding in findings)
    assert len({finding.code for finding in findings}) == len(findings) == 17
    assert summary(findings) == "working"
