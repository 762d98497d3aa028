"""Packing and unpacking: tar, zip, gzip and their like.

Listing looks. Packing reads what is packed and writes an archive. Unpacking writes files whose names only the archive
knows, over those that are there: into a folder for temporary files it is a change, elsewhere Care at least."""

import bz2
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator

from assent.policy import world
from assent.policy.commands._either import either
from assent.policy.commands._sed import pours
from assent.policy.commands.spec import Finding, Invocation, Spec, each, reads, used
from assent.policy.effects import Effect, care, danger
from assent.policy.paths import locate
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

MOST_NAMES = 2_000
# So much is unpacked, and so much is read of the file for it.
STRETCH = 128 << 10
# Slower ways of packing get less.
SHORT = 24 << 10
_LARGEST_LIST = 512 << 10


def names(path: str) -> list[str]:
    """Empty where nothing can be told."""
    opened = world.Opened.at(path)
    if opened is None:
        return []
    with opened as archive:
        start = archive.part(0, 512)
        try:
            if start[:2] == b"PK":
                return _of_zip(archive)
            if start[257:262] == b"ustar":
                return list(_of_tar(_Parts(archive)))
            if start[:2] == b"\x1f\x8b":
                unpacked = zlib.decompressobj(31).decompress(archive.part(0, STRETCH), STRETCH)
            elif start[:3] == b"BZh":
                unpacked = bz2.BZ2Decompressor().decompress(archive.part(0, SHORT), SHORT)
            elif start[:6] == b"\xfd7zXZ\0":
                unpacked = lzma.LZMADecompressor().decompress(archive.part(0, SHORT), SHORT)
            else:
                return []
            return list(_of_tar(io.BytesIO(unpacked)))
        except (zlib.error, OSError, EOFError, lzma.LZMAError, zipfile.BadZipFile, ValueError, NotImplementedError):
            return []


def _of_zip(archive: world.Opened) -> list[str]:
    # The list stands at the end; a longer one is not read.
    size = archive.size
    start = max(0, size - _LARGEST_LIST)
    with zipfile.ZipFile(io.BytesIO(archive.part(start, _LARGEST_LIST))) as listing:
        return listing.namelist()[:MOST_NAMES]


def _of_tar(file: "io.BytesIO | _Parts") -> Iterator[str]:
    try:
        with tarfile.open(fileobj=file, mode="r:") as listing:
            for _ in range(MOST_NAMES):
                member = listing.next()
                if member is None:
                    return
                yield member.name
    except tarfile.TarError:
        # Cut off: what came before counts.
        return


class _Parts(io.RawIOBase):
    """The archive as a file that can be read at any place: contents are skipped, not read."""

    def __init__(self, archive: world.Opened) -> None:
        super().__init__()
        self._archive = archive
        self._at = 0

    def read(self, size: int = -1) -> bytes:
        part = self._archive.part(self._at, max(0, min(size, STRETCH)))
        self._at += len(part)
        return part

    def seek(self, to: int, whence: int = io.SEEK_SET) -> int:
        self._at = to if whence == io.SEEK_SET else self._at + to if whence == io.SEEK_CUR else self._archive.size + to
        return self._at

    def tell(self) -> int:
        return self._at

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True


_LOSES = danger("delete", "It changes, restores over, or throws away backups.")
_MAKES = (
    r"(?:-r \S+ |--repo[= ]\S+ )*(?:backup|create|init|snapshot create)(?: .*)?",
    care("write", "It makes a backup."),
)
_LISTS = "It tells about backups. It changes nothing."

_BACKUPS: dict[str, Spec] = {
    "restic": either(
        r"(?:-r \S+ |--repo[= ]\S+ |-v |-q |--json )*"
        r"(?:snapshots|ls|find|stats|diff|list|version|check|cat config|features)(?: (?!-o|--option)\S+)*",
        _LISTS,
        _LOSES,
        less=_MAKES,
    ),
    **each(
        "borg borg2",
        either(r"(?:list|info|diff|rlist|rinfo|repo-list|repo-info|--version)(?: .*)?", _LISTS, _LOSES, less=_MAKES),
    ),
    **each(
        "duplicity duply duplicati-cli",
        either(r"(?:collection-status|list-current-files|verify)(?: .*)?", _LISTS, _LOSES, less=_MAKES),
    ),
    **each(
        "kopia bupstash",
        either(
            r"(?:snapshot list|repository status|list|policy list|policy show)(?: .*)?", _LISTS, _LOSES, less=_MAKES
        ),
    ),
    **each(
        "rdiff-backup timeshift snapper bup zfs-auto-snapshot rsnapshot sanoid syncoid tarsnap",
        either(
            r"(?:list|--list|info|ls|status|-l|--list-increments|--list-archives|list-configs)(?: .*)?", _LISTS, _LOSES
        ),
    ),
}


