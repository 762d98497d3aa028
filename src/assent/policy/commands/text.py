"""Tools that read text and print it changed: sort, cut, sed, awk, jq, diff, pagers and their like."""

import re
from collections.abc import Iterator

from assent.expressions import later
from assent.policy import world
from assent.policy.commands import _awk, _sed
from assent.policy.commands._sed import pours, veiled_reads
from assent.policy.commands.spec import Finding, Invocation, Spec, known, reads
from assent.policy.effects import care, danger
from assent.policy.paths import locate
from assent.policy.shell import variables
from assent.policy.shell.obfuscation import veil
from assent.policy.shell.words import HOLE, Arg


def _script_file(it: Invocation, file: Arg) -> str | None:
    """The text of a script in the project, if it is small enough to look at."""
    target = locate(file, it.setting, it.cwd)
    return world.read_small(target.path) if target.place == "project" and file.known else None


# --- sed


def _seds(it: Invocation) -> Iterator[Finding]:
    files = list(it.operands)
    in_place = it.has("-i", "-I", "--in-place")
    suffix = it.value("-i", "-I", "--in-place")
    has_script = it.has("-e", "--expression", "-f", "--file")
    if suffix is not None and not suffix.text and files and not files[0].text and (has_script or len(files) > 2):
        # Elsewhere than on Linux the suffix is a word of its own; with one word behind it, it is the script.
        files.pop(0)
    given = it.all_values("-e", "--expression")
    from_files = it.all_values("-f", "--file")
    if not given and not from_files and files:
        given = [files.pop(0)]
    left = ""
    if given:
        script = "\n".join(arg.text for arg in given)
        yield from _sed.findings(it, script)
        left = _sed.of_sed(script, is_quiet=it.has("-n", "--quiet", "--silent")) if in_place else ""
    for file in from_files:
        yield it.path("read", file)
        text = _script_file(it, file)
        if text is None:
            yield care("run", "Its script is in a file, and may write files and run programs.", file.text)
        else:
            yield from _sed.findings(it, text)
    for file in files:
        effect = it.path("write" if in_place else "read", file)
        yield effect if in_place else veil(effect, "sed", it.handed_on, it.setting.project)
        yield from _sed.edited(it, file, left)


_SED = Spec(
    "Prints text edited by its script; the script is read.",
    "-nErszu -a -e: -f: -l: -i? -I? --expression= --file= --line-length= --in-place? --quiet --silent --regexp-extended"
    " --separate --null-data --unbuffered --zero-terminated --posix --debug --sandbox --follow-symlinks --binary"
    " --help --version",
    also=_seds,
)


# --- awk


def _awks(it: Invocation) -> Iterator[Finding]:
    files = list(it.operands)
    given = it.all_values("-e", "--source")
    from_files = it.all_values("-f", "--file", "-E", "--exec")
    if not given and not from_files and files:
        given = [files.pop(0)]
    assigned = [arg.text.partition("=") for arg in (*it.all_values("-v", "--assign"), *files)]
    texts = {name: value for name, equals, value in assigned if equals and name.isidentifier()}
    for program in given:
        yield from _awk.findings(it, program.text, texts)
    for file in from_files:
        yield it.path("read", file)
        text = _script_file(it, file)
        if text is None:
            yield care("run", "Its program is in a file, and may write files and run programs.", file.text)
        else:
            yield from _awk.findings(it, text, texts)
    in_place = False
    for library in it.all_values("-i", "--include"):
        if library.text == "inplace":
            in_place = True
        else:
            yield care("run", "It loads awk code that is not in sight.", library.text)
    for file in files:
        if re.match(r"[A-Za-z_]\w*=", file.text):
            continue
        effect = it.path("write" if in_place else "read", file)
        yield effect if in_place else veil(effect, "awk", it.handed_on, it.setting.project)
        if in_place:
            yield from _sed.edited(it, file, _sed.of_awk("\n".join(arg.text for arg in given)))


# --- jq, yq

