"""The pattern language."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.policy.call import Call
from assent.policy.rules.coverage import Cover
from assent.policy.rules.pattern import parse
from tests.unit.policy.calls import PROJECT, call

BASE = str(PROJECT)


def restricts(pattern: str, tool: str, **fields: Any) -> bool:
    return parse(pattern).restricts(call(tool, **fields), BASE)


def covers(pattern: str, tool: str, **fields: Any) -> Cover:
    return parse(pattern).covers(call(tool, **fields), BASE)


@pytest.mark.parametrize(
    ("pattern", "command"),
    [
        ("Bash", "anything at all"),
        ("Bash(*)", "anything at all"),
        ("Bash(git push *)", "git push"),
        ("Bash(git push *)", "git push origin main"),
        ("Bash(git push:*)", "git push origin main"),
        ("Bash(git push *)", "git status; git push"),
        ("Bash(git push *)", "git status && git push -f"),
        ("Bash(git push *)", "true || git push"),
        ("Bash(git push *)", "echo x | git push"),
        ("Bash(git push *)", "git push & ls"),
        ("Bash(git push *)", "ls\ngit push"),
        ("Bash(git push *)", "A=1 git push"),
        ("Bash(git push *)", "sudo git push"),
        ("Bash(git push *)", "env A=1 git push"),
        ("Bash(git push *)", "command git push"),
        ("Bash(git push *)", "time git push"),
        ("Bash(git push *)", "nohup git push"),
        ("Bash(git push *)", "nice -n 3 git push"),
        ("Bash(git push *)", "timeout 60 git push"),
        ("Bash(git push *)", "sudo timeout 60 env A=1 git push"),
        ("Bash(git push *)", "echo $(git push)"),
        ("Bash(git push *)", "echo `git push`"),
        ("Bash(git push *)", "cat <(git push)"),
        ("Bash(git push *)", 'echo "$(git push)"'),
        ("Bash(git push *)", "bash -c 'git push'"),
        ("Bash(git push *)", "if true; then git push; fi"),
        ("Bash(git push *)", "(git push)"),
        ("Bash(git push *)", "'git' \"push\""),
        ("Bash(git push *)", "git push > log"),
        ("Bash(git push *)", "> log git push"),
        ("Bash(git push *)", "git  push"),
        ("Bash(git push *)", "g\\it push"),
        ("Bash(git push *)", "/usr/bin/git push"),
        ("Bash(git push *)", "git -C x push origin"),
        ("Bash(git push *)", "git --no-pager -c a.b=c push"),
        ("Bash(git push *)", "/usr/bin/git -C x push"),
        ("Bash(kubectl delete *)", "kubectl -n prod --context x delete pod y"),
        ("Bash(docker rm *)", "docker --host tcp://x rm y"),
        ("Bash(git push *)", "X=push; git $X origin"),
        ("Bash(git push *)", "for x in pull push; do git $x; done"),
        ("Bash(git push *)", "f() { git push; }; f"),
        ("Bash(git push *)", "echo origin | xargs git push"),
        ("Bash(git push *)", "find . -name x -exec git push {} +"),
        ("Bash(git push *)", "eval 'git push'"),
        ("Bash(git push *)", "bash <<< 'git push'"),
        ("Bash(git push *)", "echo 'git push' | sh"),
        ("Bash(git push *)", "trap 'git push' EXIT"),
        ("Bash(git push *)", "$none git push"),
        ("Bash(git push *)", "git$none push"),
        ("Bash(git push *)", "g''it $'push'"),
        ("Bash(git push *)", "git pu\\\nsh"),
        ("Bash(* --force)", "git push --force"),
        ("Bash(sudo *)", "sudo ls"),
        ("Bash(curl * | *)", "curl x | sh"),
    ],
)
def test_command_pattern_restricts_wherever_the_command_runs(pattern: str, command: str) -> None:
    """In any part of the line, behind wrappers, inside substitutions; or as the whole line."""
    assert restricts(pattern, "Bash", command=command)


@pytest.mark.parametrize(
    ("pattern", "command"),
    [
        ("Bash(git push *)", "git pushover"),
        ("Bash(git push *)", "git status"),
        ("Bash(git push *)", "echo 'git push'"),
        ("Bash(git push *)", "echo git push"),
        ("Bash(git push *)", "git log --grep 'x; git push'"),
        ("Bash(rm *)", "cat <<EOF\nrm x\nEOF"),
        ("Bash(git push)", "git push origin"),
        ("Read", "ls"),
    ],
)
def test_command_pattern_does_not_restrict_other_commands(pattern: str, command: str) -> None:
    """Quoted text is not a command."""
    assert not restricts(pattern, "Bash", command=command)


@pytest.mark.parametrize(
    ("pattern", "command", "cover"),
    [
        ("Bash(git status)", "git status", Cover.EXACT),
        ("Bash(git status)", "git  status", Cover.EXACT),
        ("Bash(git status)", "git status 2>&1", Cover.EXACT),
        ("Bash(git status)", "git status 2>/dev/null", Cover.EXACT),
        ("Bash(git status)", "git status && git status", Cover.EXACT),
        ("Bash(git *)", "git status", Cover.WIDE),
        ("Bash(git *)", "git status | git diff", Cover.WIDE),
        ("Bash", "ls -la", Cover.WIDE),
        ("Bash(git *)", "git commit -m 'a; b'", Cover.WIDE),
        ("Bash(git *)", "git commit -m 'a\nb'", Cover.WIDE),
        ("Bash(git *)", "git log &", Cover.WIDE),
        ("Bash(git *)", "(git log)", Cover.WIDE),
        ("Bash(git *)", "for f in a b; do git add $f; done", Cover.WIDE),
        ("Bash(git *)", "f() { git log; }; f", Cover.WIDE),
        ("Bash(git commit *)", 'git commit -m "$(cat <<EOF\nx\nEOF\n)"', Cover.WIDE),
        ("Bash(git status)", "timeout 5 git status", Cover.EXACT),
        ("Bash(git status)", "nice -n 5 timeout -k 2 5 git status", Cover.EXACT),
        ("Bash(git status)", "'git' status", Cover.EXACT),
        ("Bash(git status)", "for i in 1 2; do git status; done", Cover.EXACT),
        ("Bash(rm a b)", "rm 'a b'", Cover.NO),
        ("Bash(git *)", "git log $x", Cover.NO),
        ("Bash(git *)", "git log $(git config x)", Cover.NO),
        ("Bash(git *)", "time -o file git log; true", Cover.NO),
        ("Bash(git *)", "gtime -o file git log", Cover.NO),
        ("Bash(git *)", "f() { rm x; }; git log; f", Cover.NO),
        ("Bash(mytool *)", "mytool() { rm x; }; mytool a", Cover.NO),
        ("Bash(git *)", "git() { rm x; }; git log", Cover.NO),
        ("Bash(git *)", "X=1", Cover.NO),
        ("Bash(git *)", "git log {$(rm x),a}", Cover.NO),
        ("Bash(git *)", "diff <(git log) x", Cover.NO),
        ("Bash(diff *)", "diff <(rm x) y", Cover.NO),
        ("Bash(git *)", "eval git log", Cover.NO),
        ("Bash(git *)", "PATH=. git log", Cover.NO),
        ("Bash(git *)", "git log >| file", Cover.NO),
        ("Bash(git *)", "{ git log; } > file", Cover.NO),
        ("Bash(git *)", "git status; rm x", Cover.NO),
        ("Bash(git *)", "rm x; git status", Cover.NO),
        ("Bash(git *)", "git status\nrm x", Cover.NO),
        ("Bash(git *)", "git log $(rm x)", Cover.NO),
        ("Bash(git *)", "git log `rm x`", Cover.NO),
        ("Bash(git *)", "git log > file", Cover.NO),
        ("Bash(git *)", "git log < file", Cover.NO),
        ("Bash(git *)", "git log <<EOF\nx\nEOF", Cover.NO),
        ("Bash(git *)", "git log 'x", Cover.NO),
        ("Bash(git *)", "git log \x1b[A", Cover.NO),
        ("Bash(git *)", "git log ${x@P}", Cover.NO),
        ("Bash(git *)", "sudo git log", Cover.NO),
        ("Bash(git *)", "GIT_PAGER=x git log", Cover.NO),
        ("Bash(git *)", "", Cover.NO),
        ("Bash(git *)", "gitk", Cover.NO),
        ("Bash(*)", "a > b", Cover.NO),
        ("Bash", "echo $(a)", Cover.NO),
    ],
)
def test_command_pattern_covers_only_what_it_accounts_for(pattern: str, command: str, cover: Cover) -> None:
    """Every part of the line, and nothing that happens beside the parts."""
    assert covers(pattern, "Bash", command=command) is cover


def test_command_pattern_does_not_cover_leaving_the_sandbox() -> None:
    """The rule was written about the command, not about where it runs."""
    assert covers("Bash(ls)", "Bash", command="ls", dangerouslyDisableSandbox=True) is Cover.NO


def test_bash_pattern_means_every_tool_that_runs_commands() -> None:
    """Monitor takes a command line, too."""
    assert restricts("Bash(rm *)", "Monitor", command="rm x")
    assert not restricts("Monitor(rm *)", "Bash", command="rm x")


def test_bash_pattern_without_a_readable_command() -> None:
    """The whole tool is still restricted, nothing is covered."""
    assert restricts("Bash", "Bash", command=3)
    assert not restricts("Bash(ls)", "Bash", command=3)
    assert covers("Bash", "Bash", command=3) is Cover.NO


@pytest.mark.parametrize(
    ("pattern", "tool", "path", "expected"),
    [
        ("Edit(src/**)", "Edit", "/srv/project/src/a.py", True),
        ("Edit(src/**)", "Write", "/srv/project/src/a/b.py", True),
        ("Edit(src/**)", "MultiEdit", "/srv/project/src/a.py", True),
        ("Edit(src/**)", "Edit", "/srv/project/test/a.py", False),
        ("Edit(src/**)", "Edit", "/srv/project/test/src/a.py", False),
        ("Edit(src/**)", "Edit", "/srv/project/src/../test/a.py", False),
        ("Edit(src/**)", "Edit", "/srv/src/a.py", False),
        ("Edit(src/**)", "Read", "/srv/project/src/a.py", False),
        ("Write(src/**)", "Edit", "/srv/project/src/a.py", False),
        ("Edit(/src/*.py)", "Edit", "/srv/project/src/a.py", True),
        ("Edit(./src/*.py)", "Edit", "/srv/project/src/a.py", True),
        ("Read(.env)", "Read", "/srv/project/.env", True),
        ("Read(.env)", "Read", "/srv/project/a/b/.env", True),
        ("Read(./.env)", "Read", "/srv/project/a/.env", False),
        ("Read(*.pem)", "Read", "/srv/project/a/x.pem", True),
        ("Read(secrets/)", "Read", "/srv/project/a/secrets/x", True),
        ("Read(//etc/**)", "Read", "/etc/hosts", True),
        ("Read(//etc/**)", "Read", "/srv/project/etc/hosts", False),
        ("Read(/etc/**)", "Read", "/etc/hosts", False),
        ("Read(src)", "Grep", "/srv/project/src", True),
        ("Read", "Glob", "/srv/project", True),
        ("Edit", "Write", "/anywhere", True),
    ],
)
def test_path_pattern_names_paths_as_the_client_does(pattern: str, tool: str, path: str, expected: bool) -> None:
    """Edit stands for all that edit, Read for all that read; // is the root, / and ./ the project."""
    field = "path" if tool in ("Grep", "Glob") else "file_path"
    assert restricts(pattern, tool, **{field: path}) is expected
    assert (covers(pattern, tool, **{field: path}) is not Cover.NO) is expected


