"""Installed, used, and gone again."""

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.model import bash, say


def test_install_session_uninstall_leaves_settings_byte_equal(lab: LabFactory) -> None:
    """What `assent install` wrote, a real session used; after `assent uninstall` the file is what it was."""
    here = lab([[bash("echo hello")], [say("Done.")]])
    before = here.user_settings().read_bytes()
    here.install()
    assert here.user_settings().read_bytes() != before

    run = here.headless("go")

    assert run.result["result"] == "Done."
    recorded = here.hub.events()
    for event in ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"):
        assert event in recorded
    here.hub.assent("uninstall", "--yes")
    assert here.user_settings().read_bytes() == before


def test_doctor_finds_no_fault_after_a_real_session(lab: LabFactory) -> None:
    """What the installer wrote and the client used passes every check."""
    here = lab([[bash("echo hello")], [say("Done.")]])
    here.install()
    here.headless()
    report = here.hub.assent("doctor")
    assert "✗" not in report
    assert report.rstrip().endswith("working: an event of an agent came through.")
