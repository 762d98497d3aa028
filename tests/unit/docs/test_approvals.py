"""The page about approvals."""

import re
from pathlib import Path

import msgspec
import pytest

from assent.learn import trusting
from assent.policy.rules import approvals
from tests.unit.docs.test_docs import ROOT

PAGE = (ROOT / "docs" / "approvals.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_can_be_copied(tmp_path: Path, example: str) -> None:
    """Each is read, and says of its own tests what they expect."""
    file = tmp_path / "rules.toml"
    file.write_text(example)
    (rule,) = trusting.approvals(file)
    assert len(rule.tests) == 2
    assert all(outcome.is_good for outcome in trusting.run(file))


def test_every_key_and_every_term_is_on_the_page() -> None:
    """A key that no page names is not found."""
    names = {field.encode_name for field in msgspec.structs.fields(approvals.WrittenApproval)}
    assert [name for name in names - {"test"} if f"| `{name}` |" not in PAGE] == []
    assert [key for key in approvals.KEYS if f"`{key}:" not in PAGE] == []
