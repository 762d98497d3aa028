"""Databases: their clients read the statements that are given to them; tools around them copy, restore and remove.

Asking a database is Care, because it is a connection to data of unknown ownership; asking one that is a file
of the project is Look, and so is a plain question to one on this machine."""

import re
from collections.abc import Callable, Iterator

from assent.policy.commands import _clients, _sql
from assent.policy.commands._asking import meant, told
from assent.policy.commands._services import ITSELF, asks, in_production, reveals, ruins, rule, service
from assent.policy.commands._web import shown
from assent.policy.commands.spec import (
    Finding,
    Invocation,
    RunsFile,
    Spec,
    Takes,
    careful,
    dangerous,
    each,
    known,
    queries,
)
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.shell.words import Arg
from assent.protocol.decision import Risk

_CONNECTS = _sql.CONNECTS
Reader = Callable[[Invocation, str], Iterator[Finding]]


def _client(
    read: Reader, *, inline: tuple[str, ...], files: tuple[str, ...] = (), itself: tuple[str, ...] = ()
) -> Callable[[Invocation], Iterator[Finding]]:
    """A client: options with statements, options with files of them, and what comes in."""

    def found(it: Invocation) -> Iterator[Finding]:
        if it.has("--version", "--help", *itself) and not it.has(*inline, *files):
            yield nothing(ITSELF)
            return
        changed = False
        for value in it.all_values(*inline):
            for each_found in read(it, value.text):
                changed = changed or (isinstance(each_found, Effect) and each_found.kind == "remote")
                yield each_found
        for value in it.all_values(*files):
            if value.text in ("-", "/dev/stdin", "/dev/fd/0"):
                yield _takes(it, read)
            else:
                yield from _sql.file(it, value)
                changed = True
        if changed:
            yield from in_production(it)
        if not it.has(*inline, *files):
            yield _takes(it, read)
        yield _CONNECTS

    return found


def _takes(it: Invocation, read: Reader) -> Takes:
    return Takes(lambda text: read(it, text), lambda path: _sql.file(it, path))


def _statements(dialect: str) -> Reader:
    return lambda it, text: _sql.statements(it, text, dialect)


# --- PostgreSQL

_PG = "-h: --host= -p: --port= -U: --username= -w -W --no-password --password -d: --dbname= -v -e --echo --verbose"
_PSQL = (
    f"{_PG} -c: --command= -f: --file= -l --list -V -X --no-psqlrc -1 --single-transaction -a -A -b -E -H -n -q -s"
    " -S -t -x"
    " -z -0 -F: --field-separator= -L:write --log-file=write -o: --output= -P: --pset= -R: --record-separator= -T:"
    " --table-attr= -v: --set= --variable= --csv --html --tuples-only --expanded --no-align --quiet --echo-all"
    " --echo-errors --echo-queries --echo-hidden --no-readline --single-step --single-line --field-separator-zero"
    " --record-separator-zero --version --help?"
)
_DUMP = (
    f"* {_PG} -f:write --file=write -F: --format= -j: --jobs= -n: --schema= -N: --exclude-schema= -t: --table= -T:"
    " --exclude-table= -E: --encoding= -S: --superuser= -Z: --compress= --role= --section= --snapshot="
    " --filter=read -a -s -e: --extension="
)


_PSQL_CLIENT = _client(_clients.psql, inline=("-c", "--command"), files=("-f", "--file"), itself=("-V",))


def _psql(it: Invocation) -> Iterator[Finding]:
    yield from _sql.calmed(
        it,
        (_CONNECTS,) if it.has("-l", "--list") and not it.has("-c", "--command", "-f", "--file") else _PSQL_CLIENT(it),
        texts=it.all_values("-c", "--command"),
        hosts=it.all_values("-h", "--host"),
        places=[*it.all_values("-d", "--dbname"), *it.operands[:1]],
    )
    for value in it.all_values("-o", "--output"):
        if value.text.startswith("|"):
            yield danger("run", "It runs a program from inside the database client.", shown(value))
        else:
            yield it.path("write", value)
    if any("`" in value.text for value in it.all_values("-v", "--set", "--variable")):
        yield danger("run", "It runs a program from inside the database client.")


