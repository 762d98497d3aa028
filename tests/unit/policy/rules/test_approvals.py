"""``[[approval]]`` in rules.toml: how it is read, and which calls it is about."""

from pathlib import Path

import pytest

from assent.policy.call import Call, Scene
from assent.policy.rules.approvals import ApprovalRule, demand, needed
from assent.policy.rules.file import load_project, load_user
from assent.protocol.approval import ApprovalView, Rung
from assent.protocol.decision import Risk
from assent.toml.document import ConfigError
from tests.unit.policy.calls import PROJECT, SCENE, call

WHOLE = """\
[[approval]]
match = "effect:production risk:>=danger"
from = ["group:sre-oncall"]
count = 2
not_owner = true
wait = "8m"
else = "hand_back"
ladder = ["group:sre-oncall@0s", "group:sre-leads@4m"]
reason = "Production is changed by two."
"""
PRODUCTION = "kubectl --context prod delete pod web-1"


def approvals(tmp_path: Path, text: str) -> tuple[ApprovalRule, ...]:
    file = tmp_path / "rules.toml"
    file.write_text(text, encoding="utf-8")
    return load_user(file).approvals


def speaks(tmp_path: Path, match: str, of: Call, risk: Risk | None = Risk.DANGER, scene: Scene = SCENE) -> bool:
    text = f"[[approval]]\nmatch = '{match}'\nfrom = \"owner\"\n"
    return needed(approvals(tmp_path, text), of, scene, risk) is not None


def bash(command: str) -> Call:
    return call("Bash", command=command)


def test_approvals_are_read_whole(tmp_path: Path) -> None:
    """A step of the ladder without a time is asked from the start."""
    (rule,) = approvals(tmp_path, WHOLE)
    assert rule.by == "approval:user#1"
    assert rule.needs == ApprovalView(
        rule="approval:user#1",
        reason="Production is changed by two.",
        whom=("group:sre-oncall",),
        count=2,
        not_owner=True,
        ladder=(Rung("group:sre-leads", 240),),
        wait_s=480,
        otherwise="hand_back",
    )
    assert demand(rule.needs) == "2 of group:sre-oncall, group:sre-leads after 4m, not the owner"


@pytest.mark.parametrize(
    ("lines", "line", "says"),
    [
        ('match = "risk:>=dangr"\nfrom = "owner"', 2, "did you mean danger?"),
        ('match = "efect:delete"\nfrom = "owner"', 2, "There is no key efect: to filter by. did you mean effect:?"),
        ('match = "effect:deploy"\nfrom = "owner"', 2, "deploy is no effect."),
        ('match = "tool:Bash(ls"\nfrom = "owner"', 2, "tool: is written as in a rule"),
        ('match = ""\nfrom = "owner"', 2, "name what needs an approval"),
        ('match = "tool:Bash -terraform"\nfrom = "owner"', 2, "words cannot be excluded"),
        ('match = "tool:Bash"', 1, "does not say whose yes it needs"),
        ('match = "tool:Bash"\nfrom = ["sre"]', 3, 'write "owner", "person:ada@example.org" or "group:sre-oncall"'),
        ('match = "tool:Bash"\nfrom = "group:a"\ncount = 0', 4, '"count" must be 1 to 10'),
        ('match = "tool:Bash"\nfrom = "owner"\ncount = 2', 4, "needs 2 people and names 1"),
        ('match = "tool:Bash"\nfrom = "owner"\nnot_owner = true', 4, "asks the owner alone"),
        ('match = "tool:Bash"\nfrom = "owner"\nelse = "allow"', 4, '"else" must be "deny" | "hand_back"'),
        ('match = "tool:Bash"\nfrom = "owner"\nwait = "soon"', 4, "a duration is written like"),
        ('match = "tool:Bash"\nladder = ["group:a"]', 3, 'a step is written like "group:sre-leads@4m"'),
        ('match = "tool:Bash"\nladder = ["group:a@1m"]', 3, "No one is asked at first."),
        ('match = "tool:Bash"\nfrom = "owner"\nwait = "1m"\nladder = ["group:a@4m"]', 5, "after the time is up"),
        ('match = "tool:Bash"\nform = "owner"', 3, 'Did you mean "from"?'),
    ],
)
def test_mistakes_are_pointed_at(tmp_path: Path, lines: str, line: int, says: str) -> None:
    """With the line, and what would be right."""
    with pytest.raises(ConfigError) as refused:
        approvals(tmp_path, f"[[approval]]\n{lines}\n")
    assert refused.value.line == line
    assert says in str(refused.value)


