"""What moves and keeps data beside databases: migrations, queues, object stores, jobs that run on a schedule."""

from collections.abc import Iterator

from assent.expressions import later
from assent.policy.commands._services import (
    COMMON,
    asks,
    copied,
    in_production,
    makes,
    opens,
    reveals,
    ruins,
    rule,
    service,
)
from assent.policy.commands._web import is_near, sends_file, shown
from assent.policy.commands.spec import (
    Finding,
    Invocation,
    Run,
    RunsInput,
    SendsInput,
    Spec,
    careful,
    dangerous,
    each,
    queries,
)
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

MOST_ITEMS = 16

_SOURCES = frozenset({":::", "::::", ":::+", "::::+"})
_PLACES = later(r"\{(?:[.#%/]|//|/\.|[-+]?\d+(?:[./]|//|/\.)?|=[^}]*=)?\}")


def _xargs(it: Invocation) -> Iterator[Finding]:
    if it.has("--version", "--help", "--show-limits"):
        yield nothing("It only tells about itself.")
        return
    placeholder = it.value("-I", "-J", "--replace", "-i")
    words = tuple(it.operands) or (Arg("echo"),)
    yield Run(
        args=words,
        open_ended=True,
        placeholder="" if placeholder is None else placeholder.text or "{}",
        separated=it.has("-0", "--null", "-d", "--delimiter"),
        # From a file, whatever flows in.
        fed=it.has("-a", "--arg-file"),
    )


def _parallel(it: Invocation) -> Iterator[Finding]:
    if it.has("--version", "--help", "-V", "-h", "--citation", "--number-of-cores", "--number-of-cpus"):
        yield nothing("It only tells about itself.")
        return
    if it.has("-S", "--sshlogin", "--slf", "--sshloginfile"):
        yield danger("remote", "It runs commands on other machines.")
    words, sources = _split(it.operands)
    items = [arg for mark, args in sources if mark.startswith(":::") and "::::" not in mark for arg in args]
    for mark, args in sources:
        if "::::" in mark:
            for arg in args:
                yield it.path("read", arg)
    is_from_elsewhere = not sources or len(items) > MOST_ITEMS or any("::::" in mark for mark, _ in sources)
    if not words:
        # Each thing that comes in is a line of its own.
        for item in items[:MOST_ITEMS]:
            yield Run(line=item)
        if is_from_elsewhere:
            yield RunsInput("sh") if not it.has("-a", "--arg-file") and not sources else _LINES
        return
    line = " ".join(word.text for word in words)
    if it.has("--pipe", "--pipepart", "--spreadstdin"):
        yield Run(line=Arg(line))
        return
    for item in items if not is_from_elsewhere and len(sources) == 1 else [Arg(HOLE)]:
        yield Run(line=Arg(_filled(line, item.text)))


def _filled(line: str, item: str) -> str:
    return _PLACES.sub(lambda _: item, line) if _PLACES.search(line) else f"{line} {item}"


_LINES = danger("run", "It runs the lines of a file, unseen.")


def _split(operands: list[Arg]) -> tuple[list[Arg], list[tuple[str, list[Arg]]]]:
    words: list[Arg] = []
    sources: list[tuple[str, list[Arg]]] = []
    for arg in operands:
        if arg.text in _SOURCES:
            sources.append((arg.text, []))
        elif sources:
            sources[-1][1].append(arg)
        else:
            words.append(arg)
    return words, sources


_PARALLEL = Spec(
    "It runs a line for each thing that comes in.",
    "-0kmqruvXxtVhlg -a:read --arg-file=read -j: --jobs= -P: --max-procs= -n: --max-args= -N: --max-replace-args= -I:"
    " -d: --delimiter= -C: --colsep= -L: --max-lines= -s: --max-chars= -S:none --sshlogin=none --slf=none"
    " --sshloginfile=none --results=write --joblog=write --tmpdir=write --workdir= --wd= --env= --halt= --timeout="
    " --retries= --delay= --load= --memfree= --nice= --block= --recstart= --recend= --header= --tagstring= --bar --eta"
    " --progress --tag --keep-order --group --ungroup --line-buffer --lb --null --quote --dry-run --dryrun --verbose"
    " --pipe --pipepart --spreadstdin --will-cite --citation --no-run-if-empty --resume --resume-failed --shuf --silent"
    " --color --link --xapply --plus --trim= --number-of-cores --number-of-cpus --version --help --tmux --fifo --cat"
    " --files --profile=config -J:config --rpl= --transferfile= --return= --cleanup --basefile= --bf= --semaphore --fg"
    " --bg --wait --id= --sem",
    "none*",
    also=_parallel,
    wraps=True,
)

