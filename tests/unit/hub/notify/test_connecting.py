"""What is kept of a surface that is connected, and what is not."""

import asyncio
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from assent import config
from assent.hub.notify.connecting import Connecting, ConnectRequest
from assent.hub.notify.connections import Connections
from assent.hub.notify.inbox import scope_of
from assent.paths import Paths
from assent.protocol.card import ShownAsk
from assent.protocol.surfaces import SURFACES, SurfaceEntry
from assent.secrets_store import Vault
from assent.surfaces import registry
from assent.surfaces.base import Audience, FailedError, Ref, Surface, Traits
from assent.surfaces.registry import Checked, Tools
from assent.webapi.endpoint import ProblemError
from tests.services.inbox import FakeInbox
from tests.unit.hub.doubles import Recorded

pytestmark = pytest.mark.anyio


@dataclass
class Pigeon:
    """A surface that does as it is told."""

    name: str = "pigeon"
    traits: Traits = field(default_factory=lambda: Traits(shows_all=True, may_answer=True, is_private=True))
    trouble: str = ""
    state_words: str = "Connected to \x1b[31mAda."
    probed: str | Exception | None = "It coos."

    async def show(self, ask: ShownAsk, audience: Audience) -> Ref:
        return Ref(self.name, ask.id)

    async def update(self, ref: Ref, ask: ShownAsk, audience: Audience) -> None: ...

    async def withdraw(self, ref: Ref, why: str) -> None: ...

    async def close(self) -> None: ...

    async def probe(self) -> str:
        if isinstance(self.probed, Exception):
            raise self.probed
        if self.probed is None:
            await asyncio.Event().wait()
        return str(self.probed)


@dataclass
class PigeonKind:
    name: str = "pigeon"
    title: str = "a pigeon"
    secrets: Mapping[str, str] = field(default_factory=lambda: {"ring": "What stands on its ring"})
    surface: Pigeon = field(default_factory=Pigeon)

    async def check(self, settings: Mapping[str, Any], secrets: Mapping[str, str], tools: Tools) -> Checked:
        if secrets["ring"] == "wrong":
            raise FailedError("No pigeon has this ring.")
        return Checked("It came.", {"loft": settings.get("loft", "roof")})

    def made(self, settings: Mapping[str, Any], secrets: Mapping[str, str], tools: Tools) -> Surface:
        return self.surface


@pytest.fixture
def kind(monkeypatch: pytest.MonkeyPatch) -> PigeonKind:
    found = PigeonKind()
    monkeypatch.setitem(SURFACES, "pigeon", SurfaceEntry("a pigeon", "glance", "nowhere"))
    monkeypatch.setattr(registry, "load", lambda _: found)
    return found


@dataclass
class Read:
    """The settings as the file says."""

    paths: Paths

    @property
    def config(self) -> config.Config:
        return config.load(self.paths.config)

    @property
    def settings(self) -> dict[str, Any]:
        return tomllib.loads(self.paths.config.read_text())

    def reload(self) -> None: ...


class FakeInboxes:
    def open(self, surface: str) -> FakeInbox:
        return FakeInbox()


class Links:
    def link(self, ask: str) -> str:
        return ""


@dataclass
class Desk:
    paths: Paths
    connecting: Connecting
    recorder: Recorded

    @property
    def notes(self) -> list[str]:
        return self.recorder.notes

    def config(self) -> str:
        return self.paths.config.read_text()

    def kept(self) -> list[str]:
        return sorted(path.name for path in self.paths.keys.glob("*"))

    async def connect(self, ring: str = "B-17", **settings: Any) -> dict[str, Any]:
        return await self.connecting.connect("pigeon", ConnectRequest({"ring": ring}, settings))


@pytest.fixture
def desk(tmp_path: Path, kind: PigeonKind) -> Desk:
    paths = Paths(tmp_path / "config", tmp_path / "state")
    paths.config_dir.mkdir()
    paths.config.write_text("version = 1\n")
    recorder = Recorded()
    policy = Read(paths)
    connections = Connections(paths, policy, Vault(paths, lambda _: None), b"k" * 32, FakeInboxes(), Links())
    return Desk(paths, Connecting(paths, policy, connections, recorder), recorder)


