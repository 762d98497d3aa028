"""Go: asking about modules looks; building and testing runs code of the project; a few options run any program."""

from collections.abc import Iterator

from assent.expressions import later
from assent.policy.commands._origins import FORMAT, ITSELF, MADE_AGAIN, NEW, TESTS
from assent.policy.commands.spec import Finding, Invocation, RunsFile, Spec, careful, changes, dangerous, each, known
from assent.policy.effects import Effect, care, danger, nothing
from assent.protocol.decision import Risk

# One dash or two; a word of several letters is one option, not many.
_RUNS = " ".join(
    f"{dash}toolexec:run {dash}exec:run {dash}vettool:run {dash}overlay:config {dash}ldflags:none {dash}gccgoflags:none"
    for dash in ("-", "--")
)
_BUILD = (
    f"{_RUNS} -a? -n? -v? -x? -race? -msan? -asan? -cover? -work? -trimpath? -json? -short? -failfast? -p: -tags: -mod:"
    " -modfile:read -asmflags: -gcflags: -buildmode: -buildvcs: -compiler: -pkgdir: -C:read -modcacherw? -linkshared?"
    " -installsuffix: -covermode: -coverpkg: -pgo:read"
)
_LISTS = (
    f"{_RUNS} -json? -f: -m? -u? -deps? -test? -e? -find? -retracted? -versions? -reuse:read -compiled? -mod:"
    " -modfile:read -tags: -C:read -buildvcs: -race? -v? -a? -p:"
)
_LINKS = ("-ldflags", "--ldflags", "-gccgoflags", "--gccgoflags")


def _linked(it: Invocation) -> Iterator[Finding]:
    for program in it.all_values("-toolexec", "--toolexec", "-exec", "--exec", "-vettool", "--vettool"):
        yield danger("run", "It makes the compiler run a program of its own choice.", program.text)
    for flags in it.all_values(*_LINKS):
        if "-extld" in flags.text or "-plugin" in flags.text or "-wrapper" in flags.text:
            yield danger("run", "It makes the compiler run a program of its own choice.", flags.text)


def _builds(it: Invocation) -> Iterator[Finding]:
    yield from _linked(it)
    yield care("project", "It builds the project.")


def _env(it: Invocation) -> Iterator[Finding]:
    if it.has("-w", "-u", "--w", "--u"):
        yield danger("persist", "It changes settings that every later run obeys.")
    else:
        yield nothing("It prints settings.")


# Modules of Go itself and tools that nearly every project runs like this; any other address is foreign code.
_OF_GO = later(
    r"(?:golang\.org/x|google\.golang\.org|honnef\.co/go/tools|mvdan\.cc|gotest\.tools|go\.uber\.org"
    r"|github\.com/(?:golangci|golang|google|onsi|vektra|swaggo|a-h|bufbuild|securego|goreleaser|sqlc-dev|air-verse))/"
)


def _runs(it: Invocation) -> Iterator[Finding]:
    yield from _linked(it)
    if not it.operands:
        return
    program = it.operands[0]
    if program.text.endswith(".go"):
        yield RunsFile(program, "go")
    elif "@" in program.text or not program.known:
        is_of_go = _OF_GO.match(program.text) is not None
        yield (care if is_of_go else danger)("run", "It downloads a program and runs it.", program.text)
    else:
        yield care("project", "It runs a program of the project.", program.text)


def _installs(it: Invocation) -> Iterator[Finding]:
    yield from _linked(it)
    yield care("install", "It downloads or builds programs, and puts them where programs are found.")


def _edits(it: Invocation) -> Iterator[Finding]:
    if it.has("-print", "-json", "--print", "--json"):
        yield nothing("It prints what would stand in go.mod.")
    elif it.has("-replace", "--replace", "-tool", "--tool", "-toolchain", "--toolchain"):
        yield care("install", "It takes a module from another place.")
    else:
        yield Effect("write", Risk.CHANGE, "It edits go.mod.", "go.mod")


