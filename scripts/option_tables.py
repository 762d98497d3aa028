"""Compare the tables of options with what installed programs say about themselves.

python -m scripts.option_tables [--page docs/option-tables.md] [--path FOLDER ...] [PROGRAM ...]

Only --help, -h and the like are run, in an empty folder, with an empty home and nothing to read. What differs is for a
person to look at: help texts are prose, and old or new versions know other options.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from assent.policy import commands
from assent.policy.commands import git
from assent.policy.commands.spec import OptionTable, Spec, option_table

LONGEST = 10.0
MOST_TEXT = 400_000
# A help that names fewer options than this says too little to miss one in it.
TELLING = 5

PROGRAMS = """
7z ack ag age ansible ansible-doc ansible-playbook apt-cache ar aria2c as astyle aws base64 basename bat batcat
bc black borg brotli bwrap bzip2 c++filt cal cargo cat ccache clang clang-format clang-tidy cloc cmake cmp
codespell column comm coverage cp cpio cppcheck csplit ctags curl cut cwebp date dd delv df diff diff3 dig dir
dot dos2unix doxygen du duplicity echo entr env esbuild eslint expand expr fakeroot fd fdfind ffmpeg ffprobe
file firejail flake8 flock fmt fold gawk gcc gdb gh git-lfs go gofmt gpg gradle grep gunicorn gzip head hexdump
hg hostname htop http hyperfine iconv id indent install ionice iostat ip isort jest join jq kill killall ld ldd
less ln locale logger look lsblk lscpu lsof ltrace lua make man markdownlint md5sum mkdir mkdocs mktemp mlr
mocha mtr mv mvn mypy mysql mysqldump nano ncat nc nice ninja nl nm nmap node nohup npm nproc numfmt objdump od
openssl pandoc parallel paste patch pdm perl pg_dump pg_restore pgrep php pidstat pigz ping pip pipx pkill
playwright poetry pr pre-commit prettier printenv ps psql pstree pv pydoc pylint pyright pytest python3 ranlib
rclone readelf readlink realpath redis-cli rename restic rg rimraf rm rmdir rollup rsync ruby ruff rustc scp
screen script sdiff sed semgrep seq setsid sftp shellcheck shred shuf size sleep socat sort sphinx-build split
sqlfluff sqlite3 ss ssh ssh-keygen stat stdbuf strace strings strip stylelint svn tac tail tar tcpdump tee
terser timeout tmux top touch tox tr traceroute tree truncate tsc tsort twine uncrustify unexpand uniq unxz
unzip uptime uv valgrind vim vim.tiny vite vitest vmstat watch wc webpack wget whereis which whois xargs xmllint
xmlstarlet xsltproc xxd xz yamllint yapf yq yt-dlp zip zipinfo zstd
"""
# Programs whose verbs each have options of their own.
VERBS = {
    "git": (
        "grep log show diff status blame branch tag fetch pull push clone archive bundle ls-remote ls-files"
        " ls-tree cat-file  rev-parse rev-list shortlog describe reflog remote stash apply am format-patch"
        " cherry-pick revert rebase merge  checkout switch restore reset clean commit add rm mv config worktree"
        " submodule notes bisect gc fsck for-each-ref  name-rev merge-base diff-tree diff-index diff-files"
        " difftool show-ref var check-ignore count-objects"
    ),
    "cargo": "build test run check doc metadata tree search fetch install clippy fmt bench clean update",
    "npm": "ls view install run audit outdated pack publish search config explain query",
    "pip": "list show install download freeze check config index wheel uninstall inspect cache",
    "gh": "api",
    "ruff": "check format",
}

# Names of options, and words about them, that do not sound as if nothing but looking were meant.
_SMELLS = re.compile(
    r"exec|command|cmd|program|pager|editor|browser|viewer|shell|hook|script|plugin|load|require|import|filter|eval"
    r"|output|out-|outfile|write|save|dump|log|report|in-?place|fix|delete|remove|unlink|overwrite|truncate|clean"
    r"|upload|send|post|proxy|server|listen|host|url|remote|config|rc|init|trace|profile|cache|dir|run|file|sync|edit",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"execut|\bruns?\b|\binvoke|\bcommand to\b|\bprogram to\b|writ(?:e|es|ing|ten)\b.{0,30}\b(?:to|into|files?)\b"
    r"|(?:to|in) (?:a |the )?file\b|\bsaves?\b|\bdelet|\bremoves?\b|overwrit|in.?place"
    r"|upload|\bload|plugin|proxy|\bsend|listen",
    re.IGNORECASE,
)
_NAME = r"(?:--?[A-Za-z0-9][\w.+-]*|-[?@#.:])"
# An option at the beginning of a line or behind another one, and what it may be given.
_VALUE = r"<[^>]+>|\[[A-Z][^\]]*\]|[A-Z][A-Z_0-9./:-]*|\{[^}]*\}|[a-z][\w:.-]*(?=,|$)"
_OPTION = re.compile(rf"({_NAME})(\[=[^\]]*\]|\[[^\]\s]*\]|=\S+| (?:{_VALUE})(?=[\s,]|$))?")
_LINE = re.compile(rf"^\s{{0,24}}(?:\* )?{_NAME}")
_VERSION = re.compile(r"\d+\.\d+[\w.+~-]*")


class Told(NamedTuple):
    """An option as the help text has it."""

    name: str
    # "flag", "value" or "optional"
    takes: str
    text: str


class Compared(NamedTuple):
    program: str
    version: str
    told: int
    # Options that the table takes for harmless without a word about them, and that do not sound harmless.
    unlisted: list[Told]
    # Options that take a value for one and none for the other: what follows them is then something else.
    differing: list[tuple[Told, str]]
    # Options with a value that the table takes for flags because it does not name them.
    shifting: list[Told]
    absent: list[str]


class Helper:
    """Runs programs where they find nothing of the user's."""

    def __init__(self, folders: Sequence[str], room: Path) -> None:
        self._room = room
        path = os.pathsep.join([*folders, os.environ.get("PATH", os.defpath)])
        self._environment = {
            "PATH": path,
            "HOME": str(room),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "COLUMNS": "200",
            "PAGER": "cat",
            "GIT_PAGER": "cat",
            "MANPAGER": "cat",
        }

    def has(self, program: str) -> bool:
        return shutil.which(program, path=self._environment["PATH"]) is not None

    def help(self, words: list[str]) -> str:
        """The longest of what it answers to a wish for help."""
        wishes = (
            (["-h"], ["--help"], ["--help-all"]) if words[0] == "git" else (["--help"], ["-h"], ["-help"], ["help"])
        )
        wishes = (*wishes, *{"curl": (["--help", "all"],), "ffmpeg": (["-h", "full"],)}.get(words[0], ()))
        return max((self._said([*words, *wish]) for wish in wishes), key=_telling)

    def version(self, words: list[str]) -> str:
        for wish in ("--version", "-version", "-V", "version"):
            if (found := _VERSION.search(self._said([words[0], wish])[:2000])) is not None:
                return found[0]
        return ""

    def _said(self, words: list[str]) -> str:
        try:
            made = subprocess.run(
                words,
                check=False,
                cwd=self._room,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=LONGEST,
            )
        except (OSError, subprocess.TimeoutExpired):
            return ""
        return made.stdout[:MOST_TEXT].decode("utf-8", "replace")


