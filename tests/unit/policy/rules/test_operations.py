"""Rules speak about what a call is, whatever its client calls the tool; of a patch, about every file in it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.harnesses import registry
from assent.policy.call import Call, Scene
from assent.policy.rules.coverage import Cover
from assent.protocol.operations import FileChange, Operation, Patch
from tests.unit.policy.calls import PROJECT, rules

SCENE = Scene(PROJECT, harness="copilot")
DIFF = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-one\n+two\n"
NAMES = st.sampled_from(["a.py", "b.py", "src/a.py", "src/deep/b.py", "docs/x.md", ".env", "../out.py"])


def of_copilot(tool: str, given: dict[str, Any]) -> Call:
    return made(registry.operation_of("copilot", tool, given), tool, given)


def made(operation: Operation, tool: str = "apply_patch", given: dict[str, Any] | None = None) -> Call:
    return Call(tool, given or {}, str(PROJECT), "default", "main", operation)


def patch(paths: Sequence[str]) -> Call:
    return made(Patch(files=tuple(FileChange(path=path, old="a\n", new="b\n") for path in paths)))


def says(match: str | Sequence[str], call: Call) -> tuple[bool, bool]:
    """Whether a rule of these patterns denies it, and whether one allows it."""
    named = ", ".join(f'"{each}"' for each in ([match] if isinstance(match, str) else match))
    deny, allow = rules(
        f'[[rule]]\nmatch = [{named}]\ndecision = "deny"\nreason = "No."\n'
        f'[[rule]]\nmatch = [{named}]\ndecision = "allow"\n'
    )
    return deny.restricts(call, SCENE) is not None, allow.covers(call, SCENE) is not Cover.NO


@pytest.mark.parametrize(
    ("tool", "given", "match", "other"),
    [
        ("bash", {"command": "git push origin main"}, "Bash(git push *)", "Bash(git pull *)"),
        ("write_bash", {"input": "git push origin main"}, "Bash(git push *)", "Bash(git pull *)"),
        ("create", {"path": "src/a.py", "file_text": "x"}, "Edit(src/**)", "Edit(docs/**)"),
        ("create", {"path": "src/a.py", "file_text": "x"}, "Write(src/**)", "Read(src/**)"),
        ("edit", {"path": "src/a.py", "old_str": "a", "new_str": "b"}, "Edit(src/**)", "Edit(docs/**)"),
        ("edit", {"file_path": f"{PROJECT}/a.py", "diff": DIFF}, "Edit(a.py)", "Edit(b.py)"),
        ("str_replace", {"path": "src/a.py", "old_str": "a", "new_str": "b"}, "Edit(src/**)", "Read(src/**)"),
        ("str_replace_editor", {"command": "view", "path": "src/a.py"}, "Read(src/**)", "Edit(src/**)"),
        ("str_replace_editor", {"command": "create", "path": "src/a.py"}, "Edit(src/**)", "Read(src/**)"),
        ("view", {"path": "src/a.py"}, "Read(src/**)", "Edit(src/**)"),
        ("grep", {"pattern": "x", "path": "src"}, "Grep(src/**)", "Edit(src/**)"),
        ("rg", {"pattern": "x", "path": "src"}, "Read(src/**)", "Glob(src/**)"),
        ("glob", {"pattern": "*.py", "path": "src"}, "Glob(src/**)", "Grep(src/**)"),
        ("web_fetch", {"url": "https://docs.example/a"}, "WebFetch(domain:docs.example)", "WebFetch(domain:x.example)"),
        ("task", {"prompt": "x", "agent_type": "explore"}, "Agent(explore)", "Agent(review)"),
        ("ask_user", {"question": "Which?"}, "AskUserQuestion", "ExitPlanMode"),
        ("exit_plan_mode", {"summary": "x"}, "ExitPlanMode", "AskUserQuestion"),
        ("report_intent", {"intent": "x"}, "report_intent", "Bash"),
    ],
)
def test_rules_name_what_a_call_of_another_client_is(tool: str, given: dict[str, Any], match: str, other: str) -> None:
    """For every operation that a client's decoder makes."""
    call = of_copilot(tool, given)
    assert says(match, call) == (True, True)
    assert says(other, call) == (False, False)


@given(st.lists(NAMES, min_size=1, max_size=4), st.lists(NAMES, min_size=1, max_size=3))
def test_patch_is_denied_by_any_of_its_files_and_allowed_by_all(touched: list[str], named: list[str]) -> None:
    """An allow rule for one file never allows a patch that touches another; a deny rule for one denies the patch."""
    places = {name: f"/{(PROJECT / name).resolve()}" for name in (*touched, *named)}
    denies, allows = says([f"Edit({places[name]})" for name in named], patch(touched))
    assert denies == any(name in named for name in touched)
    assert allows == all(name in named for name in touched)


@given(st.lists(NAMES, max_size=3))
def test_patch_with_a_file_that_cannot_be_read_is_denied_and_never_allowed(touched: list[str]) -> None:
    """It may be the one that the rule names."""
    for hidden in ("", "a\0b", "x" * 5_000):
        assert says(["Edit(secret.txt)", "Edit(//**)"], patch([*touched, hidden])) == (True, False)


def test_patch_with_no_file_is_denied_and_never_allowed() -> None:
    """What it changes could not be read."""
    assert says("Edit(//**)", patch([])) == (True, False)


def test_patch_is_not_allowed_through_a_link(tmp_path: Path) -> None:
    """A name in an allowed folder that leads elsewhere counts as what it leads to."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src/link").symlink_to("/etc")
    inside, outside = str(tmp_path / "src/a.py"), str(tmp_path / "src/link/passwd")
    match = f"Edit(/{tmp_path}/src/**)"
    assert says(match, patch([inside])) == (True, True)
    assert says(match, patch([inside, outside])) == (True, False)
    assert says("Edit(//etc/**)", patch([inside, outside])) == (True, False)