_JQ_VARIABLES = later(r"(?:\$ENV|\benv\b)(?:\s*\.\s*(\w+)|\s*\[\s*\"(\w+)\"\s*\]|\s*\.\s*\"(\w+)\")?")
_JQ_TEXT = later(r'(?:[^"\\]|\\[^(])*')
_LONGEST = 4_096
_YQ_LOADS = later(r"\b(?:str_?)?load\w*\s*\(\s*(?:\"([^\"]*)\"|([^)]*))\)")
_YQ_VARIABLES = later(r"\b(?:str)?env\(\s*(\w+)\s*\)")


def _code_of_jq(program: str) -> str:
    """The program without texts, except for those that name a variable and what is worked out inside of them."""
    made: list[str] = []
    at, depths = 0, list[int]()
    while at < len(program):
        character = program[at]
        if character == '"' or (character == ")" and depths and depths[-1] == 0):
            if character == ")":
                depths.pop()
            end = _JQ_TEXT.match(program, at + 1)
            text = end[0] if end else program[at + 1 :]
            made.append(f'"{text}"' if text.isidentifier() and text.isupper() else '""')
            at += 1 + len(text)
            if program.startswith("\\(", at):
                depths.append(0)
                made.append(" ")
                at += 2
            else:
                at += 1
            continue
        if depths and character in "()":
            depths[-1] += 1 if character == "(" else -1
        made.append(character)
        at += 1
    return "".join(made)


def _program_of_jq(program: str) -> Iterator[Finding]:
    if len(program) > _LONGEST:
        yield care("unknown", "The jq program is too long to look through.")
        return
    if HOLE in program:
        yield care("dynamic", "Part of the jq program is known only when it runs.")
    if re.search(r"\b(?:import|include)\s*\"", program):
        yield care("run", "It loads jq code or data that is not in sight.")
    program = _code_of_jq(program)
    # A field may be called env, too.
    for match in _JQ_VARIABLES.finditer(program):
        if program[: match.start()].rstrip().endswith(".") or program[match.end() :].lstrip().startswith(":"):
            continue
        name = match[1] or match[2] or match[3]
        if name is None:
            yield danger("secret", "It prints every variable, and secrets may be among them.")
        elif variables.is_secret(name):
            yield danger("secret", f"It prints the secret in ${name}.", name)


_JQ = (
    "* --arg::text --argjson::text --rawfile::none --slurpfile::none --argfile::none --indent= -L:none"
    " --library-path=none -f --from-file --args --jsonargs"
)


def _jqs(it: Invocation) -> Iterator[Finding]:
    for file in it.all_values("--rawfile", "--slurpfile", "--argfile")[1::2]:
        yield it.path("read", file)
    for folder in it.all_values("-L", "--library-path"):
        yield care("run", "It loads jq code from a folder.", folder.text)
    if not it.operands:
        return
    program, *files = it.operands
    if it.has("-f", "--from-file"):
        yield it.path("read", program)
        program = Arg(_script_file(it, program) or HOLE)
    for file in files:
        yield it.path("write" if it.has("-i", "--in-place") else "read", file)
    yield from _program_of_jq(program.text)


def _yqs(it: Invocation) -> Iterator[Finding]:
    operands = list(it.operands)
    if operands and operands[0].text in ("eval", "e", "eval-all", "ea"):
        operands.pop(0)
    expressions = it.all_values("--expression")
    if not expressions and operands and (len(operands) > 1 or _is_expression(operands[0].text)):
        expressions = [operands.pop(0)]
    for expression in expressions:
        text = expression.text
        if len(text) > _LONGEST:
            yield care("unknown", "The expression is too long to look through.")
            continue
        yield from _program_of_jq(_YQ_VARIABLES.sub("", text))
        for match in _YQ_VARIABLES.finditer(text):
            if variables.is_secret(match[1]):
                yield danger("secret", f"It prints the secret in ${match[1]}.", match[1])
        if re.search(r"\beval\s*\(", text):
            yield care("dynamic", "It obeys an expression that is worked out only when it runs.")
        for match in _YQ_LOADS.finditer(text):
            yield it.path("read", Arg(match[1] if match[1] is not None else HOLE))
    if it.has("-s", "--split-exp"):
        yield care("write", "It writes a file for each part, by names worked out only then.")
    in_place = it.has("-i", "--inplace", "--in-place")
    for file in operands:
        yield it.path("write" if in_place else "read", file)


