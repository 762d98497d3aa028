"""The agent's own permission rules."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from assent.policy.call import Scene
from assent.policy.judge import judge
from assent.policy.judges.harness_rules import AgentSettings, SettingsScope, load
from assent.policy.judges.rules import Rules
from assent.policy.judges.stance import Stance, StanceName
from assent.protocol.decision import Allow, NoOpinion, Prompt, Risk
from assent.protocol.events import PreToolUse, Stop
from assent.toml.document import ConfigError
from tests.unit.policy.calls import PROJECT, SCENE, pre, rules


class Settings:
    """Files of every scope, and a clock that stands still until it is moved."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now = 0.0
        self.voice = AgentSettings("claude-code", self._places, clock=lambda: self.now)

    def _places(self, _: Path) -> Sequence[tuple[SettingsScope, Path]]:
        scopes: tuple[SettingsScope, ...] = ("managed", "local", "project", "user")
        return [(scope, self.folder / f"{scope}.json") for scope in scopes]

    def write(self, scope: str, **permissions: Any) -> None:
        (self.folder / f"{scope}.json").write_text(json.dumps({"permissions": permissions}))
        self.now += 1

    def verdict(self, command: str, stance: StanceName = "balanced", ours: str = "") -> tuple[object, str]:
        voices = (Rules(rules(ours)), self.voice, Stance(lambda _: stance))
        found = judge(bash(command), SCENE, voices)
        return found.decision, found.by


def bash(command: str) -> PreToolUse:
    return pre("Bash", command=command)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path)


@pytest.mark.parametrize("scope", ["managed", "user", "project", "local"])
@pytest.mark.parametrize(("says", "word"), [("deny", "deny this"), ("ask", "ask about this")])
def test_no_allow_of_ours_goes_past_the_agents_own_rules(settings: Settings, scope: str, says: str, word: str) -> None:
    """In whatever file they stand: then Assent has no opinion, and the client decides."""
    assert settings.verdict("git status") == (Allow(), "stance:balanced")
    settings.write(scope, **{says: ["Bash(git status *)"]})
    assert settings.verdict("git status") == (NoOpinion("no_rule"), f"rule:agent.{scope}#1")
    assert settings.verdict("ls && git status")[0] == NoOpinion("no_rule")
    ours = '[[rule]]\nmatch = "Bash(git *)"\ndecision = "allow"'
    assert settings.verdict("git status", ours=ours)[0] == NoOpinion("no_rule")
    assert settings.verdict("ls") == (Allow(), "stance:balanced")
    opinion = settings.voice.speak(bash("git status"), SCENE)
    assert opinion is not None
    assert (opinion.why, opinion.evidence) == (f"The agent's own {scope} settings {word}.", "Bash(git status *)")


def test_agents_rules_do_not_soften_ours(settings: Settings) -> None:
    """What we ask about or deny, we ask about or deny."""
    settings.write("user", deny=["Bash(git push *)"], allow=["Bash"])
    assert isinstance(settings.verdict("git push --force")[0], Prompt)
    ours = '[[rule]]\nmatch = "Bash(git *)"\ndecision = "ask"\nreason = "x"'
    assert settings.verdict("git push", ours=ours)[1] == "rule:user#1"


def test_broad_allow_of_the_agent_does_not_silence_danger(settings: Settings) -> None:
    """A wildcard cannot have meant the worst case; a name can. Neither is an allow of ours."""
    settings.write("user", allow=["Bash(git push *)", "Bash(git push --force)"])
    assert isinstance(settings.verdict("git push --force origin main")[0], Prompt)
    assert settings.verdict("git push --force") == (NoOpinion("no_rule"), "rule:agent")
    assert isinstance(settings.verdict("curl -O https://example.com", "strict")[0], Prompt)
    assert settings.verdict("git push origin", "strict") == (NoOpinion("no_rule"), "rule:agent")


def test_allow_that_comes_with_a_repository_silences_no_voice(settings: Settings) -> None:
    """The author of a repository is not the user."""
    for scope in ("project", "local"):
        settings.write(scope, allow=["Bash(git push *)"])
    assert isinstance(settings.verdict("git push origin", "strict")[0], Prompt)
    settings.write("managed", allow=["Bash(git push *)"])
    assert settings.verdict("git push origin", "strict")[0] == NoOpinion("no_rule")


@pytest.mark.parametrize("content", [True, False, "true", None])
def test_allow_of_the_user_counts_unless_managed_settings_keep_rules_to_themselves(
    settings: Settings, content: Any
) -> None:
    """`allowManagedPermissionRulesOnly`: the client ignores the user's allow rules, so they silence no stance."""
    settings.write("user", allow=["Bash(make build)"])
    allowed = settings.verdict("make build", "strict")
    (settings.folder / "managed.json").write_text(json.dumps({"allowManagedPermissionRulesOnly": content}))
    settings.now += 1
    assert (settings.verdict("make build", "strict") == allowed) is (content is not True)
    assert allowed == (NoOpinion("no_rule"), "rule:agent")