def _telling(text: str) -> int:
    return len(list(options(text)))


def options(text: str) -> Iterator[Told]:
    """The options of a help text: lines that begin with one, with its other names and its description."""
    text = re.sub(r"\x1b\[[0-9;]*m|.\x08", "", text)
    lines = text.splitlines()
    for place, line in enumerate(lines):
        if _LINE.match(line) is None:
            continue
        head, _, words = line.strip().removeprefix("* ").partition("  ")
        if "\t" in head:
            head, _, words = head.partition("\t")
        if not words and place + 1 < len(lines) and _LINE.match(lines[place + 1]) is None:
            words = lines[place + 1]
        found = list(_heads(head))
        takes = next((each for _, each in found if each != "flag"), "flag")
        for name, _ in found:
            yield Told(name.rstrip("."), takes, " ".join(words.split())[:100])


def _heads(head: str) -> Iterator[tuple[str, str]]:
    """``-o FILE, --output=FILE``: names as long as nothing else stands between them."""
    at = 0
    while (found := _OPTION.match(head, at)) is not None:
        value = found[2] or ""
        yield found[1], "flag" if not value else "optional" if value.startswith("[") else "value"
        gap = re.compile(r"\s*(?:,|\||/|\bor\b)?\s*").match(head, found.end())
        at = gap.end() if gap is not None else found.end()


