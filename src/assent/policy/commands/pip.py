"""pip, and uv, which speaks like it."""

from collections.abc import Iterator

from assent.policy.commands import _origins
from assent.policy.commands._origins import LOGIN, PUBLISH
from assent.policy.commands._pypi import (
    ASKS,
    BUILD,
    CACHE,
    ENVIRONMENT,
    FETCHED,
    INSTALL,
    INSTALLS,
    LISTS,
    LOCK,
    LOOKS,
    NEW,
    PYTHONS,
    REMOVE,
    REMOVE_ALL,
    RUN,
    SYNC,
    VERSIONED,
    installs,
    interpreter,
    runs,
)
from assent.policy.commands.spec import (
    Finding,
    Invocation,
    Spec,
    careful,
    changes,
    dangerous,
    each,
    known,
)
from assent.policy.effects import care, danger, nothing
from assent.policy.shell.words import HOLE


def _conda_installs(it: Invocation) -> Iterator[Finding]:
    for channel in it.all_values("-c", "--channel"):
        if "://" in channel.text and (effect := _origins.registry(channel)) is not None:
            yield effect
    yield care("install", "It installs packages, and their scripts run then.")
    yield from _origins.addresses(it)


def _conda_config(it: Invocation) -> Iterator[Finding]:
    if it.has("--add", "--append", "--prepend", "--set", "--remove", "--remove-key", "--write-default", "--stdin"):
        yield danger("persist", "It changes settings that every later run obeys: where packages come from.")
    else:
        yield nothing("It prints settings.")


_CONDA_VERBS: dict[str, Spec] = {
    "": known("It only tells about itself.", "-V"),
    **each("list info help compare", LISTS),
    "search": ASKS,
    "env": Spec(
        "It looks after environments.",
        "",
        verbs={
            **each("list", LISTS),
            "export": known(
                "It prints what an environment holds.", f"{LOOKS} -f:write --file=write --no-builds --from-history"
            ),
            **each(
                "create update",
                careful(
                    "install", "It makes or changes an environment.", "* -f:read --file=read -p:write --prefix=write"
                ),
            ),
            **each("remove", careful("delete", "It removes an environment.")),
            "config": known("It shows or sets variables of an environment.", ""),
        },
    ),
    "export": known(
        "It prints what an environment holds.", f"{LOOKS} -f:write --file=write --no-builds --from-history"
    ),
    **each(
        "install create update upgrade clone",
        Spec(
            "It installs packages.",
            "* -c:none --channel=none -n: --name= -p:write --prefix=write -f:read --file=read",
            "none*",
            also=_conda_installs,
        ),
    ),
    **each("remove uninstall", careful("delete", "It removes packages or an environment.")),
    "run": Spec(
        "It runs a command in an environment.",
        "-n: --name= -p: --prefix= -v --no-capture-output --live-stream --cwd=none --dev --debug-wrapper-scripts",
        "none*",
        also=runs,
        wraps=True,
    ),
    "clean": changes("delete", "It empties a cache that fills again."),
    "config": Spec(
        "It shows or changes settings.",
        "--show --show-sources --get --validate --describe --json -v --add:none --append:none --prepend:none"
        " --set:none --remove:none --remove-key:none --write-default --env --system --file=none --stdin",
        "none*",
        also=_conda_config,
    ),
    "init": dangerous("persist", "It changes the shell's start-up files."),
    **each("activate deactivate", known("It picks an environment for this shell.")),
    "build": BUILD,
    "doctor": LISTS,
}


_CONDA: dict[str, Spec] = {
    **each(
        "conda mamba micromamba",
        Spec("A package manager.", "-hVvq --version --help --json --no-plugins", verbs=_CONDA_VERBS),
    ),
}


def _config(it: Invocation) -> Iterator[Finding]:
    verb = it.operands[0].text if it.operands else ""
    if verb in ("list", "get", "debug", "") and not it.has("--unset", "--edit"):
        if any(word in arg.text.lower() for arg in it.operands for word in ("token", "password", "http-basic")):
            yield danger("secret", "It prints the user's key to the registry.")
        else:
            yield nothing("It prints settings.")
    elif HOLE in verb:
        yield care("dynamic", "What it does with settings is known only when it runs.")
    else:
        yield danger("persist", "It changes settings that every later run obeys: where packages come from.")


