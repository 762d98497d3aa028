"""Views for auditors: what they answer, who may read them, and that one bad record hides no other."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

import assent
from assent.hub.daemon import started
from assent.journal.postgres import PostgresJournal
from assent.protocol import bodies
from assent.protocol.bodies import AnswerBody, ApprovedBody, AskBody, CheckpointBody, ConfigBody, RefusedBody, RulesBody
from assent.protocol.record import Draft
from tests.component import postgres
from tests.component.journal.postgres.conftest import OpenHub

pytestmark = pytest.mark.anyio

PAGE = Path(assent.__file__).parents[2] / "docs" / "auditing.md"
VIEWS = ("audit_decisions", "audit_answers", "audit_policy", "audit_gaps")
AT = 1_700_000_000_000
Rows = list[dict[str, Any]]
Ask = Callable[[str], Rows]


def call(number: int, command: str, at: int = AT) -> Draft:
    payload = {"tool_name": "Bash", "tool_input": {"command": command}, "cwd": "/src/shop"}
    body = {"event": "PreToolUse", "harness": "claude-code", "project": "/src/shop", "payload": payload}
    return Draft(at=at, kind="event", session="s1", call=f"c{number}", request=f"r{number}", body=body)


def decided(number: int, word: str, by: str, at: int = AT, **fields: Any) -> Draft:
    decision = {"decision": word, **({"reason": "no"} if word == "deny" else {})}
    body = {"event": "PreToolUse", "harness": "claude-code", "project": "/src/shop", "tool": "Bash"}
    about: dict[str, Any] = {"session": "s1", "call": f"c{number}", "request": f"r{number}", **fields}
    return Draft(at=at, kind="decision", decision=word, by=by, body={**body, "decision": decision}, **about)


@pytest.fixture
async def hub(open_hub: OpenHub) -> PostgresJournal:
    journal = open_hub("ab12cd34")
    await journal.append([started("devbox")])
    return journal


@pytest.fixture
def auditor(url: str) -> Ask:
    """A role that has what the page grants it, and nothing else."""

    def ask(question: str) -> Rows:
        with psycopg.connect(reader, autocommit=True) as connection:
            done = connection.execute(question.encode())
            names = [column.name for column in done.description or ()]
            return [dict(zip(names, row, strict=True)) for row in done]

    postgres.execute("DO $$ BEGIN CREATE ROLE auditor LOGIN PASSWORD 'small'; EXCEPTION WHEN OTHERS THEN NULL; END $$")
    reader = url.replace(url.partition("://")[2].partition("@")[0], "auditor:small")
    return ask


def granted() -> None:
    (statement,) = re.findall(r"^GRANT SELECT ON .*;$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    postgres.execute(statement)


async def test_decision_tells_who_allowed_what_by_which_rule_on_which_machine(
    hub: PostgresJournal, open_hub: OpenHub, auditor: Ask
) -> None:
    """The question the view is there for, over two hubs."""
    other = open_hub("ef56ab78")
    await other.append([started("laptop"), call(2, "git push"), decided(2, "deny", "floor:network", AT + 1)])
    one = await hub.append([call(1, "make test"), decided(1, "allow", "rule:user#4", risk="change")])
    granted()
    rows = auditor("SELECT * FROM audit_decisions ORDER BY at")
    first, second = rows
    assert (first["machine"], first["by"], first["rule"], first["what"], first["decision"]) == (
        "devbox",
        "rule:user#4",
        "user#4",
        "make test",
        "allow",
    )
    assert (first["hub"], first["seq"], first["hash"]) == (one[1].hub, one[1].seq, one[1].hash)
    assert (first["harness"], first["project"], first["tool"], first["risk"]) == (
        "claude-code",
        "/src/shop",
        "Bash",
        "change",
    )
    assert (first["at"].timestamp() * 1000, first["at_ms"], first["practice"]) == (AT, AT, False)
    assert (second["machine"], second["rule"], second["why"]) == ("laptop", None, "no")


async def test_answers_tell_also_those_that_did_not_count(hub: PostgresJournal, auditor: Ask) -> None:
    """Who, where, after how long, and what for."""
    about: dict[str, Any] = {"session": "s1", "call": "c1", "request": "r1", "ask": "bkqzt", "risk": "danger"}
    asked = AskBody("permission", "PermissionRequest", "claude-code", "/src/shop", "Bash", "pushes by force")
    said = AnswerBody("allow", "telegram", "ada", waited_ms=4_200, message="go", grants=("Bash(ls)",))
    late = RefusedBody("deny", "it was answered already", "page")
    await hub.append(
        [
            call(1, "git push --force"),
            Draft(at=AT, kind="ask", body=bodies.body(asked), **about),
            Draft(at=AT + 1, kind="answer", by="person:phone", body=bodies.body(said), **about),
            Draft(at=AT + 2, kind="refused", by="person:desk", body=bodies.body(late), **about),
        ]
    )
    granted()
    counted, refused = auditor("SELECT * FROM audit_answers ORDER BY at")
    assert (
        counted.items()
        >= {
            "choice": "allow",
            "counted": True,
            "by": "person:phone",
            "surface": "telegram",
            "device": "ada",
            "waited_ms": 4_200,
            "message": "go",
            "grants": ["Bash(ls)"],
            "what": "git push --force",
            "tool": "Bash",
            "machine": "devbox",
            "project": "/src/shop",
            "risk": "danger",
            "refused_because": None,
        }.items()
    )
    assert (refused["counted"], refused["refused_because"]) == (False, "it was answered already")


async def test_everybody_who_had_to_agree_is_told(hub: PostgresJournal, auditor: Ask) -> None:
    """A row for each yes; the one that decided names them all."""
    about: dict[str, Any] = {"session": "s1", "call": "c1", "request": "r1", "ask": "bkqzt", "risk": "danger"}
    first = ApprovedBody("team", identity={"issuer": "x", "subject": "1", "mail": "ada@example.org"}, missing=1)
    both = ("ada@example.org", "bob@example.org")
    last = AnswerBody("allow", "team", approval="approval:user#1", approved_by=both)
    await hub.append(
        [
            Draft(at=AT, kind="approved", by="person:ada@example.org", body=bodies.body(first), **about),
            Draft(at=AT + 1, kind="answer", by="person:bob@example.org", body=bodies.body(last), **about),
        ]
    )
    granted()
    told = auditor("SELECT choice, counted, approved_by FROM audit_answers ORDER BY at")
    assert [tuple(row.values()) for row in told] == [
        ("allow", True, ["ada@example.org"]),
        ("allow", True, list(both)),
    ]


async def test_changes_of_rules_and_settings_are_told(hub: PostgresJournal, auditor: Ask) -> None:
    """And what a person did to the hub; what the hub notes by itself is no change."""
    rules = RulesBody("/r.toml", added=("allow Bash(make *)",), removed=("deny x", "deny y"))
    config = ConfigBody("/c.toml", {"stance": ("", '"strict"')})
    await hub.append(
        [
            Draft(at=AT, kind="rules", by="hub:files", body=bodies.body(rules)),
            Draft(at=AT + 1, kind="config", by="hub:files", body=bodies.body(config)),
            Draft(at=AT + 2, kind="hub", by="person:desk", body={"what": "paused for 60 s"}),
            Draft(at=AT + 3, kind="hub", by="hub", body={"what": "stopped"}),
        ]
    )
    granted()
    rows = auditor("SELECT * FROM audit_policy ORDER BY at")
    assert [row["kind"] for row in rows] == ["rules", "config", "person"]
    assert (rows[0]["added"], rows[0]["removed"]) == (["allow Bash(make *)"], ["deny x", "deny y"])
    assert rows[1]["changed"] == {"stance": ["", '"strict"']}
    assert rows[2]["what"] == "paused for 60 s"


async def test_gaps_and_removed_records_are_told(hub: PostgresJournal, auditor: Ask) -> None:
    """How many, of what, until when."""
    pruned = CheckpointBody(through=7, hash="0" * 64, kept=0, digest="d", removed=7, why="age", until=AT - 1_000)
    await hub.append(
        [
            Draft(at=AT, kind="gap", session="s1", body={"event": "PreToolUse", "size": 10}),
            Draft(at=AT + 1, kind="gap", body={"event": "Stop", "size": 10, "count": 3}),
            Draft(at=AT + 2, kind="checkpoint", by="hub:prune", body=bodies.body(pruned)),
        ]
    )
    granted()
    rows = auditor("SELECT * FROM audit_gaps ORDER BY at")
    assert [(row["kind"], row["event"], row["missing"]) for row in rows] == [
        ("no_hub", "PreToolUse", 1),
        ("no_hub", "Stop", 3),
        ("pruned", None, 7),
    ]
    assert (rows[2]["through"], rows[2]["until"].timestamp() * 1000, rows[2]["why"]) == (7, AT - 1_000, "age")


async def test_machine_is_the_one_a_hub_ran_on_then(hub: PostgresJournal, auditor: Ask) -> None:
    """It may be called otherwise later."""
    await hub.append([call(1, "ls"), decided(1, "allow", "stance:balanced")])
    await hub.append([started("renamed"), call(2, "ls"), decided(2, "allow", "stance:balanced", AT + 1)])
    granted()
    assert [row["machine"] for row in auditor("SELECT machine FROM audit_decisions ORDER BY at")] == [
        "devbox",
        "renamed",
    ]


async def test_auditor_reads_the_views_and_nothing_else(hub: PostgresJournal, auditor: Ask) -> None:
    """Prompts and inputs stay closed, and nothing can be changed."""
    for view in VIEWS:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            auditor(f"SELECT * FROM {view}")
    granted()
    for view in VIEWS:
        auditor(f"SELECT * FROM {view}")
        with pytest.raises(psycopg.Error):
            auditor(f"DELETE FROM {view}")
    for statement in ("SELECT * FROM assent_records", "SELECT * FROM assent_meta", "CREATE TABLE audit_x (id int)"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            auditor(statement)


@pytest.mark.parametrize(
    "body",
    [
        "no json",
        '{"event": "a\\u0000b", "decision": {"reason": "\\u0000"}, "tool": "c\\\\u0000"}',
        '"a text"',
        '{"decision": "a text", "waited_ms": "soon", "grants": "all", "count": 1e999999, "until": 99999999999999999}',
        "[" * 100_000,
        '{"n": 1e999999999}',
    ],
    ids=["no json", "nul", "text", "other types", "deep", "large number"],
)
async def test_record_of_another_form_hides_no_other(hub: PostgresJournal, auditor: Ask, body: str) -> None:
    """Somebody tampered with it, or a later version wrote it."""
    await hub.append([call(1, "ls"), decided(1, "allow", "stance:balanced")])
    for number, kind in enumerate(("event", "decision", "answer", "rules", "gap", "checkpoint", "hub")):
        postgres.execute(
            "INSERT INTO assent_records (hub, seq, at, kind, call, request, by, body, prev, hash, words)"
            " VALUES ('zz', %s, 9223372036854775807, %s, 'x', 'x', 'person:desk', %s, '', '', '')",
            number,
            kind,
            body,
        )
    granted()
    assert len(auditor("SELECT * FROM audit_decisions")) == 2
    assert len(auditor("SELECT * FROM audit_answers")) == 1
    assert len(auditor("SELECT * FROM audit_policy")) == 2
    assert len(auditor("SELECT * FROM audit_gaps")) == 2


async def test_questions_of_the_page_are_answered(hub: PostgresJournal, auditor: Ask) -> None:
    """They can be copied."""
    page = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```sql\n(SELECT.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 5
    granted()
    for block in blocks:
        auditor(block)


async def test_columns_are_those_of_the_page(hub: PostgresJournal) -> None:
    """In version 1 of the views; a later one adds columns at the end and says so on the page."""
    text = PAGE.read_text(encoding="utf-8")
    for view in VIEWS:
        found = postgres.execute(
            "SELECT column_name::text FROM information_schema.columns WHERE table_name = %s ORDER BY ordinal_position",
            view,
        )
        columns = [str(name) for (name,) in found]
        assert columns[:6] == ["at", "at_ms", "hub", "machine", "seq", "hash"]
        assert [name for name in columns if f"`{name}`" not in text] == []


async def test_views_of_another_program_are_left_alone(url: str, open_hub: OpenHub) -> None:
    """Hubs record all the same."""
    postgres.execute("CREATE TABLE audit_policy (id int)")
    journal = open_hub()
    await journal.append([started("devbox")])
    assert journal.trouble is None
    assert postgres.execute("SELECT count(*) FROM pg_views WHERE viewname = 'audit_decisions'") == [(0,)]
