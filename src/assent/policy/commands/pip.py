"""pip, and uv, which speaks like it."""

from collections.abc import Iterator

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
from assent.policy.words import HOLE


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
