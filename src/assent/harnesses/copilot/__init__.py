"""GitHub Copilot CLI as a harness: what it sends and honours, and how Assent is installed for it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from assent.harnesses.base import (
    RunPlan,
    SettingsError,
    no_context,
    no_notice,
    no_rules,
    no_run,
    no_session,
    no_transcripts,
    nothing_said,
    nowhere,
)
from assent.harnesses.copilot.decode import decode, main_field, may_drop_prompts, operation
from assent.harnesses.copilot.encode import HONOURED, encode, encode_safely, replies, unreadable
from assent.harnesses.copilot.facts import (
    BYPASS,
    FACTS,
    NAME,
    PID_VARIABLE,
    PROGRAM,
    SESSION_VARIABLE,
    SUBSCRIPTIONS,
    TESTED,
    TITLE,
    VARIABLES,
    environment,
)
from assent.harnesses.copilot.install import (
    CHECKS,
    MANAGED,
    disarmed,
    managed_hooks,
    places,
    plan,
    powers,
    reads,
    remove,
    version,
    watched,
)
from assent.harnesses.otlp import Decided, Reading
from assent.harnesses.site import SettingsScope, Site
from assent.protocol.modes import Run
from assent.protocol.permission import PermissionUpdate

__all__ = [
    "BYPASS",
    "CHECKS",
    "FACTS",
    "HONOURED",
    "MANAGED",
    "NAME",
    "PID_VARIABLE",
    "PROGRAM",
    "SESSION_VARIABLE",
    "SUBSCRIPTIONS",
    "TESTED",
    "TITLE",
    "VARIABLES",
    "decode",
    "disarmed",
    "encode",
    "encode_safely",
    "environment",
    "main_field",
    "managed_hooks",
    "may_drop_prompts",
    "operation",
    "places",
    "plan",
    "powers",
    "reads",
    "remove",
    "replies",
    "unreadable",
    "version",
    "watched",
]

sandbox = nowhere
context = no_context
with_notice = no_notice
rules = no_rules
transcripts = no_transcripts
said_before = nothing_said
session_of = no_session
check_run = no_run


def rule_files(_site: Site) -> list[tuple[SettingsScope, Path]]:
    return []


def fault(_grant: PermissionUpdate) -> str | None:
    return "Copilot cannot be told to remember a permission"


def grant_files(_site: Site) -> Mapping[str, Path]:
    return {}


def with_rule(_before: bytes | None, _rule: str) -> bytes:
    raise SettingsError(" Copilot has no rules that could be written")


def without_rule(_before: bytes | None, _rule: str) -> bytes | None:
    return None


without_directory = without_rule


def prints_only(_words: Sequence[str]) -> bool:
    return False


def run_plan(
    words: Sequence[str],
    program: str,
    file: Path,  # noqa: ARG001 - it takes no hooks for one run
    *,
    environ: Mapping[str, str],
    site: Site,
    run: Run,  # noqa: ARG001
    token: str,  # noqa: ARG001
) -> RunPlan:
    check_run(words, environ, site)
    return RunPlan([program, *words], dict(environ), b"")


def results_file(_transcript: str, _agent: str | None) -> str:
    return ""


def read_results(_data: bytes) -> list[Decided]:
    return []


def read_logs(_data: bytes) -> Reading:
    return Reading()


def read_metrics(_data: bytes) -> Reading:
    return Reading()
