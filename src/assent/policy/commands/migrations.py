"""What changes a project's database by its own tools: migrations move on with care; what throws data away is Danger."""

from collections.abc import Callable, Iterator

from assent.policy.commands._either import either
from assent.policy.commands.spec import Code, Finding, Invocation, Run, RunsFile, RunsInput, Spec, each
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

Also = Callable[[Invocation], Iterator[Finding]]

_GONE = danger("remote", "It throws away what is in the database.")
_BACK = danger("remote", "It takes back changes of the database, and what they held is lost.")
_FORWARD = care("remote", "It changes the database.")
_RUNS = care("project", "It runs code of the project.")
_TELLS = Effect("project", Risk.LOOK, "It tells about the project, and changes nothing.")
_SHELL = care("run", "It starts an interpreter that waits for input.")


def _words(it: Invocation) -> list[str]:
    return [arg.text for arg in it.operands]


# --- Rails

_RAILS_GONE = (
    "db:drop",
    "db:reset",
    "db:purge",
    "db:schema:load",
    "db:structure:load",
    "db:truncate_all",
    "db:setup",
    "db:migrate:reset",
    "db:seed:replant",
    "db:environment:set",
    "gitlab:backup:restore",
    "db:load",
)
_RAKE_TELLS = ("-T", "--tasks", "-P", "--prereqs", "-D", "--describe", "-W", "--where")


def _rails(it: Invocation) -> Iterator[Finding]:
    texts = [arg.text for arg in it.handed_on]
    tasks = [arg.text for arg in it.operands if "=" not in arg.text]
    if it.has("-v", "--version", "-h", "--help") and not tasks:
        yield nothing("It only tells about itself.")
        return
    if it.name == "rake" and it.has(*_RAKE_TELLS) and len(texts) < 3:
        yield _TELLS
        return
    verb = tasks[0] if tasks else ""
    for task in tasks:
        name = task.partition("[")[0]
        if (
            name in _RAILS_GONE
            or name.startswith(tuple(f"{gone}:" for gone in _RAILS_GONE))
            or name.endswith((":drop", ":reset", ":purge", ":wipe", ":nuke"))
        ):
            yield _GONE
        elif name.startswith(("db:rollback", "db:migrate:down", "db:migrate:redo")):
            yield _BACK
        elif name.startswith("db:"):
            yield _FORWARD
    if any("production" in text for text in texts):
        yield danger("remote", "It works on production.")
    if verb in ("runner", "r"):
        program = tasks[1] if len(tasks) > 1 else ""
        if program.endswith(".rb"):
            yield RunsFile(it.operands[1], "ruby")
        elif program:
            yield Code("ruby", next(arg for arg in it.operands if arg.text == program))
    elif verb in ("console", "c"):
        yield RunsInput("ruby")
    elif verb in ("dbconsole", "db"):
        yield _SHELL
    for option, value in it.values:
        if option in ("-e", "--execute", "-p", "--execute-print", "--execute-continue", "-E"):
            yield Code("ruby", value)
        elif option in ("-f", "--rakefile", "-r", "--require", "-R", "--rakelibdir"):
            yield RunsFile(value, "ruby")
    yield _RUNS


_RAKE = Spec(
    "It runs a task of the project.",
    "* -e:none --execute=none -p:none --execute-print=none -E:none --execute-continue=none -f:none"
    " --rakefile=none -r:none"
    " --require=none -R:none --rakelibdir=none -j? -C: --directory= -T? --tasks? -P -D? -W? -A -n -q -s -t? -g -N"
    " -v -V -h",
    "none*",
    also=_rails,
)

# --- Django

_DJANGO_GONE = ("flush", "reset_db", "clear_index", "drop_test_database", "reset_schema", "delete_stale_contenttypes")
_DJANGO_PEOPLE = ("createsuperuser", "changepassword")


def _django(it: Invocation) -> Iterator[Finding]:
    words = _words(it)
    verb = words[0] if words else ""
    if verb in _DJANGO_GONE:
        yield _GONE
    elif verb == "migrate":
        yield _BACK if len(words) > 2 and (words[-1] == "zero" or words[-1][:4].isdigit()) else _FORWARD
    elif verb in ("loaddata", "syncdb", "createcachetable", "remove_stale_contenttypes", "clearsessions"):
        yield _FORWARD
    elif verb == "dumpdata":
        yield (
            danger("secret", "It prints all that is in the database.")
            if not it.has("-o", "--output")
            else care("secret", "It writes down all that is in the database.")
        )
    elif verb in _DJANGO_PEOPLE:
        yield care("privilege", "It changes who may do everything in the project's application.")
    elif verb in ("dbshell", "shell", "shell_plus"):
        for code in it.all_values("-c", "--command"):
            yield Code("python", code)
        if verb == "dbshell" and it.behind is not None:
            yield danger("remote", "It gives words to the database's own client.")
        if not it.has("-c", "--command"):
            yield RunsInput("python" if verb != "dbshell" else "other")
    elif verb == "diffsettings":
        yield care("secret", "It prints settings, and secrets may be among them.")
    yield _RUNS


_MANAGE = Spec(
    "It runs a command of the project.",
    "* -c:none --command=none -o:write --output=write --settings= --pythonpath=config --help?project --version?project",
    "none*",
    also=_django,
)

# --- others, by the words they are told