async def test_connected_surface_is_kept_and_on_the_ladder(desk: Desk) -> None:
    """Its settings, its secret, and a step; on record that it was."""
    done = await desk.connect(loft="barn")
    assert (done["state"], done["said"]) == ("connected", "It came.")
    assert '[surface.pigeon]\nloft = "barn"\n' in desk.config()
    assert '"telegram@30m", "pigeon@20s"]' in desk.config()
    assert desk.kept() == ["pigeon.ring"]
    assert desk.notes == ["Pigeon was connected"]
    assert (await desk.connect())["ladder"] == ""


async def test_unknown_setting_is_refused(desk: Desk) -> None:
    """A slip in a name would leave something else in force than was meant."""
    with pytest.raises(ProblemError, match="has no setting “lof”") as refused:
        await desk.connect(lof="barn")
    assert refused.value.hint == "it has loft, on, scope."
    assert (desk.config(), desk.kept()) == ("version = 1\n", [])


async def test_what_cannot_be_written_leaves_the_secret_as_it_was(desk: Desk) -> None:
    """All is kept or nothing."""
    await desk.connect("first")
    desk.paths.config.write_text("version = 1\nsurface = { pigeon = { loft = 'roof' } }\n")
    with pytest.raises(ProblemError, match="Nothing was kept"):
        await desk.connect("second", loft="barn")
    assert (desk.paths.keys / "pigeon.ring").read_text() == "first"


async def test_ladder_that_cannot_be_changed_is_left_to_its_owner(desk: Desk) -> None:
    """The surface is connected, and what is left to do is said."""
    desk.paths.config.write_text('version = 1\n[presence]\nladder = [\n  "page@0s",\n]\n')
    done = await desk.connect()
    assert done["state"] == "connected"
    assert done["ladder"].startswith('Nothing is sent there before you write "pigeon@20s" into ladder')


async def test_refusal_of_the_service_keeps_nothing(desk: Desk) -> None:
    """In its words."""
    with pytest.raises(ProblemError, match="No pigeon has this ring"):
        await desk.connect("wrong")
    assert (desk.config(), desk.kept()) == ("version = 1\n", [])


@pytest.mark.parametrize(
    ("probed", "why"),
    [
        ("It coos.", ""),
        (FailedError("It is asleep."), "It is asleep."),
        (RuntimeError("ring B-17"), "It could not be asked how it is; the hub's log says more."),
        (None, "Pigeon did not answer within 0 seconds."),
    ],
)
async def test_service_says_how_it_is_or_why_not(
    desk: Desk, kind: PigeonKind, monkeypatch: pytest.MonkeyPatch, probed: str | Exception | None, why: str
) -> None:
    """One that hangs or breaks delays no other."""
    await desk.connect()
    if probed is None:
        monkeypatch.setattr("assent.hub.notify.connecting.PROBED_WITHIN", 0.01)
    kind.surface.probed = probed
    (found,) = await desk.connecting.states.checked()
    assert (found["why"], found["said"]) == (why, "" if why else "It coos.")


async def test_surface_that_gave_up_begins_again(desk: Desk) -> None:
    """With the same secret, too: its service may have changed its mind."""
    await desk.connect()
    desk.connecting.connections.troubles["pigeon"] = "It flew away."
    assert desk.connecting.states.of("pigeon")["state"] == "trouble"
    assert (await desk.connect())["state"] == "connected"


async def test_words_of_a_service_steer_no_terminal(desk: Desk) -> None:
    """What it calls itself could be anything."""
    assert "\x1b" not in (await desk.connect())["words"]


async def test_word_that_is_no_scope_permits_nothing(desk: Desk) -> None:
    """In a file written by hand, too."""
    await desk.connect(scope="deny")
    assert scope_of(desk.connecting.policy, "pigeon").word == "deny"
    desk.paths.config.write_text(desk.config().replace('"deny"', '"denny"'))
    assert scope_of(desk.connecting.policy, "pigeon").word == "watch"
    with pytest.raises(ProblemError, match="scope is one of watch, deny, answer, instruct"):
        await desk.connect()