def test_managed_allow_and_every_deny_count_where_only_managed_rules_do(settings: Settings) -> None:
    """An administrator's allow is the one that is left; what others deny or ask about keeps holding us back."""
    managed = {"allowManagedPermissionRulesOnly": True, "permissions": {"allow": ["Bash(make build)"]}}
    (settings.folder / "managed.json").write_text(json.dumps(managed))
    settings.write("user", deny=["Bash(git status *)"])
    assert settings.verdict("make build", "strict") == (NoOpinion("no_rule"), "rule:agent")
    assert settings.verdict("git status") == (NoOpinion("no_rule"), "rule:agent.user#1")


def test_user_settings_do_not_switch_off_their_own_rules(settings: Settings) -> None:
    """The setting counts in managed settings only."""
    content = {"allowManagedPermissionRulesOnly": True, "permissions": {"allow": ["Bash(make build)"]}}
    (settings.folder / "user.json").write_text(json.dumps(content))
    settings.now += 1
    assert settings.verdict("make build", "strict") == (NoOpinion("no_rule"), "rule:agent")


def test_allow_of_the_agent_leaves_our_own_allow_alone(settings: Settings) -> None:
    """What only looks runs as before."""
    settings.write("user", allow=["Bash(git *)"])
    assert settings.verdict("git status") == (Allow(), "stance:balanced")
    opinion = settings.voice.speak(bash("git status"), SCENE)
    assert opinion is not None
    assert opinion.silences is Risk.CARE


def test_rule_that_is_not_understood_holds_back_its_whole_tool(settings: Settings) -> None:
    """The client knows what it means. One that allows and is not understood allows nothing."""
    settings.write("user", ask=["Read(!secret)", "Bash(", 3], allow=["Edit(../x)", "*"])
    voice = settings.voice
    assert voice.speak(pre("Read", file_path=f"{PROJECT}/a"), SCENE) is not None
    assert settings.verdict("git status")[0] == NoOpinion("no_rule")
    assert voice.speak(pre("Edit", file_path=f"{PROJECT}/a"), SCENE) is None


def test_settings_are_followed_and_a_broken_file_keeps_its_last_rules(settings: Settings, tmp_path: Path) -> None:
    """Within a second, and what is wrong is told."""
    settings.write("user", ask=["Bash(ls *)"])
    assert settings.verdict("ls")[0] == NoOpinion("no_rule")
    (tmp_path / "user.json").write_text("{")
    settings.now += 1
    assert settings.verdict("ls")[0] == NoOpinion("no_rule")
    assert [trouble.file for trouble in settings.voice.troubles] == [tmp_path / "user.json"]
    settings.write("user")
    assert settings.verdict("ls")[0] == Allow()
    assert settings.voice.troubles == ()


def test_settings_of_another_agent_are_not_meant(settings: Settings) -> None:
    """Each agent has its own; there are no rules about events that are no calls."""
    settings.write("user", deny=["Bash"])
    assert settings.voice.speak(bash("ls"), Scene(PROJECT, harness="codex")) is None
    assert settings.voice.speak(bash("ls"), Scene(PROJECT, harness="claude-code")) is not None
    assert settings.voice.speak(Stop(session_id="s"), SCENE) is None


@pytest.mark.parametrize("content", ["", " ", "[]", '{"permissions": []}', '{"permissions": {"deny": "Bash"}}', "{}"])
def test_settings_without_rules_say_nothing(tmp_path: Path, content: str) -> None:
    """Other shapes are the client's to complain about."""
    (tmp_path / "s.json").write_text(content)
    assert load(tmp_path / "s.json").deny == ()


@pytest.mark.parametrize("content", [b"{", b"\xff", b"[" * 5_000])
def test_settings_that_are_not_json_are_told(tmp_path: Path, content: bytes) -> None:
    """With the name of the file."""
    (tmp_path / "s.json").write_bytes(content)
    with pytest.raises(ConfigError, match="not JSON"):
        load(tmp_path / "s.json")


def test_additional_directories_of_the_user_are_added(settings: Settings, home: Path) -> None:
    """With a tilde, relative to the project, or whole."""
    settings.write("user", additionalDirectories=["~/data", "/srv/shared/"])
    settings.write("local", additionalDirectories=["../docs"])
    assert set(settings.voice.directories(PROJECT)) == {f"{home}/data", "/srv/shared", "/srv/docs"}


def test_additional_directories_of_a_repository_are_left_to_the_client(settings: Settings) -> None:
    """A repository may not widen what Assent allows."""
    settings.write("project", additionalDirectories=["/srv/shared"])
    assert settings.voice.directories(PROJECT) == ()


@pytest.mark.parametrize("named", [["/"], "x", [3, None], ["\0"], [""]])
def test_additional_directories_that_name_no_folder_add_nothing(settings: Settings, named: Any) -> None:
    """What cannot be read, and the root, add nothing."""
    settings.write("user", additionalDirectories=named)
    assert settings.voice.directories(PROJECT) == ()


def test_sandbox_is_on_where_any_settings_turn_it_on(settings: Settings) -> None:
    """Whatever has another shape says nothing about it."""
    assert not settings.voice.sandboxed(PROJECT)
    for scope, sandbox, expected in (
        ("user", {"enabled": True}, True),
        ("user", {"enabled": "yes"}, False),
        ("project", {"enabled": True}, True),
        ("project", "on", False),
    ):
        (settings.folder / f"{scope}.json").write_text(json.dumps({"sandbox": sandbox}))
        settings.now += 1
        assert settings.voice.sandboxed(PROJECT) is expected