def test_projects_approvals_are_obeyed_without_trust(tmp_path: Path) -> None:
    """They only tighten; what the file would allow still waits for trust."""
    file = tmp_path / ".assent" / "rules.toml"
    file.parent.mkdir()
    file.write_text(f'{WHOLE}\n[[rule]]\nmatch = "Bash(ls *)"\ndecision = "allow"\n', encoding="utf-8")
    loaded = load_project(file)
    assert [rule.by for rule in loaded.approvals] == ["approval:project#1"]
    assert len(loaded.ignored) == 1


@pytest.mark.parametrize(
    ("match", "command", "speaks_of"),
    [
        ("effect:production", PRODUCTION, True),
        ("effect:production", "kubectl --context staging delete pod web-1", False),
        ("effect:delete", "ls && rm -r build", True),
        ("effect:delete", "ls", False),
        # What runs is decided only when it runs.
        ("effect:production", '"$DO" now', True),
        # Anything else than what is excluded, also beside it.
        ("-effect:read", "cat notes.txt", False),
        ("-effect:read", "cat notes.txt && rm -r build", True),
        ("tool:Bash", "ls", True),
        ("tool:Edit", "ls", False),
        ('tool:"Bash(terraform apply *)"', "cd infra && terraform apply -auto-approve", True),
        ('tool:"Bash(terraform apply *)"', "terraform plan", False),
        ('-tool:"Bash(npm *)"', "npm test", False),
        ('-tool:"Bash(npm *)"', "npm test && terraform apply", True),
        ('"terraform apply"', "terraform apply", True),
        ("Terraform", "terra''form apply", True),
        ("terraform", "npm test", False),
        ("project:project", "ls", True),
        ("project:other", "ls", False),
        ("-project:other", "ls", True),
        ("mode:default", "ls", True),
        ("mode:bypass", "ls", False),
        ("tool:Bash terraform", "terraform apply", True),
        ("tool:Edit terraform", "terraform apply", False),
    ],
)
def test_match_is_about_the_call(tmp_path: Path, match: str, command: str, speaks_of: bool) -> None:
    """Every term has to hold; what an agent could add to a line excludes nothing."""
    assert speaks(tmp_path, match, bash(command)) is speaks_of


@pytest.mark.parametrize(
    ("match", "risk", "speaks_of"),
    [
        ("risk:>=care", Risk.DANGER, True),
        ("risk:>=care", Risk.CHANGE, False),
        ("risk:danger,care", Risk.CARE, True),
        ("-risk:look", Risk.LOOK, False),
        # Not known, so it may be.
        ("risk:danger", None, True),
    ],
)
def test_risk_is_the_one_judged(tmp_path: Path, match: str, risk: Risk | None, speaks_of: bool) -> None:
    """Of all voices together."""
    assert speaks(tmp_path, match, bash("ls"), risk) is speaks_of


def test_what_is_not_known_counts_as_met(tmp_path: Path) -> None:
    """A rule that tightens holds where it cannot be told whether it does."""
    assert speaks(tmp_path, "harness:copilot", bash("ls"))
    assert not speaks(tmp_path, "harness:copilot", bash("ls"), scene=Scene(PROJECT, harness="claude-code"))


def test_questions_to_people_need_no_approval(tmp_path: Path) -> None:
    """They do nothing."""
    assert not speaks(tmp_path, "risk:>=look", call("AskUserQuestion", questions=[]))


def test_every_rule_that_speaks_has_to_be_satisfied(tmp_path: Path) -> None:
    """The one that needs most people is read first; the shortest wait and the stricter end hold for all."""
    text = (
        '[[approval]]\nmatch = "tool:Bash"\nfrom = "owner"\nelse = "hand_back"\nwait = "5m"\n'
        '[[approval]]\nmatch = "risk:danger"\nfrom = "group:sre"\ncount = 2\nwait = "9m"\n'
    )
    found = needed(approvals(tmp_path, text), bash("ls"), SCENE, Risk.DANGER)
    assert found is not None
    assert found.rules == "approval:user#2, approval:user#1"
    assert (found.shortest_wait_s, found.ends_as) == (300, "deny")
