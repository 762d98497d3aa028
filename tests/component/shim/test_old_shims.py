"""Shims of earlier versions stay in people's folders until the next hub refreshes them; they must go on working."""

import shutil
from pathlib import Path

import pytest

from tests.component.shim.conftest import BYPASS, Shim
from tests.component.shim.fake_hub import FakeHub, answer

OLD = sorted((Path(__file__).parents[2] / "fixtures" / "old_shims").glob("hook_v*.py"))


@pytest.fixture(params=OLD, ids=[path.stem for path in OLD])
def old(python_shim: Shim, request: pytest.FixtureRequest) -> Shim:
    """Each stands alone, started as hook.py is. Such a version placed no native shim that could start another one."""
    shutil.copy(request.param, python_shim.paths.shim / "hook.py")
    (python_shim.paths.shim / "forward.py").unlink()
    return python_shim


def test_fixtures_are_there() -> None:
    """The first version is kept for ever."""
    assert "hook_v1" in [path.stem for path in OLD]


def test_old_shim_understands_todays_replies(old: Shim) -> None:
    """Every action, as today's encoder writes it, is carried out."""
    acts = answer(), answer("json_output", stdout_json={"a": {"b": "é"}}), answer("block_with_stderr", stderr='no\n"x"')
    with FakeHub(old.socket, *acts) as hub:
        results = [old.run(payload=b'{"n":1}') for _ in acts]
    assert [(r.code, r.out, r.err) for r in results] == [
        (0, b"", b""),
        (0, '{"a":{"b":"é"}}'.encode(), b""),
        (2, b"", b'no\n"x"'),
    ]
    assert [envelope["payload"] for envelope in hub.envelopes] == [{"n": 1}] * 3


def test_old_shim_fails_safely(old: Shim) -> None:
    """Without a hub it prompts in bypassPermissions and leaves a gap."""
    assert b'"permissionDecision":"ask"' in old.run(payload=BYPASS, deadline=0.2).out
    assert len(old.gaps()) == 1