_HERE = Arg(".")


# --- tar

_TAR_TABLE = (
    "letters -AcdrtuxzjJZaBGhklmMnoOpPRsSUvwW -K: -f: -C: -T:none -X:read -g:write -F:packer -I:packer -V: -b: -L: -H:"
    " -N:"
    " --create --extract --get --list --append --update --diff --compare --delete --catenate --concatenate --test-label"
    " --file= --directory= --files-from=none --exclude-from=read --exclude= --exclude-vcs --exclude-caches"
    " --exclude-ignore="
    " --listed-incremental=write --incremental --index-file=write --info-script=packer --new-volume-script=packer"
    " --use-compress-program=packer --to-command=packer --checkpoint? --checkpoint-action=none --rsh-command=packer"
    " --rmt-command=packer"
    " --gzip --gunzip --bzip2 --xz --zstd --lzip --lzma --lzop --compress --auto-compress --no-auto-compress --verbose"
    " --to-stdout --absolute-names --one-top-level? --strip-components= --transform= --xform= --overwrite"
    " --overwrite-dir"
    " --keep-old-files --skip-old-files --keep-newer-files --unlink-first --recursive-unlink --remove-files"
    " --no-recursion"
    " --recursion --dereference --hard-dereference --owner= --group= --numeric-owner --mode= --mtime= --sort= --format="
    " --no-same-owner --same-owner --no-same-permissions --same-permissions --preserve-permissions --touch --wildcards"
    " --no-wildcards --no-anchored --anchored --ignore-case --null --force-local --suffix= --backup? --label= --totals?"
    " --warning= --show-transformed-names --verify --sparse --acls --xattrs --selinux --newer= --newer-mtime="
    " --after-date="
    " --ignore-failed-read --one-file-system --occurrence? --quoting-style= --utc --full-time --version --help --usage"
    " --posix --no-xattrs --disable-copyfile --no-mac-metadata --options= --show-defaults --pax-option= --level="
    " --add-file=readall --volno-file=write --starting-file= --tape-length= --multi-volume --clamp-mtime"
)


def _tars(it: Invocation) -> Iterator[Finding]:
    for action in it.all_values("--checkpoint-action"):
        kind, _, rest = action.text.partition("=")
        if kind == "exec":
            yield from used(it, "packer", Arg(rest))
        elif kind not in ("dot", ".", "echo", "bell", "ttyout", "sleep", "totals", "wait"):
            yield care("dynamic", "What tar does on its way cannot be told.")
    for names in it.all_values("-T", "--files-from"):
        yield it.path("read", names)
        yield care("dynamic", "A list names the files, and may hold options of tar.", names.text)
    archive = it.value("-f", "--file")
    if archive is not None and ":" in archive.text.partition("/")[0] and not it.has("--force-local"):
        yield danger("send", "The archive lies on another machine.", archive.text)
    folders = it.all_values("-C", "--directory")
    folder = folders[-1] if folders else _HERE
    if it.has("-t", "--list", "-d", "--diff", "--compare", "--test-label") and not it.has("-c", "-x", "--delete"):
        yield from _archive(it, "read", archive)
        for each in folders if it.has("-d", "--diff", "--compare") else []:
            yield it.path("read", each)
    elif it.has("-x", "--extract", "--get"):
        yield from _archive(it, "read", archive)
        yield from _unpacked_by_tar(it, archive, folder)
    elif it.has("-c", "--create", "-r", "--append", "-u", "--update", "-A", "--catenate", "--concatenate", "--delete"):
        yield from _archive(it, "write", archive)
        if not it.has("--delete"):
            yield from _packed_by_tar(it, folder if folders else None)
    elif not it.has("--version", "--help", "--usage", "--show-defaults"):
        yield care("unknown", "What tar would do cannot be told.")


def _archive(it: Invocation, kind: str, archive: Arg | None) -> Iterator[Finding]:
    if archive is not None and archive.text != "-":
        yield it.path("read" if kind == "read" else "write", archive)


