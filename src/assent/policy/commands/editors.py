"""Editors. Opened for a person they wait; given commands they do what those say, and most of them can run programs."""

import re
from collections.abc import Iterator

from assent.expressions import later
from assent.policy.commands import _sed
from assent.policy.commands._web import shown
from assent.policy.commands.spec import Code, Finding, Invocation, Run, RunsFile, Spec, Takes, each
from assent.policy.effects import care, danger, nothing
from assent.policy.shell.words import HOLE, Arg

_ITSELF = "It only tells about itself."
_WAITS = care("write", "It opens an editor and waits for a person.")
_EDITS = care("write", "It edits files by commands, with no person at the keyboard.")
_PROGRAM = "It gives an editor a program of its own to run."

# --- ex commands: vi, vim, ed and their kin

_RANGE = later(r"[\s:]*(?:(?:%|[\d.$,+-]|'\w|/[^/]*/|\?[^?]*\?)*)\s*")
_SILENT = later(
    r"(?:sil(?:ent)?|noa(?:utocmd)?|kee\w+|lockm\w*|verb(?:ose)?|bufdo|argdo|windo|tabdo"
    r"|g(?:lobal)?!?/[^/]*/|v/[^/]*/)!?\s*"
)
_SHELL = later(r"(?:r(?:ead)?|w(?:rite)?|te(?:rminal)?)?\s*!+\s*(.*)", re.DOTALL)
_WRITES = later(
    r"(?:w(?:rite)?|wq|sav(?:eas)?|x(?:it)?|up(?:date)?|f(?:ile)?|mks\w*|mk\w*|redi?r?)!?(?:\s+(?:>>?\s*)?(.*))?",
    re.DOTALL,
)
_READS = later(
    r"(?:r(?:ead)?|e(?:dit)?|tabe\w*|sp(?:lit)?|vs(?:plit)?|vie\w*|0r|diffs\w*|ar(?:gs)?|n(?:ext)?|badd)!?\s+(.+)",
    re.DOTALL,
)
_SETS = (
    r"(?:nu|number|et|expandtab|ts|tabstop|sw|shiftwidth|ff|fileformat|fenc|fileencoding|ic|hls|ro|list|wrap|nocp|cp)"
    r"\b[=\w]*"
)
_HARMLESS = later(
    r"|q(?:a|all|uit|uitall)?!?|wa(?:ll)?!?|wqa(?:ll)?!?|xa(?:ll)?!?|b(?:n|p|d)?!?|bn(?:ext)?|[aic.#=]|[><]+|&&?"
    r"|s(?:ubstitute)?[/#,@](?:(?!\\=).)*|d(?:elete)?\s*\d*|[mt]\d+|j(?:oin)?!?|p(?:rint)?|nu(?:mber)?|u(?:ndo)?"
    r"|redo?|noh\w*|ret(?:ab)?!?|sor(?:t)?!?.*|ve(?:rsion)?|h(?:elp)?.*|syn(?:tax)? \w+|filet\w* .*|colo\w* \w+"
    rf"|ec(?:ho)? '[^']*'|set?(?:local)? (?:no)?{_SETS}",
    re.DOTALL,
)


def ex(it: Invocation, text: str) -> Iterator[Finding]:
    """What a line of ex commands does. A bar parts commands, but not in those that run a program."""
    line = text.strip()
    if any(map(_sed.of_ex, text.splitlines())):
        yield from _sed.losses(it, it.operands)
    for _ in range(20):
        line = _bare(line)
        if match := _SHELL.fullmatch(line):
            # A range of lines flows into it.
            yield Run(line=Arg(re.sub(r"\|\s*q(?:a|uit)?!?\s*$", "", match[1])), fed=True)
            return
        command, bar, rest = line.partition("|")
        yield from _one(it, command.strip())
        if not bar:
            return
        line = rest
    yield danger("run", _PROGRAM, text[:200])


def _bare(line: str) -> str:
    """Without the lines it is for, and without words that only change how it is done."""
    for _ in range(4):
        for before in (_RANGE, _SILENT):
            match = before.match(line)
            line = line[match.end() :] if match is not None else line
    return line


def _one(it: Invocation, command: str) -> Iterator[Finding]:
    if _HARMLESS.fullmatch(command):
        return
    if "`" in command:
        yield danger("run", "The editor runs a program to make a name.", command.replace(HOLE, "…")[:200])
    elif match := _WRITES.fullmatch(command):
        if match[1]:
            yield it.path("write", Arg(match[1].strip()))
    elif match := _READS.fullmatch(command):
        yield it.path("read", Arg(match[1].strip()))
    else:
        yield danger("run", _PROGRAM, command.replace(HOLE, "…")[:200])


def _vim(it: Invocation) -> Iterator[Finding]:
    if it.has("--version", "--help", "-h") and not it.has("-c", "--cmd"):
        yield nothing(_ITSELF)
        return
    for value in it.all_values("-c", "--cmd", "+"):
        if not value.known:
            yield danger("dynamic", "What the editor does is known only when it runs.")
        elif not re.fullmatch(r"\d*|/.*", value.text):
            yield from ex(it, value.text)
    scripts = it.all_values("-S", "-u", "-U", "-i")
    if not it.has("-e", "-E") and it.name != "ex":
        # Behind -e it means silence; else what follows is typed in.
        scripts += Invocation(it.name, it.handed_on, _VIM_TYPES, it.setting, it.cwd).all_values("-s")
    for value in scripts:
        if value.text not in ("NONE", "NORC", "DEFAULTS"):
            yield RunsFile(value, "vim")
    for arg in it.operands:
        yield it.path("read", arg)
        if it.name not in ("view", "rview") and not it.has("-R", "-M"):
            yield it.path("write", arg)
    if it.has("-e", "-E") or it.name == "ex":
        yield Takes(lambda text: (finding for line in text.splitlines() for finding in ex(it, line)))
    is_batch = it.name == "ex" or it.has("-e", "-E", "--headless")
    yield _EDITS if is_batch else _WAITS