_BATCHES: dict[str, Spec] = {
    **dict.fromkeys(
        ("xargs", "gxargs"),
        Spec(
            "It runs a command with what comes in as its words.",
            "-0rtpxo -a:read -d: -E: -e? -I: -J: -R: -i? -l? -L: -n: -P: -s: -S: --null --arg-file=read --delimiter="
            " --eof? --replace? --max-lines? --max-args= --max-procs= --max-chars= --no-run-if-empty --interactive"
            " --verbose --exit --open-tty --process-slot-var=care --show-limits --version --help",
            "none*",
            also=_xargs,
            wraps=True,
        ),
    ),
    "parallel": _PARALLEL,
    "sem": _PARALLEL,
    "apply": Spec("It runs a command for each word.", "*", does=(care("dynamic", "It builds commands from words."),)),
}


_ASKS = Effect("query", Risk.LOOK, "It asks a queue or a store.")
_CONNECTS = care("query", "It asks a database.")
_MIGRATES = "It changes the tables of a database."
_GOES_BACK = "It drops tables or takes changes back, and that cannot be undone."


def _migrations(asking: str, changing: str, ruining: str, options: str = "") -> Spec:
    """``asking`` connects to a database, which is Care."""
    return service(
        "Changes the tables of a database.",
        ruins(ruining, why=_GOES_BACK),
        makes(changing, why=_MIGRATES),
        rule(_CONNECTS, asking),
        options=options,
        also=COMMON,
    )


# --- kafka: what is done stands in an option

_KAFKA = "* --delete --create --alter --list --describe --add --remove --execute --reset-offsets --dry-run --topic="
_KAFKA_GONE = danger("remote", "It deletes or moves what a queue keeps, or who may use it.")


def _kafka(it: Invocation) -> Iterator[Finding]:
    if it.has("--delete", "--reset-offsets", "--remove", "--add", "--delete-offsets") or (
        it.has("--alter") and "configs" in it.name
    ):
        yield _KAFKA_GONE
    elif it.has("--create", "--alter", "--execute"):
        yield care("remote", "It changes a queue.")
        yield from in_production(it)
    elif it.has("--list", "--describe", "--version", "--help", "--verify"):
        yield _ASKS
    else:
        yield care("unknown", f"Assent does not know this use of {it.name}.")


def _kcat(it: Invocation) -> Iterator[Finding]:
    if it.has("-L", "-V", "-h"):
        yield _ASKS
    elif it.has("-P"):
        yield care("send", "It puts messages into a queue.")
        yield from in_production(it)
        yield _goes_out(it, it.value("-b"))
    else:
        yield care("query", "It reads messages of a queue.")
        if not it.has("-C"):
            # Where something flows in, it is put into the queue.
            yield _goes_out(it, it.value("-b"))


def _goes_out(it: Invocation, server: Arg | None) -> Finding:
    servers = [server] if server is not None else []
    return SendsInput(", ".join(map(shown, servers)) or it.name, trusted=is_near(servers))


def _mosquitto(it: Invocation) -> Iterator[Finding]:
    server = it.value("-h", "--host", "-L", "--url")
    near = server is None or is_near([server])
    yield care("send", "It puts messages into a queue.", shown(server) if server is not None else "")
    for value in it.all_values("-f", "--file"):
        yield sends_file(it, value, shown(server) if server is not None else "", trusted=near)
    if it.has("-l", "--stdin-line", "-s", "--stdin-file"):
        yield _goes_out(it, server) if server is not None else SendsInput(it.name, trusted=True)


def _kafka_tools(names: str, spec: Spec) -> dict[str, Spec]:
    """They go by their name with and without an ending."""
    return each(" ".join(f"{name} {name}.sh" for name in names.split()), spec)


# --- an object store


def _is_there(text: str) -> bool:
    """``alias/bucket``: no file here."""
    return "/" in text and not text.startswith((".", "/", "~"))


def _mc(it: Invocation) -> Iterator[Finding]:
    words = it.operands
    if words and words[0].text in ("cp", "mirror", "put", "get"):
        yield from copied(it, words[1:], _is_there, "an object store")
    if it.has("--remove", "--overwrite"):
        yield danger("remote", "It deletes what is there and not here.")


