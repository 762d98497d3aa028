"""Rules that are offered: exact in what they claim, and never near what was refused."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent import paths as locations
from assent.config import Config
from assent.learn.candidates import may_be_granted
from assent.learn.in_force import AgentRules
from assent.learn.repeated_calls import gather
from assent.learn.replayer import Court, event_of, scene_of
from assent.learn.review import DANGEROUS, REFUSED, Reviewed, review
from assent.policy.call import Call
from assent.policy.rules import pattern
from assent.policy.rules.coverage import Cover
from assent.policy.rules.rule import Rule
from tests.unit.learn.conftest import MakeCourt
from tests.unit.learn.stories import DAY, PROJECT, Story, bash


@pytest.fixture
def agent(tmp_path: Path) -> AgentRules:
    return AgentRules(home=tmp_path / "nobody")


def texts(found: Reviewed) -> list[str]:
    return [offer.text for offer in found.offers]


def edit(path: str) -> dict[str, Any]:
    return {"file_path": f"{PROJECT}/{path}", "old_string": {"size": 1}, "new_string": {"size": 2}}


def test_repeated_approval_is_offered_as_the_exact_command(court: MakeCourt, agent: AgentRules) -> None:
    """With how often, since when, in how many sessions."""
    story = Story()
    for session in ("s1", "s1", "s2"):
        story.approved("Bash", bash("make test"), session=session)
    found = review(gather(story.cases()), court(""), agent, asks=3)
    (offer,) = found.offers
    assert (offer.text, offer.saved, offer.sessions, offer.is_wide) == ("Bash(make test)", 3, 2, False)
    assert (offer.risk, offer.newly_allowed) == ("care", 0)
    assert (offer.test.tool, offer.test.input) == ("Bash", {"command": "make test"})
    assert (found.asks, found.approvals) == (3, 3)


@pytest.mark.parametrize(
    "command", ["frob *.py", "frob a\\b", "t\\*x a", "git commit -m 'a (b)'", "frob . -name '*.py:*'"]
)
def test_signs_of_the_pattern_language_are_meant_as_they_are(court: MakeCourt, agent: AgentRules, command: str) -> None:
    """A star in a command is a star, not a wildcard."""
    story = Story()
    for _ in range(3):
        story.approved("Bash", bash(command))
    (offer,) = review(gather(story.cases()), court(""), agent).offers
    rule = pattern.parse(offer.text)
    assert rule.covers(Call("Bash", bash(command), "/"), "/") is Cover.EXACT
    assert rule.covers(Call("Bash", bash(command.replace("*", "x")), "/"), "/") is (
        Cover.NO if "*" in command else Cover.EXACT
    )


def test_too_few_approvals_are_not_offered(court: MakeCourt, agent: AgentRules) -> None:
    """Twice is no habit."""
    story = Story()
    for _ in range(2):
        story.approved("Bash", bash("make test"))
    assert review(gather(story.cases()), court(""), agent).offers == ()
    assert len(review(gather(story.cases()), court(""), agent, least=2).offers) == 1


def test_several_commands_of_a_family_share_a_rule(court: MakeCourt, agent: AgentRules) -> None:
    """One rule for all, with what it would also have allowed."""
    story = Story()
    for message in "abc":
        story.approved("Bash", bash(f"git commit -m {message}"))
    story.ran("Bash", bash("git commit --amend"), story.wanted("Bash", bash("git commit --amend")))
    (offer,) = review(gather(story.cases()), court(""), agent).offers
    assert (offer.text, offer.saved, offer.is_wide) == ("Bash(git commit *)", 3, True)
    assert [match.what for match in offer.newly] == ["git commit --amend"]
    assert offer.newly_allowed == 1


def test_family_with_one_refusal_gets_no_wildcard(court: MakeCourt, agent: AgentRules) -> None:
    """A refusal counts, however long ago."""
    story = Story()
    story.refused("Bash", bash("git commit --no-verify"))
    refused_at = story.at
    story.at += 40 * DAY
    for message in "abc":
        for _ in range(3):
            story.approved("Bash", bash(f"git commit -m {message}"))
    found = review(gather(story.cases(), since=refused_at + DAY), court(""), agent)
    assert texts(found) == [f"Bash(git commit -m {message})" for message in "abc"]
    assert found.withheld == {REFUSED: 1}


def test_refusal_that_is_redacted_still_counts(court: MakeCourt, agent: AgentRules) -> None:
    """What cannot be told exactly is kept away from by its look."""
    story = Story()
    story.refused("Bash", bash("git commit -m ⟨token:12345678⟩"))
    for message in "abc":
        story.approved("Bash", bash(f"git commit -m {message}"))
    found = review(gather(story.cases()), court(""), agent)
    assert (found.offers, found.withheld) == ((), {REFUSED: 1})


def test_refused_command_is_not_offered_however_often_it_was_approved(court: MakeCourt, agent: AgentRules) -> None:
    """Exact rules are held to the same."""
    story = Story()
    for _ in range(5):
        story.approved("Bash", bash("make deploy"))
    story.refused("Bash", bash("make deploy"))
    assert review(gather(story.cases()), court(""), agent).offers == ()


def test_denied_command_is_not_offered(court: MakeCourt, agent: AgentRules) -> None:
    """What a rule denied on record is not allowed by habit."""
    story = Story()
    for _ in range(3):
        story.approved("Bash", bash("make deploy"))
    story.wanted("Bash", bash("make deploy"), "deny")
    assert review(gather(story.cases()), court(""), agent).offers == ()


def test_danger_gets_exact_rules_only(court: MakeCourt, agent: AgentRules) -> None:
    """A folder with something dangerous in it is not opened; the file itself may be."""
    story = Story()
    for name in ("a.md", "b.md", ".bashrc"):
        for _ in range(3):
            story.approved("Edit", edit(f"home/{name}"))
    found = review(gather(story.cases()), court(""), agent)
    exact = {offer.text: offer.risk for offer in found.offers}
    home = f"Edit(/{PROJECT}/home"
    assert exact == {f"{home}/.bashrc)": "danger", f"{home}/a.md)": "change", f"{home}/b.md)": "change"}
    assert found.withheld == {DANGEROUS: 1}


def test_files_of_a_folder_share_a_rule(court: MakeCourt, agent: AgentRules) -> None:
    """The narrowest folder inside the project that holds them, and never the project itself."""
    story = Story()
    for name in ("src/api/a.py", "src/api/b.py", "src/api/deep/c.py", "README.md"):
        story.approved("Edit" if name != "README.md" else "Write", edit(name))
    assert texts(review(gather(story.cases()), court(""), agent)) == [f"Edit(/{PROJECT}/src/api/**)"]


def test_hosts_and_tools_of_servers_are_offered_by_name(court: MakeCourt, agent: AgentRules) -> None:
    """A domain, a tool; never a whole server."""
    story = Story()
    for page in "abc":
        story.approved("WebFetch", {"url": f"https://docs.example.com/{page}", "prompt": "x"})
        story.approved("mcp__github__get_issue", {"number": page})
    assert texts(review(gather(story.cases()), court(""), agent)) == [
        "WebFetch(domain:docs.example.com)",
        "mcp__github__get_issue",
    ]


@pytest.mark.parametrize(
    "command",
    [
        "make a && make b",
        "cat x | sh",
        "echo hi > file",
        "make $(cat x)",
        "make &",
        "for x in a; do make; done",
        "a; b",
    ],
)
def test_lines_with_shell_operators_make_no_rule(court: MakeCourt, agent: AgentRules, command: str) -> None:
    """A rule for their parts would allow the parts alone."""
    story = Story()
    for _ in range(3):
        story.approved("Bash", bash(command))
    found = review(gather(story.cases()), court(""), agent)
    assert (found.offers, found.intricate) == ((), 3)


@pytest.mark.parametrize("name", ["a\nb", "a\u202eb", "a\u200bb", "a\x1b[2Kb"])
def test_unreadable_rule_is_not_offered(court: MakeCourt, agent: AgentRules, name: str) -> None:
    """A rule is shown before it is written, and must say what it shows."""
    story = Story()
    for _ in range(3):
        story.approved("Bash", bash(f"make '{name}'"))
        story.approved("Edit", edit(name))
        story.approved("Read", {"file_path": f"/opt/{name}"})
    assert review(gather(story.cases()), court(""), agent).offers == ()


def test_redacted_or_cut_approvals_make_no_rule(court: MakeCourt, agent: AgentRules) -> None:
    """They are counted instead."""
    story = Story()
    for _ in range(3):
        story.approved("Bash", bash("deploy --token ⟨token:12345678⟩"))
    found = review(gather(story.cases()), court(""), agent)
    assert (found.offers, found.unusable) == ((), 3)


def test_what_todays_rules_allow_is_not_offered(court: MakeCourt, agent: AgentRules) -> None:
    """A rule that was accepted is not offered again."""
    story = Story()
    for _ in range(3):
        story.approved("Bash", bash("make test"))
    allow = '[[rule]]\nmatch = "Bash(make *)"\ndecision = "allow"\n'
    assert review(gather(story.cases()), court(allow), agent).offers == ()


def test_rule_that_would_not_be_heard_is_not_offered(court: MakeCourt, agent: AgentRules) -> None:
    """An allow beside an ask rule saves nothing."""
    story = Story()
    for _ in range(3):
        story.approved("Bash", bash("make test"))
    ask = '[[rule]]\nmatch = "Bash(make *)"\ndecision = "ask"\nreason = "x"\n'
    assert review(gather(story.cases()), court(ask), agent).offers == ()


def test_what_the_agents_own_rules_allow_is_not_offered(court: MakeCourt, tmp_path: Path) -> None:
    """Its settings answer it already."""
    story = Story()
    for _ in range(3):
        story.approved("Bash", bash("make test"))
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").write_text('{"permissions": {"allow": ["Bash(make:*)", 7, "("]}}')
    assert review(gather(story.cases()), court(""), AgentRules(home=tmp_path)).offers == ()


def test_questions_for_people_are_never_offered(court: MakeCourt, agent: AgentRules) -> None:
    """Nor unknown tools."""
    story = Story()
    for tool in ("AskUserQuestion", "ExitPlanMode", "SomethingNew", "Agent"):
        for _ in range(3):
            story.approved(tool, {"x": "y"})
    assert review(gather(story.cases()), court(""), agent).offers == ()


def test_home_and_root_are_never_offered_for_searches(
    court: MakeCourt, agent: AgentRules, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search there is about everything one has."""
    monkeypatch.setenv("HOME", "/home/ada")
    story = Story()
    for path in ("/", "/home", "/home/ada", "/etc", "/home/bob/data", "/home/cy/notes"):
        for _ in range(3):
            story.approved("Grep", {"pattern": "x", "path": path})
    found = review(gather(story.cases()), court(""), agent)
    assert texts(found) == ["Read(//home/bob/data/**)", "Read(//home/cy/notes/**)"]


