"""Interpreters: what they run is read where it stands in the line, and is a file or a stream where it does not."""

from collections.abc import Callable, Iterator

from assent.expressions import later
from assent.policy.commands import _sed
from assent.policy.commands.shells import runs_script
from assent.policy.commands.spec import Code, Finding, Flows, Invocation, Run, RunsInput, Spec
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.shell.words import HOLE, Arg

Also = Callable[[Invocation], Iterator[Finding]]

_TELLS = nothing("It only tells about itself.")
_LOADS = care("run", "It loads a library before the program.")


def names(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _list(options: str) -> tuple[str, ...]:
    return tuple(options.split())


# Patterns that may fit a name with any beginning or any end.
_OPEN_ENDED = later(r"^[*?\[]|[*?\]]$")


def interprets(
    language: str,
    code: str,
    *,
    tells: str = "--version --help -h",
    checks: str = "",
    loads: str = "",
    files: str = "",
    lines: str = "",
    edits: str = "",
) -> Also:
    """``code``: options whose value is the program. ``checks``: only reads it. ``lines``: runs it for each line of the
    operands, which ``edits`` writes back. ``loads``, ``files``: what else is run."""
    codes, telling, checking = _list(code), _list(tells), _list(checks)

    def found(it: Invocation) -> Iterator[Finding]:
        for library in it.all_values(*_list(loads)):
            yield _loaded(library)
        for file in it.all_values(*_list(files)):
            yield runs_script(file, language)
        texts = it.all_values(*codes)
        if it.has(*telling) and not texts:
            yield _TELLS
        elif texts:
            yield Code(language, Arg("\n".join(text.text for text in texts)))
            if it.has(*_list(lines)):
                for arg in it.operands:
                    is_edited = it.has(*_list(edits))
                    yield it.path("write" if is_edited else "read", arg)
                    if is_edited:
                        program = "\n".join(text.text for text in texts)
                        left = _sed.of_perl(program, prints_by_itself=it.has("-p"))
                        yield from _sed.edited(it, arg, left)
                    if language == "perl":
                        yield from _opened_by_perl(it, arg)
        elif it.has(*checking):
            for arg in it.operands:
                yield it.path("read", arg)
        elif it.operands:
            yield runs_script(it.operands[0], language)
        elif not it.all_values(*_list(files)):
            yield RunsInput(language)

    return found


def _opened_by_perl(it: Invocation, arg: Arg) -> Iterator[Finding]:
    """Perl opens its operands as its ``open`` does: ``"id |"`` is a command, ``">x"`` a file to write."""
    text = arg.text.strip()
    if text.startswith("|") or text.endswith("|"):
        yield danger("run", "Perl runs an operand with a bar at an end as a command.", text)
        yield Run(line=Arg(text.strip("|")))
    elif text.startswith((">", "+")):
        yield it.path("write", Arg(text.lstrip("+<>").strip()))
    elif (arg.glob and _OPEN_ENDED.search(text)) or not arg.known:
        yield care("run", "A file whose name has a bar at an end would be run as a command.", text.replace(HOLE, "…"))


def _loaded(library: Arg) -> Effect:
    if library.text.startswith(("/", ".", "~", "http")) or not library.known:
        return danger("run", "It loads a file as a program.", library.text)
    return _LOADS


def _perl_modules(it: Invocation) -> Iterator[Finding]:
    for module in it.all_values("-M", "-m"):
        name = module.text.lstrip("-").partition("=")[0]
        if any(mark in module.text for mark in "(;{ "):
            yield Code("perl", module)
        elif name not in (
            "strict",
            "warnings",
            "utf8",
            "feature",
            "List::Util",
            "Data::Dumper",
            "JSON::PP",
            "POSIX",
            "5.010",
        ):
            yield care("run", "It loads a library before the program.", name)
    for folder in it.all_values("-I"):
        yield care("run", "It loads libraries from another folder.", folder.text)
    yield from _PERL(it)


def _php(it: Invocation) -> Iterator[Finding]:
    for setting in it.all_values("-d", "--define"):
        if setting.text.partition("=")[0].strip() in (
            "auto_prepend_file",
            "auto_append_file",
            "extension",
            "zend_extension",
        ):
            yield danger("run", "It loads a file as a program.", setting.text)
    if it.has("-S", "--server"):
        yield care("send", "It serves files of a folder to others.")
        for folder in it.all_values("-t", "--docroot"):
            yield it.path("read", folder, recursive=True)
    elif it.has("-i", "--info"):
        yield Flows("environment")
    elif it.operands and it.operands[0].text == "artisan" and not it.has("-r"):
        yield from _artisan(it)
    else:
        yield from _PHP(it)


_ARTISAN = Spec("A program of the project.", "* --execute=none")


def _artisan(it: Invocation) -> Iterator[Finding]:
    yield care("project", "It runs a file of the project.", "artisan")
    verb = it.operands[1].text if len(it.operands) > 1 else ""
    if verb in ("migrate:fresh", "migrate:reset", "migrate:refresh", "migrate:rollback", "db:wipe"):
        yield danger("remote", "It throws away what is in the database.")
    inner = Invocation(it.name, tuple(it.operands[1:]), _ARTISAN, it.setting, it.cwd)
    for code in inner.all_values("--execute") if verb == "tinker" else ():
        yield Code("php", code)


def _osascript(it: Invocation) -> Iterator[Finding]:
    texts = it.all_values("-e")
    language = it.value("-l")
    is_script = language is not None and language.text.lower().startswith("javascript")
    if texts:
        yield Code("other" if is_script else "applescript", Arg("\n".join(text.text for text in texts)))
        yield care("typing", "It steers programs in a person's place.")
    elif it.operands:
        yield runs_script(it.operands[0], "applescript")
    else:
        yield RunsInput("applescript")


def _gdb(it: Invocation) -> Iterator[Finding]:
    if it.has("-v", "--version", "-version", "--help", "-h"):
        yield _TELLS
        return
    yield care("run", "A debugger can make a program do anything.")
    for arg in it.all_values("-ex", "-iex", "--eval-command", "-o", "-O"):
        verb, _, rest = arg.text.strip().partition(" ")
        if verb in ("shell", "!", "make", "pipe", "|") or arg.text.startswith("!"):
            yield danger("run", "It runs a line through a debugger.", arg.text[:80])
        elif verb in ("python", "py", "python-interactive", "pi", "script"):
            yield Code("python", Arg(rest))
        elif verb in ("call", "print", "p", "compile", "source", "set", "expression", "expr", "jump") and "(" in rest:
            yield danger("run", "It makes a program call what it is told.", arg.text[:80])
    for arg in it.all_values("-x", "--command", "-s", "-S"):
        yield runs_script(arg, "gdb")
    if it.has("-p", "--pid", "-n"):
        yield danger("secret", "It looks into a running process, whatever that holds.")
    if it.operands:
        yield Run(args=tuple(it.operands))


_PERL = interprets("perl", "-e -E", tells="-v -V --version --help -h", lines="-n -p -a -F", edits="-i")
_PHP = interprets(
    "php",
    "-r -B -R -E --run --process-code",
    tells="-v -i -m -h --version --info --modules --help --ini --rf --rc --re --ri",
    checks="-l -s -w --syntax-check",
    files="-f -F --file --process-file",
    loads="-z",
)
_RUN = "It does what the program it is given says."


def _interpreter(options: str, also: Also, last: str = "") -> Spec:
    return Spec(_RUN, options, "none*", also=also, wraps=True, last=last)


COMMANDS: dict[str, Spec] = {
    "perl": _interpreter(
        "-acfglnpstTuUvVwWXhS0123456789 -e:none -E:none -i?none -F: -I:none -M:none -m:none -C? -D? -x?"
        " --version --help",
        _perl_modules,
    ),
    **dict.fromkeys(
        ("ruby", "jruby", "truffleruby", "rbx"),
        _interpreter(
            "-acdhlnpsSvwUyL0123456789 -e:none -i?none -F: -I:config -r:none -C: -x? -K: -E: -T? -W? --version --help"
            " --copyright --disable= --enable= --encoding= --external-encoding= --internal-encoding= --verbose --jit?"
            " --yjit? --rjit? --parser= --dump= --yydebug --backtrace-limit=",
            interprets(
                "ruby",
                "-e",
                tells="-v --version --help -h --copyright",
                checks="-c",
                loads="-r",
                lines="-n -p",
                edits="-i",
            ),
        ),
    ),
    **dict.fromkeys(
        ("php", "php-cli", "php-cgi"),
        _interpreter(
            "-aCHilmnqvwsh -r:none -B:none -R:none -E:none -f:none -F:none -d:none -c:config -z:none -S:none -t:none"
            " --run=none --process-code=none --file=none --process-file=none --define=none --server=none --docroot=none"
            " --php-ini=config --no-php-ini --syntax-check --version --info --modules --help --ini? --rf= --rc= --re="
            " --ri= --interactive --strip",
            _php,
            last="-r --run",
        ),
    ),
    **dict.fromkeys(
        ("lua", "luajit", "texlua"),
        _interpreter("-iEvW -e:none -l:none -j: -O? -b", interprets("lua", "-e", tells="-v", loads="-l")),
    ),
    "Rscript": _interpreter(
        "-e:none --vanilla --no-save --no-restore --no-environ --no-site-file --no-init-file --slave --quiet --verbose"
        " --default-packages= --version --help",
        interprets("r", "-e"),
    ),
    "R": _interpreter(
        "-q -s -e:none -f:none --file=none --vanilla --no-save --no-restore --save --slave --quiet --silent --no-echo"
        " --version --help --args",
        interprets("r", "-e", files="-f --file"),
    ),
    "julia": _interpreter(
        "-qvhi -e:none --eval=none -E:none --print=none -L:none --load=none -p: -t: -J:none --sysimage=none --project?"
        " --threads= --procs= --startup-file= --version --help --quiet --banner= -O? --optimize? --color="
        " --history-file=",
        interprets("julia", "-e --eval -E --print", tells="-v --version --help -h", files="-L --load -J --sysimage"),
        last="-e -E --eval --print",
    ),
    "osascript": Spec(_RUN, "-i -e:none -l:none -s:", "none*", also=_osascript, wraps=True),
    **dict.fromkeys(("tclsh", "wish", "jimsh"), _interpreter("-encoding:", interprets("tcl", "-none", tells="-none"))),
    "expect": _interpreter("-dDiNnv -c:none -f:none -b:none", interprets("tcl", "-c", tells="-v", files="-f -b")),
    **dict.fromkeys(
        (
            "guile",
            "racket",
            "groovy",
            "scala",
            "elixir",
            "iex",
            "clojure",
            "clj",
            "bb",
            "ocaml",
            "gst",
            "gjs",
        ),
        _interpreter(
            "* -e:none -c:none --eval=none", interprets("other", "-e -c --eval", tells="-v --version --help -h")
        ),
    ),
    **dict.fromkeys(
        ("ghc", "runghc", "runhaskell", "erl", "sbcl", "clisp", "chicken-csi", "csi", "crystal-eval", "escript"),
        _interpreter(
            "* -e:none -eval:none --eval=none --load=none",
            interprets("other", "-e -eval --eval", files="--load", tells="-v --version --help -h -V"),
        ),
    ),
    "gdb": Spec(
        "It runs a program in a debugger.",
        "* -ex:none -iex:none --eval-command=none -x:none --command=none -p:none --pid=none -c:read"
        " --core=read -d: -s:read"
        " --args -batch? -q",
        "none*",
        also=_gdb,
        wraps=True,
        last="--args",
    ),
    "lldb": Spec(
        "It runs a program in a debugger.",
        "* -o:none -O:none -s:none -S:none -p:none -n:none -c:read --core=read -b -f:run",
        "none*",
        also=_gdb,
        wraps=True,
    ),
}
