"""Commands that change files and folders: copy, move, link, delete, permissions, sizes."""

# ruff: noqa: PTH118, PTH119, PTH120 - paths here are text that an agent wrote

import os
import re
from collections.abc import Iterator

from assent.expressions import later
from assent.policy import sensitive, world
from assent.policy.commands._sed import losses, pours
from assent.policy.commands.permissions import gives_away
from assent.policy.commands.spec import Fills, Finding, Invocation, Spec
from assent.policy.effects import Effect, care, danger
from assent.policy.emptying import is_many
from assent.policy.guarded import guarded, is_around
from assent.policy.own import LINKS
from assent.policy.paths import Target, locate
from assent.policy.shell.shadows import PLACED
from assent.policy.shell.words import HOLE, Arg
from assent.policy.tool_folders import stays_temporary
from assent.protocol.decision import Risk

_LARGE = later(r"(\d+)\s*(?:([GTPE])i?B?)|(\d{11,})", re.IGNORECASE)
# Sizes that files are cut to; with a sign for more, or in megabytes, they are stretched.
_CUTS = later(r"[-<]\d+\w*|/\d+\w*|\d+[bBkK]?(?:iB|B)?")
_THROUGH = "Through the link a file can be changed that programs obey."
MAKES_FOLDER = "It makes an empty folder."
REMOVES_EMPTY = "It removes an empty folder."
# A pattern for files, where one without a dot may be for folders.
_NAMES_FILES = later(r"\.[^/]*$|\*\*/?[^/]*$")


def _target(it: Invocation, arg: Arg) -> Target:
    return locate(arg, it.setting, it.cwd)


def _shown(arg: Arg) -> str:
    return arg.text.replace(HOLE, "…")


# --- deleting


def _removes(it: Invocation) -> Iterator[Finding]:
    recursive = it.has("-r", "-R", "--recursive", "-d", "--dir")
    for arg in it.operands:
        yield it.path("delete", arg, recursive=recursive)


def _removes_empty(it: Invocation) -> Iterator[Finding]:
    # Only empty folders go, so nothing is lost that mkdir would not bring back.
    for arg in it.operands:
        yield _of_folder(it, arg, REMOVES_EMPTY)


