"""``assent doctor``: what does not work, why, and what to do."""

import os
import time
from collections.abc import Iterable
from typing import Any

import click
import msgspec

from assent import config
from assent import paths as locations
from assent.cli import hub_process, output
from assent.cli.common import harness_option, site_here
from assent.client import Client
from assent.errors import AssentError, UsageError
from assent.harnesses import registry
from assent.harnesses.site import Finding, Level, Situation
from assent.install import clients
from assent.install.doctor import run
from assent.paths import Paths
from assent.protocol.record import is_practice
from assent.toml.document import ConfigError

# Worst first, where it is seen.
LEVELS: tuple[tuple[Level, str, str], ...] = (
    ("problem", "bad", "✗"),
    ("warning", "warn", "!"),
    ("note", "faint", "·"),
    ("ok", "good", "✓"),
)
VERDICTS = {
    "working": ("good", "working: an event of an agent came through."),
    "not proven": ("warn", "not proven: nothing is wrong, but no event of an agent has come through yet."),
    "not working": ("bad", "not working: see the problems above."),
}


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@harness_option("Check this client instead of all that are installed.")
@click.option(
    "--live",
    metavar="[CLIENT]",
    is_flag=False,
    flag_value="",
    default=None,
    help="Start the clients on this machine, with a scripted model and a home of their own, and see two calls judged.",
)
def command(as_json: bool, harness: str | None, live: str | None) -> int:
    """Check that agents' events really reach the hub, and say what to do where they do not. Exit code 1 on a problem.

    \b
    Examples:
      assent doctor
      assent doctor --live            your clients, in the versions you have
      assent doctor --live copilot
    """
    if live is not None:
        return _live(live or harness, as_json=as_json)
    paths = locations.find()
    settings, broken = _settings(paths)
    site = site_here(settings)
    client = Client(paths)
    situation = Situation(
        paths=paths,
        home=site.home,
        project=site.project,
        environ=os.environ,
        config=settings,
        hub=hub_status(client),
        surfaces=checked_surfaces(client, settings),
        lock_held=hub_process.is_held(paths),
        now=time.time(),
        harnesses=(harness,) if harness else (),
    )
    findings = run.run_all(situation)
    if situation.hub is None:
        # A running hub says so itself.
        findings += broken + _team(paths)
    verdict = run.summary(findings)
    if as_json:
        output.say_json({"summary": verdict, "findings": [msgspec.to_builtins(finding) for finding in findings]})
    else:
        _say(findings)
        style, sentence = VERDICTS[verdict]
        output.say(output.styled(sentence, style))
    return 1 if verdict == "not working" else 0


def _live(name: str | None, *, as_json: bool) -> int:
    """The short way with each client that is here, or with the one that is named."""
    from assent.live import short_way

    site = site_here()
    if name is not None and name not in registry.HARNESSES:
        raise UsageError(f"{name!r} is not one of {', '.join(registry.HARNESSES)}.")
    chosen = [registry.HARNESSES[name]] if name else clients.here(site)
    found: list[Finding] = []
    for harness in chosen:
        program = clients.program(harness, site)
        if program is None:
            text = f"There is no `{harness.PROGRAM}` on your PATH."
            found.append(Finding("client-missing", "problem", text, "install it, or add its folder to PATH."))
            continue
        if not as_json:
            output.say(f"{harness.TITLE} at {program} …")
        tried = list(short_way.tried(harness, program, site.environ.get("PATH", "")))
        found += tried
        if not as_json:
            _say(tried)
    is_wrong = any(finding.level == "problem" for finding in found)
    if as_json:
        said = {"summary": "not working" if is_wrong else "working", "findings": msgspec.to_builtins(found)}
        output.say_json(said)
    elif any(finding.code == "client-missing" for finding in found):
        _say(finding for finding in found if finding.code == "client-missing")
    return 1 if is_wrong else 0


def hub_status(client: Client) -> dict[str, Any] | None:
    """What the hub says of itself, with our own events left out: they prove nothing about an agent."""
    try:
        status = client.status()
        real = [session.last for session in client.sessions() if not is_practice(session.id)]
    except AssentError:
        return None
    latest = max(real, default=0)
    return {**status, "last_event_at": latest if latest >= status["started_at"] else None}


def checked_surfaces(client: Client, settings: config.Config) -> list[dict[str, Any]] | None:
    """None where nothing is connected: the check takes a moment."""
    if not settings.surface:
        return []
    try:
        return client.check_surfaces()
    except AssentError:
        return None


def _settings(paths: Paths) -> tuple[config.Config, list[Finding]]:
    try:
        return config.load(paths.config), []
    except ConfigError as error:
        return config.Config(), [
            Finding("config", "problem", str(error), "repair it; the hub reads it again by itself.")
        ]


def _team(paths: Paths) -> list[Finding]:
    from assent.team import membership  # imported where no hub says it

    try:
        membership.load(paths.team)
    except AssentError as error:
        return [Finding("team", "problem", error.message, error.hint)]
    return []


def _say(findings: Iterable[Finding]) -> None:
    for level, style, mark in LEVELS:
        for finding in findings:
            if finding.level != level:
                continue
            output.say_paragraph(finding.text, f"{output.styled(mark, style)} ")
            if finding.remedy:
                output.say_paragraph(finding.remedy, f"  {output.styled('→', style)} ")