def test_path_pattern_in_the_home(home: Path) -> None:
    """A tilde is the home of the hub's user."""
    assert restricts("Read(~/.ssh/**)", "Read", file_path=str(home / ".ssh/id_rsa"))
    assert not restricts("Read(~/.ssh/**)", "Read", file_path="/srv/project/.ssh/id_rsa")


def test_path_pattern_is_exact_only_for_the_one_path_it_names() -> None:
    """Not through wildcards, not for all folders, not for what lies below."""
    path = {"file_path": "/srv/project/src/a.py"}
    assert covers("Edit(/src/a.py)", "Edit", **path) is Cover.EXACT
    assert covers("Edit(//srv/project/src/a.py)", "Edit", **path) is Cover.EXACT
    assert covers("Edit(a.py)", "Edit", **path) is Cover.WIDE
    assert covers("Edit(/src)", "Edit", **path) is Cover.WIDE
    assert covers("Edit(/src/*)", "Edit", **path) is Cover.WIDE
    assert covers("Edit", "Edit", **path) is Cover.WIDE


def test_path_pattern_minds_links_both_ways(tmp_path: Path) -> None:
    """A link into a forbidden place is forbidden, a link out of an allowed place is not allowed."""
    for name in ("open", "shut"):
        (tmp_path / name).mkdir()
    (tmp_path / "open/link").symlink_to(tmp_path / "shut")
    event = call("Edit", file_path=str(tmp_path / "open/link/x"))
    assert parse("Edit(shut/**)").restricts(event, str(tmp_path))
    assert parse("Edit(open/**)").covers(event, str(tmp_path)) is Cover.NO


