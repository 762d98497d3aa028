"""Telemetry variables come and go without a trace, and never replace other ones."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assent.harnesses.claude_code import MANAGED_FOLDER, telemetry
from assent.harnesses.claude_code.settings import own_file
from assent.harnesses.json_edit import Document
from assent.harnesses.site import Scope, Site, Transport
from assent.install import rotation
from assent.install.apply import apply
from assent.install.plan import Plan, plan_install, plan_uninstall

OTHER = {"OTEL_EXPORTER_OTLP_ENDPOINT": "https://collector.example"}


def env(plan: Plan) -> dict[str, str]:
    assert plan.after is not None
    output: dict[str, str] = json.loads(plan.after).get("env", {})
    return output


def write(path: Path, value: Any) -> bytes:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2) + "\n")
    return path.read_bytes()


def test_install_writes_the_variables_and_says_what_for(site: Site) -> None:
    """All of them, with the hub's port and token; nothing that makes the client send prompts."""
    plan = plan_install(site)
    assert env(plan) == {
        "CLAUDE_CODE_ENABLE_TELEMETRY": "1",
        "OTEL_LOGS_EXPORTER": "otlp",
        "OTEL_METRICS_EXPORTER": "otlp",
        "OTEL_EXPORTER_OTLP_PROTOCOL": "http/json",
        "OTEL_LOGS_EXPORT_INTERVAL": "500",
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:8717",
        "OTEL_EXPORTER_OTLP_HEADERS": f"Authorization=Bearer {plan.new_token},Assent-Harness=claude-code",
    }
    assert plan.telemetry == telemetry.OFFERED
    assert (plan.new_token or "") not in rotation.masked(plan.diff)


@pytest.mark.parametrize(("scope", "transport"), [("project", "auto"), ("local", "auto"), ("user", "shim")])
def test_telemetry_is_for_the_users_own_settings_only(site: Site, scope: Scope, transport: Transport) -> None:
    """Not where a token must not stand, nor where HTTP is not wanted."""
    assert env(plan_install(site, scope, transport)) == {}


def test_no_telemetry_leaves_it_out_and_takes_it_out(site: Site, settings: Path) -> None:
    """Also later, when it was there already."""
    apply(plan_install(site), site.paths)
    plan = plan_install(site, with_telemetry=False)
    assert env(plan) == {}
    assert "env" not in json.loads(plan.after or b"")
    apply(plan, site.paths)
    assert not telemetry.ours(json.loads(settings.read_text()))


def test_second_install_changes_nothing_and_says_nothing(site: Site) -> None:
    """It is known already."""
    apply(plan_install(site), site.paths)
    again = plan_install(site)
    assert again.is_noop
    assert again.telemetry == ""


def test_another_port_is_brought_up_to_date(site: Site) -> None:
    """Endpoint and nothing else."""
    apply(plan_install(site), site.paths)
    moved = replace(site, port=9999)
    assert env(plan_install(moved))["OTEL_EXPORTER_OTLP_ENDPOINT"] == "http://127.0.0.1:9999"


@pytest.mark.parametrize("scope", ["user", "project", "local"])
@pytest.mark.parametrize(
    "value",
    [
        {"env": OTHER},
        {"env": {"CLAUDE_CODE_ENABLE_TELEMETRY": "0"}},
        {"env": {"OTEL_LOG_USER_PROMPTS": "1"}},
        {"otelHeadersHelper": "/bin/headers"},
        {"env": 7},
    ],
)
def test_other_telemetry_is_left_alone(site: Site, scope: Scope, value: dict[str, Any]) -> None:
    """In whichever file it stands; the note names it."""
    path = own_file(site, scope)
    write(path, value)
    plan = plan_install(site)
    if scope == "user":
        assert json.loads(plan.after or b"").get("env") == value.get("env")
    else:
        assert env(plan) == {}
    assert any(str(path) in note and "stays as it is" in note for note in plan.notes)


def test_managed_telemetry_is_left_alone(site: Site, tmp_path: Path) -> None:
    """An administrator's set-up is a set-up."""
    managed = replace(site, root=tmp_path)
    write(tmp_path / MANAGED_FOLDER / "managed-settings.json", {"env": OTHER})
    assert env(plan_install(managed)) == {}


def test_telemetry_in_the_environment_is_left_alone(site: Site) -> None:
    """Variables in the settings would win over the shell's."""
    plan = plan_install(replace(site, environ=OTHER))
    assert env(plan) == {}
    assert any("OTEL_EXPORTER_OTLP_ENDPOINT in your environment" in note for note in plan.notes)


def test_own_variable_in_the_environment_is_no_other_set_up(site: Site) -> None:
    """The client passes one of ours on to the shell in which people run `assent install` again."""
    apply(plan_install(site), site.paths)
    assert plan_install(replace(site, environ={"CLAUDE_CODE_ENABLE_TELEMETRY": "1"})).is_noop


@pytest.mark.parametrize(
    "original",
    [None, {}, {"env": {}}, {"env": {"A": "1"}}, {"model": "opus", "env": {"A": "1", "Z": "2"}, "x": [1]}],
)
def test_uninstall_gives_the_file_back_byte_for_byte(site: Site, settings: Path, original: Any) -> None:
    """Whatever stood there; also an empty table."""
    before = None if original is None else write(settings, original)
    apply(plan_install(site), site.paths)
    plan = plan_uninstall(site.paths, settings)
    assert plan.after == before


@pytest.mark.parametrize("original", [{"model": "opus"}, {"env": {}}, {"env": {"A": "1"}}])
def test_uninstall_after_another_change_takes_out_ours_alone(site: Site, settings: Path, original: Any) -> None:
    """The change stays, and so does the table if it was there before us."""
    write(settings, original)
    apply(plan_install(site), site.paths)
    changed = json.loads(settings.read_text())
    changed["theme"] = "dark"
    write(settings, changed)
    plan = plan_uninstall(site.paths, settings)
    assert json.loads(plan.after or b"") == {**original, "theme": "dark"}


def test_changed_variable_is_left_alone(site: Site, settings: Path) -> None:
    """What is not as we wrote it stays; another install brings it up to date."""
    apply(plan_install(site), site.paths)
    changed = json.loads(settings.read_text())
    changed["env"]["OTEL_LOGS_EXPORT_INTERVAL"] = "9000"
    write(settings, changed)
    plan = plan_uninstall(site.paths, settings)
    assert json.loads(plan.after or b"")["env"] == {"OTEL_LOGS_EXPORT_INTERVAL": "9000"}
    assert env(plan_install(site))["OTEL_LOGS_EXPORT_INTERVAL"] == "500"


def test_variables_are_known_without_any_note_of_the_install(site: Site, settings: Path) -> None:
    """By the mark in the header, whatever port and token."""
    written = {"env": telemetry.variables(1234, "whatever")}
    write(settings, written)
    assert telemetry.ours(written) == written["env"]
    assert json.loads(telemetry.take_out(Document.read(settings.read_bytes())).write()) == {}