def _restore(it: Invocation) -> Iterator[Finding]:
    for word in it.operands:
        yield it.path("read", word)
    if it.has("-l", "--list", "--version", "--help", "-V") or not it.has("-d", "--dbname"):
        for value in it.all_values("-f", "--file"):
            if value.text != "-":
                yield it.path("write", value)
        yield nothing("It shows what is in a copy of a database.")
        return
    yield care("remote", "It writes a copy back into a database.")
    yield from in_production(it)
    if it.has("-c", "--clean", "--if-exists", "-C", "--create"):
        yield danger("remote", "It drops what is in the database before it writes a copy back.")


def _dumpall(it: Invocation) -> Iterator[Finding]:
    if it.has("--version", "--help"):
        yield nothing(ITSELF)
    elif it.has("--no-role-passwords"):
        yield care("query", "It reads everything in all databases.")
    else:
        yield danger("secret", "It reads all databases, and the passwords of their users.", safer="--no-role-passwords")


def _pg_ctl(it: Invocation) -> Iterator[Finding]:
    verb = it.operands[0].text if it.operands else ""
    if verb == "status" or it.has("--version", "--help"):
        yield Effect("query", Risk.LOOK, "It says whether a database runs.")
    elif verb in ("stop", "kill", "promote"):
        yield danger("process", "It stops a database, or makes it another's master.")
    else:
        yield care("process", "It starts a database, or makes it read its settings again.")


# --- MySQL

_MYSQL = (
    "-h: --host= -P: --port= -u: --user= -p? --password? -S: --socket= -D: --database= -e: --execute= -A -B -b -C"
    " -c -E -f"
    " -G -H -i -L -n -N -o -q -r -s -T -t -U -v -V -W -w -X --version --help --html --xml --batch --table --vertical"
    " --silent --raw --skip-column-names --column-names --no-auto-rehash --force --quick --unbuffered --verbose --wait"
    " --pager=run --tee=write --init-command= --delimiter= --defaults-file=config --defaults-extra-file=config"
    " --defaults-group-suffix= --login-path= --plugin-dir=danger --default-auth=care --local-infile? --protocol= --ssl?"
    " --ssl-mode= --ssl-ca= --ssl-cert= --ssl-key= --default-character-set= --connect-timeout= --max-allowed-packet="
    " --comments --no-defaults --skip-ssl --binary-mode --show-warnings --line-numbers --safe-updates --prompt= -R:"
    " --system-command?"
)


_MYSQL_CLIENT = _client(_clients.mysql, inline=("-e", "--execute", "--init-command"), itself=("-V",))


def _mysql(it: Invocation) -> Iterator[Finding]:
    yield from _sql.calmed(
        it,
        _MYSQL_CLIENT(it),
        texts=it.all_values("-e", "--execute", "--init-command"),
        hosts=it.all_values("-h", "--host"),
        places=[],
    )


def _mysqladmin(it: Invocation) -> Iterator[Finding]:
    verbs = [word.text for word in it.operands]
    if it.has("--version", "--help", "-V") or not verbs:
        yield nothing(ITSELF)
    for verb in verbs[:1] if verbs[:1] in (["drop"], ["create"], ["kill"], ["password"]) else verbs:
        if verb in (
            "status",
            "ping",
            "version",
            "processlist",
            "variables",
            "extended-status",
            "proc",
            "ver",
            "stat",
            "var",
        ):
            yield _CONNECTS
        elif verb in ("create", "flush-hosts", "flush-logs", "flush-status", "flush-tables", "refresh", "reload"):
            yield care("remote", "It changes something in a database server.", verb)
        else:
            yield danger("remote", "It drops a database, stops the server, or changes passwords.", verb)


def _mysqldump(it: Invocation) -> Iterator[Finding]:
    yield (
        nothing(ITSELF) if it.has("--version", "--help", "-V") else care("query", "It reads everything in a database.")
    )


# --- databases that are files

_LITE = (
    "- * -cmd:none -init:none -newline: -nullvalue: -separator: -vfs: -maxsize: -mmap: -lookaside::text"
    " -pagecache::text -heap: -storage-version: -nonce:"
)
_DUCK = f"{_LITE} -c:none -s:none -f:none"


