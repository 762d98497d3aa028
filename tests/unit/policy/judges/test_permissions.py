"""The voice of lasting permissions: all of a call is covered, or nothing is said."""

from pathlib import Path

import pytest
from msgspec import structs

from assent.policy.call import Call, Scene
from assent.policy.judge import judge
from assent.policy.judges.floor import Floor
from assent.policy.judges.permissions import WITHHELD, Permissions, shapes_of, stays
from assent.policy.judges.rules import Rules
from assent.policy.judges.stance import Stance
from assent.policy.risk_of import effects_of
from assent.policy.session_taint import Memory
from assent.protocol.decision import Allow, Deny, NoOpinion, Prompt, Verdict
from assent.protocol.events import PermissionRequest, PreToolUse
from assent.protocol.lasting import Permission, Shape
from assent.protocol.permission import AddRules
from tests.unit.policy import repository
from tests.unit.policy.calls import rules


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository.make(tmp_path_factory.mktemp("home") / "shop")


def asked(project: Path, line: str, mode: str = "default") -> Call:
    return Call("Bash", {"command": line}, str(project), mode)


def given(project: Path, line: str, kind: str = "shape") -> tuple[Permission, ...]:
    """What a person gives who says to stop asking for this line."""
    found = shapes_of(asked(project, line), Scene(project))
    assert found, line
    return tuple(
        Permission(f"p{at}", kind, project=str(project), shape=shape, words=shape.words)  # type: ignore[arg-type]
        for at, shape in enumerate(found)
    )


def before(project: Path, command: str, mode: str = "default", **fields: object) -> PreToolUse:
    given = {"command": command, **fields}
    return PreToolUse(session_id="s", cwd=str(project), permission_mode=mode, tool_name="Bash", tool_input=given)


def verdict(project: Path, line: str, held: tuple[Permission, ...], *, written: str = "", **fields: object) -> Verdict:
    """Floor, rules, stance and permissions together."""
    own = Rules(rules(written))
    voices = (own, Stance(lambda _: "balanced"), Permissions(own.naming))
    event = before(project, line, str(fields.pop("mode", "default")), **fields)
    return judge(event, Scene(project, permissions=held), voices).verdict


def is_silent(project: Path, line: str, held: tuple[Permission, ...], **more: object) -> bool:
    return isinstance(verdict(project, line, held, **more).decision, Allow)  # type: ignore[arg-type]


def test_shape_once_given_is_silent(project: Path) -> None:
    """The decision names the permission, and the trace what was said."""
    held = given(project, "git push origin feature")
    found = verdict(project, "git push origin feature", held)
    assert isinstance(found.decision, Allow)
    assert found.by == "permission:p0"
    assert "You said to stop asking for `git push` of feature to origin." in [line.why for line in found.trace]


def test_it_works_inside_compound_lines(project: Path) -> None:
    """Each part by its own answer, by a rule, or because it only looks."""
    held = given(project, "git push origin feature")
    assert is_silent(project, "git status && git push origin feature 2>&1 | tail -3", held)
    assert not is_silent(project, "npm run build && git push origin feature", held)
    both = (*held, *given(project, "npm run build"))
    assert is_silent(project, "npm run build && git push origin feature", both)
    rule = '[[rule]]\nmatch = "Bash(npm run build)"\ndecision = "allow"\n'
    assert is_silent(project, "npm run build && git push origin feature", held, written=rule)
    assert not is_silent(project, "npm run build && git push origin feature", (), written=rule)


@pytest.mark.parametrize(
    "line",
    [
        "git push origin main",
        "git push --force origin feature",
        "git push origin feature && rm -rf src",
        "git push origin feature; cat .env",
        "git push origin $BRANCH",
        "git push origin feature > /srv/out",
        "git push origin feature && sudo ls",
        "echo $(npm run build) && git push origin feature",
    ],
)
def test_it_never_widens(project: Path, line: str) -> None:
    """Another branch, force, and whatever else stands in the line."""
    assert not is_silent(project, line, given(project, "git push origin feature"))


def test_rules_that_deny_or_ask_are_heard_first(project: Path) -> None:
    """A permission is an allow, and deny and ask come before that."""
    held = given(project, "git push origin feature")
    for says, kind in (("deny", Deny), ("ask", Prompt)):
        rule = f'[[rule]]\nmatch = "Bash(git push *)"\ndecision = "{says}"\nreason = "Why."\n'
        assert isinstance(verdict(project, "git push origin feature", held, written=rule).decision, kind)


def test_strict_stance_is_silenced_up_to_care(project: Path) -> None:
    """A person said so about exactly this."""
    held = given(project, "git push origin feature")
    event = before(project, "git push origin feature")
    voices = (Stance(lambda _: "strict"), Permissions())
    assert isinstance(judge(event, Scene(project), voices).decision, Prompt)
    assert isinstance(judge(event, Scene(project, permissions=held), voices).decision, Allow)


