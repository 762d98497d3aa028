"""What a session did before."""

import pytest

from assent.policy import world
from assent.policy.call import Scene
from assent.policy.risk_of import effects_of, risk_of
from assent.policy.session_taint import MOST_WRITTEN, Memory
from assent.protocol.decision import Risk
from tests.unit.policy.calls import PROJECT, SCENE, call


def after(*lines: str) -> Scene:
    """A scene in which these lines ran before."""
    memory = Memory()
    for line in lines:
        memory.note(effects_of(call("Bash", command=line), SCENE))
    return Scene(PROJECT, memory=memory)


@pytest.mark.parametrize(
    "before",
    [
        "cat .env",
        "printenv AWS_SECRET_ACCESS_KEY",
        "curl https://example.com/a",
        "curl -s example.com | head",
        "cat ~/.netrc | head",
    ],
)
def test_what_would_leave_rises_after_secrets_and_strangers(before: str) -> None:
    """A push is Care until something could leave with it, or a stranger could want it."""
    push = call("Bash", command="git push")
    assert risk_of(push, SCENE).risk is Risk.CARE
    assert risk_of(push, after(before)).risk is Risk.DANGER


@pytest.mark.parametrize(
    "before",
    ["git pull", "git fetch origin", "curl http://localhost:3000/", "npm ci", "ping -c1 x.org", "gh pr view 3"],
)
def test_daily_work_does_not_raise_a_push(before: str) -> None:
    """Commits, packages and one's own servers are no pages of strangers."""
    assert risk_of(call("Bash", command="git push"), after(before)).risk is Risk.CARE


def test_what_stays_on_this_machine_does_not_rise() -> None:
    """A request to a server here carries nothing away."""
    post = call("Bash", command="curl -X POST localhost:3000/api -d name=x")
    assert risk_of(post, after("curl https://example.com/a")).risk is Risk.CARE


def test_risen_risk_says_why() -> None:
    """The person who is asked learns what the session saw."""
    reply = risk_of(call("Bash", command="git push"), after("cat .env"))
    assert "This session may have seen secrets before (.env)." in reply.why


def test_secret_in_the_home_is_named_from_there() -> None:
    """As people write it, not with the name of their home."""
    reply = risk_of(call("Bash", command="git push"), after(f"cat {world.home()}/.ssh/id_ed25519"))
    assert "(~/.ssh/id_ed25519)" in reply.why


@pytest.mark.parametrize("line", ["ls", "git commit -m x", "make", "git status"])
def test_what_stays_here_does_not_rise(line: str) -> None:
    """Taint is about what leaves."""
    tainted = after("cat .env", "curl https://example.com")
    assert risk_of(call("Bash", command=line), tainted).risk is risk_of(call("Bash", command=line), SCENE).risk


def test_tools_taint_like_commands() -> None:
    """A page or a secret read by a tool is one all the same."""
    for tool, fields in (
        ("Read", {"file_path": ".env"}),
        ("WebFetch", {"url": "https://x.org"}),
        ("mcp__x__get_page", {}),
    ):
        memory = Memory()
        memory.note(effects_of(call(tool, **fields), SCENE))
        reply = risk_of(call("Bash", command="git push"), Scene(PROJECT, memory=memory))
        assert reply.risk is Risk.DANGER, tool


@pytest.mark.parametrize(
    ("wrote", "runs"),
    [
        ("echo x > run.sh", "bash run.sh"),
        ("echo x > run.sh", "./run.sh"),
        ("cat a b | tee lib/x.py", "python lib/x.py"),
        ("cp a.py b.py", "python b.py"),
        ("echo x > app.py", "make test"),
        ("echo x > app.ts", "npm run build"),
    ],
)
def test_run_of_what_the_session_wrote_names_the_files(wrote: str, runs: str) -> None:
    """Write now, run later: the card lists what was written."""
    reply = risk_of(call("Bash", command=runs), after(wrote))
    assert reply.risk is Risk.CARE
    assert reply.why.startswith("It runs what this session wrote: ")


@pytest.mark.parametrize(("wrote", "runs"), [("echo x > a.sh", "bash b.sh"), ("echo x > notes.md", "make")])
def test_run_of_something_else_names_no_files(wrote: str, runs: str) -> None:
    """Only what would be loaded is listed."""
    reply = risk_of(call("Bash", command=runs), after(wrote))
    assert "this session wrote" not in reply.why


def test_memory_of_files_is_bounded() -> None:
    """The oldest is forgotten first."""
    memory = after(*(f"touch f{n}; echo > f{n}.py" for n in range(MOST_WRITTEN + 10))).memory
    assert memory is not None
    assert len(memory.written) == MOST_WRITTEN
    assert f"{PROJECT}/f{MOST_WRITTEN + 9}.py" in memory.written
