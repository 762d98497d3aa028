"""``docker compose``: what the project's own file says about containers."""

from collections.abc import Callable, Iterator

from assent.policy.commands._services import ITSELF, in_production
from assent.policy.commands._web import shown
from assent.policy.commands.spec import Finding, Invocation, Spec, careful, dangerous, each, known, queries
from assent.policy.effects import care, danger, nothing
from assent.policy.words import HOLE

_ASKS = "It asks about the project's containers."
_STARTS = "It starts or stops what the project's own file says."
_GONE = "It deletes data that containers keep, and that cannot be undone."
_OPTIONS = (
    "-f: --file= -p: --project-name= --profile= --env-file= --project-directory= --ansi= --progress= --parallel="
    " --workdir= --dry-run --compatibility --all-resources --verbose -v --version --help -H: --host= --context= -c:"
)
_ONE = (
    "* -d -i -t -T --detach --no-TTY --privileged -e: --env= -u: --user= -w: --workdir= --index= --rm --name= --no-deps"
    " -p: --publish= -P --service-ports --use-aliases -v: --volume= --entrypoint= -l: --label= --cap-add= --cap-drop="
    " --env-from-file= --quiet-pull --build --remove-orphans --pull= --interactive --tty -q --help"
)
Also = Callable[[Invocation], Iterator[Finding]]


def _up(it: Invocation) -> Iterator[Finding]:
    if it.has("-V", "--renew-anon-volumes"):
        yield danger("delete", _GONE)


def _down(it: Invocation) -> Iterator[Finding]:
    yield care("process", "It stops and removes the project's containers.")
    if it.has("-v", "--volumes") or any(value.text == "all" for value in it.all_values("--rmi")):
        yield danger("delete", _GONE, safer="without -v, the data stays")


def _rm(it: Invocation) -> Iterator[Finding]:
    yield care("process", "It removes the project's containers.")
    if it.has("-v", "--volumes"):
        yield danger("delete", _GONE)


def _config(it: Invocation) -> Iterator[Finding]:
    if it.has("--environment"):
        yield care("secret", "It shows all variables, and secrets may be among them.")


def _waits(it: Invocation) -> Iterator[Finding]:
    if it.has("--down-project"):
        yield care("process", "It stops and removes the project's containers.")


def _files(it: Invocation) -> Iterator[Finding]:
    """Whose file it is that says what runs."""
    if it.has("--version", "-v") and not it.operands:
        yield nothing(ITSELF)
    for value in it.all_values("-f", "--file"):
        if "://" in value.text or value.text.startswith("git@"):
            yield danger("run", "It runs what a file from the network says.", shown(value))
        elif HOLE in value.text or it.place(value) not in ("project", "temp"):
            yield care("run", "A file outside the project says what runs.", shown(value))
    for value in it.all_values("-H", "--host", "--context", "-c"):
        yield care("remote", "It works with another machine's containers.", shown(value))
        yield from in_production(it)


def compose(inside: Also, run: Also) -> Spec:
    """``inside`` and ``run`` are what it means to work in a container, and to start one."""
    starts = careful("project", _STARTS)
    return Spec(
        "Works with the project's containers.",
        _OPTIONS,
        also=_files,
        helps=True,
        verbs={
            "": known("It shows its help."),
            **each("ps ls images logs top port events version stats volumes help", queries(_ASKS)),
            **each("config convert", Spec(_ASKS, "* -o:write --output=write --environment", also=_config)),
            "up": Spec(_STARTS, "* -V --renew-anon-volumes", does=(care("project", _STARTS),), also=_up),
            **each("start stop restart create build pull pause unpause kill scale watch attach commit", starts),
            "down": Spec(_STARTS, "* -v --volumes --rmi= -t: --timeout= --remove-orphans", also=_down),
            "rm": Spec(_STARTS, "* -f -s -v --force --stop --volumes -a", also=_rm),
            "exec": Spec("It runs a command in a container.", _ONE, "none*", also=inside, wraps=True),
            "run": Spec("It runs a command in a container.", _ONE, "none*", also=run, wraps=True),
            "wait": Spec(_ASKS, "* --down-project", also=_waits),
            "cp": careful("remote", "It copies files into or out of a container."),
            **each("push publish", dangerous("publish", "It publishes images.")),
            "export": Spec("It prints a container.", "* -o:write --output=write --index="),
        },
    )
