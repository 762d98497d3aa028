"""What a harness module takes for the parts of its interface that its client does not have."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from assent.errors import UsageError
from assent.harnesses.base import NOT_STARTED, ReadEnds, RuleTexts, RunPlan, SaidBefore, SettingsError, Transcripts
from assent.harnesses.otlp import Decided, Reading
from assent.harnesses.site import SettingsScope, Site
from assent.protocol.context import Context
from assent.protocol.envelope import Output
from assent.protocol.events import Event, ToolEvent
from assent.protocol.modes import Run
from assent.protocol.permission import PermissionUpdate
from assent.protocol.summary import Summary


def sandbox(_site: Site) -> Path | None:
    return None


def is_own(_payload: bytes) -> bool:
    """It runs no hooks of another client's settings, or sends what they expect."""
    return False


def with_notice(_event: Event, output: Output, _words: str) -> Output:
    """It does not show a hook's words."""
    return output


# --- rules of its own


def rule_files(_site: Site) -> list[tuple[SettingsScope, Path]]:
    return []


def rules(_content: bytes) -> RuleTexts:
    return RuleTexts()


def fault(_grant: PermissionUpdate) -> str | None:
    return "it cannot be told to remember a permission"


def grant_files(_site: Site) -> Mapping[str, Path]:
    return {}


def with_rule(_before: bytes | None, _rule: str) -> bytes:
    raise SettingsError(" has no rules that could be written")


def without_rule(_before: bytes | None, _rule: str) -> bytes | None:
    return None


def without_directory(_before: bytes | None, _directory: str) -> bytes | None:
    return None


# --- transcripts and telemetry


def transcripts(_file: str, _scope: str) -> Transcripts | None:
    return None


def session_of(_file: str) -> str | None:
    return None


def said_before(_event: ToolEvent, _use: str | None, _read: ReadEnds) -> SaidBefore | None:
    return SaidBefore()


def context(_transcript: str, _model: str, _read: ReadEnds) -> Context | None:
    return None


def summary(_transcript: str, _read: ReadEnds) -> Summary | None:
    return None


def results_file(_transcript: str, _agent: str | None) -> str:
    return ""


def read_results(_data: bytes) -> list[Decided]:
    return []


def read_logs(_data: bytes) -> Reading:
    return Reading()


def read_metrics(_data: bytes) -> Reading:
    return Reading()


# --- hooks for one run


def check_run(words: Sequence[str], _environ: Mapping[str, str], _site: Site) -> None:
    raise UsageError(f"exec does not know how to add hooks to {words[0]}. {NOT_STARTED}")


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
