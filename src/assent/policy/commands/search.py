"""Commands that look for files and for text in them."""

import itertools
import re
from collections.abc import Iterator

from assent.expressions import later
from assent.policy import sensitive
from assent.policy.commands._found import Expression
from assent.policy.commands.spec import Finding, Invocation, Run, Spec, each, known, names_only, starts
from assent.policy.effects import Effect, care, danger
from assent.policy.shell.obfuscation import veil
from assent.policy.shell.words import HOLE, Arg


def _finds(it: Invocation) -> Iterator[Finding]:
    expression = Expression(it)
    for folder in expression.folders:
        yield names_only(it, folder)
    yield from expression.findings()


# --- text in files


def _sought(it: Invocation, *pattern_options: str) -> list[Arg]:
    """The files: all operands but the pattern, which an option may have given."""
    return it.operands if it.has(*pattern_options) else it.operands[1:]


def _picked(it: Invocation, *options: str) -> Iterator[Finding]:
    """``--include=.env``: files picked by a name that secrets go by."""
    for pattern in it.all_values(*options):
        if not pattern.text.startswith("!"):
            effect = it.path("read", Arg(f"**/{pattern.text}", glob=True))
            if effect.kind == "secret":
                yield effect


# Words that secrets go by.
_TELLING = later(r"(?i)secret|token|passw|passphrase|cred|auth|key|private|bearer|cookie|login")


def _one_word(it: Invocation, file: Arg, effect: Effect) -> Effect:
    """One plain word that is looked for in a whole folder of settings shows a few lines, not the folder."""
    sought = [*it.all_values("-e", "--regexp"), *([] if it.has("-e", "--regexp") else it.operands[:1])]
    is_word = len(sought) == 1 and re.fullmatch(r"[\w.-]{3,}", sought[0].text) is not None
    is_few = is_word and not _TELLING.search(sought[0].text) and not it.has("-v", "--invert-match", "-f", "--file")
    if effect.kind == "secret" and is_few and it.place(file) in ("home", "obeyed"):
        return care("read", "It looks for a word in a whole folder of settings.", effect.target)
    return effect


def _greps(it: Invocation) -> Iterator[Finding]:
    recursive = it.has("-r", "-R", "--recursive", "--dereference-recursive") or it.name in ("rgrep", "zipgrep")
    files = _sought(it, "-e", "--regexp", "-f", "--file")
    yield from _picked(it, "--include")
    for file in files or ([Arg(".")] if recursive else []):
        effect = it.path("read", file, recursive=recursive)
        if recursive:
            yield _one_word(it, file, effect)
        else:
            yield veil(effect, it.name, it.handed_on, it.setting.project)


def _ripgreps(it: Invocation) -> Iterator[Finding]:
    # Hidden files, where secrets lie, are left out unless asked for.
    deep = (
        it.has("--hidden", "-.", "-uu", "-uuu")
        or sum(option in ("-u", "--unrestricted") for option, _ in it.values) > 1
    )
    if it.has("--files", "--type-list", "--version", "-V", "--help", "-h", "--pcre2-version"):
        for file in it.operands:
            yield names_only(it, file)
    else:
        for file in _sought(it, "-e", "--regexp", "-f", "--file"):
            yield it.path("read", file, recursive=deep)
        yield from _picked(it, "-g", "--glob", "--iglob")
    for program in it.all_values("--pre", "--hostname-bin"):
        if program.text:
            yield danger("run", "A search is made to run a program.", program.text.replace(HOLE, "…"))
            yield from starts(program)


def _ags(it: Invocation) -> Iterator[Finding]:
    for file in _sought(it, "-g"):
        yield it.path("read", file, recursive=it.has("-u", "--unrestricted", "--hidden"))


# --- fd

_MOST = 64
_FD_NAMES = ("{}", "{/}", "{//}", "{.}", "{/.}")


def _fds(it: Invocation) -> Iterator[Finding]:
    folders = it.operands[1:] + it.all_values("--search-path", "--base-directory", "-C")
    for folder in folders:
        yield names_only(it, folder)
    if it.is_dynamic:
        yield care("dynamic", "A word of fd is known only when it runs, and could run something.")
    if len(folders) * len(it.all_values("-e", "--extension")) > _MOST:
        yield danger("dynamic", "It does more than can be looked through.")
    for command in it.commands[:_MOST]:
        for path in itertools.islice(_fd_paths(it, folders), _MOST):
            filled = tuple(path if word.text in _FD_NAMES else _hidden(word) for word in command)
            yield Run(args=filled if filled != command else (*filled, path))


