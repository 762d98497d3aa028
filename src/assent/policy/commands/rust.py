"""Rust: asking about crates looks; building runs build scripts; settings on the line can name programs."""

from collections.abc import Iterator

from assent.policy.commands import _origins
from assent.policy.commands._either import either
from assent.policy.commands._origins import FORMAT, ITSELF, MADE_AGAIN, NEW, TESTS
from assent.policy.commands.spec import (
    Finding,
    Invocation,
    Run,
    Spec,
    careful,
    changes,
    dangerous,
    each,
    findings,
    known,
    queries,
)
from assent.policy.effects import care, danger, nothing
from assent.policy.shell.words import HOLE, Arg

# Of every verb: settings can name the compiler, what wraps it, what links and what runs.
_COMMON = (
    "--config=none -Z: --manifest-path=none -C:none --target-dir=write --artifact-dir=write --out-dir=write -qv --quiet"
    " --verbose --color= --frozen --locked --offline --message-format="
)
_LOOKS = (
    f"{_COMMON} -e: --edges= -i: --invert= -d --duplicates -p: --package= --workspace --all --exclude= --depth="
    " --prune="
    " --prefix= --charset= -f: --format= --no-dedupe -F: --features= --all-features --no-default-features --target="
    " --format-version= --no-deps --filter-platform= --limit= --registry=host --index=host --list --no-indent -a"
    " --duplicate"
    " --all-targets --public"
)


def _configured(it: Invocation) -> Iterator[Finding]:
    for value in it.all_values("--config"):
        name = value.text.partition("=")[0]
        if (
            HOLE in value.text
            or any(
                word in name
                for word in (
                    "rustc",
                    "wrapper",
                    "linker",
                    "runner",
                    "rustdoc",
                    "rustflags",
                    "alias",
                    "source",
                    "registr",
                    "credential",
                    "http",
                    "net",
                    "env",
                )
            )
            or "=" not in value.text
        ):
            yield danger("run", "A setting on the line makes cargo run or trust something else.", value.text)
        else:
            yield care("project", "It changes a setting of the build.", value.text)
    for path in it.all_values("--manifest-path", "-C"):
        yield it.path("read", path)


def _looks(it: Invocation) -> Iterator[Finding]:
    yield from _configured(it)
    yield nothing("It tells about the project and what it needs.")


def _builds(it: Invocation) -> Iterator[Finding]:
    yield from _configured(it)
    yield care("project", "It builds the project, and its build scripts run then.")


def _installs(it: Invocation) -> Iterator[Finding]:
    yield from _configured(it)
    if it.has("--list"):
        yield nothing("It lists programs.")
        return
    yield care("install", "It builds and installs, and build scripts run then.")
    for address in it.all_values("--git"):
        if it.name.endswith(" install"):
            yield danger("install", "It installs, and so runs, what lies at an address.", address.text, _origins.SAFER)
        else:
            yield care("install", "It takes a package from an address.", address.text)
    yield from _origins.registries(it, "--index")
    yield from _origins.guards(it.operands, "replaces")


_FMT = "* --config-path=none --config= --edition= --color= --emit= --manifest-path= -p: --package= --file-lines="


def _formats(it: Invocation) -> Iterator[Finding]:
    # What stands behind the dashes is for rustfmt itself.
    inner = Invocation(it.name, tuple(it.behind or ()), it.spec, it.setting, it.cwd)
    if it.has("--check") or inner.has("--check"):
        yield nothing("It reads programs and says what is not in order.")
        for value in (*it.all_values("--config-path"), *inner.all_values("--config-path")):
            yield care("project", "Its settings come from another file.", value.text)
    else:
        yield from FORMAT.does


def _owners(it: Invocation) -> Iterator[Finding]:
    if it.has("--add", "-a", "--remove", "-r") or not it.has("-l", "--list"):
        yield danger("publish", "It changes who may publish.")
    else:
        yield nothing("It lists who may publish.")


def _watches(it: Invocation) -> Iterator[Finding]:
    yield care("project", "It builds or tests the project again and again.")
    for line in it.all_values("-s", "--shell"):
        yield Run(line=line)
    for line in it.all_values("-x", "--exec"):
        yield Run(line=Arg(f"cargo {line.text}"))
    if it.operands and not it.has("-x", "--exec", "-s", "--shell"):
        yield Run(args=tuple(it.operands))


