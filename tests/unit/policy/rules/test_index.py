"""Rules by what they begin with, against all of them tried in order."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from assent.policy.call import Call, Opinion, Scene
from assent.policy.judges.rules import SILENCES, Rules
from assent.policy.rules import pattern
from assent.policy.rules.coverage import Cover
from assent.policy.rules.index import RuleIndex
from assent.policy.rules.rule import Rule, Says
from assent.protocol.decision import Allow, Decision, Deny, Prompt
from assent.protocol.events import PreToolUse
from tests.unit.policy.calls import PROJECT, SCENE, pre

SAYS: tuple[Says, ...] = ("deny", "ask", "allow")
WORDS = st.sampled_from(["git", "push", "pu*", "*", "*x", "ls", "-a", "git push", "", "\\*", "a(b", "gi", "git\tpush"])
COMMANDS = st.lists(WORDS, min_size=1, max_size=4).map(" ".join) | st.sampled_from(["git:*", "git push:*", "*", "\t *"])
NAMES = st.sampled_from(["src", "s*", "**", "*.py", "a.py", "dir1", "dir1?", "[ab].py", ".", "**x"])
PATHS = st.builds(
    lambda start, names: start + "/".join(names),
    st.sampled_from(["", "./", "/", "//", "~/", "//srv/project/", "**/"]),
    st.lists(NAMES, min_size=1, max_size=4),
)
HOSTS = st.sampled_from(["example.com", "*.example.com", "*", "a.example.com", "com"])
TOOLS = ["*", "mcp__a", "mcp__a__*", "mcp__a__b", "mcp__a__b*", "mcp__*", "Read", "WebFetch", "Agent", "Bash", "Odd"]
PATTERNS = (
    st.builds("Bash({})".format, COMMANDS)
    | st.builds("{}({})".format, st.sampled_from(["Read", "Edit", "Write", "Grep"]), PATHS)
    | st.builds("WebFetch(domain:{})".format, HOSTS)
    | st.sampled_from([*TOOLS, "Agent(Explore)", "Skill(deploy *)"])
)
LINE = st.lists(st.sampled_from(["git", "push", "pull", "ls", "-a", "gi", "'a b'", "$x", "x"]), min_size=1, max_size=4)
LINES = st.lists(LINE.map(" ".join), min_size=1, max_size=3).map(" && ".join) | st.just("sudo -u x git push")
FILES = st.builds(
    lambda start, names: start + "/".join(names),
    st.sampled_from(["", "/", "~/", "/srv/project/", "/srv/project/sub/", "../"]),
    st.lists(st.sampled_from(["src", "a.py", "b.py", "dir1", "dir12", "x"]), max_size=4),
)
CALLS = (
    st.builds(lambda line: pre("Bash", command=line), LINES)
    | st.builds(lambda tool, path: pre(tool, file_path=path), st.sampled_from(["Read", "Edit", "Write"]), FILES)
    | st.builds(lambda path: pre("Grep", pattern="x", path=path), FILES)
    | st.builds(lambda host: pre("WebFetch", url=f"https://{host}/", prompt="p"), HOSTS | st.just("a\\b@c"))
    | st.builds(pre, st.sampled_from(["mcp__a__b", "mcp__ab__b", "mcp__a__bc", "Task", "Odd", "Bash"]))
)
BASES = st.sampled_from([None, "/srv/project/sub"])


def linear(rules: Sequence[Rule], event: PreToolUse, scene: Scene) -> Opinion | None:
    """Every rule is tried, in order: what the index must come to."""
    call = Call.of(event)
    assert call is not None
    decisions: dict[str, Decision] = {"deny": Deny("So."), "ask": Prompt("So.")}
    for says, decision in decisions.items():
        for rule in rules:
            if rule.says == says and (named := rule.restricts(call, scene)):
                return Opinion(decision, rule.by, "So.", named.text)
    covers = [(rule.covers(call, scene), rule) for rule in rules if rule.says == "allow"]
    best = max((cover for cover, _ in covers), default=Cover.NO)
    if best is Cover.NO:
        return None
    chosen = next(rule for cover, rule in covers if cover is best)
    named_all = ", ".join(each.text for each in chosen.patterns)
    return Opinion(Allow(), chosen.by, "So.", named_all, silences=SILENCES[best])


def parsed(texts: Sequence[str]) -> tuple[pattern.Pattern, ...]:
    result = []
    for text in texts:
        try:
            result.append(pattern.parse(text))
        except ValueError:
            continue
    return tuple(result)


def numbered(given: Sequence[tuple[Sequence[str], Says, str | None]]) -> list[Rule]:
    rules = [(parsed(texts), says, base) for texts, says, base in given]
    return [
        Rule("user", number, patterns, says, reason="So.", base=base)
        for number, (patterns, says, base) in enumerate(rules, start=1)
        if patterns
    ]


RULES = st.lists(st.tuples(st.lists(PATTERNS, min_size=1, max_size=3), st.sampled_from(SAYS), BASES), max_size=8)


@given(RULES, CALLS)
@example([(["Bash(git *)"], "allow", None)], pre("Bash", command="git"))
@example([(["Bash(a* b)"], "deny", None)], pre("Bash", command="ax b"))
@example([(["Read(**/a.py)"], "ask", None)], pre("Read", file_path="src/a.py"))
def test_index_says_what_all_rules_in_order_say(
    given: list[tuple[list[str], Says, str | None]], event: PreToolUse
) -> None:
    """The same decision, by the same rule, for the same pattern."""
    rules = numbered(given)
    assert Rules(rules).speak(event, SCENE) == linear(rules, event, SCENE)


@given(RULES, RULES, CALLS)
def test_two_indexes_say_what_their_rules_together_say(
    first: list[tuple[list[str], Says, str | None]],
    second: list[tuple[list[str], Says, str | None]],
    event: PreToolUse,
) -> None:
    """The user's file stands before the project's."""
    user = numbered(first)
    project = [replace(rule, level="project") for rule in numbered(second)]
    both = Rules((), RuleIndex(user), RuleIndex(project)).speak(event, SCENE)
    assert both == linear([*user, *project], event, SCENE)


@given(RULES, LINES)
def test_index_names_the_rule_that_a_search_of_all_names(
    given: list[tuple[list[str], Says, str | None]], line: str
) -> None:
    """For each command of a line."""
    rules = numbered(given)
    call = Call.of(pre("Bash", command=line))
    assert call is not None
    for act in (each for top in call.acts(SCENE) for each in top.all()):
        named = next((r.by for r in rules if r.says == "allow" and Rules([r]).naming(call, SCENE, act)), "")
        assert Rules(rules).naming(call, SCENE, act) == named


def test_path_is_found_by_where_its_links_lead(tmp_path: Path) -> None:
    """A rule about a folder holds for what another name of it leads to."""
    (tmp_path / "kept").mkdir()
    (tmp_path / "way").symlink_to("kept")
    rules = numbered([(["Read(kept/**)"], "deny", None)])
    event = pre("Read", cwd=tmp_path, file_path="way/a")
    opinion = Rules(rules).speak(event, Scene(tmp_path))
    assert opinion is not None
    assert opinion == linear(rules, event, Scene(tmp_path))


def many(texts: Sequence[str]) -> RuleIndex:
    return RuleIndex(numbered([([text], "deny", None) for text in texts]))


def near(index: RuleIndex, event: PreToolUse) -> list[str]:
    call = Call.of(event)
    assert call is not None
    call.acts(SCENE)
    return [rule.patterns[0].text for rule in index.near(call, str(PROJECT))]


def test_of_many_command_rules_few_are_tried() -> None:
    """Whether they differ in the first word, in a later one, or only in how a word begins."""
    for shape in ("Bash(tool{} *)", "Bash(git sub{} *)", "Bash(git push b{}*)", "Bash(git push b{})"):
        index = many([shape.format(number) for number in range(1_000, 3_000)])
        line = shape.format(2_222)[len("Bash(") : -1].replace(" *", " x").replace("*", "")
        assert near(index, pre("Bash", command=line)) == [shape.format(2_222)]
        assert near(index, pre("Bash", command="ls")) == []


def test_of_many_path_rules_few_are_tried() -> None:
    """Whether they differ in a folder, in the name of a file wherever it is, or in how a name begins."""
    for shape in ("Read(./src/dir{}/**)", "Read(secret{}.txt)", "Read(./src/a{}*)", "Read(//srv/project/src/d{})"):
        index = many([shape.format(number) for number in range(1_000, 3_000)])
        names = ("src/dir2222/a", "src/secret2222.txt", "src/a2222", "src/d2222")
        found = [near(index, pre("Read", file_path=name)) for name in names]
        assert [each for each in found if each] == [[shape.format(2_222)]]


def test_rules_of_other_tools_are_not_tried() -> None:
    """An empty book, too, has nothing to look up."""
    assert near(many(["Read(./a)", "mcp__a"]), pre("Bash", command="cat a")) == []
    assert not many(["Read(./a)"]).concerns(frozenset({"Bash"}))
    assert not many([]).concerns(frozenset({"Bash"}))