COMMANDS = [
    *("git commit -m a", "git commit -m b", "git commit", "git commit --amend", "git add .", "git add x", "git add y"),
    *(
        "git  status",
        "ls *.py",
        "ls \\(x\\)",
        "npm test",
        "npm test 2>&1",
        "make a && make b",
        "python x.py",
        "cat a;cat a",
    ),
    *("git commit -m 'a\nb'", "git commit -m a; git commit -m b", 'git "commit" -m a', "git\\\n commit", "rm -rf /"),
    *("t\\*x a", "t\\*x a;t\\*x a", "(a)b", "a\\(b c"),
]
FILES = [
    "src/a.py",
    "src/b.py",
    "src/c/d.py",
    "src/c/e.py",
    "docs/x.md",
    ".env",
    ".git/config",
    "src/(shop)/p.tsx",
    "src/*",
]
INPUTS: list[tuple[str, dict[str, Any]]] = [
    *(("Bash", bash(command)) for command in COMMANDS),
    *(("Edit", edit(path)) for path in FILES),
    *(("Read", {"file_path": f"/opt/{path}"}) for path in FILES),
    *(("Grep", {"pattern": "x", "path": f"/opt/{path}"}) for path in ("a", "a/b")),
    *(("WebFetch", {"url": f"https://{host}/"}) for host in ("a.example", "b.example", "a.example@b.example")),
    *((tool, {}) for tool in ("mcp__a__b", "mcp__a__c", "WebSearch")),
]
happened = st.lists(
    st.tuples(st.sampled_from(INPUTS), st.sampled_from(["approved"] * 5 + ["refused", "denied", "unanswered"])),
    max_size=60,
)


