"""Rules, and what they make of a command, drawn."""

from typing import Any

import pytest

from assent.protocol.decision import Seen, Step, TraceLine, Trial
from assent.tui.rules import rows
from assent.tui.rules import rows as rule_rows
from tests.unit.tui.measured import text

MINE = {
    "level": "user",
    "file": "/home/dev/rules.toml",
    "number": 1,
    "decision": "allow",
    "match": ["Bash(npm test *)"],
}
THEIRS = {
    "level": "agent.project",
    "file": "/src/.claude/settings.json",
    "number": 1,
    "decision": "allow",
    "match": ["Bash(rm *)"],
    "unheard": "It came with the repository.",
}


def drawn(rules: list[dict[str, Any]], cells: int, **options: Any) -> str:
    entries = rule_rows.grouped(rules, cells, home="/home/dev", hits={}, **options)
    lines = [entry.draw(cells, False) for entry in entries]
    assert all(len(of) == entry.height for of, entry in zip(lines, entries, strict=True))
    return text([line for of in lines for line in of], cells)


def test_rules_stand_under_the_file_they_are_in() -> None:
    """Whose they are, what they say, and why one is not heard."""
    assert drawn([MINE, THEIRS], 80).split("\n") == [
        "─ Yours, everywhere  ~/rules.toml",
        " ✓ allow  Bash(npm test *)",
        "",
        "─ Claude's, from the repository; its client obeys them itself  /src/.claude/set…",
        " ✓ allow  Bash(rm *)",
        "          Not heard: It came with the repository.",
    ]


def test_rule_that_is_to_go_says_so_and_stays_whole() -> None:
    """The question beside it hides nothing of what it matches."""
    long = {**MINE, "match": ["Bash(npm run build --workspace packages/frontend *)"]}
    shown = drawn([long], 80, doomed=rule_rows.key(long))
    assert "Remove it? Enter removes, Esc keeps" in shown
    assert "…" not in shown
    assert "packages/frontend" in shown


def test_only_ours_can_be_removed() -> None:
    """One's own, and what the agent was allowed for its user; never what a repository or an organisation says."""
    levels = ("user", "project", "agent.user", "agent.local", "agent.project", "agent.managed")
    can = [level for level in levels if rule_rows.can_remove({**MINE, "level": level})]
    assert can == ["user", "agent.user", "agent.local"]
    assert not rule_rows.can_remove({**MINE, "level": "agent.user", "decision": "deny"})


def test_rules_are_found_by_all_words() -> None:
    """In what they match, in their owner's name, in why they are not heard."""
    assert rule_rows.matches(THEIRS, "repository rm")
    assert not rule_rows.matches(MINE, "npm deny")


@pytest.mark.parametrize("cells", [20, 60, 240])
def test_nothing_in_a_rule_or_a_trial_breaks_the_screen(cells: int) -> None:
    """Whatever stands in files and commands is drawn inertly, within the width."""
    evil = "\x1b[2J\u202e漢字 " * 30
    rule = {"level": evil, "file": evil, "number": 1, "decision": evil, "match": [evil], "when": evil, "reason": evil}
    step = Step(evil, evil, (Seen("k", "care", evil, evil),), (Step(evil, "danger"),))
    trial = Trial(evil, evil, "danger", evil, (), (TraceLine(evil, "ask", evil),), evil, "", evil, evil, (step,))
    shown = drawn([{**rule, "unheard": evil}], cells) + text(rows.lines(trial, cells), cells)
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def test_trial_tells_what_would_happen_part_by_part() -> None:
    """The answer, the risk, why, what would be safer, and who said it."""
    step = Step("git push -f", "danger", (Seen("push", "danger", "origin", "It rewrites history."),))
    spoken = TraceLine("rule:user#2", "deny", "Ask first.")
    trial = Trial("git push -f", "deny", "danger", "Ask first.", (), (spoken,), "rule:user#2", steps=(step,))
    shown = text(rows.lines(trial, 80), 80)
    for part in (
        "■ It would be denied  ■ Danger",
        "Why     Ask first.",
        "It rewrites history. origin",
        "your rule 2 deny",
    ):
        assert part in shown