def test_path_pattern_holds_in_a_project_reached_through_a_link(tmp_path: Path) -> None:
    """The project's own path may be a link."""
    (tmp_path / "real").mkdir()
    (tmp_path / "project").symlink_to(tmp_path / "real")
    event = call("Edit", file_path=str(tmp_path / "project/src/x"))
    assert parse("Edit(src/**)").covers(event, str(tmp_path / "project")) is Cover.WIDE


@pytest.mark.parametrize(
    ("pattern", "url", "restricted", "cover"),
    [
        ("WebFetch(domain:example.com)", "https://example.com/x", True, Cover.EXACT),
        ("WebFetch(domain:Example.com)", "https://EXAMPLE.com/x", True, Cover.EXACT),
        ("WebFetch(domain:example.com)", "https://api.example.com/x", False, Cover.NO),
        ("WebFetch(domain:*.example.com)", "https://api.example.com/x", True, Cover.WIDE),
        ("WebFetch(domain:*.example.com)", "https://a.b.example.com/x", True, Cover.WIDE),
        ("WebFetch(domain:*.example.com)", "https://evilexample.com/x", False, Cover.NO),
        ("WebFetch(domain:example.com)", "https://example.com.evil.org/x", False, Cover.NO),
        ("WebFetch(domain:example.com)", "https://evil.org\\@example.com/", True, Cover.NO),
        ("WebFetch(domain:evil.org)", "https://evil.org\\@example.com/", True, Cover.NO),
        ("WebFetch(domain:*)", "https://example.com/", True, Cover.WIDE),
        ("WebFetch", "https://example.com/", True, Cover.WIDE),
    ],
)
def test_domain_pattern_names_hosts(pattern: str, url: str, restricted: bool, cover: Cover) -> None:
    """One host, or all below it; an address programs disagree about is restricted and never covered."""
    assert restricts(pattern, "WebFetch", url=url) is restricted
    assert covers(pattern, "WebFetch", url=url) is cover