def _hidden(word: Arg) -> Arg:
    return Arg(HOLE, splits=word.splits) if any(name in word.text for name in _FD_NAMES) else word


def _fd_paths(it: Invocation, folders: list[Arg]) -> Iterator[Arg]:
    endings = [value.text.lstrip(".") for value in it.all_values("-e", "--extension")]
    pattern = it.operand(0)
    names = [f"**/*.{ending}" for ending in endings] or ["**"]
    if pattern is not None and pattern.known:
        plain = pattern.text.replace("\\", "").strip("^$")
        if it.has("-g", "--glob") or sensitive.is_secret(plain):
            names = [f"**/{plain}"]
    for folder in folders or [Arg(".")]:
        for name in names:
            yield Arg(f"{folder.text.rstrip('/')}/{name}", glob=True)


# --- code


def _rewrites(it: Invocation) -> Iterator[Finding]:
    for file in it.operands:
        yield it.path("read", file)
    if it.has("-U", "--update-all", "-i", "--interactive"):
        yield it.path("write", it.operand(0) or Arg("src"))


def _tags(it: Invocation) -> Iterator[Finding]:
    if any(option.startswith(("--list", "--help", "--version")) for option, _ in it.values):
        return
    goal = it.value("-f", "-o")
    if goal is None or goal.text != "-":
        yield it.path("write", goal if goal is not None else Arg("tags"))
    for file in it.operands:
        yield it.path("read", file)


_GREP = (
    "* -e: -f:read -A: -B: -C: -m: -d: -D: --regexp= --file=read --after-context= --before-context= --context="
    " --max-count="
    " --include= --exclude= --exclude-dir= --exclude-from=read --label= --binary-files= --color? --colour? --devices="
    " --directories= --group-separator= -#"
)
_GREPS = Spec("Prints lines that fit. No option of it writes or runs anything.", _GREP, also=_greps)
_AST = (
    "-hVUi -p: -l: -r: --pattern= --lang= --rewrite= --selector= --strictness= --debug-query? --json? --globs="
    " --no-ignore="
    " --color= --heading= --context= -A: -B: -C: -j: --threads= --update-all --interactive --stdin --help --version"
    " --config=care -c:care"
)
_AST_RUN = Spec("Looks for code; -U writes what it rewrites.", _AST, also=_rewrites)


def _lists_by(it: Invocation) -> Iterator[Finding]:
    """``cloc --vcs``: a program that lists the files to count."""
    for program in it.all_values("--vcs"):
        if program.text not in ("git", "svn", "auto"):
            yield Run(line=program)
            yield care("run", "It runs a program to learn which files to count.", program.text.replace(HOLE, "…"))


