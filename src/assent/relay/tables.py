"""The relay's tables in PostgreSQL, and how they are brought up to date.

What must outlive everything is logged: which hubs there are, and which were revoked. What is live is not, so that it
costs no wait for a disk: hubs and relays put it there again after any break."""

from typing import Any

from psycopg import AsyncConnection

from assent.errors import AssentError

NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
# Of the advisory lock under which one relay migrates while the others wait.
MIGRATES = 0x7465616D
# Of the one that sweeps.
SWEEPS = MIGRATES + 1

MIGRATIONS: dict[int, str] = {
    1: f"""
CREATE TABLE team_hub (
  hub        text   PRIMARY KEY,
  key        text   NOT NULL,
  -- The person, or the workload, that owns it.
  issuer     text   NOT NULL,
  subject    text   NOT NULL,
  mail       text   NOT NULL DEFAULT '',
  name       text   NOT NULL DEFAULT '',
  groups     text[] NOT NULL DEFAULT '{{}}',
  is_workload boolean NOT NULL DEFAULT false,
  machine    text   NOT NULL,
  version    text   NOT NULL,
  joined_at  bigint NOT NULL,
  -- When the identity provider last vouched for its owner.
  proven_at  bigint NOT NULL,
  seen_at    bigint,
  revoked_at bigint,
  revoked_by text,
  changed_at bigint NOT NULL DEFAULT {NOW}
);
CREATE INDEX team_hub_owner ON team_hub (issuer, subject);
CREATE INDEX team_hub_revoked ON team_hub (hub) WHERE revoked_at IS NOT NULL;

CREATE UNLOGGED TABLE team_relay (
  relay   text   PRIMARY KEY,
  beat_at bigint NOT NULL
);
CREATE UNLOGGED TABLE team_presence (
  hub     text   PRIMARY KEY,
  relay   text   NOT NULL,
  gone_at bigint
);
CREATE UNLOGGED TABLE team_ask (
  hub      text   NOT NULL,
  ask      text   NOT NULL,
  change   bigint NOT NULL,
  deadline bigint NOT NULL,
  -- A TeamAsk; empty once it is over.
  body     bytea  NOT NULL,
  -- A Gone, once its hub has said so: an older relay that comes later with the ask does not bring it back.
  gone     bytea,
  at       bigint NOT NULL DEFAULT {NOW},
  PRIMARY KEY (hub, ask)
);
CREATE UNLOGGED TABLE team_answer (
  hub    text  NOT NULL,
  ask    text  NOT NULL,
  sender text  NOT NULL,
  nonce  text  NOT NULL,
  -- A TeamAnswer, and the AnswerResult once there is one.
  body   bytea NOT NULL,
  result bytea,
  at     bigint NOT NULL DEFAULT {NOW},
  PRIMARY KEY (hub, ask, sender, nonce)
);
CREATE INDEX team_answer_sender ON team_answer (sender);
""",
}
_META = "CREATE TABLE IF NOT EXISTS team_meta (name text PRIMARY KEY, value text NOT NULL)"
NEWEST = max(MIGRATIONS)


class SchemaError(AssentError):
    """The database cannot be used as it is."""


async def bring_up_to_date(connection: AsyncConnection[Any]) -> None:
    """Several relays may do this at once: one does, the others wait. Raises SchemaError."""
    if await version(connection) == NEWEST:
        return
    for number, step in MIGRATIONS.items():
        # One transaction with its number: a step is taken whole or not at all.
        async with connection.transaction():
            await connection.execute("SET LOCAL statement_timeout = 0")
            await connection.execute("SELECT pg_advisory_xact_lock(%s)", [MIGRATES])
            if number > await version(connection):
                await connection.execute(_META)
                await connection.execute(step.encode())
                await connection.execute(
                    "INSERT INTO team_meta VALUES ('version', %s)"
                    " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                    [str(number)],
                )


async def version(connection: AsyncConnection[Any]) -> int:
    """0 where nothing is there yet. Raises SchemaError for what is not ours to touch."""
    # Both tables in one look: between two of them another relay may just have made both.
    rows = await connection.execute(
        "SELECT current_schema(), current_setting('server_encoding'), ARRAY(SELECT relname::text FROM pg_class"
        " WHERE relname IN ('team_meta', 'team_hub') AND pg_table_is_visible(oid))"
    )
    schema, encoding, there = await rows.fetchone() or (None, "", ())
    if schema is None:
        raise SchemaError("The schema that the database's url names does not exist.", hint="let its owner create it.")
    if encoding != "UTF8":
        hint = "create a database with ENCODING 'UTF8', and name that."
        raise SchemaError(f"The database is in {encoding}, which cannot hold every text.", hint=hint)
    if not there:
        return 0
    row = None
    if "team_meta" in there and await _is_meta(connection):
        rows = await connection.execute("SELECT value FROM team_meta WHERE name = 'version'")
        row = await rows.fetchone()
    if row is None or not str(row[0]).isdigit():
        raise SchemaError(
            "The database has tables called team_… that are no relay's. They were left as they are.",
            hint="name another database or schema.",
        )
    if int(row[0]) > NEWEST:
        raise SchemaError(
            f"The database was set up by a newer assent (schema {row[0]}, this one knows {NEWEST}).",
            hint="update assent here, or name another database.",
        )
    return int(row[0])


async def _is_meta(connection: AsyncConnection[Any]) -> bool:
    """Whether the table is ours: another program's table of that name may have other columns."""
    rows = await connection.execute(
        "SELECT count(*) FROM pg_attribute WHERE attrelid = to_regclass('team_meta') AND attname IN ('name', 'value')"
    )
    return await rows.fetchone() == (2,)
