"""Git: what stands before its command, the command itself, and aliases for it."""

# ruff: noqa: PTH118 - paths here are text that an agent wrote

import os
from collections.abc import Iterator, Mapping

from msgspec import structs

from assent.policy import world
from assent.policy.commands import _git_local, _git_reads, _git_remote, _git_throws
from assent.policy.commands._git_config import CONFIG, alias, for_once, shown, split
from assent.policy.commands.spec import Finding, Invocation, Run, Spec, findings
from assent.policy.effects import FOREIGN_REPOSITORY, Effect, care, danger, nothing
from assent.policy.guarded import guarded
from assent.policy.own import TAKES_ALONG
from assent.policy.paths import READS_OUTSIDE, is_readable, locate
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

VERBS: Mapping[str, Spec] = {
    **_git_reads.VERBS,
    **_git_local.VERBS,
    **_git_throws.VERBS,
    **_git_remote.VERBS,
    "config": CONFIG,
}
# Programs that git starts by their own name and that have a place of their own among the commands.
_EXTERNAL = frozenset({"crypt", "secret", "annex"})
_OUTSIDE = "It changes a repository outside of the project."


def _git(it: Invocation) -> Iterator[Finding]:
    aliases: dict[str, str] = {}
    for each in [*it.all_values("-c"), *it.all_values("--config-env")]:
        key, _, value = each.text.partition("=")
        # The value of the other spelling stands in a variable.
        held = Arg(value, each.glob, each.splits) if each in it.all_values("-c") else Arg(HOLE)
        if key.lower().startswith("alias."):
            aliases[key[6:].lower()] = held.text
        yield from for_once(key, held)
    if (programs := it.value("--exec-path")) is not None and programs.text:
        yield danger("run", "It takes git's own programs from another folder.", shown(programs))
    cwd = _folder(it)
    if cwd is None and it.has("-C", "--work-tree"):
        yield care("dynamic", "In which folder git works is known only when it runs.")
    yield from _repository(it, cwd)
    if not it.operands:
        yield nothing("It tells about itself.")
        return
    first, *rest = it.operands
    yield from _verb(it, first, tuple(rest), cwd, aliases)


def _folder(it: Invocation) -> str | None:
    """Where it works: each -C starts from the one before."""
    cwd = it.cwd
    for to in [*it.all_values("-C"), *it.all_values("--work-tree")]:
        if not to.known or to.glob or (cwd is None and not to.text.startswith("/")):
            return None
        cwd = os.path.normpath(os.path.join(cwd or "/", to.text))
    return cwd


def _repository(it: Invocation, cwd: str | None) -> Iterator[Finding]:
    """What a repository's settings name is run; those of the project's own repository are as good as the project."""
    if cwd == it.setting.project and not it.has("--git-dir", "--bare") and is_readable(cwd, it.setting):
        # Whatever git finds from here is the project's own.
        return
    own = _common(world.discovered(world.real(it.setting.project)) or "")
    for folder in it.all_values("--git-dir"):
        target = locate(folder, it.setting, it.cwd)
        if not own or _common(target.path) != own:
            yield care("run", FOREIGN_REPOSITORY, f"{target.path or shown(folder)}/config")
    if it.has("--bare"):
        yield care("run", FOREIGN_REPOSITORY, shown(Arg(it.cwd or "")))
    if cwd is None or it.has("--git-dir"):
        return
    git_dir = world.discovered(world.real(cwd))
    if git_dir is None:
        yield care("run", FOREIGN_REPOSITORY, cwd)
    elif git_dir and _common(git_dir) != own and not (git_dir.endswith("/.git") and world.is_folder(git_dir)):
        # A bare repository, or a pointer to one, can come with any commit and be written like any other folder.
        yield care("run", FOREIGN_REPOSITORY, f"{git_dir}/config")
    if not is_readable(cwd, it.setting):
        yield care("read", READS_OUTSIDE, cwd)


def _common(folder: str) -> str:
    """The git folder that holds the settings: worktrees share one, and submodules lie below it."""
    for inside in ("/.git/worktrees/", "/.git/modules/"):
        folder = folder.partition(inside)[0] + "/.git" if inside in folder else folder
    return world.real(folder) if folder else ""


