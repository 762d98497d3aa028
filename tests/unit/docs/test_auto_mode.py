"""The page about auto mode says what the judge says."""

import re
from pathlib import Path

import pytest

from assent.paths import find
from assent.policy.call import Scene
from assent.policy.judge import judge
from assent.policy.judges.floor import Floor
from assent.policy.judges.stance import Stance, StanceName
from assent.protocol.events import PreToolUse

PAGE = Path(__file__).parents[3] / "docs" / "auto-mode.md"
ROW = re.compile(r"^\| [^|]+ \| `(?P<line>.+)` \| (?P<says>[^|]+) \|$")
INCIDENTS = [(m["line"].replace(r"\|", "|"), m["says"]) for m in map(ROW.match, PAGE.read_text().splitlines()) if m]
WORDS = {"ask": "prompt", "deny": "deny"}


def says(line: str, stance: StanceName, project: Path) -> str:
    call = PreToolUse(session_id="s", cwd=str(project), tool_name="Bash", tool_input={"command": line})
    floor = Floor(find({"ASSENT_HOME": str(project / "assent")}))
    return judge(call, Scene(project), (floor, Stance(lambda _: stance))).decision.word


def test_page_has_its_incidents() -> None:
    """The table is read as it is meant."""
    assert len(INCIDENTS) == 11


@pytest.mark.parametrize(("line", "told"), INCIDENTS)
def test_incidents_are_judged_as_the_page_says(line: str, told: str, tmp_path: Path) -> None:
    """Denied, asked about, or missed, and then asked about where the stance is strict."""
    if told.startswith("**missed**"):
        assert says(line, "balanced", tmp_path) == "no_opinion"
        assert says(line, "strict", tmp_path) == "prompt"
    else:
        assert says(line, "balanced", tmp_path) == WORDS[told]
