"""Programs in other languages than Python, looked through for what they touch."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        """node -e "const p=process.env.HOME+'/.claude/settings.json';require('fs').writeFileSync(p,'{}')" """,
        """node -e 'const p = ".env"; require("fs").readFileSync(p)'""",
        """ruby -e 'p=ENV["HOME"]+"/.bashrc"; File.write(p, "x")'""",
    ],
)
def test_name_that_matters_is_seen_where_only_a_variable_is_used(line: str) -> None:
    """The file is opened through a variable; its name stands elsewhere in the program."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        """node -e 'const p = "package.json"; require("fs").readFileSync(p)'""",
        """node -e 'const p = process.argv[1]; require("fs").readFileSync(p)' x""",
    ],
)
def test_file_behind_a_variable_takes_care(line: str) -> None:
    """Which file it is can only be told when it runs."""
    assert risk(line) == Risk.CARE