def _verb(
    it: Invocation, first: Arg, rest: tuple[Arg, ...], cwd: str | None, aliases: Mapping[str, str]
) -> Iterator[Finding]:
    verb = first.text
    if HOLE in verb or first.splits:
        yield care("dynamic", "Which git command runs is known only when it runs.")
        return
    if rest and (rest[0].text == "--help" or (rest[0].text == "-h" and len(rest) == 1)):
        yield nothing("It shows the manual.")
        return
    yield from _on_the_guard(it, verb, rest, cwd)
    spec = VERBS.get(verb)
    if spec is not None:
        made = findings(f"git {verb}", rest, spec, it.setting, cwd)
        yield from made if _is_inside(it, cwd) else map(_outside, made)
    elif verb in _EXTERNAL:
        yield Run(args=(Arg(f"git-{verb}"), *rest))
    else:
        text = aliases.get(verb.lower()) or alias(verb, it.setting, cwd)
        yield from (
            _aliased(it, verb, text, rest, aliases)
            if text
            else (care("unknown", f"Assent does not know “git {verb}”."),)
        )


def _on_the_guard(it: Invocation, verb: str, rest: tuple[Arg, ...], cwd: str | None) -> Iterator[Finding]:
    """What it does to the guard's own files, which lie in the folder it works in, or in one it is given."""
    works_in = Arg(cwd if cwd is not None else HOLE)
    looks = verb == "stash" and bool(rest) and rest[0].text in ("list", "show")
    if verb in _REWRITES and not looks and guarded("write", works_in, it.setting, cwd, recursive=True) is not None:
        yield danger("tamper", TAKES_ALONG, shown(works_in))
    for arg in rest if verb == "clone" else ():
        if (effect := guarded("write", arg, it.setting, cwd, recursive=True)) is not None:
            yield effect
    for arg in rest if verb in _TAKES_IN else ():
        if (effect := guarded("read", arg, it.setting, cwd, recursive=True)) is not None:
            yield effect


# They write over files of the folder they work in, or take them away.
_REWRITES = frozenset(
    {"am", "apply", "bisect", "checkout", "checkout-index", "cherry-pick", "clean", "filter-branch", "merge", "mv"}
    | {"pull", "read-tree", "rebase", "reset", "restore", "revert", "rm", "sparse-checkout", "stash", "switch"}
)
_TAKES_IN = frozenset({"add", "stage", "hash-object", "diff", "grep", "update-index", "commit", "archive"})


def _aliased(
    it: Invocation, verb: str, text: str, rest: tuple[Arg, ...], aliases: Mapping[str, str]
) -> Iterator[Finding]:
    if text.startswith("!"):
        yield Run(line=Arg(f'{text[1:]} "$@"'), arguments=rest)
        return
    words = split(text)
    if not words or HOLE in text:
        yield care("dynamic", f"What the alias “{verb}” stands for cannot be read.")
        return
    given: list[Arg] = []
    for name, value in aliases.items():
        if name != verb.lower() and not value.startswith("!"):
            given += [Arg("-c"), Arg(f"alias.{name}={value}")]
    folder = [part for to in it.all_values("-C") for part in (Arg("-C"), to)]
    if words[0].text == verb:
        yield care("unknown", f"The alias “{verb}” stands for itself.")
    else:
        yield Run(args=(Arg("git"), *folder, *given, *words, *rest))


def _is_inside(it: Invocation, cwd: str | None) -> bool:
    if cwd is None:
        return False
    return locate(Arg(cwd), it.setting, cwd).place in ("project", "temp") or it.is_project(Arg(cwd))


def _outside(finding: Finding) -> Finding:
    """Another repository is another project's."""
    if isinstance(finding, Effect) and finding.risk is Risk.CHANGE:
        return structs.replace(finding, risk=Risk.CARE, why=_OUTSIDE)
    return finding


_OPTIONS = (
    "-hpPv -C:none -c:none --config-env=none --exec-path?none --git-dir=none --work-tree=none --namespace="
    " --super-prefix="
    " --attr-source= --list-cmds= --version --help --html-path --man-path --info-path --paginate --no-pager --bare"
    " --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --literal-pathspecs --glob-pathspecs"
    " --noglob-pathspecs --icase-pathspecs"
)
GIT = Spec("Git does what the command behind it says.", _OPTIONS, "none*", also=_git, wraps=True)

COMMANDS: dict[str, Spec] = {
    "git": GIT,
    "git.exe": GIT,
    # The same by their old names, which scripts still use.
    **{f"git-{verb}": spec for verb, spec in VERBS.items()},
}
