"""Project managers of Python: poetry, pipenv, pdm, hatch, pipx, and what builds and publishes."""

from collections.abc import Iterator

from assent.policy.commands._either import either
from assent.policy.commands._origins import ACCOUNT, PUBLISH, SETTINGS
from assent.policy.commands._pypi import (
    ASKS,
    BUILD,
    CACHE,
    ENVIRONMENT,
    FETCHED,
    INSTALL,
    LISTS,
    LOCK,
    NEW,
    PYTHONS,
    REMOVE,
    REMOVE_ALL,
    SHELL,
    SYNC,
    VERSIONED,
    runs,
)
from assent.policy.commands.spec import (
    Finding,
    Invocation,
    Run,
    Spec,
    careful,
    changes,
    dangerous,
    each,
    known,
    queries,
)
from assent.policy.effects import care, danger, nothing
from assent.policy.shell.words import HOLE, Arg


def _poetry_config(it: Invocation) -> Iterator[Finding]:
    names = [arg.text for arg in it.operands]
    if it.has("--list") or (len(names) == 1 and not it.has("--unset", "--migrate") and HOLE not in names[0]):
        if any(word in name for name in names for word in ("token", "basic", "password")):
            yield danger("secret", "It prints the user's key to the registry.")
        else:
            yield nothing("It prints settings.")
    elif names and names[0].startswith("virtualenvs."):
        yield care("persist", "It changes where environments are made.")
    else:
        yield danger("persist", "It changes settings that every later run obeys: where packages come from, and keys.")


_POETRY_VERBS: dict[str, Spec] = {
    "": known("It only tells about itself.", "-V"),
    **each("show about list help", LISTS),
    "check": known("It checks pyproject.toml.", "--lock --strict"),
    "search": ASKS,
    "env": Spec(
        "It looks after environments.",
        "",
        verbs={
            **each("info list activate", LISTS),
            "use": careful("install", "It makes an environment."),
            "remove": changes("delete", "It removes an environment, which is made again."),
        },
    ),
    "run": Spec("It runs a command in the project's environment.", "", "none*", also=runs, wraps=True),
    "shell": SHELL,
    **each("install add update sync", SYNC),
    "remove": REMOVE,
    "lock": LOCK,
    "export": known(
        "It prints what the project needs.",
        "-f: --format= --without-hashes --with= --only= --without= --all-extras -E: --extras= --dev"
        " --without-urls -o:write --output=write --all-groups --with-credentials?danger",
    ),
    **each("init new", NEW),
    "build": BUILD,
    "publish": PUBLISH,
    "version": VERSIONED,
    "config": Spec("It shows or changes settings.", "--list --local --migrate --unset", "none*", also=_poetry_config),
    "source": Spec(
        "It looks after registries.",
        "",
        verbs={
            "show": LISTS,
            **each("add remove", dangerous("persist", "It changes where the project's packages come from.")),
        },
    ),
    "self": Spec(
        "It looks after itself.",
        "",
        verbs={
            "show": known("It lists plugins.", "* --tree"),
            "*": careful("install", "It changes poetry itself or its plugins."),
        },
    ),
    "cache": Spec(
        "It looks after the cache.",
        "",
        verbs={"list": LISTS, "clear": changes("delete", "It empties a cache that fills again.")},
    ),
}