def spec_of(words: list[str]) -> Spec | None:
    spec = commands.find(words[0])
    for verb in words[1:]:
        verbs = git.VERBS if words[0] == "git" else (spec.verbs or {}) if spec is not None else {}
        spec = verbs.get(verb)
    return spec


def compared(words: list[str], spec: Spec, helper: Helper) -> Compared:
    table = option_table(spec.options)
    told = {each.name: each for each in options(helper.help(words))}
    unlisted, differing, shifting = [], [], []
    for each in told.values():
        known = _known(each.name, table)
        if known is None:
            # Where a table is whole, what it does not name is unknown, and that is asked about.
            if table.any and (_SMELLS.search(each.name[2:]) or _TELLS.search(each.text)):
                unlisted.append(each)
            elif table.any and each.takes == "value":
                shifting.append(each)
        elif (known == "flag") != (each.takes == "flag") or (known == "optional" and each.takes == "value"):
            differing.append((each, known))
    names = {option for option in table.takes if option not in ("-#", "+")}
    absent = sorted(names - told.keys() - {f"-{name}" for name in told}) if len(told) >= TELLING else []
    return Compared(" ".join(words), helper.version(words), len(told), unlisted, differing, shifting, absent)


def _known(name: str, table: OptionTable) -> str | None:
    for spelled in (name, name[1:] if name.startswith("--") else f"-{name}"):
        takes = table.takes.get(spelled)
        if takes is not None:
            return (
                "flag" if takes == "flag" else "optional" if takes[0] == "?" or spelled in table.prefixes else "value"
            )
    return None


def page(found: list[Compared]) -> str:
    lines = [
        "# Tables of options and the programs themselves",
        "",
        "Made by `python -m scripts.option_tables`: what installed programs say in their help, beside what Assent's",
        "tables say. *Unlisted*: the table takes it for harmless without naming it, and it does not sound harmless.",
        "*Differs*: it takes a value for one and none for the other. *Shifts*: it takes a value, and the table does",
        "not name it. *Not in the help*: the table names it, the help of this version does not. Help texts are prose,",
        "and some are misread; what is left here was looked at and is harmless, or is asked about for other reasons.",
        "",
        "| program | version | options | unlisted | differs | shifts | not in the help |",
        "| --- | --- | ---: | --- | --- | --- | ---: |",
    ]
    for each in found:
        cells = (
            " ".join(told.name for told in each.unlisted),
            " ".join(f"{told.name} ({told.takes}, table: {known})" for told, known in each.differing),
            " ".join(told.name for told in each.shifting),
        )
        marked = " | ".join(f"`{cell}`" if cell else "" for cell in cells)
        lines.append(f"| {each.program} | {each.version} | {each.told} | {marked} | {len(each.absent)} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the result here, as a table")
    parser.add_argument("--path", action="append", default=[], metavar="FOLDER", help="look for programs here first")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="only these, a verb behind a slash")
    arguments = parser.parse_args()
    asked = [each.split("/") for each in arguments.programs] or [
        *([name] for name in PROGRAMS.split()),
        *([name, verb] for name, verbs in VERBS.items() for verb in verbs.split()),
    ]
    found: list[Compared] = []
    with tempfile.TemporaryDirectory(prefix="option-tables-") as room:
        helper = Helper(arguments.path, Path(room))
        for words in asked:
            spec = spec_of(words)
            if spec is None or not helper.has(words[0]):
                print(f"{' '.join(words)}: {'not installed' if spec is not None else 'not known'}", file=sys.stderr)
                continue
            each = compared(words, spec, helper)
            if each.told:
                found.append(each)
                _print(each)
    if arguments.page is not None:
        arguments.page.write_text(page(found))
    return 0


def _print(each: Compared) -> None:
    print(f"== {each.program} {each.version}: {each.told} options")
    for told in each.unlisted:
        print(f"   unlisted  {told.name} ({told.takes}): {told.text}")
    for told, known in each.differing:
        print(f"   differs   {told.name} ({told.takes}, table: {known}): {told.text}")
    for told in each.shifting:
        print(f"   shifts    {told.name}: {told.text}")
    if each.absent:
        print(f"   absent    {' '.join(each.absent)}")


if __name__ == "__main__":
    sys.exit(main())
