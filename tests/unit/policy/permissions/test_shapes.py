"""The shape of a command: what two commands share for which one answer is enough."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.policy.call import Call, Scene
from assent.policy.effects import care, danger
from assent.policy.permissions import shapes
from assent.policy.shell.spelling import Setting
from assent.protocol.lasting import Shape
from tests.unit.policy import repository
from tests.unit.policy.calls import call


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository.make(tmp_path_factory.mktemp("home", numbered=True) / "shop")


def of(project: Path, line: str) -> list[Shape | None]:
    """One for each command of the line that costs something."""
    asked = Call("Bash", {"command": line}, str(project), "default")
    scene = Scene(project)
    acts = [act for act in asked.acts(scene) if any(effect.risk for each in act.all() for effect in each.effects)]
    return [shapes.of_act(act, asked.setting(scene)) for act in acts]


def one(project: Path, line: str) -> Shape:
    found = of(project, line)
    assert len(found) == 1
    assert found[0] is not None
    return found[0]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("npm run build", "npm run build -- --watch"),
        ("npm run build", "cd . && npm run build 2>&1"),
        ("git push origin feature", "git push -u origin feature"),
        ("git push origin feature", "git push origin HEAD"),
        ("git push origin feature", "git push"),
        ("git push origin feature", "git push origin feature:feature"),
        ("curl -s https://docs.example.com/a", "curl https://docs.example.com/b?page=2"),
        ("gh pr create --title A --body B", "gh pr create --title C --body D"),
        ("make test", "make test -j4"),
        ("python scripts/gen.py", "python scripts/gen.py --verbose"),
        ("git commit -m one", "git commit -m two"),
        ("acme list", "acme list users"),
    ],
)
def test_one_shape(project: Path, first: str, second: str) -> None:
    """What a person would call the same thing."""
    assert one(project, first).covers(one(project, second))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("npm run build", "npm run lint"),
        ("npm run build", "npm run build:prod"),
        ("npm run build", "npm run build > /srv/log/x"),
        ("npm run build", "cd tests && npm run build"),
        ("git push origin feature", "git push origin main"),
        ("git push origin feature", "git push upstream feature"),
        ("git push origin feature", "git push origin feature:main"),
        ("git push origin feature", "git push --no-verify origin feature"),
        ("curl https://docs.example.com/a", "curl https://other.example.com/a"),
        ("curl https://docs.example.com/a", "curl http://docs.example.com:8080/a"),
        ("curl https://docs.example.com/a", "curl https://docs.example.com/a -o /srv/x"),
        ("gh pr create --title A", "gh pr create --title A --repo other/repo"),
        ("gh pr create --draft --title A", "gh pr create --draft --repo other/repo --title A"),
        ("gh pr comment 1 --body A", "gh pr comment 2 --body A"),
        ("npm install left-pad", "npm install other"),
        ("make test", "make deploy"),
        ("make test", "make test deploy"),
        ("make test", "make -f other.mk test"),
        ("docker compose up", "docker compose -f other.yml up"),
        ("python scripts/gen.py", "python scripts/other.py"),
        ("git commit -m one", "git commit --amend -m one"),
        ("acme list", "acme remove"),
        ("acme list", "acme list --delete"),
        ("acme sync", "acme sync prod"),
        ("acme list", "acme list > /srv/out"),
        ("ssh host uptime", "ssh host reboot"),
        ("npx acme list", "npx acme remove"),
        ("uv run acme list", "uv run acme remove"),
        ("make test", "./make test"),
        ("acme list", "./acme list"),
        ("kubectl apply -f a.yaml", "kubectl apply -f b.yaml"),
        ("kubectl apply -f a.yaml", "kubectl apply -f a.yaml --context other"),
        ("cat /etc/hosts", "cat /var/log/syslog"),
    ],
)
def test_two_shapes(project: Path, first: str, second: str) -> None:
    """What reaches further, elsewhere or something else."""
    shape = one(project, first)
    assert not any(other is not None and shape.covers(other) for other in of(project, second))


@pytest.mark.parametrize(
    "line",
    [
        "git push --force origin feature",
        "git push --all origin",
        "git push origin :feature",
        "git push origin --delete feature",
        "git -C ../other push",
        "python -c 'import os; os.system(\"make\")'",
        "node -e \"require('./src/app')\"",
        "python - <<'EOF'\nimport app\nEOF",
        "rm -rf src",
        "cat .env",
        "sudo make install",
        "echo x >> ~/.bashrc",
        "$CMD build",
        "npm run $NAME",
        "cp a $TARGET",
        "claude -p hi",
    ],
)
def test_no_shape(project: Path, line: str) -> None:
    """Danger, inline programs, what lasts, and what is known only when it runs."""
    assert None in of(project, line)


def test_wrappers_have_the_shapes_of_what_they_start(project: Path) -> None:
    """A shell, a time limit or a variable in front makes no other command of it."""
    plain = one(project, "npm run build")
    for line in ("timeout 60 npm run build", "bash -c 'npm run build'", "CI=1 npm run build", "nice npm run build"):
        acts = Call("Bash", {"command": line}, str(project), "default").acts(Scene(project))
        inner = [shapes.of_act(each, _setting(project, line)) for act in acts for each in act.all()]
        assert plain in inner, line


def test_file_that_git_does_not_have_is_another_reach(project: Path) -> None:
    """An answer about writing files of the project does not cover overwriting what git cannot bring back."""
    (project / "notes.txt").write_text("not committed\n")
    plain = one(project, "sed -i s/a/b/ src/app.py")
    lost = one(project, "sed -i s/a/b/ notes.txt")
    assert plain.reach == ("write project",)
    assert not plain.covers(lost)


def test_pushed_branches_are_in_the_words(project: Path) -> None:
    """For the button and the list."""
    assert one(project, "git push origin feature").words == "`git push` of feature to origin"
    assert one(project, "npm run build").words == "`npm run build` in shop"
    assert one(project, "curl https://docs.example.com/a").words == "`curl` with docs.example.com"


def test_bare_push_has_no_shape_where_git_pushes_more(project: Path) -> None:
    """With ``push.default = matching`` it would push every branch."""
    config = project / ".git" / "config"
    before = config.read_text()
    config.write_text(before + "[push]\n\tdefault = matching\n")
    try:
        assert of(project, "git push") == [None]
        assert one(project, "git push origin feature").words == "`git push` of feature to origin"
    finally:
        config.write_text(before)


@pytest.mark.parametrize("key", ["remote.origin.pushurl", "url.https://other.example/.pushInsteadOf"])
def test_another_address_behind_the_remote_is_another_shape(project: Path, key: str) -> None:
    """The name of a remote is not where it leads."""
    before = one(project, "git push origin feature")
    repository.git(project, "config", key, "https://other.example/x.git")
    try:
        assert not before.covers(one(project, "git push origin feature"))
    finally:
        repository.git(project, "config", "--unset", key)


def test_tools_have_shapes_by_host_and_name() -> None:
    """Pages of one host, one tool of a server; nothing that is dangerous."""
    page = call("WebFetch", url="https://docs.example.com/a", prompt="x")
    assert shapes.of_tool(page, [care("fetch", "")]) == Shape(
        "WebFetch", ("fetch docs.example.com",), words="pages of docs.example.com"
    )
    tool = call("mcp__github__create_issue", title="x")
    found = shapes.of_tool(tool, [care("publish", "")])
    assert found is not None
    assert found.words == "the tool create_issue of github"
    assert shapes.of_tool(tool, [danger("publish", "")]) is None
    assert shapes.of_tool(call("Task", prompt="x"), [care("agent", "")]) is None


WORDS = st.text(alphabet="abc-=:/.*?$ '\"@~", min_size=0, max_size=8)


@given(st.lists(WORDS, max_size=3), st.lists(WORDS, max_size=3))
def test_a_shape_covers_itself_and_never_more_reach(first: list[str], second: list[str]) -> None:
    """Whatever words stand behind: who covers another has its head, and all that it reaches."""
    folder = Path("/srv/project")

    def made(words: list[str]) -> list[Shape]:
        line = " ".join(["gh", "issue", "edit", *(f"'{word}'" for word in words if "'" not in word)])
        return [shape for shape in of(folder, line) if shape is not None]

    for one_ in made(first):
        assert one_.covers(one_)
        for other in made(second):
            if one_.covers(other):
                assert (other.head, other.folder) == (one_.head, one_.folder)
                assert set(other.reach) <= set(one_.reach)


def _setting(project: Path, line: str) -> Setting:
    return Call("Bash", {"command": line}, str(project), "default").setting(Scene(project))