def _ed(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands:
        if arg.text.startswith("!"):
            yield Run(line=Arg(arg.text[1:]))
        else:
            yield it.path("read", arg)
            yield it.path("write", arg)
    yield Takes(lambda text: (finding for line in text.splitlines() for finding in ex(it, line)))
    yield _EDITS


# --- emacs


def _emacs(it: Invocation) -> Iterator[Finding]:
    if it.has("--version", "--help"):
        yield nothing(_ITSELF)
        return
    for code in it.all_values("-eval", "-execute", "-e", "--eval"):
        yield Code("elisp", code)
        yield danger("run", _PROGRAM, shown(code))
    if it.name == "emacsclient" and it.has("-e", "--eval"):
        # There it makes expressions of all words.
        for code in it.operands:
            yield Code("elisp", code)
        return
    for function in it.all_values("-f", "-funcall") if it.name != "emacsclient" else ():
        yield danger("run", _PROGRAM, shown(function))
    for file in it.all_values("-l", "-load", "-script", "-x"):
        yield RunsFile(file, "elisp")
        yield care("run", _PROGRAM, shown(file))
    for arg in it.operands:
        yield it.path("read", arg)
    yield _EDITS if it.has("-batch", "--batch", "-script", "--script") else _WAITS


# --- windows


def _code(it: Invocation) -> Iterator[Finding]:
    """Visual Studio Code and its kin."""
    if it.has("--install-extension", "--uninstall-extension", "--extensions-dir", "--user-data-dir", "--add-mcp"):
        yield danger("persist", "It changes what the editor loads whenever it starts.")
    elif it.has(
        "--version", "-v", "--help", "-h", "--list-extensions", "-s", "--status", "--locate-shell-integration-path"
    ):
        yield nothing(_ITSELF)
    elif it.has("--command", "--open-url", "--enable-proposed-api", "--inspect-extensions"):
        yield danger("run", _PROGRAM)
    elif it.operands and it.operands[0].text in ("tunnel", "serve-web", "serve"):
        yield danger("typing", "It lets others use this machine.")
    elif it.operands and it.operands[0].text in ("chat", "agent"):
        yield danger("agent", "It starts another agent.")
    else:
        yield _WAITS
        for arg in it.operands:
            yield it.path("read", arg)


_VIM = (
    "+~none -abdDeEfFghHlLmMnNoOpRvVXyZ -A -c:none --cmd:none --cmd=none -S:none -s -u:none -U:none -i:none -t: -T:"
    " -w:write"
    " -W:write -r? -q:read --noplugin --not-a-term --clean --startuptime=write --version --help --servername= --remote"
    " --remote-send=danger --remote-expr=danger --remote-silent --headless --embed --listen=care --server="
)
_VIM_TYPES = Spec("Types what a file holds.", f"{_VIM} -s:none")
_EMACS = (
    "+~text - * -eval:none -execute:none -e:none -f:none -funcall:none -l:none -load:none -script:none -x:none"
    " -L:config"
    " -directory:config -u: -user: -t: -terminal: -d: -display: -T: -init-directory:config -chdir: -bg: -fg: -fn: -g:"
    " -insert:read -i:read"
)
_EMACSCLIENT = (
    "+~text * -e:none --eval=none -a:run --alternate-editor=run -s: --socket-name= -f:read --server-file=read -T:"
    " --tramp= -F: --frame-parameters= -d: --display= -w: --timeout= -ncrtqu -nw?text"
)

COMMANDS: dict[str, Spec] = {
    **each(
        "vim vi nvim view gvim vimdiff nvi elvis vim.basic vim.tiny rvim rview mvim nvim-qt vimx ex",
        Spec("Edits files.", _VIM, "none*", also=_vim),
    ),
    **each("ed red", Spec("Edits files.", "-sGEv -p: --quiet --silent", "none*", also=_ed)),
    **each("emacs mg zile jove xemacs emacs-nox", Spec("Edits files.", _EMACS, "none*", also=_emacs)),
    "emacsclient": Spec("Edits files.", _EMACSCLIENT, "none*", also=_emacs),
    **each(
        "nano pico rnano",
        Spec(
            "Edits files.",
            "* -s:run --speller=run -f:config --rcfile=config -C:write --backupdir=write -o: -Y: -T: -r:",
            "write*",
            does=(_WAITS,),
        ),
    ),
    **each(
        "micro joe jmacs jed ne kak hx helix dte tilde mcedit le vis kate gedit pluma mousepad leafpad geany xed"
        " notepad notepad.exe textedit bbedit nova",
        Spec(
            "Edits files.",
            "* -e:danger -c:danger -config-dir:config -plugin:danger -S:danger",
            "write*",
            does=(_WAITS,),
        ),
    ),
    **each(
        "code code-insiders codium vscodium cursor windsurf zed subl sublime_text atom mate idea pycharm webstorm"
        " goland clion rubymine phpstorm rider datagrip fleet studio charm zeditor positron trae kiro antigravity",
        Spec(
            "Opens an editor.",
            "* --install-extension= --uninstall-extension= --extensions-dir= --user-data-dir= --add-mcp= --command="
            " --open-url= -g --goto -d --diff -r -n -w -a",
            "none*",
            also=_code,
        ),
    ),
    **each("sensible-editor editor select-editor mcview", Spec("Edits files.", "*", "write*", does=(_WAITS,))),
}
