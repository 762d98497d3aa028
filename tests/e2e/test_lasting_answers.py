"""Answers that stay, with the real client: silent once given, asked about again once revoked."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.lab import GIT_NAME, Lab, read_json
from tests.e2e.lab.model import bash, call, say
from tests.e2e.lab.waiting import until

TEST = 'from pathlib import Path\n\n\ndef test_runs():\n    Path("runs.txt").open("a").write("x")\n'


@pytest.fixture
def pytest_on_path(tmp_path: Path) -> str:
    """A PATH on which `pytest` is the real one, of the interpreter that runs these tests."""
    program = tmp_path / "bin" / "pytest"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pytest -p no:cacheprovider "$@"\n')
    program.chmod(0o755)
    return f"{program.parent}:/usr/local/bin:/usr/bin:/bin"


def git(lab: Lab, *words: str) -> None:
    subprocess.run(
        ["git", *GIT_NAME, *words], cwd=lab.project, check=True, capture_output=True, env={"HOME": str(lab.home)}
    )


def begin(lab: Lab, mode: str = "default") -> None:
    lab.install()
    lab.hub.start()
    lab.terminal(mode=mode).submit("go")


def runs(lab: Lab) -> str:
    path = lab.project / "runs.txt"
    return path.read_text() if path.exists() else ""


def allowed_by(lab: Lab, kind: str) -> list[str]:
    """Who allowed, of the decisions that a lasting permission made."""
    return [
        entry.by or "" for entry in lab.hub.entries() if entry.kind == "decision" and (entry.by or "").startswith(kind)
    ]


def test_tests_run_in_silence_until_the_session_changes_what_decides(lab: LabFactory, pytest_on_path: str) -> None:
    """First asked with the sheet, then silent, then asked again with the file named."""
    here: Lab = lab(
        [
            [bash("pytest -q")],
            [bash("pytest -q && echo again")],
            lambda _: [call("Write", file_path=str(here.project / "conftest.py"), content="collect_ignore = []\n")],
            [bash("pytest -q")],
            [say("Done.")],
        ],
        files={"tests/test_a.py": TEST, "conftest.py": "\n"},
        env={"PATH": pytest_on_path},
    )
    begin(here)
    ask = here.hub.wait_for_ask(1)
    offer = next(stay for stay in ask["stays"] if stay["kind"] == "run")
    assert "Code the agent writes and then tests runs as you." in offer["covers"]
    here.hub.answer(ask, "allow_here", grant="run")
    edit = here.hub.wait_for_ask(2)
    assert edit["view"]["tool"] == "Write"
    assert runs(here) == "xx"
    assert len(allowed_by(here, "permission:")) == 1
    here.hub.answer(edit, "allow")
    third = here.hub.wait_for_ask(3)
    assert "conftest.py" in third["risk"]["reason"]
    assert runs(here) == "xx"
    here.hub.answer(third, "deny")
    here.model.wait_for(5)
    assert runs(here) == "xx"


def test_shape_of_a_push_stays_and_another_branch_is_asked_about(lab: LabFactory, tmp_path: Path) -> None:
    """Silent inside a compound line; main is asked about; taken back, it asks again."""
    subprocess.run(["git", "init", "-q", "--bare", str(tmp_path / "remote.git")], check=True)
    push = "git push origin feature"
    here = lab(
        [
            [bash(push)],
            [bash(f"git status --short && {push} 2>&1 | tail -2")],
            [bash("git push origin main")],
            [bash(push)],
            [say("Done.")],
        ]
    )
    git(here, "remote", "add", "origin", str(tmp_path / "remote.git"))
    git(here, "checkout", "-q", "-b", "feature")
    begin(here)
    ask = here.hub.wait_for_ask(1)
    assert ask["stays"][0]["words"] == "`git push` of feature to origin"
    here.hub.answer(ask, "allow_here", grant="shape")
    second = here.hub.wait_for_ask(2)
    assert second["view"]["raw"]["command"] == "git push origin main"
    assert len(allowed_by(here, "permission:")) == 1
    [given] = here.hub.api("GET", "/api/grants")[1]["grants"]
    assert (given["kind"], given["saved"]) == ("shape", 1)
    assert "let 1 call pass" in here.hub.assent("grants")
    here.hub.assent("grants", "revoke", given["id"])
    here.hub.answer(second, "deny")
    third = here.hub.wait_for_ask(3)
    assert third["view"]["raw"]["command"] == push
    here.hub.answer(third, "deny")
    here.model.wait_for(5)
    assert here.hub.api("GET", "/api/grants")[1]["grants"] == []


def test_accepted_edits_let_the_shell_write_what_git_can_bring_back(lab: LabFactory) -> None:
    """In the mode acceptEdits a here-document is as good as the Write tool."""
    here = lab([[bash("cat > src.py <<'EOF'\nx = 1\nEOF\ngit add -A")], [say("Done.")]])
    here.install()
    here.hub.start()
    here.headless(mode="acceptEdits")
    assert (here.project / "src.py").read_text() == "x = 1\n"
    assert allowed_by(here, "permission:") == ["permission:accept-edits"]


def test_plan_mode_denies_changes_whatever_rules_allow(lab: LabFactory) -> None:
    """The model is told to put it into the plan; looking goes on."""
    here = lab(
        [[bash("touch made.txt")], [bash("ls")], [say("Done.")]], settings={"permissions": {"allow": ["Bash(touch *)"]}}
    )
    here.install()
    here.hub.start()
    here.headless(mode="plan")
    assert not (here.project / "made.txt").exists()
    news = " ".join(here.model.news()[1])
    assert "Put this step into the plan" in news
    assert "README.md" in " ".join(here.model.news()[2])


def test_changes_given_for_a_project_are_silent_and_asked_once_revoked(lab: LabFactory) -> None:
    """From the first ask on; a file that git does not have is still asked about."""
    here = lab(
        [
            [bash("sed -i s/project/shop/ README.md")],
            [bash("echo more >> README.md && git add README.md && git commit -qm 'more'")],
            [bash("echo x > notes.txt")],
            [bash("echo y >> README.md")],
            [say("Done.")],
        ]
    )
    git(here, "config", "user.email", "a@example.com")
    git(here, "config", "user.name", "A")
    (here.project / "notes.txt").write_text("never committed\n")
    begin(here)
    ask = here.hub.wait_for_ask(1)
    here.hub.answer(ask, "allow_here", grant="change")
    notes = here.hub.wait_for_ask(2)
    assert notes["view"]["raw"]["command"] == "echo x > notes.txt"
    assert (here.project / "README.md").read_text() == "A shop.\nmore\n"
    [given] = here.hub.api("GET", "/api/grants")[1]["grants"]
    here.hub.assent("changes", "revoke")
    assert here.hub.api("GET", "/api/grants")[1]["grants"] == []
    assert given["words"] == "changes that git can bring back"
    here.hub.answer(notes, "deny")
    third = here.hub.wait_for_ask(3)
    assert third["view"]["raw"]["command"] == "echo y >> README.md"
    here.hub.answer(third, "deny")
    here.model.wait_for(5)


def test_pages_of_a_host_are_remembered_by_the_client_as_well(lab: LabFactory) -> None:
    """One answer, told to both; taken back in one place, gone from both."""
    here = lab([[call("WebFetch", url="http://127.0.0.1:9/docs", prompt="x")], [say("Done.")]])
    begin(here)
    ask = here.hub.wait_for_ask(1)
    if not ask["stays"]:
        pytest.fail(f"no answer that stays is offered: {ask['risk']}")
    here.hub.answer(ask, "allow_here", grant="shape")
    here.model.wait_for(2)
    rule = "WebFetch(domain:127.0.0.1)"
    until(lambda: remembered(here) == [rule], "the client's own rule")
    given = until(lambda: only(here.hub.api("GET", "/api/grants")[1]["grants"]), "one grant for both")
    assert given["file"] == str(here.local_settings())
    here.hub.assent("grants", "revoke", given["id"])
    until(lambda: remembered(here) == [], "the client's settings without it")


def remembered(here: Lab) -> list[str] | None:
    """The client's own rules; None while it writes them."""
    try:
        rules: list[str] = read_json(here.local_settings())["permissions"]["allow"]
    except (OSError, ValueError, KeyError):
        return None
    return rules


def only(grants: list[dict[str, Any]]) -> dict[str, Any] | None:
    return grants[0] if len(grants) == 1 else None