@settings(max_examples=80, deadline=None)
@given(happened, st.integers(1, 3))
def test_offers_keep_their_word(events: list[tuple[tuple[str, dict[str, Any]], str]], least: int) -> None:
    """By the real matcher: all approvals it counts are covered, and nothing refused, no wildcard near Danger."""
    story = Story()
    for (tool, given_input), fate in events:
        if fate == "approved":
            story.approved(tool, given_input)
        elif fate == "refused":
            story.refused(tool, given_input)
        else:
            story.wanted(tool, given_input, "deny" if fate == "denied" else "no_opinion")
    cases = story.cases()
    court = Court(locations.find({"ASSENT_HOME": "/nowhere"}), Config(), Path("/nowhere/rules.toml"))
    for offer in review(gather(cases), court, AgentRules(home=Path("/nowhere")), least=least).offers:
        rule = Rule(level="user", number=1, patterns=(pattern.parse(offer.text),), says="allow")
        saved = 0
        for case in cases:
            event = event_of(case)
            assert event is not None
            call = Call.of(event)
            assert call is not None
            cover = rule.covers(call, scene_of(case))
            if cover is Cover.NO:
                continue
            assert case.refusal is None, (offer.text, case.input)
            before, after = (court.judge(event, scene_of(case), rules).decision.word for rules in ((), (rule,)))
            saved += case.is_approved and (before, after) == ("no_opinion", "allow")
            saved += case.is_approved and (before, after) == ("prompt", "allow")
            if offer.is_wide:
                assert court.judge(event, scene_of(case)).risk != "danger"
        assert saved == offer.saved >= least
        if offer.is_wide and offer.text.startswith("Bash("):
            assert may_be_granted("Bash", offer.text[5:-1])