@pytest.mark.parametrize(
    ("pattern", "tool", "expected"),
    [
        ("mcp__github", "mcp__github__create_issue", True),
        ("mcp__github__*", "mcp__github__create_issue", True),
        ("mcp__github__get*", "mcp__github__get_issue", True),
        ("mcp__github__get*", "mcp__github__create_issue", False),
        ("mcp__github__create_issue", "mcp__github__create_issue", True),
        ("mcp__github", "mcp__githubber__x", False),
        ("mcp__*", "mcp__github__create_issue", True),
        ("mcp__*", "Bash", False),
        ("*", "Bash", True),
        ("*", "mcp__a__b", True),
        ("WebSearch", "WebSearch", True),
        ("websearch", "WebSearch", False),
        ("Task", "Agent", True),
    ],
)
def test_tool_pattern_names_tools(pattern: str, tool: str, expected: bool) -> None:
    """Exactly, by server, or by the beginning of the name; capitals matter."""
    assert restricts(pattern, tool) is expected
    assert (covers(pattern, tool) is not Cover.NO) is expected


def test_tool_pattern_is_exact_for_one_tool_and_wide_for_many() -> None:
    """Of a tool that takes no specifier there is nothing narrower to name."""
    assert covers("mcp__github__get_issue", "mcp__github__get_issue") is Cover.EXACT
    assert covers("mcp__github", "mcp__github__get_issue") is Cover.WIDE
    assert covers("WebSearch", "WebSearch") is Cover.EXACT
    assert covers("Agent", "Agent") is Cover.WIDE


