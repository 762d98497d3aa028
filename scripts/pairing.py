"""Pair each source file with the tests of its name, and list those that have none, by the reason.

python -m scripts.pairing

``src/assent/a/b.py`` belongs to ``tests/unit/a/test_b.py``, ``tests/component/a/test_b.py`` and ``test_b_….py`` beside
them. A package's ``__init__.py`` has no test of its own.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "assent"
TIERS = ("unit", "component")
NOT_PAIRED = ("__init__", "__main__", "_version")


class Group(NamedTuple):
    """Modules without a test of their name, and where they are tested instead."""

    reason: str
    tests: tuple[str, ...]
    # Names of modules by the folder they lie in.
    modules: dict[str, str]


EXCEPTIONS: tuple[Group, ...] = (
    Group(
        "Types and errors, tested with what makes and reads them.",
        ("tests/unit",),
        {
            "": "errors",
            "client": "bodies snapshot",
            "harnesses": "base without",
            "journal": "base",
            "policy": "effects",
            "policy/shell": "acts runner tree",
            "protocol": "approval card decision envelope lasting queue session summary",
        },
    ),
    Group(
        "Parts of a card, tested by the cards they make.",
        ("tests/unit/asks",),
        {
            "asks": "open_ask records",
            "asks/card": "command_verbs drawing names rule_offers",
        },
    ),
    Group(
        "Who counts toward an approval, and answers that come too late: tested by what the desk makes of them.",
        ("tests/unit/asks", "tests/component/hub/asking"),
        {
            "asks": "counting",
            "hub/asking": "late_answers",
        },
    ),
    Group(
        "Parts of a relay, tested over its sockets and with a real PostgreSQL.",
        ("tests/component/relay", "tests/unit/relay"),
        {
            "cli": "relay",
            "relay": "app check connection database held hubs people server store streams writer",
        },
    ),
    Group(
        "A hub's end of a team, tested by parts of several hubs that speak to each other, and with a relay.",
        ("tests/unit/hub/team", "tests/component/hub/team", "tests/component/team"),
        {
            "cli": "join teams",
            "hub/api": "team",
            "hub/team": "answers approvers asks base judging others people renewal sharing",
            "team": "tokens",
        },
    ),
    Group(
        "What goes out to a collector, tested with one that checks what comes.",
        ("tests/component/hub/export", "tests/unit/hub/export"),
        {
            "hub/export": "collector",
        },
    ),
    Group(
        "What several families of commands share, judged by the tests of the families.",
        ("tests/unit/policy/commands",),
        {
            "policy/commands": (
                "_asking _awk _clients _either _found _git_config _git_local _git_reads _git_remote _git_throws "
                "_js _mounts _origins _pypi _recipes _sed _services "
                "_spec_types _sql _web permissions pip spec"
            ),
        },
    ),
    Group(
        "Steps of judging a line, tested by whole lines.",
        ("tests/unit/policy", "tests/component/policy"),
        {
            "policy": "guarded",
            "policy/inline": "languages",
            "policy/permissions": "written_code",
            "policy/shell": "builtins env exec lexer operators spelling written",
        },
    ),
    Group(
        "Kinds of secrets, tested by one corpus of texts.",
        ("tests/unit/redact",),
        {
            "redact": "addresses named shown vendors",
        },
    ),
    Group(
        "Steps from the record to a proposed rule, tested by what is proposed.",
        ("tests/unit/learn", "tests/component/learn"),
        {
            "learn": "repeated_calls",
        },
    ),
    Group(
        "The index of a journal, tested by searches with it.",
        ("tests/component/journal/test_index.py", "tests/component/journal/test_indexed_search.py"),
        {
            "journal": "indexer",
        },
    ),
    Group(
        "Parts of larger views, tested with these.",
        ("tests/unit/views",),
        {
            "views": "days",
        },
    ),
    Group(
        "What a harness brings, tested through decoding, installing and the checks.",
        ("tests/unit/harnesses", "tests/component/harnesses"),
        {
            "harnesses": "otlp site",
            "harnesses/acp": "facts",
            "harnesses/claude_code": "facts",
            "harnesses/codex": "facts trial",
            "harnesses/copilot": "facts",
            "harnesses/gemini": "facts",
            "harnesses/grok": "facts",
            "harnesses/qwen": "facts",
            "harnesses/opencode": "facts",
        },
    ),
    Group(
        "One suite that every surface passes, and chats that are played.",
        ("tests/component/surfaces", "tests/unit/surfaces"),
        {
            "surfaces": "follow_up registry service",
            "surfaces/desktop": "bus program surface",
            "surfaces/slack": "answering messages socket",
            "surfaces/telegram": "answering api buttons commands messages surface updates",
        },
    ),
    Group(
        "Lifetime of a hub and its sockets, seen in a hub that runs.",
        ("tests/unit/hub/access", "tests/component/hub/test_lifetime.py", "tests/component/hub/test_http.py"),
        {
            "hub": "daemon server",
        },
    ),
    Group(
        "Routes, asked by way of a hub that runs.",
        ("tests/component/hub/api", "tests/component/hub/test_asks.py", "tests/component/hub/test_security_answers.py"),
        {
            "hub/api": "routes settings",
        },
    ),
    Group(
        "Asks on their way to surfaces and back, tested with chats that are played.",
        ("tests/unit/hub/notify", "tests/unit/hub/asking", "tests/component/hub/notify"),
        {
            "hub/asking": "put_back",
            "hub/notify": "follower message test_ask",
        },
    ),
    Group(
        "What is in force and what is written down, tested by the answers to events.",
        ("tests/unit/hub/pipeline", "tests/unit/hub/upkeep", "tests/component/hub/test_answers.py"),
        {
            "hub/pipeline": "drafts policy_in_force",
            "hub/upkeep": "client_settings",
        },
    ),
    Group(
        "Verbs and what they share, run as people run them.",
        ("tests/unit/cli", "tests/component/cli", "tests/component/acp", "tests/e2e"),
        {
            "cli": ("acp common grants history line session watch"),
            "cli/answer": "keyboard sending sheets",
            "cli/exec": "events",
            "cli/rules": "check explain test",
            "live": "short_way",
        },
    ),
    Group(
        "Drawn in a terminal and driven by keys.",
        ("tests/component/tui", "tests/unit/tui"),
        {
            "tui": "app jumping palette pane shared tabs",
            "tui/asks": "ask_actions ask_view detail",
            "tui/asks/dialogs": "alike dialog picker",
            "tui/drawing": "glyphs tokens",
            "tui/feed": "pane",
            "tui/inbox": "pane",
            "tui/log": "pane",
            "tui/rules": "actions pane",
            "tui/sessions": "facts page pane queue_actions",
            "tui/widgets": "rows text",
        },
    ),
    Group(
        "Used in many places, and tested there.",
        ("tests/unit", "tests/component"),
        {
            "": "files paths",
        },
    ),
)

# Suites that modules have to pass beside the tests of their name.
SUITES: dict[str, tuple[str, ...]] = {
    "tests/component/journal/test_contract.py": (
        "journal/memory",
        "journal/sqlite",
        "journal/postgres/chain",
        "journal/postgres/journal",
    ),
}


def sources() -> Iterator[str]:
    """Every module, as ``a/b``."""
    for path in sorted(SOURCE.rglob("*.py")):
        if path.stem not in NOT_PAIRED:
            yield path.relative_to(SOURCE).with_suffix("").as_posix()


def tests_of(module: str) -> list[Path]:
    """The test files of a module's name."""
    folder, _, name = module.rpartition("/")
    return [
        path
        for tier in TIERS
        for path in sorted((ROOT / "tests" / tier / folder).glob(f"test_{name}*.py"))
        if path.stem == f"test_{name}" or path.stem.startswith(f"test_{name}_")
    ]


def excepted() -> dict[str, Group]:
    """The group of each module on the list."""
    return {
        f"{folder}/{name}" if folder else name: group
        for group in EXCEPTIONS
        for folder, names in group.modules.items()
        for name in names.split()
    }


def unpaired() -> list[str]:
    return [module for module in sources() if not tests_of(module)]


def main() -> int:
    every, alone, listed = list(sources()), unpaired(), excepted()
    print(f"{len(every) - len(alone)} of {len(every)} source files have tests of their name.")
    for group in EXCEPTIONS:
        names = [module for module in alone if listed.get(module) is group]
        print(f"\n{len(names)} are tested in {', '.join(group.tests)}: {group.reason}")
        print("  " + " ".join(names))
    missing = [module for module in alone if module not in listed]
    outdated = sorted(listed.keys() - set(alone))
    for module in missing:
        print(f"{module} has no tests, and no reason in scripts/pairing.py.", file=sys.stderr)
    for module in outdated:
        print(f"{module} is on the list of scripts/pairing.py and has tests, or is gone.", file=sys.stderr)
    return 1 if missing or outdated else 0


if __name__ == "__main__":
    sys.exit(main())