def _printed(it: Invocation, archive: Arg | None, members: list[Arg]) -> Iterator[Finding]:
    """Files of an archive are shown: those that are named, or all that are in it."""
    yield Effect("read", Risk.LOOK, "It prints files of an archive.")
    named = [arg.text for arg in members]
    if not named and archive is not None and it.cwd is not None and archive.known:
        named = names(world.whole(archive.text, it.cwd))
    for name in named:
        if it.path("read", Arg(name)).kind == "secret":
            yield danger("secret", "It prints a file of secrets out of an archive.", name.replace(HOLE, "…"))
            return


def _put(it: Invocation, folder: Arg, members: list[Arg]) -> Iterator[Finding]:
    """Files that are named land in the folder: a secret, or one that others obey, is written by its name."""
    for arg in members:
        effect = it.path("write", Arg(f"{folder.text.rstrip('/')}/{arg.text.lstrip('/')}", arg.glob))
        if effect.risk > Risk.CHANGE:
            yield effect


def _unpacked_by_tar(it: Invocation, archive: Arg | None, folder: Arg) -> Iterator[Finding]:
    if it.has("-O", "--to-stdout"):
        yield from _printed(it, archive, it.operands)
        return
    if it.has("--to-command"):
        return
    if it.has("-P", "--absolute-names"):
        yield danger("write", "It unpacks files to wherever the archive says.", safer="tar -x without -P")
    if it.has("--recursive-unlink"):
        yield danger("delete", "It deletes whole folders before it unpacks.")
    top = it.value("--one-top-level")
    if top is not None and top.text.startswith("/"):
        folder = top
    yield pours(it, folder)
    yield from _put(it, folder, it.operands)


def _packed_by_tar(it: Invocation, folder: Arg | None) -> Iterator[Finding]:
    for operand in it.operands:
        is_below = folder is not None and not operand.text.startswith("/")
        arg = Arg(f"{folder.text.rstrip('/')}/{operand.text}", operand.glob) if folder and is_below else operand
        yield it.path("read", arg, recursive=True)
        if it.has("--remove-files"):
            yield it.path("delete", arg, recursive=True)


# --- zip


def _zips(it: Invocation) -> Iterator[Finding]:
    if it.has("-h", "-h2", "-L", "-sf", "-v") and not it.operands:
        return
    if (goal := it.operand(0)) is not None and goal.text != "-":
        yield it.path("write", goal)
    for arg in it.operands[1:]:
        yield it.path("read", arg, recursive=it.has("-r", "-R", "--recurse-paths"))
        if it.has("-m", "--move"):
            yield it.path("delete", arg, recursive=it.has("-r"))
    if it.has("-@"):
        yield care("dynamic", "Which files it packs is known only when it runs.")


def _unzips(it: Invocation) -> Iterator[Finding]:
    if (archive := it.operand(0)) is not None:
        yield it.path("read", archive)
    if it.has("-p", "-c") and not it.has("-l", "-Z"):
        yield from _printed(it, archive, it.operands[1:])
    if it.has("-l", "-t", "-v", "-z", "-Z", "-p", "-c", "-h"):
        return
    if any("-:" in option for option in it.unknown):
        yield danger("write", "It unpacks files to wherever the archive says.")
    yield pours(it, it.value("-d") or _HERE)
    yield from _put(it, it.value("-d") or _HERE, it.operands[1:])


# --- 7z and rar

# Values are always attached: -oFOLDER.
_SEVEN = "- nocase * -o~none -w~write -i~none -x~none -a~none -p~text -m~text -t~text -v~text -spf~none -so -sdel"