COMMANDS: dict[str, Spec] = {
    **_BATCHES,
    **_kafka_tools(
        "kafka-topics kafka-consumer-groups kafka-configs kafka-acls kafka-reassign-partitions kafka-log-dirs"
        " kafka-leader-election kafka-streams-application-reset kafka-transactions kafka-cluster kafka-features",
        Spec("Looks after a queue.", _KAFKA, "none*", also=_kafka),
    ),
    **_kafka_tools("kafka-delete-records kafka-storage", dangerous("remote", "It deletes what a queue keeps.")),
    **_kafka_tools("kafka-console-consumer", careful("query", "It reads messages of a queue.")),
    **_kafka_tools("kafka-console-producer", careful("send", "It puts messages into a queue.")),
    **_kafka_tools("kafka-broker-api-versions kafka-get-offsets", queries("It asks a queue.")),
    **each(
        "kcat kafkacat", Spec("Works with a queue.", "* -L -P -C -b: -t: -G: -X: -F:read -o: -c:", "none*", also=_kcat)
    ),
    "mosquitto_pub": Spec(
        "Puts messages into a queue.",
        "* -h: --host= -p: -t: --topic= -m: --message= -f: --file= -l -s --stdin-line --stdin-file"
        " -L: --url= -u: -P: -i: -q:",
        "none*",
        also=_mosquitto,
    ),
    **each(
        "rpk kafkactl pulsar-admin nats nsc rabbitmqadmin",
        service("Looks after a queue.", makes("** pub|publish|req|produce")),
    ),
    **each(
        "rabbitmqctl rabbitmq-diagnostics rabbitmq-queues rabbitmq-plugins",
        service(
            "Looks after a queue.",
            ruins(
                "delete_*|purge_queue|reset|force_*|stop|stop_app|shutdown|forget_*|clear_*|close_*|rename_*|hipe_*"
                "|eval|exec"
            ),
            opens("add_user|change_password|set_permissions|set_*_permissions|set_user_tags|authenticate_user|disable"),
            asks(
                "list_*|list|status|cluster_status|ping|report|check_*|environment|version|server_version"
                "|memory_breakdown"
            ),
            makes(
                "add_*|set_*|start_app|join_cluster|enable|sync_queue|await_*|import_definitions|rotate_logs|update_*"
            ),
            options="-n: --node= -p: --vhost= -q --quiet -t: --timeout= --formatter= -s -l",
        ),
    ),
    "mc": service(
        "Works with files in a store.",
        asks("ls|stat|du|tree|cat|head|diff|ping|ready|version|find, admin info|trace|top, alias list, tag list"),
        ruins("rm|rb|mv|undo|od, ilm|replicate|event|retention|legalhold|encrypt *, version suspend"),
        opens("admin *, anonymous|policy *, share *, idp *, license *", why="It changes who may do what in a store."),
        reveals("alias set|export|import, support *"),
        rule(
            care("send", "It copies files to or from a store."), "cp|mirror|put|get|pipe|mb|tag|alias|watch|sql|update"
        ),
        options="-r --recursive --force --remove --overwrite --json -q --insecure -C: --config-dir=",
        also=(),
        more=_mc,
    ),
    "flyway": _migrations(
        "info|validate|check|version|help", "migrate|baseline|add|generate", "clean|undo|repair|drop"
    ),
    "liquibase": _migrations(
        "status|history|validate|diff|diff-changelog|list-locks|*-sql|update-sql|generate-changelog|snapshot|db-doc",
        "update|update-*|changelog-sync|tag|release-locks|execute-sql|init",
        "drop-all|rollback|rollback-*|clear-checksums|dropAll|rollbackCount|update-testing-rollback",
        options="--changelog-file= --url= --username= --password= --defaults-file=config --search-path= --log-level=",
    ),
    "migrate": _migrations(
        "version",
        "up|goto|create",
        "down|drop|force",
        options="-path= -source= -database= -verbose? -lock-timeout= -prefetch=",
    ),
    "diesel": _migrations(
        "print-schema|help, migration list",
        "setup, migration run|generate|pending, database setup",
        "database reset|drop, migration redo|revert",
    ),
    "sqlx": _migrations(
        "migrate info", "migrate run|add, prepare, database create|setup", "database drop|reset, migrate revert"
    ),
    "dbmate": _migrations(
        "status|dump|wait", "up|migrate|create|new|load", "drop|down|rollback", options="-u: --url= -d: -e: -s:"
    ),
    "skeema": _migrations("diff|lint|format|version", "push|pull|init|add-environment", "drop"),
    "sql-migrate": _migrations("status", "up|new|skip", "down|redo", options="-config= -env="),
    "dbt": service(
        "Builds tables from the project.",
        makes(
            "run|build|test|seed|snapshot|compile|retry|clone|run-operation|source|docs|deps|init",
            kind="project",
            why="It runs the project's statements in a database.",
        ),
        asks("ls|list|parse|debug|show"),
    ),
    "celery": service(
        "Runs jobs.",
        ruins("** purge|amqp|control|shutdown|migrate"),
        asks("** inspect|status|report|result|list|events"),
        makes(
            "** worker|beat|multi|call|shell|flower|upgrade|graph", kind="project", why="It runs the project's code."
        ),
        options="-A: --app= -b: --broker= --workdir= -q --result-backend= --loader=",
    ),
    "temporal": service(
        "Runs jobs.", ruins("** terminate|cancel|delete|reset"), makes("** start|signal|execute|update")
    ),
    "airflow": service(
        "Runs jobs.",
        reveals("connections|variables get|export|add|set|import, users *, config get-value|list, rotate-fernet-key"),
        ruins("db reset|clean|downgrade, ** delete|clear"),
        asks("** list|list-*|show|state|next-execution|report|details|info|version|cheat-sheet"),
        makes("** trigger|test|backfill|pause|unpause|run|standalone|scheduler|webserver|db|tasks|dags"),
    ),
    **each("zkCli.sh zookeeper-shell zookeeper-shell.sh", careful("remote", "It works with the memory of a cluster.")),
    **each("curator_cli elasticdump", careful("remote", "It works with a search engine's data.")),
    **each("memcached-tool memcflush memcrm", dangerous("remote", "It looks through or empties a cache.")),
}
