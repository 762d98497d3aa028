"""Claude Code as a harness: what it sends and honours, and how Assent is installed for it."""

from assent.harnesses.claude_code.checks import CHECKS, managed_hooks, sandbox, version
from assent.harnesses.claude_code.context import context
from assent.harnesses.claude_code.decode import decode, main_field, may_drop_prompts, operation
from assent.harnesses.claude_code.encode import HONOURED, encode, encode_safely, unreadable, with_notice
from assent.harnesses.claude_code.facts import (
    FACTS,
    MARKER,
    NAME,
    NO_HTTP,
    PID_VARIABLE,
    PROGRAM,
    SESSION_VARIABLE,
    SUBSCRIPTIONS,
    TESTED,
    TITLE,
    TRIAL,
    VARIABLES,
    environment,
)
from assent.harnesses.claude_code.grants import fault
from assent.harnesses.claude_code.install import plan, remove, with_rule, without_directory, without_rule
from assent.harnesses.claude_code.one_run import check_run, prints_only, run_plan
from assent.harnesses.claude_code.reply import BYPASS, replies
from assent.harnesses.claude_code.settings import (
    MANAGED_FOLDER,
    grant_files,
    managed_files,
    places,
    rule_files,
    rules,
    settings_file,
    settings_files,
    settings_here,
)
from assent.harnesses.claude_code.summary import summary
from assent.harnesses.claude_code.transcript import said_before
from assent.harnesses.claude_code.usage import read_logs, read_metrics, read_results, results_file
from assent.harnesses.claude_code.watch import MANAGED, disarmed, powers, reads, session_of, transcripts, watched
from assent.harnesses.without import is_own

__all__ = [
    "BYPASS",
    "CHECKS",
    "FACTS",
    "HONOURED",
    "MANAGED",
    "MANAGED_FOLDER",
    "MARKER",
    "NAME",
    "NO_HTTP",
    "PID_VARIABLE",
    "PROGRAM",
    "SESSION_VARIABLE",
    "SUBSCRIPTIONS",
    "TESTED",
    "TITLE",
    "TRIAL",
    "VARIABLES",
    "check_run",
    "context",
    "decode",
    "disarmed",
    "encode",
    "encode_safely",
    "environment",
    "fault",
    "grant_files",
    "is_own",
    "main_field",
    "managed_files",
    "managed_hooks",
    "may_drop_prompts",
    "operation",
    "places",
    "plan",
    "powers",
    "prints_only",
    "read_logs",
    "read_metrics",
    "read_results",
    "reads",
    "remove",
    "replies",
    "results_file",
    "rule_files",
    "rules",
    "run_plan",
    "said_before",
    "sandbox",
    "session_of",
    "settings_file",
    "settings_files",
    "settings_here",
    "summary",
    "transcripts",
    "unreadable",
    "version",
    "watched",
    "with_notice",
    "with_rule",
    "without_directory",
    "without_rule",
]
