"""Programs in other languages than Python: looked through for the functions that do something, and for their texts."""

import re
from collections.abc import Generator, Iterator

from assent.policy import sensitive
from assent.policy.commands.spec import Finding, Run
from assent.policy.effects import Effect, Kind, care, danger, nothing
from assent.policy.guarded import guarded
from assent.policy.inline.languages import LANGUAGES, Language
from assent.policy.inline.literals import LITERAL, MOST, called, names, secrets, unescaped
from assent.policy.paths import on_names, on_path
from assent.policy.shell import variables
from assent.policy.shell.spelling import Setting
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

LONGEST = 2_000


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')
_WORD = re.compile(r"[A-Za-z_$@%][\w:]*\??")

# --- Perl: substitutions, or lines chosen by a pattern. Between the marks is text as long as it holds no code.
_PERL_TEXT = r"(?:[^/\\{}@`$]|\\.|\$(?=/|$)|\$\d|\{\d*,?\d*\})*"
_PERL_ONE = (
    rf"(?:s/{_PERL_TEXT}/{_PERL_TEXT}/[gimsx]*|(?:tr|y)/{_PERL_TEXT}/{_PERL_TEXT}/[cdsr]*"
    r"|print(?:\s*\$_)?|chomp|next|last)"
)
_PERL_WHEN = rf"(?:\s*(?:if|unless)\s*(?:!?\s*m?/{_PERL_TEXT}/[imsx]*|\$\.\s*[<>=!]=?\s*\d+|eof))?"
_PERL = re.compile(rf"\s*(?:{_PERL_ONE}{_PERL_WHEN}\s*(?:;\s*|$))*")

# --- JavaScript: only these names stand free, and nothing is looked up that is put together first.
_JS_GLOBALS = _set(
    "console JSON Object Array Math Number String Boolean Date parseInt parseFloat Map Set RegExp const let"
    " var for of in"
    " if else return function new typeof true false null undefined NaN Infinity require process encodeURIComponent"
    " decodeURIComponent Buffer Intl BigInt isNaN isFinite structuredClone async await while break continue this"
)
_JS_PROCESS = re.compile(
    r"\bprocess\b(?!\.(?:version|versions|platform|arch|cwd|argv|uptime|memoryUsage|release|pid|stdout)\b)"
)
_JS_REQUIRE = re.compile(
    r"\brequire\b(?!\(\s*(['\"])(?:\.{1,2}/[\w./-]+\.json|(?:node:)?(?:path|url|util|os|querystring|assert|fs))\1\s*\))"
)
_JS_JSON = re.compile(r"\brequire\(\s*['\"](\.{1,2}/[\w./-]+\.json)['\"]")
_JS_DECLARED = re.compile(
    r"(?:const|let|var)\s+([\w$]+)|([\w$]+)\s*=>|\(([\w$,\s]*)\)\s*=>|function\s*[\w$]*\s*\(([\w$,\s]*)\)"
    r"|(?:const|let|var)\s*[\[{]([\w$,\s:]*)[\]}]"
)
_JS_FORBIDDEN = re.compile(
    r"`|\bconstructor\b|__proto__|\bprototype\b|\bcall\b|\bapply\b|\bbind\b|\)\s*\(|\]\s*\(|\\u|\\x|\bdelete\b"
    # What is looked up by a name that is put together could be anything.
    r"|[\w$\])]\s*\[\s*[^\d'\"\]]"
)
_JS_FILE_METHODS = _set(
    "readFileSync existsSync readdirSync statSync toString split trim map filter forEach join parse stringify log keys"
    " values entries slice sort includes startsWith endsWith match replace reduce some every find push test require"
    " isDirectory isFile error"
)


def is_simple(language: str, text: str, syntax: Language) -> bool:
    if len(text) > LONGEST:
        return False
    if language == "perl":
        return _PERL.fullmatch(text) is not None
    if language == "javascript":
        return _is_simple_javascript(text)
    if not syntax.harmless or any(mark in text for mark in ("`", "#{", "${", "$(", "%x", "<<", "@", "{$")):
        return False
    bare = _STRING.sub('""', text)
    return set(_WORD.findall(bare)) <= set(syntax.harmless.split())


def read_as_data(text: str) -> list[str]:
    """The files a JavaScript program loads as data."""
    return _JS_JSON.findall(text)