def _by_words(gone: str, back: str = "", forward: str = "", tells: str = "", *, more: "Also | None" = None) -> Also:
    """Each text lists verbs of one or two words."""
    tables = [
        (set(texts.split(",")) if texts else set(), effect)
        for texts, effect in ((gone, _GONE), (back, _BACK), (forward, _FORWARD), (tells, _TELLS))
    ]

    def found(it: Invocation) -> Iterator[Finding]:
        words = _words(it)
        if any(HOLE in word for word in words[:2]):
            yield care("dynamic", "What it does is known only when it runs.")
        if not words:
            yield (
                nothing("It only tells about itself.")
                if it.has("-v", "--version", "-h", "--help", "-V") or it.is_bare
                else _RUNS
            )
            return
        verbs = (" ".join(words[:3]), " ".join(words[:2]), words[0])
        for table, effect in tables:
            if any(verb in table for verb in verbs):
                yield effect
                break
        else:
            yield _RUNS
        if it.has(
            "--force-reset", "--accept-data-loss", "--clean-on-validation-error", "--drop", "--drop-all", "--reset"
        ):
            yield _GONE
        if more is not None:
            yield from more(it)

    return found


def _pushes(it: Invocation) -> Iterator[Finding]:
    if it.has("--force") and _words(it)[:1] == ["push"]:
        yield _GONE


def _prisma(it: Invocation) -> Iterator[Finding]:
    if _words(it)[:2] == ["db", "execute"]:
        yield danger("remote", "It runs statements on the database.")
    if _words(it)[:1] == ["studio"]:
        yield care("send", "It serves the database to a browser.")


_PROGRAM_OPTIONS = (
    "* -c:config --config=config --schema=read -f --force --help?none --version?none -A: --app= -e:read"
    " --env-file=read -x: -n: --name= -m:"
    " --url=none --env= --to= --from="
)


def _tool(gone: str, back: str = "", forward: str = "", tells: str = "", more: "Also | None" = None) -> Spec:
    return Spec(
        "It looks after the project's database.",
        _PROGRAM_OPTIONS,
        "none*",
        also=_by_words(gone, back, forward, tells, more=more),
    )


def _artisan(it: Invocation) -> Iterator[Finding]:
    yield Run(args=(Arg("php"), Arg("artisan"), *it.handed_on))


def _mix(it: Invocation) -> Iterator[Finding]:
    if _words(it)[:1] and _words(it)[0] in ("hex.publish", "hex.retire", "hex.owner", "hex.organization"):
        yield danger("publish", "It publishes the project, or changes who may.")
    for code in it.all_values("-e", "--eval"):
        yield Code("other", code)


COMMANDS: dict[str, Spec] = {
    **each("rails rake spring", _RAKE),
    **each("manage.py django-admin django-admin.py", _MANAGE),
    "alembic": _tool("", "downgrade", "upgrade,stamp", "current,history,heads,branches,show,check,list_templates"),
    "prisma": _tool(
        "migrate reset",
        "",
        "migrate dev,migrate deploy,migrate resolve,db push,db seed",
        "validate,version,-v,format --check,migrate status,migrate diff",
        _prisma,
    ),
    "drizzle-kit": _tool("drop", "", "push,migrate,up", "check", _pushes),
    "knex": _tool(
        "migrate:rollback",
        "migrate:down",
        "migrate:latest,migrate:up,seed:run,migrate:unlock",
        "migrate:status,migrate:list,migrate:currentVersion",
    ),
    **each(
        "sequelize sequelize-cli",
        _tool(
            "db:drop,db:migrate:undo:all",
            "db:migrate:undo,db:seed:undo,db:seed:undo:all",
            "db:migrate,db:create,db:seed,db:seed:all",
            "db:migrate:status",
        ),
    ),
    **each(
        "typeorm typeorm-ts-node-commonjs mikro-orm",
        _tool(
            "schema:drop,cache:clear,schema:fresh,migration:fresh,database:drop",
            "migration:revert,migration:down",
            "migration:run,migration:up,schema:sync,schema:update",
            "migration:show,migration:list,migration:pending,version,schema:log",
        ),
    ),
    **each(
        "sea-orm-cli refinery",
        _tool(
            "migrate fresh,migrate reset,migrate refresh",
            "migrate down,migrate rollback",
            "migrate up,migrate,migrate apply",
            "migrate status",
        ),
    ),
    **each(
        "phinx doctrine doctrine-migrations",
        _tool(
            "orm:schema-tool:drop,dbal:database:drop",
            "rollback,migrations:execute",
            "migrate,migrations:migrate,orm:schema-tool:update,seed:run",
            "status,migrations:status,migrations:list,orm:validate-schema",
        ),
    ),
    "flask": _tool("", "db downgrade", "db upgrade,db stamp,db migrate"),
    "aerich": _tool("", "downgrade", "upgrade", "heads,history"),
    "yoyo": _tool("", "rollback,reapply", "apply,mark,unmark", "list,showmigrations"),
    "artisan": Spec("It runs a command of the project.", "*", "none*", also=_artisan),
    "mix": Spec(
        "It builds, tests and looks after a project of Elixir.",
        "* -e:none --eval=none -r:file --require=file",
        "none*",
        also=_by_words(
            "ecto.drop,ecto.reset,ash.reset,ash_postgres.drop,event_store.drop",
            "ecto.rollback,ash.rollback",
            "ecto.migrate,ecto.setup,ecto.create,ecto.load,ash.migrate",
            "help,deps.tree,deps,ecto.migrations,hex.outdated,hex.info,hex.audit,app.tree,phx.routes,xref"
            " graph,local,hex.search",
            more=_mix,
        ),
    ),
    "pgroll": either(r"(?:status|validate .*)", "It tells about changes.", _FORWARD),
}