def _sevens(it: Invocation) -> Iterator[Finding]:
    verb = it.operand(0)
    if verb is None:
        return
    archive, rest = it.operand(1), it.operands[2:]
    lists = [value.text.lstrip("rR0123456789-") for value in it.all_values("-i", "-x", "-a")]
    if any(text.startswith("@") for text in [*lists, *(arg.text for arg in it.operands)]):
        yield care("dynamic", "A list in a file names what is packed.")
    match verb.text.lower():
        case "l" | "t" | "i" | "h" | "b" | "lb" | "lt" | "vb" | "v" | "vt" | "p" as does:
            if archive is not None:
                yield it.path("read", archive)
            if does == "p":
                yield from _printed(it, archive, rest)
        case "x" | "e":
            if archive is not None:
                yield it.path("read", archive)
            if it.has("-spf"):
                yield danger("write", "It unpacks files to wherever the archive says.")
            if it.has("-so"):
                yield from _printed(it, archive, rest)
            else:
                yield pours(it, _goal_of_seven(it, rest))
                yield from _put(it, _goal_of_seven(it, rest), rest)
        case "a" | "u" | "d" | "rn" | "m" | "mf" as does:
            if archive is not None:
                yield it.path("write", archive)
            for arg in rest if does in ("a", "u", "m", "mf") else []:
                yield it.path("read", arg, recursive=True)
                if it.has("-sdel") or does in ("m", "mf"):
                    yield it.path("delete", arg, recursive=True)
        case _:
            yield care("unknown", f"Assent does not know “{it.name} {verb.text.replace(HOLE, '…')}”.")


def _goal_of_seven(it: Invocation, rest: list[Arg]) -> Arg:
    if (attached := it.value("-o")) is not None and attached.text:
        text = attached.text
        return Arg(text if not text.startswith("~") else it.setting.home + text[1:])
    if it.name in ("rar", "unrar") and rest and rest[-1].text.endswith("/"):
        return rest[-1]
    return _HERE


# --- one file at a time


def _squeezes(it: Invocation) -> Iterator[Finding]:
    """The file is replaced by a smaller one, or that by the file."""
    looks = it.has(
        "-c", "--stdout", "--to-stdout", "-t", "--test", "-l", "--list", "--help", "-h", "--version", "-V", "-L"
    )
    for arg in it.operands:
        yield it.path("read" if looks else "write", arg)
        if (
            not looks
            and it.has("-r", "--recursive")
            and locate(arg, it.setting, it.cwd).place not in ("temp", "project")
        ):
            yield care("write", "It replaces every file in a folder.", arg.text.replace(HOLE, "…"))
        if not looks:
            secret = it.path("read", arg)
            if secret.risk > Risk.LOOK:
                yield secret


_SQUEEZE = (
    "-acdefhikKlLnNqrtvVz0123456789 -S: -b? -p: -T? -M? -o:write -D:read --stdout --to-stdout --decompress --uncompress"
    " --compress --force --keep --list --test --quiet --verbose --recursive --suffix= --fast --best --no-name --name"
    " --threads? --output=write --rm --ultra --long? --adapt? --memory= --rsyncable --extreme --format= --check= --help"
    " --version --license --processes= --patch-from=read --output-dir-flat=write --output-dir-mirror=write"
    " --filelist=read"
    " --train=care --maxdict= --dictID= --no-progress --single-thread --to-stdout --processes="
)
_SQUEEZES = Spec("Makes a file smaller, or brings it back, in its place.", _SQUEEZE, also=_squeezes)
_PRINTS = reads("Prints what is packed in a file.", "*")


def _copies_in_out(it: Invocation) -> Iterator[Finding]:
    for archive in it.all_values("-F", "--file", "-O", "-I"):
        if ":" in archive.text.partition("/")[0] and not it.has("--force-local"):
            yield danger("send", "The archive lies on another machine.", archive.text)
    if it.has("-t", "--list"):
        return
    if it.has("-i", "--extract"):
        if it.has("--to-stdout"):
            yield from _printed(it, None, it.operands)
            return
        if not it.has("--no-absolute-filenames"):
            yield danger("write", "It unpacks files to wherever the archive says.", safer="--no-absolute-filenames")
        yield pours(it, it.value("-D", "--directory") or _HERE)
        yield from _put(it, it.value("-D", "--directory") or _HERE, it.operands)
    elif it.has("-p", "--pass-through"):
        yield pours(it, it.operand(0) or _HERE)
        yield care("dynamic", "Which files it copies is known only when it runs.")
    elif it.has("-o", "--create"):
        for archive in it.all_values("-F", "--file", "-O"):
            yield it.path("write", archive)
        yield care("dynamic", "Which files it packs is known only when it runs.")