@pytest.mark.parametrize(
    ("pattern", "tool", "fields", "cover"),
    [
        ("Agent(Explore)", "Agent", {"subagent_type": "Explore"}, Cover.EXACT),
        ("Agent(Explore)", "Task", {"subagent_type": "Explore"}, Cover.EXACT),
        ("Agent(Explore)", "Agent", {"subagent_type": "Plan"}, Cover.NO),
        ("Agent(general-purpose)", "Agent", {}, Cover.EXACT),
        ("Agent(my-*)", "Agent", {"subagent_type": "my-agent"}, Cover.WIDE),
        ("Skill(deploy)", "Skill", {"skill": "deploy"}, Cover.EXACT),
        ("Skill(deploy:*)", "Skill", {"skill": "deploy prod"}, Cover.WIDE),
        ("Skill(deploy)", "Skill", {}, Cover.NO),
    ],
)
def test_name_pattern_names_agents_and_skills(pattern: str, tool: str, fields: dict[str, str], cover: Cover) -> None:
    """An agent without a type is the general one."""
    assert covers(pattern, tool, **fields) is cover
    assert restricts(pattern, tool, **fields) is (cover is not Cover.NO)


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        ("", "a pattern is written like"),
        ("Bash(", "a pattern is written like"),
        ("Bash (ls)", "a pattern is written like"),
        ("Bash()", "nothing stands in the parentheses"),
        ("Ba$h", "is not the name of a tool"),
        ("Web*", "is not the name of a tool"),
        ("WebSearch(x)", "takes nothing in parentheses"),
        ("*(x)", "takes nothing in parentheses"),
        ("mcp__a(x)", "takes nothing in parentheses"),
        ("mcp__a*b", "tools of a server are written like"),
        ("WebFetch(example.com)", "a fetch is written like"),
        ("WebFetch(domain:https://x)", "a fetch is written like"),
        ("Edit(../x)", 'cannot go up with ".."'),
        ("Edit(!x)", "cannot be negated"),
    ],
)
def test_parse_refuses_what_it_would_misunderstand(pattern: str, says: str) -> None:
    """A pattern that silently never matched would be a hole."""
    with pytest.raises(ValueError, match=re.escape(says)):
        parse(pattern)


@pytest.mark.parametrize(
    ("pattern", "boundless"), [("*", True), ("mcp__*", True), ("mcp__a__*", False), ("Bash", False)]
)
def test_boundless_patterns_name_no_tool(pattern: str, boundless: bool) -> None:
    """They are fit to restrict only."""
    assert parse(pattern).is_boundless is boundless


@given(st.text(alphabet="Bashmcp_Edit()*:/~.! \\") | st.text())
def test_parse_raises_value_errors_only(text: str) -> None:
    """And what it accepts can be asked about any call."""
    try:
        pattern = parse(text)
    except ValueError:
        return
    for tool in ("Bash", "Edit", "WebFetch", "mcp__a__b", "Agent"):
        odd = Call(tool, {"command": text, "file_path": text, "url": text, "subagent_type": text}, "/srv")
        pattern.restricts(odd, "/srv")
        pattern.covers(odd, "/srv")


first = st.sampled_from(["git status", "ls -la", "npm test", "echo 'a;b'"])
operators = st.sampled_from(
    [";", "&&", "||", "|", "|&", "&", "\n", " ; ", " && ", " $(", " `", " > ", " <", " <(", "("]
)


@given(first, operators, st.text(max_size=20), st.booleans())
def test_allow_of_the_first_part_never_covers_what_follows_an_operator(
    command: str, operator: str, rest: str, wild: bool
) -> None:
    """Unless what follows is nothing, a comment, or the very same command."""
    program = command.split()[0]
    pattern = parse(f"Bash({program} *)" if wild else f"Bash({command})")
    line = command + operator + rest
    if pattern.covers(call("Bash", command=line), BASE) is Cover.NO:
        return
    assert operator.strip() in (";", "&&", "||", "|", "|&", "&", "", ">", "<")
    if operator.strip() in (">", "<"):
        # Only the redirections that keep nothing.
        assert "/dev/null" in rest or "&" in rest
    else:
        behind = rest.replace("\\\n", "").strip(" \t\n;|&")
        # Alone it starts nothing.
        behind = "" if behind == "time" else behind
        assert not behind or behind.startswith(program)