def _destroys(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands:
        yield danger("delete", "It overwrites files so that nothing can bring them back.", _shown(arg), "rm")


def _trashes(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands:
        effect = it.path("delete", arg, recursive=True)
        is_near = _target(it, arg).place in ("project", "temp")
        yield care("delete", "It moves files to the trash.", effect.target) if is_near else effect


# --- copying, moving, linking


def _sources_and_goal(it: Invocation) -> tuple[list[Arg], Arg | None, bool]:
    """What goes, where it goes, and whether that is a folder to put it into."""
    if (folder := it.value("-t", "--target-directory")) is not None:
        return it.operands, folder, True
    if len(it.operands) < 2:
        return it.operands, None, False
    *sources, goal = it.operands
    is_folder = (
        len(sources) > 1
        or sources[0].glob
        or goal.text.endswith(("/", "/.", "/.."))
        or goal.text in (".", "..")
        or (target := _target(it, goal)).place == "whole"
        or (goal.known and not goal.glob and world.is_folder(target.path))
        or is_around(goal, it.setting, it.cwd)
    )
    return sources, goal, is_folder and not it.has("-T", "--no-target-directory")


def _lands(it: Invocation, sources: list[Arg], goal: Arg, *, into: bool, recursive: bool = False) -> Iterator[Finding]:
    """What is written when these are put there."""
    if not into:
        yield it.path("write", goal, recursive=recursive)
        return
    for source in sources:
        name = os.path.basename(source.text.rstrip("/"))
        if name in (".", "..", "", "*", ".*") or HOLE in name:
            yield pours(it, goal)
        else:
            landing = Arg(f"{goal.text.rstrip('/')}/{name}", goal.glob or source.glob)
            yield it.path("write", landing, recursive=recursive)


def _taken_along(it: Invocation, arg: Arg) -> Effect | None:
    """Where the guard's own files go along with it."""
    return guarded("delete", arg, it.setting, it.cwd)


def _lost(it: Invocation, sources: list[Arg], goal: Arg) -> Iterator[Finding]:
    """One source over each of many files, or nothing over one."""
    is_nothing = any(_target(it, source).place == "sink" for source in sources)
    is_over_many = is_many(goal) and _NAMES_FILES.search(goal.text) is not None and not any(map(is_many, sources))
    if is_nothing or is_over_many:
        yield from losses(it, (goal,), if_there=True)


def _copies(it: Invocation) -> Iterator[Finding]:
    sources, goal, into = _sources_and_goal(it)
    recursive = it.has("-r", "-R", "-a", "--recursive", "--archive")
    if goal is not None:
        yield from _lost(it, sources, goal)
    for source in sources:
        yield it.path("read", source, recursive=recursive)
        if it.has("-l", "--link", "-s", "--symbolic-link") and sensitive.is_deciding(_target(it, source).path):
            yield danger("write", _THROUGH, _shown(source))
        if it.has("-l", "-s", "--link", "--symbolic-link") and (effect := _taken_along(it, source)) is not None:
            # Through a second name a file is changed like by its first.
            yield effect
    if goal is not None:
        yield from _lands(it, sources, goal, into=into, recursive=recursive)


def _moves(it: Invocation) -> Iterator[Finding]:
    sources, goal, into = _sources_and_goal(it)
    for source in sources:
        yield _taken_away(it, source)
    if goal is None:
        return
    if _target(it, goal).place in ("sink", "device"):
        yield danger("delete", "It moves files to where they are lost.", _shown(goal))
        return
    if not into and (effect := _taken_along(it, goal)) is not None:
        yield effect
    taken = [_target(it, source) for source in sources] if _target(it, goal).place == "temp" else []
    if any(target.place == "home" or (target.place == "whole" and target.all_of_it) for target in taken):
        yield danger("delete", "It moves files of yours to where the machine deletes them.", _shown(sources[0]))
    yield from _lands(it, sources, goal, into=into, recursive=True)


def _taken_away(it: Invocation, source: Arg) -> Effect:
    if (effect := _taken_along(it, source)) is not None:
        return effect
    target = _target(it, source)
    match target.place:
        case "project" if not target.all_of_it:
            return Effect("write", Risk.CHANGE, "It moves files of the project.", _shown(source))
        case "project" | "whole" if target.all_of_it and target.path.startswith(f"{it.setting.project}/"):
            return care("write", "It moves everything in a folder of the project.", _shown(source))
        case "temp":
            return Effect("write", Risk.CHANGE, "It moves a temporary file.", _shown(source))
        case "home" | "unknown":
            return care("write", "It takes away files from outside the project.", _shown(source))
        case "whole":
            return danger("delete", "It moves a whole folder away.", _shown(source))
        case _:
            return it.path("delete", source)


def _links(it: Invocation) -> Iterator[Finding]:
    sources, goal, into = _sources_and_goal(it)
    is_over = goal is not None and (not into or it.has("-n", "-h", "--no-dereference"))
    if goal is not None and is_over and (loss := _taken_along(it, goal)) is not None:
        yield loss
    if goal is not None and it.has("-f", "--force"):
        yield from _lost(it, sources, goal)
    for source in sources:
        yield from _linked_to(it, source)
        effect = it.path("read", source)
        target = _target(it, source)
        is_inside = target.path.startswith(f"{it.setting.project}/")
        if target.place == "obeyed" and (not is_inside or sensitive.is_deciding(target.path)):
            effect = danger("write", _THROUGH, effect.target)
        elif effect.risk < Risk.CARE and not is_inside and target.place != "temp":
            effect = care("write", "It makes a link that leads out of the project.", effect.target)
        yield effect
    yield from _lands(it, sources, goal if goal is not None else Arg("."), into=into or goal is None)
    _remember_links(it, sources, goal, into=into)


def _linked_to(it: Invocation, source: Arg) -> Iterator[Finding]:
    """A link leads to the guard's own files, or to a folder around them."""
    if (effect := guarded("write", source, it.setting, it.cwd)) is not None:
        yield effect
    elif (effect := _taken_along(it, source)) is not None:
        yield danger("tamper", LINKS, effect.target)


def _remember_links(it: Invocation, sources: list[Arg], goal: Arg | None, *, into: bool) -> None:
    """What the rest of the line does through them, it does to where they lead."""
    place = _target(it, goal if goal is not None else Arg(".")).path
    for source in sources:
        if HOLE in source.text or HOLE in place:
            continue
        link = (
            place if not into and goal is not None else os.path.join(place, os.path.basename(source.text.rstrip("/")))
        )
        folder = os.path.dirname(link) if it.has("-s", "--symbolic") and not it.has("-r", "--relative") else it.cwd
        if link.startswith("/") and folder is not None:
            it.setting.line.links[link] = os.path.normpath(os.path.join(folder, source.text))


def _installs(it: Invocation) -> Iterator[Finding]:
    if (mode := it.value("-m", "--mode")) is not None and gives_away(mode.text):
        yield danger("privilege", "It makes a program that runs with another user's rights.", _shown(mode))
    if it.has("-d", "--directory"):
        for arg in it.operands:
            # A folder that is there gets a new mode.
            yield guarded("mode", arg, it.setting, it.cwd) or it.path("write", arg)
        return
    yield from _copies(it)


# --- sizes and new files


def _of_folder(it: Invocation, arg: Arg, why: str) -> Effect:
    """What making or removing an empty folder costs: nothing in the project and among temporary files."""
    effect = it.path("write", arg)
    target = _target(it, arg)
    is_near = target.place == "project" or (target.place == "temp" and stays_temporary(target.path))
    is_near = is_near and arg.known and not arg.glob
    return Effect("write", Risk.LOOK, why, effect.target) if is_near and effect.risk is Risk.CHANGE else effect


def _makes_folders(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands:
        effect = _of_folder(it, arg, MAKES_FOLDER)
        if _target(it, arg).place in ("obeyed", "secret") or effect.why == PLACED:
            effect = care(
                "write", "It makes a folder whose files are obeyed or secret; nothing is in it yet.", effect.target
            )
        yield effect


def _truncates(it: Invocation) -> Iterator[Finding]:
    size = it.value("-s", "--size")
    if size is None or _CUTS.fullmatch(size.text.strip()) or not size.known:
        yield from losses(it, it.operands)


def _written_by_input(it: Invocation) -> Iterator[Finding]:
    if it.operands and not it.has("-a", "--append"):
        yield Fills(tuple(it.operands))


def _makes_pipes(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands:
        effect = it.path("write", arg)
        is_file = effect.kind == "write" and effect.risk < Risk.CARE
        yield care("write", "It makes a pipe, through which programs talk unseen.", _shown(arg)) if is_file else effect


def _fills(it: Invocation) -> Iterator[Finding]:
    size = it.value("-l", "--length")
    if size is not None and _is_large(size.text):
        yield danger("write", "It fills the disk.", _shown(size))
    if it.has("-p", "--punch-hole", "-z", "--zero-range", "-c", "--collapse-range"):
        yield from losses(it, it.operands)


def _is_large(size: str) -> bool:
    match = _LARGE.fullmatch(size.strip())
    if match is None:
        return HOLE in size
    return bool(match[3]) or match[2].upper() != "G" or int(match[1]) >= 10


def _makes_temporary(it: Invocation) -> Iterator[Finding]:
    if it.has("-u", "--dry-run"):
        return
    folder = it.value("-p", "--tmpdir")
    template = it.operand(0)
    if folder is not None and folder.text:
        yield it.path("write", folder)
    elif template is not None and not it.has("-t", "--tmpdir"):
        yield it.path("write", Arg(re.sub(r"X{3,}", "x", template.text)))
    else:
        yield Effect("write", Risk.LOOK, "It makes a temporary file.")


def _splits(it: Invocation) -> Iterator[Finding]:
    prefix = it.operand(1)
    if not it.has("--filter"):
        yield it.path("write", prefix if prefix is not None else Arg("xaa"))


def _splits_at(it: Invocation) -> Iterator[Finding]:
    prefix = it.value("-f", "--prefix")
    yield it.path("write", prefix if prefix is not None else Arg("xx00"))


_COPIES = (
    "-abdfiHlLnpPrRsuvxZ -t: -S: -T --archive --attributes-only --backup? --copy-contents --force --interactive --link"
    " --dereference --no-clobber --no-dereference --preserve? --no-preserve= --parents --recursive --reflink?"
    " --remove-destination --sparse= --strip-trailing-slashes --symbolic-link --suffix= --target-directory="
    " --no-target-directory --update? --verbose --one-file-system --context? --debug --exchange --help --version"
)

COMMANDS: dict[str, Spec] = {
    "rm": Spec(
        "Deletes files.",
        "-frRidvIxPW --force --recursive --interactive? --one-file-system --no-preserve-root --preserve-root? --dir"
        " --verbose --help --version",
        also=_removes,
    ),
    "unlink": Spec("Deletes a file.", also=_removes),
    "rmdir": Spec("Deletes empty folders.", "-pv --parents --verbose --ignore-fail-on-non-empty", also=_removes_empty),
    "shred": Spec("Destroys files.", "* -n: -s: --iterations= --size= --random-source=read", also=_destroys),
    "srm": Spec("Destroys files.", "*", also=_destroys),
    "wipe": Spec("Destroys files.", "*", also=_destroys),
    "trash": Spec("Moves files to the trash.", "-rfdivFy", also=_trashes),
    "trash-put": Spec("Moves files to the trash.", "-rfdivFy", also=_trashes),
    "gio": Spec(
        "Works on files for the desktop.",
        verbs={
            "trash": Spec("Moves files to the trash.", "-f --force --empty?danger --list --restore", also=_trashes),
            "info": Spec("Tells about files.", "*", "names*"),
            "list": Spec("Lists names.", "*", "names*"),
            "cat": Spec("Prints files.", "*", "read*"),
            "remove": Spec("Deletes files.", "-f --force", also=_removes),
        },
    ),
    "cp": Spec("Copies files.", _COPIES, also=_copies),
    "gcp": Spec("Copies files.", _COPIES, also=_copies),
    "mv": Spec(
        "Moves files.",
        "-bfinuvZ -t: -S: -T --backup? --force --interactive --no-clobber --no-copy --strip-trailing-slashes --suffix="
        " --target-directory= --no-target-directory --update? --verbose --context --debug --exchange --help --version",
        also=_moves,
    ),
    "ln": Spec(
        "Makes links.",
        "-bdFfiLnPrsvhw -t: -S: -T --backup? --directory --force --interactive --logical --no-dereference --physical"
        " --relative --symbolic --suffix= --target-directory= --no-target-directory --verbose --help --version",
        also=_links,
    ),
    "link": Spec("Makes a link.", also=_links),
    "install": Spec(
        "Copies files and sets their permissions.",
        "-bcCdDpsvZ -g: -m: -o: -t: -S: -T --backup? --compare --directory --group= --mode= --owner="
        " --preserve-timestamps"
        " --strip --strip-program=run --suffix= --target-directory= --no-target-directory --verbose --preserve-context"
        " --context? --help --version",
        also=_installs,
    ),
    "mkdir": Spec(
        "Makes folders.", "-pvZ -m: --parents --verbose --mode= --context? --help --version", also=_makes_folders
    ),
    "mkfifo": Spec("Makes a pipe with a name.", "-Z -m: --mode= --context?", also=_makes_pipes),
    "mknod": Spec("Makes a device file.", "* -m: --mode=", does=(danger("device", "It makes a device file."),)),
    "touch": Spec(
        "Makes a file, or makes it look new.",
        "-acfhm -d: -r:names -t: --date= --reference=names --time= --no-create --no-dereference --help --version",
        "write*",
    ),
    "mktemp": Spec(
        "Makes a temporary file.", "-duqt -p: --directory --dry-run --quiet --suffix= --tmpdir?", also=_makes_temporary
    ),
    "truncate": Spec(
        "Cuts or stretches files.",
        "-co -s: -r:names --size= --reference=names --no-create --io-blocks --help --version",
        "write*",
        also=_truncates,
    ),
    "fallocate": Spec(
        "Takes room on the disk for a file.",
        "-cdinpvxwz -l: -o: --length= --offset= --collapse-range --dig-holes --insert-range --keep-size --punch-hole"
        " --posix --verbose --zero-range",
        "write*",
        also=_fills,
    ),
    "tee": Spec(
        "Writes what comes in to files, and prints it.",
        "-aip --append --ignore-interrupts --output-error?",
        "write*",
        also=_written_by_input,
    ),
    "sponge": Spec("Writes what comes in to a file.", "-a", "write*", also=_written_by_input),
    "split": Spec(
        "Cuts a file into many. --filter runs a program for each.",
        "-dexu -a: -b: -C: -l: -n: -t: --suffix-length= --additional-suffix= --bytes= --line-bytes= --numeric-suffixes?"
        " --hex-suffixes? --elide-empty-files --filter=run --lines= --number= --separator= --unbuffered --verbose -#",
        "read text",
        also=_splits,
    ),
    "csplit": Spec(
        "Cuts a file into many.",
        "-kqsz -b: -f: -n: --suffix-format= --prefix= --keep-files --suppress-matched --digits= --quiet --silent"
        " --elide-empty-files",
        "read text*",
        also=_splits_at,
    ),
}