def _ars(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands:
        if arg.text.startswith("@"):
            yield care("unknown", "Its options come from a file.", arg.text)
    if it.has("-M"):
        yield care("unknown", "It obeys a script that comes in, and may write what that names.")
    elif it.has("-t", "-p"):
        for arg in it.operands[:1]:
            yield it.path("read", arg)
        if it.has("-p"):
            yield from _printed(it, it.operand(0), it.operands[1:])
    elif it.has("-x"):
        yield pours(it, _HERE)
        yield from _put(it, _HERE, it.operands[1:])
    elif it.operands:
        yield it.path("write", it.operands[0])
        for arg in it.operands[1:]:
            yield it.path("read", arg)


def _searched(it: Invocation) -> Iterator[Finding]:
    if (archive := it.operand(1)) is not None:
        yield it.path("read", archive)
        yield from _printed(it, archive, it.operands[2:])


def _unpacks_any(it: Invocation) -> Iterator[Finding]:
    if (archive := it.operand(0)) is not None:
        yield it.path("read", archive)
    if it.name == "acat":
        yield from _printed(it, it.operand(0), it.operands[1:])
        return
    folder = it.value("-o", "--output-directory") or _HERE
    yield pours(it, folder)
    yield from _put(it, folder, it.operands[1:])


_TAR = Spec("Packs and unpacks files; every option that runs a program is known.", _TAR_TABLE, "none*", also=_tars)
_SEVENS = Spec("Packs and unpacks files.", _SEVEN, "none*", also=_sevens)

COMMANDS: dict[str, Spec] = {
    **_BACKUPS,
    "tar": _TAR,
    "gtar": _TAR,
    "bsdtar": _TAR,
    "zip": Spec(
        "Packs files. -TT runs a program.",
        "-rRmjqvuofTDXyAJ@0123456789 -TT:run --unzip-command=run -b:write -O:write --out=write -P: --password= -s:"
        " -n: -t:"
        " -x: -i: -lf:write --logfile-path=write -Z: --exclude= --include= --recurse-paths --quiet --junk-paths --move"
        " --update --test --no-extra --symlinks -FS -sf? -h -h2 -L -e -g -d -k -l -z -p -w --version --help",
        also=_zips,
    ),
    "unzip": Spec(
        "Unpacks files.",
        "-abcCfhjKlLMnopqtTuvVWXzZ -d: -P: -x: -I: -O: -1 -2",
        also=_unzips,
    ),
    "zipinfo": reads("Lists what is in an archive.", "*", "read text*"),
    "zipgrep": Spec("Looks for text in an archive.", "*", "none*", also=_searched),
    "bsdcat": _PRINTS,
    **dict.fromkeys(
        ("unar", "dtrx", "atool", "aunpack", "acat"),
        Spec("Unpacks files.", "* -o:none --output-directory=none", "none*", also=_unpacks_any),
    ),
    "funzip": _PRINTS,
    "7z": _SEVENS,
    "7za": _SEVENS,
    "7zr": _SEVENS,
    "7zz": _SEVENS,
    "unrar": _SEVENS,
    "rar": _SEVENS,
    "gzip": _SQUEEZES,
    "gunzip": _SQUEEZES,
    "pigz": _SQUEEZES,
    "unpigz": _SQUEEZES,
    "bzip2": _SQUEEZES,
    "bunzip2": _SQUEEZES,
    "xz": _SQUEEZES,
    "unxz": _SQUEEZES,
    "lzma": _SQUEEZES,
    "unlzma": _SQUEEZES,
    "zstd": _SQUEEZES,
    "unzstd": _SQUEEZES,
    "lz4": _SQUEEZES,
    "unlz4": _SQUEEZES,
    "brotli": _SQUEEZES,
    "compress": _SQUEEZES,
    "uncompress": _SQUEEZES,
    "zcat": _PRINTS,
    "gzcat": _PRINTS,
    "bzcat": _PRINTS,
    "xzcat": _PRINTS,
    "lzcat": _PRINTS,
    "zstdcat": _PRINTS,
    "lz4cat": _PRINTS,
    "zdiff": reads("Compares packed files.", "*"),
    "zcmp": reads("Compares packed files.", "*"),
    "cpio": Spec(
        "Packs and unpacks files.",
        "-0abcdfilmLnopsStuvVBA -C: -D: -E:read -F: -H: -I:read -M: -O: -R: --extract --create --list --pass-through"
        " --file="
        " --directory= --rsh-command=run --make-directories --no-absolute-filenames --absolute-filenames"
        " --unconditional"
        " --verbose --quiet --preserve-modification-time --format= --null --to-stdout --pattern-file=read --owner="
        " --force-local --no-preserve-owner",
        also=_copies_in_out,
    ),
    "ar": Spec("Packs libraries.", "letters * --plugin=file --output=write", "none*", also=_ars),
}