_LOOK = Spec("It tells about the project.", _LOOKS, also=_looks)
_ASK = Spec(
    "It asks the registry.",
    _LOOKS,
    does=queries("It asks the registry, and changes nothing there.").does,
    also=_configured,
)
_BUILD = Spec("It builds the project.", f"* {_COMMON}", "none*", also=_builds)
_INSTALL = Spec(
    "It installs.",
    f"* {_COMMON} --git=none --index=none --path=none --root=write --list --branch= --rev= --tag=",
    "none*",
    also=_installs,
)
_CLEAN = Spec(
    "It removes what was built.",
    f"* {_COMMON.replace('--target-dir=write', '--target-dir=deleteall')}",
    does=MADE_AGAIN.does,
    also=_configured,
)
_VERBS = Spec(
    "The tool of Rust.",
    f"{_COMMON} -Vh --version --help --list --explain=",
    also=_configured,
    verbs={
        "": ITSELF,
        **each("help version", ITSELF),
        **each("tree metadata pkgid locate-project read-manifest verify-project", _LOOK),
        **each("search info outdated audit", _ASK),
        **each(
            "deny machete geiger license sort about",
            careful("project", "It reads the project and says what is wrong with it."),
        ),
        **each(
            "build b check c clippy doc d rustc rustdoc fix bench bloat llvm-cov llvm-lines expand udeps miri"
            " tarpaulin asm flamegraph careful hack semver-checks component lambda zigbuild",
            _BUILD,
        ),
        **each(
            "test t nextest insta mutants",
            Spec("It runs tests of the project.", f"* {_COMMON}", "none*", does=TESTS.does, also=_configured),
        ),
        **each("run r", Spec("It runs the project.", f"* {_COMMON}", "none*", also=_builds)),
        **each("xtask make", careful("project", "It runs a task of the project.")),
        **each("leptos tauri", careful("project", "It builds or runs the project.")),
        "fmt": Spec("It rewrites programs of the project.", _FMT, "none*", also=_formats),
        **each("install binstall", _INSTALL),
        **each("add update fetch generate-lockfile vendor upgrade", _INSTALL),
        "remove": careful("install", "It removes packages from the project."),
        "rm": careful("install", "It removes packages from the project."),
        "uninstall": dangerous("delete", "It removes a program for everything that uses it."),
        **each("init new generate", NEW),
        "clean": _CLEAN,
        "package": careful("project", "It packs the project and builds it."),
        **each("publish release workspaces smart-release", _origins.PUBLISH),
        "yank": _origins.ACCOUNT,
        "owner": Spec(
            "It tells or changes who may publish.",
            "-l --list -a: --add= -r: --remove= --registry= --index= --token=",
            "none*",
            also=_owners,
        ),
        **each("login logout", _origins.LOGIN),
        "watch": Spec(
            "It runs again and again.",
            "* -x:none --exec=none -s:none --shell=none -w: --watch= -i: --ignore= -C:read",
            "none*",
            also=_watches,
            wraps=True,
        ),
        "config": either(r"get\b.*", "It prints settings.", care("unknown", "It may change settings.")),
        "report": either(r".*", "It tells about earlier builds.", care("unknown", "It may do more than tell.")),
    },
)


def _cargo(it: Invocation) -> Iterator[Finding]:
    """``cargo +nightly …``: a version first."""
    version = it.value("+")
    if version is not None and ("/" in version.text or HOLE in version.text):
        yield danger("run", "It runs a compiler from another place.", version.text.replace(HOLE, "…"))
    args = it.handed_on if version is None else it.handed_on[1:]
    yield from findings("cargo", args, _VERBS, it.setting, it.cwd)


def _rustup_runs(it: Invocation) -> Iterator[Finding]:
    if it.operands[1:]:
        yield Run(args=tuple(it.operands[1:]))


_LIST_OR = either(
    r"(?:list\b.*)?", "It lists what is installed.", care("install", "It installs or removes parts of Rust.")
)
_RUSTUP = Spec(
    "It looks after versions of Rust.",
    "-vqVh --verbose --quiet --version --help",
    verbs={
        "": ITSELF,
        **each("show which check help completions man", known("It tells what is installed.")),
        **each("toolchain target component", _LIST_OR),
        "override": either(
            "list", "It lists overrides.", care("persist", "It picks the version that is used from now on.")
        ),
        **each(
            "default",
            either("", "It tells the version.", care("persist", "It picks the version that is used from now on.")),
        ),
        **each("install update", careful("install", "It installs a version of Rust.")),
        "uninstall": careful("install", "It removes a version of Rust."),
        "run": Spec("It runs a command with a version.", "--install", "none*", also=_rustup_runs, wraps=True),
        "set": careful("persist", "It changes settings of rustup."),
        "doc": either(
            r"--path.*", "It tells where documentation lies.", care("fetch", "It opens a page in the browser.")
        ),
        "self": either(
            "",
            "It only tells about itself.",
            danger("install", "It removes or replaces all of Rust."),
            less=("update", care("install", "It replaces itself by another version.")),
        ),
    },
)


def _rustc(it: Invocation) -> Iterator[Finding]:
    if it.has("-V", "--version", "--print", "--explain", "-h", "--help") or (it.has("-v") and not it.operands):
        yield nothing("It only tells about itself.")
        return
    for value in it.all_values("-C", "--codegen"):
        if value.text.startswith(("linker=", "link-arg", "link-args", "pre-link")):
            yield danger("run", "It makes the compiler run a program of its own choice.", value.text)
    for value in it.all_values("-Z"):
        if "codegen-backend" in value.text or "plugin" in value.text:
            yield danger("run", "It loads code into the compiler.", value.text)
    for arg in it.operands:
        yield it.path("read", arg)
    yield care("project", "It compiles a program, and macros of others run then.")


COMMANDS: dict[str, Spec] = {
    "cargo": Spec("The tool of Rust.", "+~none *", "none*", also=_cargo, wraps=True),
    "rustup": _RUSTUP,
    "rustc": Spec(
        "It compiles Rust.",
        "-gOvVhW -C:none --codegen=none -Z:none -o:write --out-dir=write --print=none --explain= --emit= --crate-type="
        " --crate-name= --edition= -L: -l: --extern= --cfg= --target= --test --version --help -A: -D: -F: --cap-lints=",
        "none*",
        also=_rustc,
    ),
    "rustfmt": Spec("It rewrites programs of the project.", _FMT, "none*", also=_formats),
    **each("rustdoc wasm-pack trunk cross", careful("project", "It builds the project.")),
    "rust-analyzer": either(
        "--version", "It only tells about itself.", care("project", "It builds parts of the project.")
    ),
    "cbindgen": changes("write", "It writes headers."),
}
