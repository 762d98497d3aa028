"""What looks after versions of languages and tools: nvm, pyenv, asdf, mise, sdkman and their kin."""

from collections.abc import Iterator

from assent.policy import world
from assent.policy.commands import _recipes
from assent.policy.commands._either import either
from assent.policy.commands.spec import (
    Finding,
    Invocation,
    Run,
    RunsFile,
    RunsInput,
    Spec,
    careful,
    dangerous,
    each,
    known,
)
from assent.policy.effects import Effect, care
from assent.policy.shell.words import Arg

_LISTS = known("It tells about versions.", "* --lts? --no-colors")
_GETS = careful("install", "It installs, removes or picks a version.")
_PICK = care("persist", "It picks the version that is used from now on.")
_PICKS = either("", "It tells the version.", _PICK)
_REMOVES = careful("delete", "It removes a version.")
_STARTUP = dangerous("persist", "It changes the shell's start-up files.")


def _with(skip: int, *does: Effect) -> Spec:
    """What follows is a command that runs with a version."""

    def found(it: Invocation) -> Iterator[Finding]:
        words = it.operands[skip:]
        texts = [arg.text for arg in words]
        # What stands behind the dashes is the command, however many words stand before them.
        if it.behind is not None:
            words = it.behind
        elif "--" in texts:
            words = words[texts.index("--") + 1 :]
        for line in it.all_values("-c", "--command"):
            yield Run(line=line)
        if words:
            yield Run(args=tuple(words))
        elif not it.has("-c", "--command"):
            yield RunsInput("sh")

    return Spec(
        "It runs a command with a version.",
        "--using= --silent --lts? --node= --npm= --yarn= --pnpm= --bundled-npm --env= -c:none --command=none -C:read"
        " --cd=read -j: --jobs= --raw -q -v -y -E: --install",
        "none*",
        does=does,
        also=found,
        wraps=True,
    )


_NVM_VERBS: dict[str, Spec] = {
    "": known("It only tells about itself."),
    "use": Spec("It makes this shell use a version that is installed.", "--silent --lts?", "text"),
    **each("ls list ls-remote list-remote current which version version-remote help root arch v", _LISTS),
    "exec": _with(1),
    "run": careful("project", "It runs a program with a version of Node."),
    "*": _GETS,
}
_ENV_VERBS: dict[str, Spec] = {
    "": known("It only tells about itself.", "-v"),
    **each(
        "versions version version-name version-origin version-file root which whence prefix commands completions help"
        " hooks latest shims init",
        _LISTS,
    ),
    "install": either(r"(?:-l|--list|-L|--list-all)", "It lists versions.", care("install", "It installs a version.")),
    **each("local global", _PICKS),
    "exec": _with(0),
    **each("shell rehash", careful("persist", "It changes which version is used.")),
    **each("uninstall virtualenv-delete", _REMOVES),
    **each("virtualenv virtualenvs virtualenv-prefix", careful("install", "It makes or lists environments.")),
}
_ASDF_VERBS: dict[str, Spec] = {
    "": known("It only tells about itself."),
    **each("list current which where info latest help version", _LISTS),
    **each("install update reshim", _GETS),
    **each("global local set shell", careful("persist", "It picks the version that is used from now on.")),
    "uninstall": _REMOVES,
    "plugin": Spec(
        "It looks after plugins.",
        "",
        verbs={"list": _LISTS, "*": careful("install", "Plugins are scripts, and run with later commands.")},
    ),
    "plugin-list": _LISTS,
    **each("plugin-add plugin-update plugin-remove", careful("install", "Plugins are scripts, and run later.")),
    "exec": _with(0),
    "env": _with(1),
}
_MISE_RUN = (
    "-fnpqrS -C:none --cd=none -j: --jobs= -o: --output= -t: --tool= -s: --shell=line --dry-run --force --raw --quiet"
)
_MISE_FILES = (
    "mise.toml",
    ".mise.toml",
    "mise.local.toml",
    ".mise.local.toml",
    ".config/mise.toml",
    "mise/config.toml",
)
_MISE_FOLDERS = ("mise-tasks", ".mise-tasks", "mise/tasks", ".mise/tasks", ".config/mise/tasks")


def _mise_run(it: Invocation) -> Iterator[Finding]:
    yield care("project", "It runs a task of the project.")
    task = it.operand(0)
    if task is None or not task.known or it.cwd is None:
        return
    folder = it.value("-C", "--cd")
    for name in _MISE_FOLDERS:
        path = f"{it.setting.project}/{name}/{task.text.replace(':', '/')}"
        if world.is_there(path):
            yield RunsFile(Arg(path))
            return
    yield from _recipes.walked(it, _MISE_FILES, lambda text: _recipes.mise_lines(text, task.text), folder)


_MISE_VERBS: dict[str, Spec] = {
    "": known("It only tells about itself."),
    **each("ls list current which where ls-remote latest outdated version doctor help registry bin-paths tool", _LISTS),
    **each("install i up upgrade link reshim sync cache self-update prune", _GETS),
    **each(
        "use u unuse set unset settings shell local global", careful("persist", "It changes what is used from now on.")
    ),
    **each("uninstall remove rm implode", _REMOVES),
    **each("exec x", _with(1)),
    **each("run r watch", Spec("It runs a task of the project.", _MISE_RUN, "none*", also=_mise_run, wraps=True)),
    "tasks": either(r"(?:(?:ls|info|deps)\b.*)?", "It lists tasks.", care("project", "It runs a task of the project.")),
    "trust": careful("persist", "From now on this folder's settings are obeyed."),
    "activate": known("It prints a script."),
    "plugins": Spec("It looks after plugins.", "", verbs={**each("ls list ls-remote", _LISTS), "*": _GETS}),
    **each("env e", careful("secret", "It prints variables of the project, and secrets may be among them.")),
}

COMMANDS: dict[str, Spec] = {
    "nvm": Spec("It looks after versions of Node.", "--version --help --no-colors", verbs=_NVM_VERBS),
    "fnm": Spec(
        "It looks after versions of Node.",
        "-V --version --help --log-level= --fnm-dir=",
        verbs={
            **each("list ls list-remote ls-remote current env completions", _LISTS),
            "exec": _with(0),
            "*": _GETS,
        },
    ),
    "volta": Spec(
        "It looks after versions of Node.",
        "-v --version --help --verbose --quiet",
        verbs={**each("list ls which help completions", _LISTS), "run": _with(0), "setup": _STARTUP, "*": _GETS},
    ),
    "n": either(
        "ls|lsr|ls-remote|list|bin|which", "It lists versions.", care("install", "It changes the version of Node.")
    ),
    **each(
        "pyenv rbenv nodenv goenv jenv phpenv plenv",
        Spec("It looks after versions.", "-v --version --help", verbs=_ENV_VERBS),
    ),
    "asdf": Spec("It looks after versions.", "--version --help", verbs=_ASDF_VERBS),
    **each("mise rtx", Spec("It looks after versions.", "-qvy --version --help -C:read --cd=read", verbs=_MISE_VERBS)),
    "sdk": Spec(
        "It looks after versions of Java tools.",
        "",
        verbs={**each("list ls current version help home", _LISTS), "*": _GETS},
    ),
    "rvm": Spec(
        "It looks after versions of Ruby.",
        "",
        verbs={**each("list current info version known", _LISTS), "*": _GETS},
    ),
    **each("chruby chnode", careful("run", "It picks a version for this shell.")),
}