_PIPENV_VERBS: dict[str, Spec] = {
    "": known("It only tells about itself.", "--venv --py --where --envs --support"),
    **each("graph verify scripts", LISTS),
    **each("check audit", queries("It asks about known weaknesses.", "* --auto-install?care")),
    "run": Spec("It runs a command in the project's environment.", "", "none*", also=runs, wraps=True),
    "shell": SHELL,
    **each("install sync update upgrade", SYNC),
    **each("uninstall", REMOVE),
    "clean": careful("install", "It removes packages."),
    "lock": LOCK,
    "requirements": known("It prints what the project needs.", "*"),
    "open": careful("run", "It opens an editor."),
}
_PDM_VERBS: dict[str, Spec] = {
    "": known("It only tells about itself.", "-V --pep582"),
    **each("list show info outdated", LISTS),
    "search": ASKS,
    **each(
        "run",
        Spec(
            "It runs a command in the project's environment.",
            "-sv --site-packages --json --recreate -l --list -j -q",
            "none*",
            also=runs,
            wraps=True,
        ),
    ),
    **each("install add sync update", SYNC),
    "remove": REMOVE,
    "lock": LOCK,
    "export": known("It prints what the project needs.", "* -o:write --output=write"),
    "init": careful("run", "It makes a project, from a template of others if one is named."),
    "build": BUILD,
    "publish": PUBLISH,
    "cache": CACHE,
    "config": either(
        r"(?:[\w.-]+)?", "It prints settings.", danger("persist", "It changes settings that every later run obeys.")
    ),
    **each("venv use python py", careful("install", "It changes the environment.")),
    **each("plugin self", careful("install", "It changes pdm itself.")),
}
_HATCH_RUN = Spec(
    "It runs a command in the project's environment.",
    "* -e: --env= -p: --python= -i: -x: --include= --exclude= --force-continue",
    "none*",
    also=runs,
    wraps=True,
)
_HATCH_VERBS: dict[str, Spec] = {
    "": known("It only tells about itself."),
    "run": _HATCH_RUN,
    "test": careful("project", "It runs tests of the project."),
    "fmt": Spec(
        "It rewrites programs of the project.",
        "* --check",
        does=(care("project", "It runs the project's formatter."),),
    ),
    "shell": SHELL,
    "build": BUILD,
    "publish": PUBLISH,
    "version": VERSIONED,
    **each("status", LISTS),
    "env": Spec(
        "It looks after environments.",
        "",
        verbs={
            **each("show find", LISTS),
            "run": _HATCH_RUN,
            "create": careful("install", "It makes an environment."),
            **each("remove prune", changes("delete", "It removes an environment, which is made again.")),
        },
    ),
    "dep": Spec(
        "It tells what the project needs.",
        "",
        verbs={**each("show hash", known("It tells what the project needs.", "*"))},
    ),
    "new": NEW,
    "python": PYTHONS,
    "config": Spec(
        "It shows or changes settings.",
        "",
        verbs={**each("show find", known("It prints settings; keys among them are masked.", "")), "*": SETTINGS},
    ),
    "clean": changes("delete", "It removes what was built, which is made again."),
    "project": Spec(
        "It tells about the project.",
        "",
        verbs={"metadata": careful("project", "It tells about the project, and runs its build hooks.")},
    ),
}


def _runs_pip(it: Invocation) -> Iterator[Finding]:
    if any("assent" in arg.text or HOLE in arg.text for arg in it.operands[:1]):
        yield danger("tamper", "It changes the environment that guards this session.", it.operands[0].text)
    yield Run(args=(Arg("pip"), *it.operands[1:]))


_PIPX_VERBS: dict[str, Spec] = {
    "": known("It only tells about itself."),
    **each(
        "list environment help completions",
        known("It lists programs.", "* --include-injected --short --json --skip-maintenance --pinned -v --value="),
    ),
    "run": FETCHED,
    **each("install inject upgrade reinstall install-all", INSTALL),
    **each(
        "upgrade-all reinstall-all upgrade-shared",
        dangerous("install", "It replaces every program that pipx keeps, what guards this session perhaps among them."),
    ),
    **each("uninstall uninstall-all uninject", REMOVE_ALL),
    "runpip": Spec(
        "It runs pip in an environment.",
        "",
        "none*",
        does=(care("install", "It runs pip in an environment."),),
        also=_runs_pip,
        wraps=True,
    ),
    "ensurepath": dangerous("persist", "It changes the shell's start-up files."),
    **each("pin unpin", careful("install", "It changes which programs are upgraded.")),
}
_TWINE_VERBS: dict[str, Spec] = {
    "check": known("It checks packages.", "--strict", "read*"),
    "upload": PUBLISH,
    "register": ACCOUNT,
}

COMMANDS: dict[str, Spec] = {
    "poetry": Spec(
        "A package manager of Python.",
        "-qnvV --quiet --verbose --version --help --no-interaction --no-plugins --no-cache --ansi --no-ansi -h"
        " -C:read --directory=read -P:read --project=read",
        verbs=_POETRY_VERBS,
    ),
    "pipenv": Spec(
        "A package manager of Python.",
        "-qvh --venv --py --where --envs --support --version --help --python= --three --site-packages --quiet"
        " --verbose --rm?care --clear?care --man --bare --pypi-mirror=danger",
        verbs=_PIPENV_VERBS,
    ),
    "pdm": Spec(
        "A package manager of Python.",
        "-Vhvq --version --help -c:config --config=config --no-cache -I --ignore-python -p:read --project=read -n"
        " --non-interactive --pep582",
        verbs=_PDM_VERBS,
    ),
    "hatch": Spec(
        "A project manager of Python.",
        "-hvq -e: --env= -p:read --project= --version --help --verbose --quiet --color --no-color --interactive"
        " --no-interactive --data-dir= --cache-dir= --config=config",
        verbs=_HATCH_VERBS,
    ),
    "pipx": Spec(
        "It looks after programs for all projects.",
        "-hqv --version --help --quiet --verbose --global",
        verbs=_PIPX_VERBS,
    ),
    "twine": Spec("It publishes packages.", "--version --help --no-color", verbs=_TWINE_VERBS),
    **each("virtualenv", ENVIRONMENT),
    **each("pyproject-build build", BUILD),
    "flit": Spec(
        "It builds and publishes packages.",
        "-f:read --version --help",
        verbs={"build": BUILD, "publish": PUBLISH, "install": INSTALL, "init": NEW},
    ),
}
