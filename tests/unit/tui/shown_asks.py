"""Asks of every kind, as a terminal gets them from the hub."""

import re
from typing import Any

import msgspec

from assent.asks.choices import ways
from assent.protocol.approval import ApprovalView, Rung
from assent.protocol.card import (
    Card,
    FieldView,
    FileDiff,
    FormView,
    Hunk,
    OptionView,
    Peril,
    PlanRound,
    QuestionView,
    Segment,
    ShownAsk,
    StepView,
    StopView,
    Subject,
    View,
)
from assent.protocol.lasting import Stay
from assent.protocol.surfaces import Scope

# 2026-01-15, 09:41 UTC: tests say how much later it is.
OPENED = 1_768_470_060_000
WEBSHOP = Subject(
    harness="claude-code",
    session="5c9f2d1e-0000-4000-8000-000000000001",
    title="Fix flaky login",
    project="/home/dev/src/webshop",
    folder="/home/dev/src/webshop",
    branch="main",
    mode="default",
)
CLEAN = (
    Segment("git clean -fdx", "danger", needs_you=True, why="Deletes files that git does not track."),
    Segment(" && "),
    Segment("npm ci", "look", why="ok by rule 12"),
)
STEPS = (
    StepView("danger", "Delete untracked files", why="Deletes untracked files.", command="git clean -fdx"),
    StepView("look", "Install packages", command="npm ci"),
)
EDIT = FileDiff(
    "src/auth.py",
    2,
    1,
    hunks=(
        Hunk(
            10,
            10,
            (
                " def check(token):",
                "-    return token == SECRET",
                "+    given = token.strip()",
                "+    return compare_digest(given, SECRET)",
                " ",
            ),
        ),
    ),
)
DATABASES = QuestionView(
    "Which database?",
    header="Storage",
    options=(
        OptionView("SQLite", "One file, nothing to run"),
        OptionView("PostgreSQL", "A server of its own", preview="services:\n  db:\n    image: postgres"),
    ),
)
FEATURES = QuestionView(
    "Which features?", header="Scope", options=(OptionView("Search"), OptionView("Export")), multi=True
)
PLAN = "# Move login to its own module\n\n1. Extract the token check\n2. Keep the old names\n\nNothing else changes.\n"


def shown(card: Card, **more: Any) -> ShownAsk:
    """The card as an open ask that may be answered in every way; ``more`` are fields of the ask."""
    given: dict[str, Any] = {
        "id": "kptwm",
        "rev": 1,
        "hash": "0" * 64,
        "state": "open",
        "opened_at": OPENED,
        "expires_at": OPENED + 600_000,
        "choices": ways(card, Scope.GRANT, "terminal"),
        "changed": 1,
    }
    parts = {
        name: getattr(card, name) for name in ("kind", "view", "subject", "risk", "says", "flags", "stays", "timed")
    }
    return ShownAsk(**{**parts, **given, **more})


STAYS = (
    Stay(
        "shape",
        "`git push` of feature to origin",
        "`git push` of feature to origin, alone or as part of a line.",
        "Other branches and remotes, force and whatever is dangerous still ask.",
    ),
    Stay("run", "Agents may run tests here", "Tests of this project run without a prompt.", "Scripts that deploy ask."),
)


def permission(command: str = "", *, level: str = "danger", **more: Any) -> ShownAsk:
    """A dangerous command of two parts; with a ``command`` of your own, one part at this ``level``."""
    own = (Segment(command, level, needs_you=True),)
    match = {"danger": re.split(r"[\s/]+", command)[-1] if command else "uploads"}.get(level, "")
    risk = Peril(
        level,
        reason="Removes 214 files git does not track, among them .env.local and uploads/. Cannot be undone.",
        safer="keeps them",
        instead="git stash -u",
        match=match,
    )
    view = View(
        "Run a command" if command else "Delete untracked files",
        "Bash",
        line=command or "git clean -fdx && npm ci",
        steps=() if command else STEPS,
        segments=own if command else CLEAN,
        raw={"command": command or "git clean -fdx && npm ci", "description": "Clean install"},
    )
    said = {"says": "Clean install to rule out stale deps.", "stays": () if level == "danger" else STAYS}
    return _made("permission", view, risk, said | more)


def of_another_machine() -> ShownAsk:
    """Of somebody else's machine, which needs the yes of several people and has one."""
    leads = ApprovalView("approval:user#2", "It is theirs.", ("person:lea@example.org",))
    needs = ApprovalView(
        "approval:user#1", "It is live.", ("group:sre",), 2, True, (Rung("group:x", 60),), also=(leads,)
    )
    subject = msgspec.structs.replace(WEBSHOP, machine="laptop (bob@example.org)", owner="bob@example.org")
    words = {"needs": "Needs 2 of sre", "agreed": "ada@example.org said yes, 1 more is missing", "unreachable": "away"}
    return permission(
        flags=("other_machine",), subject=subject, approval=needs, approved_by=("ada@example.org",), **words
    )


def edit(*diffs: FileDiff, **more: Any) -> ShownAsk:
    """A change in files."""
    view = View("Edit auth.py", "Edit", diffs=diffs or (EDIT,), raw={"file_path": "src/auth.py"})
    return _made("permission", view, Peril("change", reason="Changes a file of the project."), more)


def question(*questions: QuestionView, **more: Any) -> ShownAsk:
    asked = questions or (DATABASES, FEATURES)
    view = View(asked[0].question, "AskUserQuestion", questions=asked, raw={})
    return _made("question", view, Peril("look"), more)


def plan(markdown: str = PLAN, **more: Any) -> ShownAsk:
    view = View("Approve a plan of 2 steps", "ExitPlanMode", markdown=markdown, raw={"plan": markdown})
    return _made("plan", view, Peril("change"), more)


# The plan before had no second step.
ROUND = PlanRound(
    since=OPENED - 900_000,
    diff=FileDiff("Plan", 1, 0, hunks=(Hunk(3, 3, (" 1. Extract the token check", "+2. Keep the old names")),)),
    wrote="Keep the old names.",
)


def form(*fields: FieldView, **more: Any) -> ShownAsk:
    """``more`` may hold fields of the FormView, too."""
    names = {"server", "message", "mode", "url", "host", "trouble"}
    given = {name: more.pop(name) for name in names & more.keys()}
    made = FormView(
        **({"server": "tickets", "message": "Who takes it?"} | given),
        fields=fields or (FieldView("owner", "text", "Owner", required=True), FieldView("urgent", "boolean", "Urgent")),
    )
    return _made("form", View(f"{made.server} asks for input", form=made), Peril("look"), more)


def stop(message: str = "All tests pass.\nShall I commit?", **more: Any) -> ShownAsk:
    view = View("The turn ended", stop=StopView(message, used=2, most=8))
    return _made("stop", view, Peril("look"), more)


def _made(kind: Any, view: View, risk: Peril, more: dict[str, Any]) -> ShownAsk:
    """``more`` are fields of the card, of the ask, or ``card_view``: fields of the view."""
    view = msgspec.structs.replace(view, **more.pop("card_view", {}))
    parts = {"subject": WEBSHOP, "risk": risk, "says": "", "flags": (), "stays": (), "timed": (), "view": view}
    card = Card(kind, **{name: more.pop(name, value) for name, value in parts.items()})
    return shown(card, **more)
