"""Nothing is written for agents behind the proxy, and what goes over all harnesses passes over it."""

from pathlib import Path

import pytest

from assent.config import Config
from assent.errors import UsageError
from assent.harnesses import acp, registry
from assent.harnesses.base import SettingsError
from assent.harnesses.site import Site, Situation
from assent.install import undo
from assent.install.doctor.client import client_version
from assent.install.plan import plan_install
from assent.paths import find


@pytest.fixture
def site(tmp_path: Path) -> Site:
    environ = {"HOME": str(tmp_path)}
    return Site(find(environ), tmp_path, tmp_path / "project", environ=environ)


def situation(site: Site) -> Situation:
    return Situation(site.paths, site.home, site.project, site.environ, Config(), None, harnesses=(acp.NAME,))


def test_install_says_how_the_agent_is_started_instead(site: Site) -> None:
    with pytest.raises(UsageError) as refused:
        plan_install(site, harness=registry.HARNESSES[acp.NAME])
    assert refused.value.hint == "start your agent with `assent acp`."
    with pytest.raises(SettingsError):
        acp.plan(site, "user", None, transport="auto", token="", with_telemetry=False)


def test_uninstall_passes_over_it(site: Site) -> None:
    assert undo.survey(site, harnesses=[registry.HARNESSES[acp.NAME]]).plans == ()
    assert acp.remove(b"{}", None).after == b"{}"


def test_doctor_says_what_the_proxy_cannot_stop(site: Site) -> None:
    """And looks for no program of its own."""
    (check,) = acp.CHECKS["hooks"]
    (finding,) = check(situation(site))
    assert finding.level == "note"
    assert "In a mode that asks nothing" in finding.text
    assert list(client_version(situation(site))) == []


def test_no_file_arms_or_disarms_it(site: Site) -> None:
    assert acp.places(site) == []
    assert acp.watched(str(site.home)) == []
    assert not acp.reads(str(site.home / ".claude/settings.json"))
    assert acp.disarmed("{}", installed=False, managed=False) is None
    assert acp.managed_hooks(site) is None
    assert acp.version("agent", "/usr/bin") is None