def _lite(dialect: str) -> Callable[[Invocation], Iterator[Finding]]:
    def found(it: Invocation) -> Iterator[Finding]:
        for file in it.all_values("-init", "-f"):
            yield from _sql.file(it, file, dialect)
        if any(option.startswith(("-A", "-unsafe-testing", "-ui")) for option, _ in it.values):
            yield care("remote", "It changes an archive, or lets go of a guard.")
        if it.has("-version", "-help"):
            yield nothing(ITSELF)
            return
        yield from _on_file(it, dialect)

    return found


def _on_file(it: Invocation, dialect: str) -> Iterator[Finding]:
    words, inline, name = it.operands, it.all_values("-c", "-s"), next(iter(it.operands), Arg(":memory:"))
    asking = Effect("read", Risk.LOOK, "It asks no database that is kept.")
    if name.text not in (":memory:", ""):
        asking = it.path("read", Arg(name.text.removeprefix("file:").partition("?")[0], name.glob))
    yield asking

    def obeys(text: str) -> Iterator[Finding]:
        return _clients.lite(it, text, dialect, asking)

    for value in (*it.all_values("-cmd"), *inline, *words[1:]):
        yield from obeys(value.text)
    if not inline and len(words) < 2:  # -cmd only comes first: the input is read all the same
        yield Takes(obeys, lambda path: _sql.file(it, path, dialect))


# --- redis, mongo


def _redis(it: Invocation) -> Iterator[Finding]:
    yield from _sql.calmed(it, _on_redis(it), texts=[], hosts=it.all_values("-h"), places=it.all_values("-u"))


def _on_redis(it: Invocation) -> Iterator[Finding]:
    if it.has("--version", "-v", "--help") and not it.operands:
        yield nothing(ITSELF)
        return
    words = [word.text for word in it.operands]
    yield from _clients.redis(words)
    for value in it.all_values("--eval"):
        yield RunsFile(value, "lua")
        yield danger("remote", "It runs a program in the database.", shown(value))
    if it.has("--cluster") and words[:1] not in (["info"], ["check"], ["help"]):
        yield danger("remote", "It changes a cluster of databases.")
    if not words and not it.has(
        "--scan", "--bigkeys", "--memkeys", "--hotkeys", "--stat", "--latency", "--rdb", "--eval"
    ):
        yield Takes(_lines)
    yield _CONNECTS


def _lines(text: str) -> Iterator[Finding]:
    if len(text) > _sql.LONGEST:
        yield _sql.TOO_LONG
        return
    for line in text.splitlines():
        yield from _clients.redis(line.split())


_REDIS = (
    "-h: -p: -s: -a: --user= --pass= --askpass -u: -r: -i: -n: -2 -3 -x -X: -d: -D: -c -e -t: --tls --sni="
    " --cacert= --cert="
    " --key= --insecure --raw --no-raw --csv --json --quoted-json --show-pushes= --stat --latency --latency-history"
    " --latency-dist --lru-test= --replica --rdb=write --functions-rdb=write --pipe --pipe-timeout= --bigkeys --memkeys"
    " --hotkeys --scan --pattern= --count= --quoted-pattern= --intrinsic-latency= --eval= --ldb --ldb-sync-mode"
    " --cluster"
    " --verbose --no-auth-warning --version --help -v --keystats --top= --cacertdir= --cursor="
)


def _mongo(it: Invocation) -> Iterator[Finding]:
    if it.has("--version", "--help"):
        yield nothing(ITSELF)
        return
    for value in it.all_values("--eval"):
        yield from _clients.mongo(value.text)
    scripts = [word for word in it.operands if word.text.endswith((".js", ".mjs"))] + it.all_values("-f", "--file")
    for script in scripts:
        yield RunsFile(script, "javascript")
        yield from (each for each in _sql.file(it, script) if isinstance(each, Effect) and each.risk is Risk.DANGER)
    if not it.has("--eval") and not scripts:
        yield Takes(_clients.mongo)
    yield _CONNECTS


_MONGO = (
    "* --eval= -f: --file= --host= --port= -u: --username= -p: --password= --authenticationDatabase= --quiet --norc"
    " --json? --tlsCAFile= --tlsCertificateKeyFile= --db= --shell"
)


def _sqlplus(it: Invocation) -> Iterator[Finding]:
    yield _CONNECTS
    for word in it.operands:
        if word.text.startswith("@"):
            yield from _sql.file(it, Arg(word.text[1:]))
    yield Takes(lambda text: _sql.statements(it, text, "oracle"))


