"""conda and its kin."""

from collections.abc import Iterator

from assent.policy.commands import _origins
from assent.policy.commands._pypi import ASKS, BUILD, LISTS, LOOKS, runs
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


COMMANDS: dict[str, Spec] = {
    **each(
        "conda mamba micromamba",
        Spec("A package manager.", "-hVvq --version --help --json --no-plugins", verbs=_CONDA_VERBS),
    ),
}