def test_tainted_session_is_asked_again(project: Path) -> None:
    """After it has seen a secret a push is Danger, which no permission covers."""
    held = given(project, "git push origin feature")
    memory = Memory()
    memory.note(effects_of(asked(project, "cat .env"), Scene(project)))
    event = before(project, "git push origin feature")
    scene = Scene(project, permissions=held, memory=memory)
    assert isinstance(judge(event, scene, (Stance(lambda _: "balanced"), Permissions())).decision, Prompt)


def test_bypass_needs_no_permission(project: Path) -> None:
    """There the voice says nothing."""
    assert not is_silent(project, "npm test", (Permission("r", "run", project=str(project)),), mode="bypass")


def test_dialog_that_a_person_wants_is_not_answered(project: Path) -> None:
    """A dialog without suggestions opens because of an ask rule of the user's."""
    held = given(project, "npm run build")
    event = PermissionRequest(
        session_id="s",
        cwd=str(project),
        permission_mode="default",
        tool_name="Bash",
        tool_input={"command": "npm run build"},
    )
    scene = Scene(project, permissions=held)
    assert Permissions().speak(event, scene) is None
    rule = AddRules(rules=(), behavior="allow", destination="localSettings")
    offered = replace_suggestions(event, rule)
    opinion = Permissions().speak(offered, scene)
    assert opinion is not None
    assert isinstance(opinion.decision, Allow)


def replace_suggestions(event: PermissionRequest, rule: AddRules) -> PermissionRequest:
    fields = {
        name: getattr(event, name) for name in ("session_id", "cwd", "permission_mode", "tool_name", "tool_input")
    }
    return PermissionRequest(permission_suggestions=(rule,), **fields)


def test_withheld_permission_says_why_in_the_trace(project: Path) -> None:
    """And the call is left to the client, where a person is asked."""
    memory = Memory(written={str(project / "conftest.py"): None})
    event = before(project, "pytest")
    held = (Permission("r", "run", project=str(project)),)
    scene = Scene(project, permissions=held, memory=memory)
    found = judge(event, scene, (Stance(lambda _: "balanced"), Permissions()))
    assert isinstance(found.decision, NoOpinion)
    assert [line.why for line in found.trace if line.by == WITHHELD] == [
        "This session changed what decides what runs: conftest.py."
    ]


def test_floor_stands_above_every_permission(project: Path, home: Path) -> None:
    """No answer of the past touches it."""
    from assent import paths

    event = before(project, "npm run build; assent grants")
    held = (*given(project, "npm run build"), Permission("r", "run", project=str(project)))
    voices = (Floor(paths.find({"HOME": str(home)})), Stance(lambda _: "balanced"), Permissions())
    assert isinstance(judge(event, Scene(project, permissions=held), voices).decision, Deny)


def test_taught_sub_command_only_reads(project: Path) -> None:
    """One answer for each sub-command; options that write or delete ask."""
    held = given(project, "acme list", "reads")
    assert is_silent(project, "acme list --all users | head", held)
    for line in ("acme remove x", "acme list --delete", "acme list -o out", "acme list > /srv/out", "acme"):
        assert not is_silent(project, line, held), line


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        ("npm test", ["shape", "run"]),
        ("pytest -q && echo ok", ["shape", "run"]),
        ("git commit -m x", ["shape", "change"]),
        ("git push origin feature", ["shape"]),
        ("acme list", ["shape", "reads"]),
        ("python -c 'import app'", []),
        ("rm -rf src", []),
        ("ls", []),
        ("$CMD", []),
        ("npm test && python -c 'import app'", []),
    ],
)
def test_answers_that_stay_are_offered(project: Path, line: str, kinds: list[str]) -> None:
    """The shape first; none for Danger, inline programs and what only looks."""
    assert [stay.kind for stay in stays(asked(project, line), Scene(project))] == kinds


def test_offer_names_every_shape_it_would_cover(project: Path) -> None:
    """And says what still asks."""
    found = stays(asked(project, "npm run build && git push origin feature"), Scene(project))
    assert found[0].words == "`npm run build` in shop and `git push` of feature to origin"
    assert "Other branches and remotes, force" in found[0].leaves


def test_only_what_is_missing_is_offered(project: Path) -> None:
    """Parts that are covered already need no second answer."""
    scene = Scene(project, permissions=given(project, "npm run build"))
    found = stays(asked(project, "npm run build && git push origin feature"), scene)
    assert found[0].words == "`git push` of feature to origin"


def test_permission_for_another_kind_of_agent_is_not_here(project: Path) -> None:
    """The scene holds those of this agent alone, and an empty scene says nothing."""
    event = before(project, "make")
    assert Permissions().speak(event, Scene(project)) is None
    assert Permissions().speak(event, structs.replace(Scene(project), permissions=(Permission("x", "shape"),))) is None


def test_every_covering_answer_covers_what_it_was_given_for(project: Path) -> None:
    """An answer to a line holds for that line, whatever the line is."""
    for line in ("npm run build", "make test", "acme sync", "docker compose up -d", "gh pr create --title x --body y"):
        assert is_silent(project, line, given(project, line)), line


def test_shape_says_what_it_is_for() -> None:
    """Two shapes with other words are the same shape."""
    assert Shape("a", ("run",), words="x").covers(Shape("a", ("run",), words="y"))