def _is_expression(text: str) -> bool:
    return (text.startswith(".") and not text.startswith((".env", "./", "../"))) or bool(re.search(r"[|(\[{ ]", text))


# --- pagers


def _pages(it: Invocation) -> Iterator[Finding]:
    for command in it.all_values("+"):
        if not re.fullmatch(r"\+?(?:\d+|[GgFf]|/.*)?", command.text):
            yield danger("run", "The pager is told to run a command.", command.text)
    for arg in it.operands:
        if arg.text != "-":
            yield it.path("read", arg)


def _manual(it: Invocation) -> Iterator[Finding]:
    if it.has("-l", "--local-file"):
        for arg in it.operands:
            yield it.path("read", arg)
    elif any("/" in arg.text for arg in it.operands):
        for arg in it.operands:
            if "/" in arg.text:
                yield it.path("read", arg)


# --- others


def _second_is_written(it: Invocation) -> Iterator[Finding]:
    """``uniq in out``, ``xxd in out``: the second file is written."""
    if (goal := it.operand(1)) is not None and goal.text != "-":
        yield it.path("write", goal)


def _patches(it: Invocation) -> Iterator[Finding]:
    if it.has("--dry-run", "-C", "--check"):
        return
    goal = it.value("-o", "--output") or it.operand(0)
    if goal is not None and goal.text != "-":
        yield it.path("write", goal)
        return
    if (folder := it.value("-d", "--directory")) is not None:
        yield pours(it, folder)
        return
    yield care("write", "It changes the files a patch names.", safer="git apply --check")


def _tests_xml(it: Invocation) -> Iterator[Finding]:
    for arg in (*it.operands, *it.all_values("--schema", "--relaxng", "--schematron", "--dtdvalid")):
        if "://" in arg.text:
            yield care("fetch", "It brings something in from the network.", arg.text)
        else:
            yield it.path("read", arg)


_AWK = Spec(
    "Prints what its program makes of text; the program is read.",
    "-bcCgGhMnNOPrsStV -I -F: -v: -f: -e: -E: -i: -l:care --field-separator= --assign= --file= --source= --exec="
    " --include="
    " --load=care -o?write -p?write -d?write -D?care --pretty-print?write --profile?write --dump-variables?write"
    " --debug?care --version --help --posix --traditional --re-interval --non-decimal-data --sandbox --lint? --csv -k"
    " --characters-as-bytes --optimize --no-optimize --bignum --use-lc-numeric",
    also=_awks,
)
_LESS = Spec(
    "Shows files page by page. Typing into it is a person's matter; without a terminal it prints.",
    "+~none -aABcCdeEfFgGiIJLmMnNqQrRsSuUVwWX -o:write -O:write -k:care -t: -T:read -p: -b: -h: -j: -P: -x: -y: -z: -D:"
    " --log-file=write"
    " --LOG-FILE=write --lesskey-file=care --lesskey-src=care --lesskey-content=care --tag= --tag-file=read --pattern="
    " --RAW-CONTROL-CHARS --raw-control-chars --quit-if-one-screen --no-init --chop-long-lines --LINE-NUMBERS"
    " --ignore-case --version --help --quit-at-eof --squeeze-blank-lines --follow-name --mouse -#",
    also=_pages,
)
_DIFF = (
    "* -I: -L: -x: -X:read -U: -C: -W: -D: -F: -S: --label= --exclude= --exclude-from=read --from-file=read"
    " --to-file=read"
    " --starting-file= --ignore-matching-lines= --unified? --context? --width= --ifdef= --color? --palette="
    " --horizon-lines= --tabsize= --line-format= --old-line-format= --new-line-format= --unchanged-line-format="
)