def _sql_client(why: str, options: str, dialect: str, inline: tuple[str, ...], files: tuple[str, ...] = ()) -> Spec:
    return Spec(why, options, "none*", also=_client(_statements(dialect), inline=inline, files=files))


_ASKS = "It asks a database."
_COPIES = "It reads everything in a database."
_RESTORES = "It writes a copy back into a database."


def _graph(it: Invocation) -> Iterator[Finding]:
    if it.has("--version", "--help", "-v", "-h"):
        yield nothing(ITSELF)
        return
    yield care(
        "remote" if any(_CHANGES_GRAPH.search(word.text) for word in it.operands) else "query", "It asks a database."
    )
    for word in it.operands:
        yield from meant(word.text, "", it.name)
    for value in it.all_values("-f", "--file"):
        yield it.path("read", value)
    yield Takes(told(it.name))


_CHANGES_GRAPH = re.compile(r"\b(?:create|merge|set|delete|remove|drop|load)\b", re.IGNORECASE)


def _in_words(it: Invocation) -> Iterator[Finding]:
    """Statements that stand in the line as words of their own."""
    for word in it.operands:
        if " " in word.text:
            yield from meant(word.text, "", it.name)


COMMANDS: dict[str, Spec] = {
    "cypher-shell": Spec(
        "Speaks with a graph database.",
        "* -u: -p: -a: -d: -f: --username= --password= --address= --database= --format= --file= -P: --param=",
        "none*",
        also=_graph,
    ),
    "psql": Spec("Speaks with PostgreSQL.", _PSQL, "none*", also=_psql),
    **each(
        "pgcli usql", Spec(_ASKS, "* -c: --command= -f: --file= -o: --output= -d: -h: -p: -U:", "none*", also=_psql)
    ),
    "pg_dump": Spec(_COPIES, _DUMP, does=(care("query", _COPIES),)),
    "pg_dumpall": Spec(_COPIES, _DUMP, also=_dumpall),
    "pg_basebackup": Spec(_COPIES, "* -D:write --pgdata=write", does=(care("query", _COPIES),)),
    "pg_restore": Spec(
        _RESTORES,
        f"* {_PG} -l --list -c --clean --if-exists -C --create -f: --file= -F: -j: -n: -t: -L:",
        "none*",
        also=_restore,
    ),
    "pg_isready": queries("It asks whether a database is there."),
    **each(
        "pg_controldata pg_config pg_waldump pg_checksums pg_test_timing pg_amcheck",
        known("It shows how a database is."),
    ),
    **each(
        "createdb initdb vacuumdb reindexdb clusterdb pgbench pg_receivewal", careful("remote", "It changes databases.")
    ),
    **each("dropdb dropuser", dangerous("remote", "It drops a database or a user, and that cannot be undone.")),
    **each("createuser", dangerous("privilege", "It gives access to a database.")),
    **each(
        "pg_resetwal pg_rewind pg_upgrade pg_archivecleanup pg_createcluster pg_dropcluster pg_upgradecluster",
        dangerous("remote", "It changes a database's own files, and that cannot be undone."),
    ),
    "pg_ctl": Spec(
        "Starts and stops a database.",
        "* -D: --pgdata= -l:write --log=write -m: --mode= -o:care -p:run -t: -U:",
        "none*",
        also=_pg_ctl,
    ),
    **each("pg_ctlcluster", careful("process", "It starts or stops a database.")),
    **each(
        "mysql mariadb",
        Spec(
            "Speaks with MySQL.",
            _MYSQL,
            "none*",
            also=_mysql,
        ),
    ),
    **each(
        "mycli litecli",
        Spec(
            _ASKS,
            "* -e: --execute= -h: -P: -u: -p: -D:",
            "none*",
            also=_client(_clients.mysql, inline=("-e", "--execute")),
        ),
    ),
    **each("mysqladmin mariadb-admin", Spec("Looks after a database server.", _MYSQL, "none*", also=_mysqladmin)),
    **each(
        "mysqldump mariadb-dump mysqlpump mydumper",
        Spec(
            _COPIES,
            "* -r:write --result-file=write -T:write --tab=write -h: -u: -P: -S: --where= --defaults-file=config"
            " --outputdir=write -o:write -p? -V",
            also=_mysqldump,
        ),
    ),
    **each("mysqlshow mariadb-show mysqlcheck mysqlslap", careful("query", _ASKS)),
    **each(
        "mysqlimport mariadb-import myloader mysql_upgrade mysql_secure_installation mysql_install_db",
        careful("remote", _RESTORES),
    ),
    "mysqlsh": Spec(
        _ASKS,
        "* -e: --execute= -f: --file= --sql --js --py -h: -u: -P: -p?",
        "none*",
        also=_client(_clients.mysql, inline=("-e", "--execute"), files=("-f", "--file")),
    ),
    "sqlite3": Spec("Speaks with a database that is a file.", _LITE, "none*", also=_lite("sqlite")),
    **each("sqlite sqlcipher", Spec("Speaks with a database that is a file.", _LITE, "none*", also=_lite("sqlite"))),
    "duckdb": Spec("Speaks with a database that is a file.", _DUCK, "none*", also=_lite("duckdb")),
    **each("sqldiff sqlite3_analyzer", Spec("Compares databases.", "* --lib=danger -L:danger", "read*")),
    "redis-cli": Spec("Speaks with redis.", _REDIS, "none*", also=_redis, wraps=True),
    **each("valkey-cli keydb-cli", Spec("Speaks with redis.", _REDIS, "none*", also=_redis, wraps=True)),
    **each("mongosh mongo", Spec("Speaks with MongoDB.", _MONGO, "none*", also=_mongo)),
    **each(
        "mongodump mongoexport", Spec(_COPIES, "* -o:write --out=write --archive=write", does=(care("query", _COPIES),))
    ),
    **each(
        "mongorestore mongoimport",
        Spec(_RESTORES, "* --drop=danger", does=(care("remote", _RESTORES),), also=in_production),
    ),
    "cqlsh": _sql_client(
        "Speaks with Cassandra.",
        "* -e: --execute= -f: --file= -u: -p: -k:",
        "cql",
        ("-e", "--execute"),
        ("-f", "--file"),
    ),
    **each(
        "clickhouse-client clickhouse-local",
        _sql_client(
            "Speaks with ClickHouse.",
            "* -q: --query= --queries-file= -h: --host= -u: --user= --password= -d: --database= --port=",
            "clickhouse",
            ("-q", "--query"),
            ("--queries-file",),
        ),
    ),
    "sqlcmd": _sql_client(
        "Speaks with SQL Server.",
        "* -Q: -q: -i: -o:write -S: -U: -P: -d: -v: -E -h: -s: -W -b -t:",
        "tsql",
        ("-Q", "-q"),
        ("-i",),
    ),
    **each(
        "snowsql snow",
        _sql_client(
            "Speaks with Snowflake.",
            "* -q: --query= -f: --filename= -a: -u: -d: -s: -o: -c: --config=config",
            "snowflake",
            ("-q", "--query"),
            ("-f", "--filename"),
        ),
    ),
    **each(
        "trino presto hive beeline spark-sql impala-shell ksql athenacli",
        _sql_client(
            _ASKS,
            "* -e: --execute= -f: --file= -q: --query= -u: -n: -p:",
            "hive",
            ("-e", "--execute", "-q", "--query"),
            ("-f", "--file"),
        ),
    ),
    "cockroach": service(
        "Looks after a database.",
        rule(_CONNECTS, "sql"),
        ruins("node drain|decommission, quit, debug *, nodelocal *, userfile delete"),
        asks("version|gen, node ls|status, demo"),
        options="-e: --execute= -f: --file= --url= --host= --certs-dir= --insecure -d: --database=",
        more=_client(_statements("postgres"), inline=("-e", "--execute"), files=("-f", "--file")),
    ),
    "sqlplus": Spec("Speaks with Oracle.", "* -C: -M:", "none*", also=_sqlplus),
    "influx": service(
        "Speaks with InfluxDB.",
        reveals("auth *, secret *, setup|v1 auth *"),
        ruins("delete|restore, ** delete"),
        asks("ping|query|version, ** list|find|ls"),
        more=_in_words,
    ),
    "osqueryi": careful("query", "It asks about this machine, secrets included."),
}
