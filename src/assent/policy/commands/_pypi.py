"""What the package managers of Python have in common: where packages come from, and running in an environment."""

from collections.abc import Iterator

from assent.policy.commands import _origins
from assent.policy.commands._either import either
from assent.policy.commands.spec import (
    Finding,
    Invocation,
    Run,
    RunsFile,
    RunsInput,
    Spec,
    careful,
    changes,
    dangerous,
    each,
    known,
    queries,
)
from assent.policy.commands.wrappers import command
from assent.policy.effects import care, danger
from assent.policy.shell.words import Arg
from assent.protocol.decision import Risk

INDEX = (
    " -i:none --index-url=none --extra-index-url=none --index=none --default-index=none --pypi-url=none --source=none"
    " -f:none --find-links=none --trusted-host=none --allow-insecure-host=none --proxy=none --cert=none"
)
INSTALLS = (
    f"*{INDEX} -r:read --requirement=read --requirements=read -c:read --constraint=read --constraints=read -e:none"
    " --editable=none -t:write --target=write"
    " --root=write --prefix=write --src=write -d:write --dest=write --report=write --log=write --python=none"
    " --config-settings= -C: --global-option=none --install-option=none -w: --with=none --with-editable=none"
    " --with-requirements=read --only-binary= --no-binary= --platform= --python-version= --implementation= --abi="
    " -x: --index-strategy= --keyring-provider= --group= --extra= --directory=none --project=none"
)


def sources(it: Invocation) -> Iterator[Finding]:
    yield from _origins.registries(
        it, "-i", "--index-url", "--extra-index-url", "--index", "--default-index", "--pypi-url", "--source"
    )
    for value in it.all_values("-f", "--find-links"):
        if (effect := _origins.registry(value, adds=True)) is not None:
            yield effect
    for value in it.all_values("--trusted-host", "--allow-insecure-host", "--proxy", "--cert"):
        yield danger("install", "It does not check who it downloads from, or goes through another machine.", value.text)
    for value in it.all_values("--global-option", "--install-option"):
        yield care("install", "It passes options to scripts of packages.", value.text)
    for package in it.all_values(
        "-e",
        "--editable",
        "--with",
        "--with-editable",
        "--from",
        "--spec",
        "-r",
        "--requirement",
        "--with-requirements",
    ):
        if (effect := _origins.from_address(package)) is not None:
            yield effect


def installs(it: Invocation) -> Iterator[Finding]:
    yield from sources(it)
    yield care("install", "It installs packages, and their scripts run then.")
    for value in it.all_values("--python", "--directory", "--project"):
        effect = it.path("write", value)
        if "/" in value.text and effect.risk > Risk.CHANGE:
            yield care("install", "It installs somewhere else than in the project.", value.text)
    yield from _origins.addresses(it)
    yield from _origins.guards(it.operands, "replaces")


def removes(it: Invocation) -> Iterator[Finding]:
    yield from _origins.guards(it.operands, "removes")
    yield care("install", "It removes packages.")


def removes_for_all(it: Invocation) -> Iterator[Finding]:
    yield from _origins.guards(it.operands, "removes")
    yield danger("delete", "It removes a program for everything that uses it.")


INSTALL = Spec("It installs packages, and their scripts run then.", INSTALLS, "none*", also=installs)
REMOVE = Spec("It removes packages.", "* -r:read --requirement=read -c: --group= --directory=", "none*", also=removes)
REMOVE_ALL = Spec("It removes programs.", "*", "none*", also=removes_for_all)
# Each option of pip can be a setting, and none of these runs or writes anything.
LOOKS = (
    "-vqhloueL --verbose --quiet --help --version -V --outdated --uptodate --editable --local --user --path? --pre"
    " --format= --not-required --exclude-editable --include-editable --exclude= --files -f --all -a --no-color"
    " --isolated"
    " --require-virtualenv --disable-pip-version-check --no-input --no-index --python= -p: --system --strict"
    " --tree -t -T"
    " --latest --why --without= --with= --only= --no-dev --depth= --invert --prune= --package= --no-dedupe --outdated"
    " --universal --frozen --locked --no-group= --group= --all-groups --only-group= --show-version-specifiers"
    " --show-sizes --no-sources --top-level --no-truncate --json --json-tree --bare --reverse --graph --csv --markdown"
    " --fields= --sort= --freeze --resolve --all-versions --only-downloads --only-installed --offline --managed-python"
    " --no-managed-python --color= --output-format= -n: --name= --explicit --no-pip -c --canonical --export --md5"
    " --sha256 --show-channels --show --get --envs -e --base --unsafe-channels --license --full-name --revisions"
    " -r:read --requirement=read"
    " --directory=read --project=read --active --show-paths --show-urls --show-with --show-extras --show-python --short"
    " --dry-run --keep-outdated --no-cache --refresh --unhide --skip-editable"
)


def interpreter(it: Invocation) -> Iterator[Finding]:
    """It asks another Python, and so runs it."""
    for python in it.all_values("--python", "-p"):
        if "/" in python.text or not python.known:
            yield RunsFile(python, "python")