def _is_simple_javascript(text: str) -> bool:
    if _JS_FORBIDDEN.search(text) or _JS_PROCESS.search(text) or _JS_REQUIRE.search(text):
        return False
    bare = _STRING.sub('""', text)
    declared: set[str] = set()
    for declaration in _JS_DECLARED.findall(bare):
        declared |= {name.strip() for group in declaration for name in re.split(r"[,:\s]+", group)}
    free = set(re.findall(r"(?<![\w$.])[A-Za-z_$][\w$]*(?!\s*:(?!:))", bare))
    if not free <= _JS_GLOBALS | declared:
        return False
    if re.search(r"['\"](?:node:)?fs['\"]", text):
        return set(re.findall(r"\.([A-Za-z_$][\w$]*)\s*\(", bare)) <= _JS_FILE_METHODS
    return True


_BACKTICKS = re.compile(r"`([^`]*)`|(?:%x|\bqx)\s*[\[{(<|!/]([^\]})>|!/]*)")
# A text that is told to run itself: ``"ls".execute()``, ``"ls".!``.
_EXECUTED = re.compile(r"[\"']([^\"'\n]+)[\"']\s*\.\s*(?:execute\b|!+)")
_OPENS = re.compile(r"\bopen\b\s*\(?([^;]*)")
# They tell whether a file is there, or what is known about it, and not what is in it.
_TELLS_NAMES = re.compile(r"(?i).*(?:exist|stat|is_?file|is_?dir|test-path|access).*|opendir\w*|readdir\w*")
# They put something into a file and take nothing out of it.
_ONLY_PUTS = re.compile(
    r"(?i).*(?:write|append|put_contents|mkdir|touch|output|set-content|add-content|out-file|new-item|chmod|chown)\w*"
)
# A program without any of these opens no file.
_OPENS_FILES = re.compile(
    r"(?i)read|open|slurp|load|file|contents?\b|\bfs\b|\bio\b|path|import|require|include|source|stream|scan|parse"
    r"|copy|ARGV|<>|\bcp\b|\bcat\b|\bgc\b|\btype\b|\blines\b|dotenv"
)
# Languages in which a word without quotes may be a name.
_BARE_WORDS = frozenset({"powershell", "tcl"})
_PATH_LIKE = re.compile(r"(?:~|\.{0,2}/)\S*|\.\S+")


def findings(language: str, text: str, setting: Setting, cwd: str | None) -> list[Finding]:
    syntax = LANGUAGES.get(language, LANGUAGES["other"])
    result = list(_findings(syntax, text, setting, cwd, bare=language in _BARE_WORDS))
    if language == "perl":
        result += _perl_opens(text, setting, cwd)
    elif language == "javascript":
        result += [on_path("read", Arg(path), setting, cwd) for path in read_as_data(text)]
    if is_simple(language, text, syntax):
        return result or [nothing("It only calculates and prints.")]
    if not any(isinstance(each, Effect) and each.risk >= Risk.CARE for each in result):
        result.append(care("run", f"It runs a {_shown(language)} program given in the line."))
    return result


def _shown(language: str) -> str:
    return "" if language == "other" else language.capitalize()


def _findings(syntax: Language, text: str, setting: Setting, cwd: str | None, *, bare: bool) -> Iterator[Finding]:
    if syntax.runs and (not syntax.needs or re.search(syntax.needs, text)):
        for call in called(syntax.runs, text):
            line = " ".join(call.arguments).lstrip(HOLE if syntax is LANGUAGES["any"] else "")
            yield care("run", "It starts a command from inside a program.")
            yield Run(line=Arg(line if line.strip(f"{HOLE} ") else HOLE))
    for each in list(_EXECUTED.finditer(text))[:MOST] if not syntax.runs or syntax is LANGUAGES["any"] else ():
        yield Run(line=Arg(each[1]))
    if syntax.backticks:
        for each in list(_BACKTICKS.finditer(text))[:MOST]:
            line = each[1] if each[1] is not None else each[2]
            yield care("run", "It starts a command from inside a program.")
            yield Run(line=Arg(re.sub(r"#\{.*?\}|\$\w+|\$\{.*?\}", HOLE, line)))
    reads = yield from _on_files(syntax, text, setting, cwd, bare=bare)
    yield from _taken_along(text, setting, cwd)
    if syntax.evaluates and re.search(syntax.evaluates, text):
        yield danger("dynamic", "It runs text as a program, or loads one, and what that is cannot be told.")
    if syntax.dangerous and re.search(syntax.dangerous, text):
        yield danger("run", "It calls the system in a way that cannot be read here.")
    reads |= yield from _environment(syntax, text)
    if syntax.connects and re.search(syntax.connects, text):
        if reads or (syntax.sends and re.search(syntax.sends, text)):
            yield danger("send", "It carries something out to the network.")
        else:
            yield care("fetch", "It opens connections to the network.")


