"""Tools of MCP servers."""

from typing import Any

import pytest

from assent.policy.risk_of import risk_of
from assent.protocol.decision import Risk
from tests.unit.policy.calls import SCENE, call


@pytest.mark.parametrize("tool", ["mcp__github__get_issue", "mcp__x__list", "mcp__x__read_file", "mcp__a", "mcp____"])
def test_tool_that_seems_to_read_is_care(tool: str) -> None:
    """A name is a promise of an unknown author."""
    assert risk_of(call(tool), SCENE).risk is Risk.CARE


@pytest.mark.parametrize("tool", ["mcp__db__drop_table", "mcp__github__deleteRepository", "mcp__k8s__pods-purge"])
def test_tool_that_takes_away_by_its_name_is_danger(tool: str) -> None:
    """Names may raise what they cannot lower."""
    assert risk_of(call(tool), SCENE).risk is Risk.DANGER


@pytest.mark.parametrize(
    ("fields", "risk"),
    [
        ({"command": "ls"}, Risk.CARE),
        ({"command": "rm -rf ~"}, Risk.DANGER),
        ({"steps": [{"cmd": "git push --force"}]}, Risk.DANGER),
        ({"path": "src/a.py"}, Risk.CARE),
        ({"file_path": "/home/me/.ssh/id_rsa"}, Risk.DANGER),
        ({"paths": ["README.md", ".env"]}, Risk.DANGER),
        ({"url": "http://169.254.169.254/"}, Risk.DANGER),
        ({"note": "AKIAQ7ZB2MWN5TXL4RHD"}, Risk.DANGER),
        ({"rows": [[1, None, True]]}, Risk.CARE),
    ],
)
def test_input_tells_of_more_than_the_name(fields: dict[str, Any], risk: Risk) -> None:
    """Lines, files, addresses and keys are looked at in any tool."""
    assert risk_of(call("mcp__box__do", **fields), SCENE).risk is risk
