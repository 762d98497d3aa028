"""An allow of ours never does more than its words: chains that ran code or read keys, with the real client."""

import shlex

import pytest

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.model import Step, bash, call, say

RAN = "touch ran-unasked"


def test_lines_that_start_programs_delete_nothing(lab: LabFactory) -> None:
    """Each of these was once allowed in silence and ran; now the client refuses what was not allowed."""
    lines = [
        "git grep -Orm TODO",
        "git grep -O'rm -f' TODO",
        "git grep --open-files-in-pager=rm TODO",
        "fd . docs -xrm",
        "fd . docs -Hxrm",
        "gradle tasks",
    ]
    here = lab([*([bash(line)] for line in lines), [say("Done.")]], files={"docs/a.md": "TODO: write\n"})
    here.guard()
    here.headless(mode="dontAsk")
    assert (here.project / "docs/a.md").read_text() == "TODO: write\n"
    decisions = [entry.decision for entry in here.hub.entries("decision", "PreToolUse")]
    assert len(decisions) == len(lines)
    assert "allow" not in decisions
    assert not {"PostToolUse", "PostToolUseFailure"} & set(here.hub.events())


def _turns(project: str) -> dict[str, list[Step]]:
    evil = {"HEAD": "ref: refs/heads/main\n", "config": f"[core]\n\tfsmonitor = {shlex.quote(RAN)}; false\n"}
    evil |= {"objects/x": "x\n", "refs/x": "x\n"}
    return {
        "perl": [
            [call("Write", file_path=f"{project}/x.pl", content=f"BEGIN {{ system('{RAN}') }}\n")],
            [bash("perl -c x.pl")],
        ],
        "python -m": [
            [call("Write", file_path=f"{project}/this.py", content=f"import os\nos.system('{RAN}')\n")],
            [bash("python3 -m this")],
        ],
        "git": [
            *[[call("Write", file_path=f"{project}/evil/{name}", content=text)] for name, text in evil.items()],
            [bash("git --git-dir=evil status")],
            [bash("git -C evil status")],
        ],
    }


@pytest.mark.parametrize("chain", ["perl", "python -m", "git"])
def test_file_of_the_session_is_not_run_by_a_check(lab: LabFactory, chain: str) -> None:
    """Written under accepted edits, then run by a command that only checks or lists: not without an ask."""
    here = lab([])
    here.model.script = {"main": [*_turns(str(here.project))[chain], [say("Done.")]]}
    here.guard()
    here.headless(mode="acceptEdits")
    assert not list(here.project.rglob("ran-unasked"))
    [*_, last] = here.hub.entries("decision", "PreToolUse")
    assert last.decision != "allow"


def test_reads_outside_the_project_stay_with_the_client(lab: LabFactory) -> None:
    """The client alone would ask about them, so it does with Assent, too."""
    lines = [
        "cat /etc/passwd",
        "head -1 /etc/passwd | wc -c",
        "grep -r root /etc/passwd",
        "git -C / log",
        "sort < /etc/hosts",
    ]
    here = lab([*([bash(line)] for line in lines), [say("Done.")]])
    here.guard()
    here.headless(mode="dontAsk")
    decisions = [entry.decision for entry in here.hub.entries("decision", "PreToolUse")]
    assert decisions == ["no_opinion"] * len(lines)
    assert not {"PostToolUse", "PostToolUseFailure"} & set(here.hub.events())
