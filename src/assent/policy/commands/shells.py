"""Shells: what stands behind ``-c``, in a file or in a stream is read as the line it is."""

from collections.abc import Callable, Iterator

from msgspec import structs

from assent.policy.commands.spec import Code, Finding, Invocation, Run, RunsFile, RunsInput, Spec, findings
from assent.policy.effects import care, danger, nothing
from assent.policy.shell.words import Arg

_STDIN = frozenset({"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})

# Every letter that the shells of this family know. ``-c`` is one of them: the line is the first operand.
_OPTIONS = (
    "-abcefhiklmnprstuvwxyBCDEGHIKLMNPTV -o: -O: --rcfile=file --init-file=file --norc --noprofile --login --posix"
    " --verbose --version --help --restricted --debugger --dump-strings --dump-po-strings --noediting --emulate="
    " --no-rcs --no-globalrcs --interactive"
)


def runs_script(path: Arg, language: str) -> Finding:
    """A file given to an interpreter, which may be what comes in by another name."""
    return RunsInput(language) if path.text in _STDIN else RunsFile(path, language)


def _shell(it: Invocation) -> Iterator[Finding]:
    operands = it.operands
    while operands and operands[0].text == "-":
        operands = operands[1:]
    if operands and operands[0].text.startswith("+"):
        # ``+O extglob``, ``+x``: an option switched off; more options may follow.
        width = 2 if operands[0].text[-1] in "oO" else 1
        again = (Arg("-c"),) if it.has("-c") else ()
        yield from findings(it.name, (*again, *operands[width:]), it.spec, it.setting, it.cwd)
    elif it.has("--version", "--help", "-D", "--dump-strings"):
        yield nothing("It only tells about itself.")
        return
    if it.has("-p"):
        yield danger("privilege", "It keeps privileges that a shell gives up otherwise.")
    if it.has("-c"):
        yield Run(line=operands[0], arguments=tuple(operands[1:])) if operands else nothing("It runs nothing.")
    elif not operands or it.has("-s"):
        yield RunsInput("sh")
    elif it.has("-n"):
        yield it.path("read", operands[0])
    else:
        yield runs_script(operands[0], "sh")


def _fish(it: Invocation) -> Iterator[Finding]:
    lines = it.all_values("-c", "--command", "-C", "--init-command")
    for line in lines:
        yield Run(line=line)
    if it.has("-v", "--version", "-h", "--help"):
        yield nothing("It only tells about itself.")
    elif it.has("-n", "--no-execute"):
        for arg in it.operands:
            yield it.path("read", arg)
    elif it.operands and not lines:
        yield runs_script(it.operands[0], "sh")
    elif not lines:
        yield RunsInput("sh")


def _powershell(it: Invocation) -> Iterator[Finding]:
    """Its options may be shortened and written in any case, and whatever follows a command belongs to it."""
    args = list(it.handed_on)
    while args:
        option = args.pop(0).text.lower()
        if option in ("-version", "-v", "-help", "-h", "-?", "--version", "--help"):
            yield nothing("It only tells about itself.")
            return
        if "-encodedcommand".startswith(option) and option.startswith("-e") and option != "-ex":
            yield danger("run", "It runs hidden text: an encoded command.")
            return
        if "-command".startswith(option) and len(option) > 1:
            yield Code("powershell", Arg(" ".join(arg.text for arg in args)))
            return
        if "-file".startswith(option) and len(option) > 1:
            yield runs_script(args[0] if args else Arg("-"), "powershell")
            return
        if not option.startswith("-"):
            is_file = option.endswith(".ps1")
            yield RunsFile(Arg(option), "powershell") if is_file else Code("powershell", Arg(option))
            return
        if option in (
            "-executionpolicy",
            "-ep",
            "-ex",
            "-workingdirectory",
            "-wd",
            "-configurationname",
            "-settingsfile",
        ):
            args = args[1:]
    yield RunsInput("powershell")


def _other(also: Callable[[Invocation], Iterator[Finding]]) -> Callable[[Invocation], Iterator[Finding]]:
    """Of a shell with a grammar of its own: what is seen by the grammar of sh may not be all that the line does."""

    def found(it: Invocation) -> Iterator[Finding]:
        made = list(also(it))
        if not it.has("-n", "--no-execute", "--version", "--help", "-v", "-h"):
            made.append(care("run", f"{it.name} reads a line otherwise than sh, so it may do more than can be seen."))
        return iter(made)

    return found


_SHELL = Spec("It does what the line, the file or the stream it is given says.", _OPTIONS, also=_shell, wraps=True)
_POWERSHELL = Spec("It does what the text it is given says.", "*", wraps=True, also=_powershell)

COMMANDS: dict[str, Spec] = {
    **dict.fromkeys(("sh", "bash", "dash", "ash", "ksh", "ksh93", "mksh", "pdksh", "oksh", "yash"), _SHELL),
    **dict.fromkeys(("rbash", "rksh", "posh", "bsh", "bash5", "hush"), _SHELL),
    **dict.fromkeys(("zsh", "rzsh", "csh", "tcsh", "osh"), structs.replace(_SHELL, also=_other(_shell))),
    "fish": Spec(
        "It does what the line, the file or the stream it is given says.",
        "-c:none --command=none -C:none --init-command=none -lNinhvP --login --no-config --interactive --no-execute"
        " --version --help --private -d: --debug= -o: --debug-output=write -f: --features= --profile=write"
        " --profile-startup=write -p:write --print-rusage-self",
        also=_other(_fish),
        wraps=True,
    ),
    "nu": Spec(
        "It does what the line, the file or the stream it is given says.",
        "-c:line --commands=line -e:line --execute=line --config=file --env-config=file -hvl --version --help --login"
        " --stdin --no-config-file -n --plugins=file --plugin-config=file --lsp -m: --table-mode=",
        also=_other(lambda it: iter(() if it.values else (_script_or_input(it),))),
        wraps=True,
    ),
    "xonsh": Spec(
        "It does what the line, the file or the stream it is given says.",
        "-c:line -ilhV --rc=file --no-rc -DVAR: --version --help",
        also=_other(lambda it: iter(() if it.has("-c", "--version", "--help") else (_script_or_input(it),))),
        wraps=True,
    ),
    "elvish": Spec(
        "It does what the line, the file or the stream it is given says.",
        "-c -rc:file -norc? -version? -compileonly? --version",
        also=_other(_shell),
        wraps=True,
    ),
    "pwsh": _POWERSHELL,
    "powershell": _POWERSHELL,
    "powershell.exe": _POWERSHELL,
}


def _script_or_input(it: Invocation) -> Finding:
    return runs_script(it.operands[0], "sh") if it.operands else RunsInput("sh")