_EDIT = Spec(
    "It edits go.mod.",
    "* -print? -json? -replace: --replace: --print --json -tool: --tool: -toolchain: --toolchain: -require:"
    " -droprequire:"
    " -dropreplace: -exclude: -dropexclude: -go: -module: -fmt? -use: -dropuse:",
    "none*",
    also=_edits,
)
_FETCHES = careful("fetch", "It downloads modules and writes down what the project needs.", f"* {_RUNS}")
_MOD = Spec(
    "It looks after modules.",
    "-C:read",
    verbs={
        **each("graph why verify", known("It tells what the project needs.", "-m? -vendor? -go: -x? -C:read")),
        **each("tidy download vendor", _FETCHES),
        "init": NEW,
        "edit": _EDIT,
    },
)
_TOOL = Spec(
    "It runs a tool of Go.",
    "-n -C:read",
    verbs={
        "": known("It lists tools."),
        **each("nm objdump buildid doc", known("It reads a program and prints what is in it.", "*", "read*")),
        "dist": Spec(
            "It tells about Go.", "", verbs={"list": known("It lists systems.", "*"), "version": ITSELF, "env": ITSELF}
        ),
        "cover": Spec("It tells what tests covered.", "-func:read -html:care -o:write -mode: -var:", "read*"),
        "*": careful("run", "It runs a tool of Go or of the project."),
    },
)
_GO = Spec(
    "The tool of Go.",
    "-C:read",
    verbs={
        "": ITSELF,
        "version": known("It tells versions.", "-m -v -json", "read*"),
        "help": ITSELF,
        "env": Spec("It shows or changes settings.", "-json? -changed? -w -u --w --u", "none*", also=_env),
        "list": Spec("It tells about packages.", f"{_LISTS} -export?care", also=_linked),
        "doc": known("It shows documentation.", "-all? -c? -cmd? -short? -src? -u? -C:read -http?care"),
        "mod": _MOD,
        "work": Spec(
            "It looks after workspaces.",
            "",
            verbs={**each("init use", NEW), "edit": _EDIT, **each("sync vendor", _FETCHES)},
        ),
        **each("build vet", Spec("It builds the project.", f"* {_BUILD} -o:write -c: -json?", "none*", also=_builds)),
        "test": Spec(
            "It runs tests of the project.",
            f"* {_BUILD} -o:write -coverprofile:write -cpuprofile:write -memprofile:write -blockprofile:write"
            " -mutexprofile:write -trace:write -outputdir:write -run: -bench: -count: -timeout: -skip: -c? -list:"
            " -args?",
            "none*",
            does=TESTS.does,
            also=_linked,
        ),
        "run": Spec("It runs a program.", _BUILD, "none*", also=_runs, wraps=True),
        **each("install get", Spec("It installs.", f"* {_BUILD} -t? -u? -d? -tool?", "none*", also=_installs)),
        "generate": careful("project", "It runs the lines that stand in programs of the project."),
        "fmt": FORMAT,
        "fix": FORMAT,
        "clean": MADE_AGAIN,
        "tool": _TOOL,
        **each("bug telemetry", careful("send", "It reports to others, or changes what is reported.")),
    },
)


def _formats(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands or ():
        yield it.path("write" if it.has("-w", "--w") else "read", arg)
    if not it.operands:
        yield nothing("It prints programs in order.")


_GOFMT = Spec(
    "It puts programs in order, and prints them unless it is told to write.",
    "-l -d -e -s -w --l --d --w -r: -local: --local= -extra? -lang: -modpath: -format-only? -v -srcdir:"
    " -cpuprofile:write -memprofile:write -trace:write -allerrors? -V",
    "none*",
    also=_formats,
)

COMMANDS: dict[str, Spec] = {
    "go": _GO,
    **each("gofmt goimports gofumpt", _GOFMT),
    **each(
        "staticcheck errcheck gosec revive golint ineffassign",
        careful("project", "It compiles the project to say what is wrong with it.", "* -o:write -out:write"),
    ),
    "govulncheck": careful("project", "It compiles the project and asks about known weaknesses."),
    **each("gotestsum ginkgo", TESTS),
    "gopls": careful("run", "It waits for an editor."),
    "dlv": careful("run", "A debugger can make a program do anything."),
    "air": careful("project", "It builds and runs the project again and again."),
    "goreleaser": Spec(
        "It builds and publishes releases.",
        "--version --help",
        verbs={
            **each("check healthcheck", careful("project", "It checks what would be released.")),
            "build": careful("project", "It builds the project."),
            "release": dangerous("publish", "It publishes a release."),
            "init": changes("write", "It writes its settings."),
        },
    ),
}