COMMANDS: dict[str, Spec] = {
    "sed": _SED,
    "gsed": _SED,
    "awk": _AWK,
    "gawk": _AWK,
    "mawk": _AWK,
    "nawk": _AWK,
    "original-awk": _AWK,
    "jq": Spec("Prints parts of JSON. It cannot write files or run programs.", _JQ, also=_jqs),
    "gojq": Spec("Prints parts of JSON. It cannot write files or run programs.", _JQ, also=_jqs),
    "jaq": Spec("Prints parts of JSON.", f"{_JQ} -i --in-place", also=_jqs),
    "yq": Spec(
        "Prints parts of YAML.",
        "-0CMNPerjnvVyYcS -i -o: -p: -I: -s: -f: --inplace --in-place --output-format= --input-format= --indent="
        " --split-exp="
        " --front-matter= --expression= --from-file=care --split-exp-file=care --null-input --exit-status --prettyPrint"
        " --colors --no-colors --no-doc --unwrapScalar? --raw-output --verbose --version --help --header-preprocess"
        " --arg= --xml-output --toml-output --yaml-output --csv-auto-parse? --tojson",
        "text*",
        also=_yqs,
    ),
    "sort": Spec(
        "Sorts. -o writes a file; a program that compresses is run.",
        "-bcCdfgiMhnRrmsuVz -k: -o:write -S: -t: -T:names --key= --output=write --buffer-size= --field-separator="
        " --temporary-directory=names --compress-program=packer --files0-from=listed --random-source=read --batch-size="
        " --parallel= --sort= --check? --human-numeric-sort --zero-terminated --ignore-leading-blanks"
        " --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --numeric-sort"
        " --random-sort --reverse --version-sort --merge --stable --unique --debug --help --version -#",
        "read*",
    ),
    "uniq": Spec(
        "Leaves out repeated lines. A second file is written.",
        "-cdDiuz -f: -s: -w: --count --repeated --all-repeated? --skip-fields= --group? --ignore-case --skip-chars="
        " --unique --zero-terminated --check-chars= --help --version",
        "read text",
        also=_second_is_written,
    ),
    "cut": Spec(
        "Prints columns.",
        "* -b: -c: -d: -f: --bytes= --characters= --delimiter= --fields= --output-delimiter=",
        "none*",
        also=veiled_reads,
    ),
    "paste": reads("Puts lines side by side.", "* -d: --delimiters="),
    "join": reads("Joins lines by a field.", "* -a: -e: -j: -o: -t: -v: -1: -2:"),
    "comm": reads("Compares sorted files.", "* --output-delimiter="),
    "tr": known("Replaces characters in what flows through."),
    "fold": reads("Breaks lines.", "* -w: --width="),
    "fmt": reads("Breaks lines.", "* -w: -p: -g: --width= --prefix= --goal="),
    "pr": reads("Makes pages.", "* -D: -e? -h: -i? -l: -n? -N: -o: -s? -S? -w: -W: --header= --length= --width="),
    "column": reads("Lines columns up.", "* -s: -o: -c: -N: -t --separator= --output-separator= --output-width="),
    "colrm": known("Drops columns."),
    "col": known("Drops control characters."),
    "expand": reads("Turns tabs into blanks.", "* -t: --tabs="),
    "unexpand": reads("Turns blanks into tabs.", "* -t: --tabs="),
    "tsort": reads("Sorts things behind what they need."),
    "ptx": Spec("Makes an index.", "", "read write"),
    "shuf": Spec(
        "Mixes lines.",
        "-erz -i: -n: -o:write --echo --input-range= --head-count= --output=write --random-source=read --repeat"
        " --zero-terminated --help --version",
        "read*",
    ),
    "look": reads("Finds words.", "* -t:", "text read"),
    "diff": reads("Compares files.", _DIFF, "readall*"),
    "colordiff": reads("Compares files.", _DIFF, "readall*"),
    "diff3": reads("Compares files.", "-aAeEimTxX3 -L: --text --merge --label= --diff-program=run", "read*"),
    "sdiff": Spec(
        "Compares files side by side.", "-abBdEHilstWZ -w: -o:write --output=write --diff-program=run", "read*"
    ),
    "cmp": reads("Compares bytes.", "* -i: -n: --ignore-initial= --bytes="),
    "dyff": reads("Compares YAML.", "*", "text read*"),
    "patch": Spec(
        "Changes the files a patch names.",
        "-bcCeEflnNRstTuvZ -p: -d:write -i:read -o: -r:write -B: -D: -F: -g: -V: -Y: -z: --strip= --directory=write"
        " --input=read --output= --reject-file=write --dry-run --forward --reverse --force --batch --check --silent"
        " --quiet --backup --remove-empty-files --binary --merge? --verbose --posix --help --version",
        "text read",
        also=_patches,
    ),
    "xmllint": Spec(
        "Checks and prints XML.",
        "--version --noout --format --pretty= --xpath= --xinclude?care --noxincludenode?care --valid?care"
        " --postvalid?care --nonet --noblanks --nocdata --html"
        " --recover --encode= --c14n --c14n11 --exc-c14n --schema=none --relaxng=none --schematron=none --dtdvalid=none"
        " --path= --output=write --noent=care --shell=care --loaddtd=care --stream --timing --debug --huge --quiet"
        " --nowarning --nsclean --nodefdtd --dropdtd -o:write",
        also=_tests_xml,
    ),
    "xxd": Spec(
        "Prints bytes as numbers, or makes bytes of them. A second file is written.",
        "-abCdEeipruvh -c: -g: -l: -n: -o: -s: -R: -ps? --autoskip --bits --cols= --groupsize= --len= --plain"
        " --postscript"
        " --revert --include --uppercase --seek= --version --help",
        "read text",
        also=_second_is_written,
    ),
    "hexdump": reads("Prints bytes as numbers.", "* -e: -f:read -n: -s:"),
    "hd": reads("Prints bytes as numbers.", "* -e: -f:read -n: -s:"),
    "strings": reads("Prints text found in a file.", "* -n: -t: -e: -o -T: --bytes= --radix= --encoding= --target="),
    "iconv": Spec(
        "Turns one character set into another.",
        "-lcs -f: -t: -o:write --from-code= --to-code= --output=write --list --silent --verbose --help --version",
        "read*",
    ),
    "dos2unix": Spec("Changes line ends of files.", "* -n:care --newfile=care", "write*"),
    "unix2dos": Spec("Changes line ends of files.", "* -n:care --newfile=care", "write*"),
    "less": _LESS,
    "zless": _LESS,
    "more": Spec("Shows files page by page.", "+~none -dflecpsuV -n: --lines= --help --version -#", also=_pages),
    "most": Spec("Shows files page by page.", "-1bkwvtdz", also=_pages),
    "bat": Spec(
        "Shows files with colours.",
        "-AnpudfFSPhLV -l: -H: -m: -r: --language= --style= --theme= --color= --paging= --pager=run --line-range="
        " --highlight-line= --file-name= --tabs= --wrap= --terminal-width= --map-syntax= --decorations= --italic-text="
        " --plain --number --show-all --diff --list-languages --list-themes --force-colorization --no-config --version"
        " --help",
        "read*",
    ),
    "batcat": reads(
        "Shows files with colours.", "-Anpu -l: -r: --language= --style= --color= --paging= --plain", "read*"
    ),
    "glow": reads("Shows Markdown.", "-pla -s: -w: --style= --width= --help --version", "read*"),
    "man": Spec(
        "Shows a page of the manual.",
        "-adfhikKlOuVwW7 -r: -s: -C:care -D -e: -E: -H?run -L: -m: -M:care -p: -P:run -R: -S: -t -T?care -X?care -Z"
        " --all"
        " --apropos"
        " --whatis --where --path --local-file --pager=run --html?run --config-file=care --manpath=care --locale="
        " --sections="
        " --section= --ascii --encoding= --preprocessor= --no-hyphenation --no-justification --regex --wildcard"
        " --names-only --global-apropos --version --help --usage",
        also=_manual,
    ),
    "apropos": known("Looks for pages of the manual.", "* -C:care -M:care --config-file=care --manpath=care"),
    "whatis": known("Tells what a command is for.", "* -C:care -M:care --config-file=care --manpath=care"),
    "info": known(
        "Shows a page of the manual.", "-ahkwO -n: -o:write --output=write --node= --apropos= --where --help"
    ),
    "tldr": known("Shows a short page of the manual.", "* -u:care --update=care"),
}
