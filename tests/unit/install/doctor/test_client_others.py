"""Clients without our hooks, and repositories that can switch hooks off."""

from dataclasses import replace
from pathlib import Path

from assent.harnesses import system_lines
from assent.harnesses.site import Situation
from assent.install.doctor import client


def test_client_that_is_here_without_hooks_is_told(healthy: Situation, tmp_path: Path) -> None:
    """Its calls are judged by no rule of the user's."""
    programs = tmp_path / "others"
    programs.mkdir()
    (programs / "copilot").touch(mode=0o755)
    here = replace(healthy, environ={**healthy.environ, "PATH": str(programs)})
    (found,) = client.not_gated(here)
    assert found.text.startswith("Copilot CLI is on this machine and has no hooks of Assent's")
    assert found.remedy == "run `assent install --harness copilot`."


def test_client_with_hooks_is_not_told_again(healthy: Situation) -> None:
    """Nor one that is not here."""
    assert list(client.not_gated(replace(healthy, environ={**healthy.environ, "PATH": ""}))) == []


def test_line_of_the_system_is_told_where_it_stands_and_where_not(healthy: Situation, tmp_path: Path) -> None:
    """With the command that writes it."""
    here = replace(healthy, root=tmp_path / "root")
    (found,) = client.switched_off(here)
    assert (found.level, found.remedy) == ("note", "`sudo assent install --scope system` prevents it.")
    path = system_lines.path("claude-code", here.site)
    assert path is not None
    path.parent.mkdir(parents=True)
    path.write_bytes(system_lines.plan("claude-code", None).after)
    (found,) = client.switched_off(here)
    assert found.level == "ok"