_PIP_CONFIG = Spec(
    "It shows or changes settings.", "--user --global --site -v -q --editor=run --no-color", "none*", also=_config
)
_PIP_VERBS: dict[str, Spec] = {
    "": known("It only tells about itself."),
    **each("list freeze show check inspect help debug completion", LISTS),
    **each("hash", known("It prints a sum.", "-a: --algorithm=", "read*")),
    **each("index search", ASKS),
    **each("install wheel", INSTALL),
    "download": Spec(
        "It downloads packages; some run scripts to tell what they need.", INSTALLS, "none*", also=installs
    ),
    "lock": Spec(
        "It downloads packages to tell what they need.", f"{INSTALLS} -o:write --output=write", "none*", also=installs
    ),
    "uninstall": REMOVE,
    "config": _PIP_CONFIG,
    "cache": Spec(
        "It looks after the cache.",
        "",
        verbs={
            **each("dir info list", known("It lists the cache.", "--format= --abspath")),
            **each("remove purge", changes("delete", "It empties a cache that fills again.")),
        },
    ),
    # uv pip
    "compile": careful("install", "It asks for packages to tell what is needed.", "* -o:write --output-file=write"),
    "sync": INSTALL,
    "tree": LISTS,
}
_PIP_TOP = (
    "-vqhV --verbose --quiet --help --version --isolated --require-virtualenv --no-input --no-color"
    " --disable-pip-version-check --python=none --log=write --proxy=danger --trusted-host=danger --retries="
    " --timeout= --cache-dir=write --no-cache-dir --debug --no-python-version-warning --cert=danger"
    " --use-feature= --offline --no-cache --no-config -n"
)


_TOOLS = Spec(
    "It looks after programs for all projects.",
    "",
    verbs={
        "run": FETCHED,
        **each("list dir", LISTS),
        **each("install upgrade", INSTALL),
        "uninstall": REMOVE_ALL,
        **each("update-shell", dangerous("persist", "It changes the shell's start-up files.")),
    },
)
_UV_TOP = (
    "-qvnhV --quiet --verbose --version --help --no-cache --cache-dir=write --offline --color= --no-progress"
    " --directory=read --project=read --config-file=config --no-config --native-tls --allow-insecure-host=danger"
    " --managed-python --no-managed-python --no-python-downloads --python-preference="
)

_UV_VERBS: dict[str, Spec] = {
    "": known("It only tells about itself."),
    "pip": Spec("It installs packages.", _UV_TOP, verbs=_PIP_VERBS),
    "run": RUN,
    **each("tree help", LISTS),
    "version": VERSIONED,
    **each("add sync", SYNC),
    "remove": REMOVE,
    **each("lock", LOCK),
    "export": known(
        "It prints what the project needs.",
        f"{LOOKS} -o:write --output-file=write --no-hashes --no-header --no-emit-project --all-extras --extra="
        " --no-annotate --all-packages",
    ),
    "venv": ENVIRONMENT,
    "python": PYTHONS,
    **each("tool", _TOOLS),
    "x": FETCHED,
    "cache": CACHE,
    "init": NEW,
    "build": BUILD,
    "format": changes("write", "It rewrites programs of the project."),
    "publish": PUBLISH,
    "auth": LOGIN,
    "self": Spec(
        "It looks after itself.",
        "",
        verbs={
            "version": known("It only tells about itself.", "*"),
            "update": careful("install", "It replaces itself by another version."),
        },
    ),
    "generate-shell-completion": known("It prints a script."),
}


COMMANDS: dict[str, Spec] = {
    **_CONDA,
    **each("pip pip3", Spec("The package manager of Python.", _PIP_TOP, verbs=_PIP_VERBS, also=interpreter)),
    "uv": Spec("A package manager of Python.", _UV_TOP, verbs=_UV_VERBS),
    "uvx": FETCHED,
    "pip-audit": Spec(
        "It asks about known weaknesses.",
        "-r:read --requirement=read -l --local -f: --format= -s: --vulnerability-service= -d --dry-run -S"
        " --strict --desc? --aliases? --cache-dir=write --progress-spinner= --timeout= --path=read -v --verbose"
        " --fix?care --require-hashes --index-url=host --extra-index-url=host --skip-editable --no-deps -o:write"
        " --output=write --ignore-vuln= --disable-pip",
        "read*",
        does=(care("install", "It asks the registry, and may build packages for that."),),
    ),
    "pip-compile": LOCK,
    "pip-sync": SYNC,
    "pipdeptree": LISTS,
    "easy_install": dangerous("install", "It installs packages unpacked and unchecked.", "pip install"),
}