LISTS = Spec("It lists what is installed.", LOOKS, also=interpreter)
ASKS = queries(
    "It asks the registry, and changes nothing there.",
    f"{LOOKS} -i:host --index-url=host --extra-index-url=host --index=host",
)


# --- what runs a command in an environment


def python_or(words: list[Arg], *, cwd: Arg | None = None) -> Iterator[Finding]:
    """``uv run x.py`` is a file, ``uv run x`` a command."""
    first = words[0].text
    if first.startswith(("http:", "https:")):
        yield danger("run", "It runs what lies at an address, unseen.", first)
    elif first == "-":
        yield RunsInput("python")
    elif first.endswith((".py", ".pyw", ".pyz")):
        yield Run(args=(Arg("python"), *words), cwd=cwd)
    else:
        yield from command(words, cwd)


def runs(it: Invocation) -> Iterator[Finding]:
    words = [word for word in it.operands if word.text != "--"][:1] + it.operands[1:]
    if words and words[0].text == "--":
        words = words[1:]
    yield from sources(it)
    yield care("project", "It runs in the project's environment, which it first makes or updates.")
    for package in it.all_values("--with", "--with-editable", "--from", "--spec", "--pip-args"):
        yield care("install", "It installs a package for one run.", package.text)
    module = it.value("-m", "--module")
    if module is not None:
        yield Run(args=(Arg("python"), Arg("-m"), module, *words))
    elif it.has("-s", "--script", "-S", "--gui-script") and words:
        yield RunsFile(words[0], "python")
    elif words:
        yield from python_or(words, cwd=it.value("--directory", "--cwd"))


RUN_OPTIONS = (
    f"-vqnUh -m:none --module=none -s --script -p: --python= --with=none --with-editable=none --with-requirements=read"
    " --extra= --all-extras --no-extra= --group= --no-group= --only-group= --all-groups --no-default-groups --dev"
    " --no-dev --only-dev --no-sync --exact --locked --frozen --isolated --active --no-active --refresh --reinstall"
    " --no-project --all-packages --package= --directory=none --project=read --env-file=read --no-env-file --no-cache"
    " --offline --quiet --verbose --no-editable --upgrade --upgrade-package= -P: --cache-dir=write --color="
    " --no-progress"
    " --no-config --config-file=config --link-mode= --managed-python --no-managed-python --no-build --no-binary"
    " --system"
    " --resolution= --prerelease= --compile-bytecode --torch-backend= -C:none --cwd=none --no-plugins -e: --env="
    f" --venv= -E: -t -l{INDEX}"
)
RUN = Spec("It runs a command in the project's environment.", RUN_OPTIONS, "none*", also=runs, wraps=True)


def fetched_program(it: Invocation) -> Iterator[Finding]:
    yield from sources(it)
    source = it.value("--from", "--spec")
    words = it.operands[1:] if it.operands and it.operands[0].text == "--" else it.operands
    if not words:
        return
    yield care("run", "It downloads a package and runs a program of it.", words[0].text)
    if (effect := _origins.from_address(source or words[0])) is not None:
        yield danger("run", "It runs what lies at an address, unseen.", effect.target, _origins.SAFER)
    else:
        name = words[0].text.partition("@")[0].partition("==")[0] if words[0].known else words[0].text
        yield Run(args=(Arg(name), *words[1:]))


FETCHED = Spec(
    "It downloads a package and runs a program of it.",
    f"{RUN_OPTIONS} --from=none --spec=none --pip-args=none --no-cache --fetch-missing-python --path --suffix=",
    "none*",
    also=fetched_program,
    wraps=True,
)
SHELL = careful("run", "It starts a shell that waits for input.")
SYNC = Spec("It installs what the project needs.", INSTALLS, "none*", also=installs)
LOCK = careful(
    "install",
    "It asks the registry what the project needs, and builds packages for that.",
    f"* --directory= {INDEX}".replace("=none", "=host").replace(":none", ":host"),
)
BUILD = careful(
    "project",
    "It builds the project, and build scripts run then.",
    "* -o:write --out-dir=write -d:write --dest=write --outdir=write",
)
ENVIRONMENT = changes("write", "It makes an environment, which is made again.", "* -p: --python= --prompt=", "write*")
VERSIONED = either(
    r"(?:--short|--output-format[= ]\w+| )*",
    "It prints the version.",
    care("write", "It raises the version of the project."),
)
NEW = changes("write", "It makes files of a new project.", "*", "write*")
PYTHONS = Spec(
    "It looks after versions of Python.",
    "",
    verbs={
        **each(
            "list find dir",
            known("It lists versions of Python.", f"{LOOKS} --all-platforms --all-arches --only-downloads --bin"),
        ),
        **each("pin", changes("write", "It writes which Python the project uses.")),
        **each("install upgrade reinstall", careful("install", "It installs a version of Python.")),
        "uninstall": careful("delete", "It removes a version of Python."),
        "update-shell": dangerous("persist", "It changes the shell's start-up files."),
    },
)
CACHE = Spec(
    "It looks after the cache.",
    "",
    verbs={
        **each("dir size list", known("It tells about the cache.", "*")),
        **each("clean prune clear rm remove", changes("delete", "It empties a cache that fills again.")),
    },
)