COMMANDS: dict[str, Spec] = {
    "find": Spec("Looks for files; its expression is read.", "*", also=_finds),
    "gfind": Spec("Looks for files; its expression is read.", "*", also=_finds),
    "grep": _GREPS,
    "egrep": _GREPS,
    "fgrep": _GREPS,
    "rgrep": _GREPS,
    "ggrep": _GREPS,
    "zgrep": _GREPS,
    "zegrep": _GREPS,
    "zfgrep": _GREPS,
    "bzgrep": _GREPS,
    "xzgrep": _GREPS,
    "zstdgrep": _GREPS,
    "pcregrep": _GREPS,
    "pcre2grep": _GREPS,
    "rg": Spec(
        "Prints lines that fit. Only --pre and --hostname-bin run programs; nothing is written.",
        "* -e: -f:read -A: -B: -C: -E: -M: -T: -g: -j: -m: -r: -t: -d: --regexp= --file=read --after-context="
        " --before-context= --context= --encoding= --max-columns= --type-not= --glob= --iglob= --threads= --max-count="
        " --replace= --type= --max-depth= --max-filesize= --ignore-file=read --path-separator= --sort= --sortr="
        " --color="
        " --colors= --context-separator= --dfa-size-limit= --regex-size-limit= --engine= --field-context-separator="
        " --field-match-separator= --hyperlink-format= --pre= --pre-glob= --hostname-bin= --type-add="
        " --type-clear="
        " --generate= --stop-on-nonmatch",
        also=_ripgreps,
    ),
    "ag": Spec(
        "Prints lines that fit.",
        "-acfFhiLlmnoQRrsSuUvVwWz0 -A? -B? -C? -g -G: -p:read --pager=run --path-to-ignore=read --depth= --ignore="
        " --ignore-dir= --file-search-regex= --max-count= --hidden --unrestricted --nocolor --color --literal"
        " --ignore-case --case-sensitive --smart-case --files-with-matches --files-without-matches --count --stats"
        " --vimgrep"
        " --nogroup --group --all-types --all-text --version --help --column --nobreak --numbers --python --js --ts"
        " --go"
        " --rust --java --ruby --html --css",
        also=_ags,
    ),
    "ack": Spec(
        "Prints lines that fit.",
        "-cfhHiIlLnoQrRsSvwx1 -A: -B: -C: -g -m: --pager=run --ackrc=care --type= --ignore-dir= --ignore-file="
        " --output="
        " --match= --files-from=read --max-count= --nocolor --color --nopager --noenv --python --js --ruby --perl"
        " --help-types --version --help --count --literal --ignore-case --sort-files",
        also=_ags,
    ),
    **each(
        "fd fdfind",
        Spec(
            "Looks for files; what -x and -X start is walked, too.",
            "* -x;none -X;none --exec;none --exec-batch;none -e: -E: -t: -d: -S: -o: -c: -j: -C: --extension="
            " --exclude= --type= --max-depth= --min-depth= --exact-depth="
            " --size= --owner= --changed-within= --changed-before= --color= --threads= --max-results= --base-directory="
            " --search-path= --ignore-file=read --path-separator= --batch-size= --format= --max-buffer-time= --and=",
            also=_fds,
        ),
    ),
    "tree": Spec(
        "Lists names as a tree. -o and -R write files.",
        "-adfilxqNQpugshDFvrtcUnCAXJS -L: -P: -I: -T: -H: -o:write -R:care --charset= --filelimit= --fromfile"
        " --timefmt="
        " --noreport --prune --dirsfirst --filesfirst --sort= --gitignore --gitfile=read --infofile=read --info"
        " --matchdirs"
        " --metafirst --ignore-case --inodes --device --si --du --nolinks --hintro=read --houtro=read --version --help",
        "names*",
    ),
    "locate": known("Looks a name up in the list of files.", "* -d:read -l: -n: -S --database=read --limit="),
    "plocate": known("Looks a name up in the list of files.", "* -d:read -l: --database=read --limit="),
    "mdfind": known("Looks for files by what is known of them.", "* -onlyin= -name="),
    "which": known("Tells where a command is found."),
    "whereis": known("Tells where a command is found.", "* -B: -M: -S:"),
    "whence": known("Tells where a command is found."),
    "cloc": Spec(
        "Counts lines of code.",
        "--json --yaml --csv --quiet --git --by-file --by-file-by-lang --vcs=none --exclude-dir= --exclude-ext="
        " --include-lang="
        " --include-ext= --not-match-d= --not-match-f= --match-f= --exclude-list-file=read --list-file=read --md"
        " --sum-one"
        " --hide-rate --version --help --diff -v --out=write --report-file=write --force-lang= --fullpath"
        " --progress-rate=",
        "read*",
        also=_lists_by,
    ),
    "scc": Spec(
        "Counts lines of code.",
        "-abcdhlmpuvwyz -f: -s: -i: -x: -n: -M: -N: -o:write --output=write --format= --sort= --include-ext="
        " --exclude-ext="
        " --exclude-dir= --by-file --no-cocomo --no-complexity --no-duplicates --wide --version --help --ci",
        "read*",
    ),
    "tokei": Spec(
        "Counts lines of code.",
        "-CVfhv -c: -e: -i:read -n: -o: -s: -t: --exclude= --input=read --output= --sort= --type= --types= --files"
        " --hidden"
        " --languages --no-ignore --compact --columns= --version --help",
        "read*",
    ),
    "ast-grep": Spec(
        "Looks for code.",
        _AST,
        also=_rewrites,
    ),
    "ctags": Spec(
        "Makes a list of names in code.",
        "-aeruVwxBFRN -f: -o: -h: -I: -L:read -n --languages= --exclude= --fields= --extras= --kinds-C= --recurse?"
        " --list-kinds? --list-languages --list-maps? --list-features --help --version --options=care --sort="
        " --append?",
        also=_tags,
    ),
}