def _on_files(
    syntax: Language, text: str, setting: Setting, cwd: str | None, *, bare: bool
) -> Generator[Finding, None, bool]:
    """What it does to files that it names. Yes if it reads any."""
    reads = False
    # Where a name stands that is not read.
    unread: list[tuple[int, int]] = []
    for call in called(syntax.reads, text):
        path = Arg(HOLE if call.is_list else (call.arguments or [HOLE])[0] or HOLE)
        if _TELLS_NAMES.fullmatch(call.function):
            unread.append((call.start, call.end))
            yield on_names(path, setting, cwd)
        else:
            reads = True
            yield on_path("read", path, setting, cwd)
    ways: tuple[tuple[Kind, str], ...] = (("write", syntax.writes), ("delete", syntax.deletes))
    for kind, functions in ways:
        for call in called(functions, text):
            if kind == "delete" or _ONLY_PUTS.fullmatch(call.function):
                unread.append((call.start, call.end))
            first, *others = call.arguments or [HOLE]
            for name in (first or HOLE, *(each for each in others if kind == "delete" or _PATH_LIKE.fullmatch(each))):
                yield on_path(kind, Arg(name), setting, cwd, recursive=kind == "delete")
            if not first.strip(HOLE):
                # Which file is not known here, but its name may stand elsewhere in the program.
                for name, _ in names(text):
                    if sensitive.is_secret(name) or sensitive.is_obeyed(name):
                        yield on_path(kind, Arg(name), setting, cwd)
    for name, start in secrets(text, bare=bare) if _OPENS_FILES.search(text) else ():
        if not any(begin <= start < end for begin, end in unread):
            reads = True
            yield on_path("read", Arg(name), setting, cwd)
    return reads


# They move a file, change its mode or make another way to it: whatever they name goes along.
_TAKING = re.compile(
    r"\b(?:rename|move|mv|chmod|chown|lchown|symlink|link|ln_s|ln_sf|cp_r|Move-Item|Rename-Item|file\.rename)(?:Sync)?\b"
    r"([^;\n]{0,400})"
)


def _taken_along(text: str, setting: Setting, cwd: str | None) -> Iterator[Finding]:
    """The guard's own files, or a folder around them."""
    for call in list(_TAKING.finditer(text))[:MOST] if not setting.things.is_empty else ():
        for literal in LITERAL.finditer(call[1]):
            path = unescaped(next(group for group in literal.groups() if group is not None))
            for spelled in (path, f"{setting.home}/{path.lstrip('/')}"):
                if path.strip("/") and (effect := guarded("delete", Arg(spelled), setting, cwd)) is not None:
                    yield effect


def _environment(syntax: Language, text: str) -> Generator[Finding, None, bool]:
    reads = False
    for each in re.finditer(syntax.variable, text) if syntax.variable else ():
        name = next((group for group in each.groups() if group), "")
        if variables.is_secret(name):
            reads = True
            yield danger("secret", f"It reads the secret in {name}.", name)
    if syntax.all_variables and re.search(syntax.all_variables, text):
        reads = True
        # What starts a program mostly hands them on to that.
        hands_on = syntax.runs and re.search(rf"\b(?:{'|'.join(map(re.escape, syntax.runs.split()))})\b", text)
        yield (care if hands_on else danger)("secret", "It takes all variables, and secrets may be among them.")
    return reads


def _perl_opens(text: str, setting: Setting, cwd: str | None) -> Iterator[Finding]:
    for each in list(_OPENS.finditer(text))[:MOST]:
        literals = [next(group for group in match.groups() if group is not None) for match in LITERAL.finditer(each[1])]
        mode = literals[0] if literals else HOLE
        path = literals[1] if len(literals) > 1 else mode.lstrip("<>+ ") or HOLE
        kind: Kind = "write" if ">" in mode or HOLE in mode else "read"
        yield on_path(kind, Arg(path), setting, cwd)
