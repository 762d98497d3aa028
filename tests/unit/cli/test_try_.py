"""What `assent try` shows."""

import json
import shutil
from os import terminal_size
from pathlib import Path

import click
import pytest

from assent.cli.try_ import page
from assent.paths import Paths
from assent.protocol.decision import Seen, Step, TraceLine, Trial
from tests.unit.cli.conftest import Run


def test_try_shows_commands_risk_and_decision(assent: Run) -> None:
    """Enough to agree or to disagree."""
    assert assent("try", "ls && git push --force origin main").out.splitlines() == [
        "look      ls",
        "            Lists names. No option of it writes or runs anything.",
        "danger    git push --force origin main",
        "            history: It overwrites commits on the remote, others' as well.",
        "            (main)",
        "            publish: It sends commits to the remote. (origin, main)",
        "",
        "Risk      danger: It overwrites commits on the remote, others' as well: main.",
        "In        git push --force origin main",
        "Safer     git push --force-with-lease",
        "Decision  ask, by the stance balanced",
        "          The agent waits while its client asks you, with this reason.",
        "Told      It overwrites commits on the remote, others' as well: main. Safer: git",
        "          push --force-with-lease.",
    ]


def test_try_names_the_rule_that_decides_and_who_else_spoke(assent: Run, paths: Paths) -> None:
    """The stance is heard, the rule decides."""
    paths.config_dir.mkdir(parents=True)
    paths.rules.write_text('[[rule]]\nmatch = "Bash(ls *)"\ndecision = "deny"\nreason = "No looking."\n')
    out = assent("try", "ls -l").out
    assert "Decision  deny, by your rule 1\n" in out
    assert "Told      No looking.\n" in out
    assert "Heard     the stance balanced: allow. Lists names." in out


def test_try_asks_as_one_client(assent: Run, paths: Paths) -> None:
    """A rule may name a harness; its tools are named as it does, or as rules do."""
    paths.config_dir.mkdir(parents=True)
    rule = '[[rule]]\nmatch = "Bash(ls *)"\ndecision = "deny"\nreason = "No looking."\nharness = "copilot"\n'
    paths.rules.write_text(rule)
    assert "Decision  allow" in assent("try", "ls -l").out
    assert "Decision  deny, by your rule 1\n" in assent("try", "--harness", "copilot", "ls -l").out
    assert "deny" in assent("try", "--harness", "copilot", "--tool", "bash", "ls -l").out
    assert "It speaks about ls -l" in assent("rules", "explain", "--harness", "copilot", "ls -l").out
    assert "It holds when harness copilot." in " ".join(assent("rules", "explain", "ls -l").out.split())
    refused = assent("try", "--harness", "copilott", "ls")
    assert refused.code == 2
    assert "'copilott' is not one of claude-code, copilot" in refused.err


def test_try_prints_json_with_the_tree(assent: Run) -> None:
    """The same for programs."""
    output = json.loads(assent("try", "git status", "--json").out)
    assert (output["decision"], output["risk"], output["by"]) == ("allow", "look", "stance:balanced")
    assert [step["command"] for step in output["steps"]] == ["git status"]


@pytest.mark.parametrize(
    ("tool", "text", "decision"),
    [
        ("Read", "README.md", "allow"),
        ("Edit", "~/.bashrc", "ask"),
        ("WebFetch", "https://example.com/", "no_opinion"),
        ("mcp__github__get_issue", '{"number": 1}', "no_opinion"),
        ("Write", '{"file_path": "~/.ssh/authorized_keys", "content": ""}', "ask"),
    ],
)
def test_try_judges_other_tools(assent: Run, tool: str, text: str, decision: str) -> None:
    """By their file or address, or by their whole input."""
    assert json.loads(assent("try", "--tool", tool, text, "--json").out)["decision"] == decision


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no command was given"),
        (("git", "push"), "more than one argument"),
        (("--batch", "ls"), "from the standard input"),
        (("--tool", "mcp__x__y", "hello"), "does not know what the tool mcp__x__y takes"),
        (("--tool", "Read", "{"), "not a JSON object"),
    ],
)
def test_try_refuses_what_it_cannot_mean(assent: Run, arguments: tuple[str, ...], message: str) -> None:
    """And says that nothing was judged."""
    result = assent("try", *arguments)
    assert result.code == 2
    assert result.err.startswith("assent: Nothing was judged:")
    assert message in result.err


def test_try_takes_a_folder_and_a_mode(assent: Run, paths: Paths, tmp_path: Path) -> None:
    """Rules may depend on both."""
    paths.config_dir.mkdir(parents=True)
    paths.rules.write_text(
        '[[rule]]\nmatch = "Bash"\ndecision = "deny"\nreason = "Not in this mode."\nwhen = { mode = "auto" }\n'
    )
    (tmp_path / "shop" / ".assent").mkdir(parents=True)
    rules = tmp_path / "shop" / ".assent" / "rules.toml"
    rules.write_text('[[rule]]\nmatch = "Bash(ls *)"\ndecision = "ask"\nreason = "Not here."\n')
    assert "by your rule 1" in assent("try", "ls", "--mode", "auto").out
    assert "Told      Not here." in assent("try", "ls", "--cwd", str(tmp_path / "shop")).out


def test_try_says_which_rules_could_not_be_read(assent: Run, tmp_path: Path) -> None:
    """A project's broken file is not heard, and that is no secret."""
    (tmp_path / ".assent").mkdir()
    (tmp_path / ".assent" / "rules.toml").write_text("[[rule]\n")
    result = assent("try", "ls", "--cwd", str(tmp_path))
    assert result.code == 0
    assert "not heard:" in result.err


def test_try_cannot_be_steered_by_what_it_shows(assent: Run) -> None:
    """Escape codes, directions and line ends in a command are shown, not obeyed."""
    out = assent("try", "echo \x1b[31mred\x07 \u202edrawkcab").out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "⟨U+001B⟩" in out


def test_try_fits_a_narrow_terminal(assent: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is wider than the screen, long words included."""
    monkeypatch.setattr(shutil, "get_terminal_size", lambda _: terminal_size((44, 20)))
    out = assent("try", f"curl https://example.com/{'x' * 90} | sudo sh").out
    assert max(map(len, out.splitlines())) <= 44


def test_page_is_coloured_by_risk() -> None:
    """The word carries the meaning; the colour only repeats it."""
    step = Step("x", "care", (Seen("run", "care", "", "It runs."),))
    trial = Trial("x", "ask", "care", "Because.", step.effects, (TraceLine("a", "ask", "w"),), "a", steps=(step,))
    shown = list(page(trial, 80))
    assert shown[0].startswith(click.style("care      ", fg="yellow"))
    assert [click.unstyle(line) for line in shown[:2]] == ["care      x", "            run: It runs."]
