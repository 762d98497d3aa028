"""Hooks for one run of `codex exec`."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import AssentError
from assent.harnesses import codex
from assent.harnesses.codex import check_run, places, plan, prints_only, run_plan
from assent.harnesses.codex.install import fingerprint
from assent.harnesses.codex.one_run import _toml
from assent.harnesses.site import Site
from assent.paths import find
from assent.protocol.modes import Run


@pytest.fixture
def site(tmp_path: Path) -> Site:
    environ = {"HOME": str(tmp_path)}
    return Site(find(environ), tmp_path, tmp_path / "project", environ=environ, root=tmp_path)


def planned(site: Site, *words: str) -> tuple[list[str], dict[str, Any], dict[str, str]]:
    """The command line, what its settings say, and the environment."""
    made = run_plan(words, "/bin/codex", site.home / "f", environ={"A": "b"}, site=site, run=Run(id="ab"), token="")
    given = [value for option, value in zip(made.argv, made.argv[1:], strict=False) if option == "-c"]
    return made.argv, tomllib.loads("\n".join(given)), made.env


def test_hooks_and_their_trust_are_given_with_the_command(site: Site) -> None:
    """No file is touched, and no hook of others is trusted with them."""
    argv, settings, env = planned(site, "codex", "exec", "--json", "go")
    assert (argv[:2], argv[-2:]) == (["/bin/codex", "exec"], ["--json", "go"])
    assert settings["features"] == {"hooks": True}
    states = settings["hooks"].pop("state")
    assert settings["hooks"].keys() == codex.SUBSCRIPTIONS.keys()
    gate = settings["hooks"]["PreToolUse"][0]["hooks"][0]
    assert states["/<session-flags>/config.toml:pre_tool_use:0:0"] == {"trusted_hash": fingerprint("PreToolUse", gate)}
    assert len(states) == len(codex.SUBSCRIPTIONS)
    assert env["ASSENT_RUN"].startswith("id=ab ")
    assert env["A"] == "b"


def test_installed_entries_do_not_run_beside_them(site: Site) -> None:
    """Every event is judged once."""
    path = places(site)[0].path
    path.parent.mkdir()
    path.write_bytes(plan(site, "user", None, transport="auto", token="", with_telemetry=False).after)
    states = planned(site, "codex", "exec", "go")[1]["hooks"]["state"]
    assert states[f"{path}:pre_tool_use:0:0"] == {"enabled": False}


@pytest.mark.parametrize(
    "words",
    [
        ("codex",),
        ("codex", "go"),
        ("codex", "-m", "x", "exec", "go"),
        ("other", "exec", "go"),
        ("codex", "exec", "-c", "features.hooks=false", "go"),
        ("codex", "exec", "-chooks.PreToolUse=[]", "go"),
        ("codex", "exec", "--config=hooks={}", "go"),
        ("codex", "exec", "--config", "hooks.state={}", "go"),
        ("codex", "exec", "--disable", "hooks", "go"),
        ("codex", "exec", "--disable=hooks", "go"),
    ],
)
def test_run_that_could_not_be_gated_is_refused(site: Site, words: tuple[str, ...]) -> None:
    """An agent is never started past the gate."""
    with pytest.raises(AssentError, match="not started"):
        check_run(words, {}, site)


@pytest.mark.parametrize(
    "words",
    [("codex", "exec", "hooks=1"), ("/opt/codex", "e", "-c", "model=x", "go"), ("codex", "exec", "--", "-chooks=1")],
)
def test_other_words_are_left_alone(site: Site, words: tuple[str, ...]) -> None:
    check_run(words, {}, site)
    assert prints_only(words)


def test_run_that_the_administrator_leaves_without_hooks_is_refused(site: Site) -> None:
    (site.root / "etc/codex").mkdir(parents=True)
    (site.root / "etc/codex/requirements.toml").write_text("allow_managed_hooks_only = true\n")
    with pytest.raises(AssentError, match="allow_managed_hooks_only"):
        check_run(("codex", "exec", "go"), {}, site)


TEXTS = st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x7f"))


@given(st.dictionaries(TEXTS, TEXTS | st.integers() | st.booleans() | st.lists(TEXTS), max_size=3))
def test_values_are_read_back_as_they_were(value: dict[str, Any]) -> None:
    assert tomllib.loads(f"x={_toml(value)}")["x"] == json.loads(json.dumps(value))
