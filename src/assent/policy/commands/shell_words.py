"""The shell's own words that change nothing outside it. Those that matter to the rest of a line are elsewhere."""

from collections.abc import Iterator

from assent.policy.commands.spec import Finding, Invocation, Spec, known, starts
from assent.policy.effects import care, danger


def _history(it: Invocation) -> Iterator[Finding]:
    if it.has("-c", "-d"):
        yield danger("delete", "It forgets what was typed in this shell.")
    if it.has("-w", "-a"):
        yield danger("delete", "It writes over the file that keeps what was typed.")
    if it.has("-r", "-n"):
        yield danger("secret", "It reads what was typed before, and secrets may be in it.")


def _again(it: Invocation) -> Iterator[Finding]:
    if not it.has("-l"):
        yield care("dynamic", "It runs again what was typed before.")


def _keys(it: Invocation) -> Iterator[Finding]:
    if it.has("-x", "-f"):
        yield danger("persist", "It makes keys of this shell run something.")


def _completes(it: Invocation) -> Iterator[Finding]:
    for program in it.all_values("-C", "-F"):
        yield from starts(program)


COMMANDS: dict[str, Spec] = {
    ":": known("Does nothing."),
    "type": known("Says what a name stands for."),
    "help": known("Explains the shell's own words."),
    "jobs": known("Lists what runs in the background of this shell."),
    "wait": known("Waits for what runs in the background."),
    "bg": known("Goes on in the background."),
    "fg": known("Goes on in the foreground."),
    "disown": known("Lets a job of this shell go on alone."),
    "umask": known("Shows or sets which permissions new files of this shell get."),
    "ulimit": known("Shows or sets limits of this shell."),
    "times": known("Tells how long this shell has worked."),
    "shopt": known("Shows or sets options of this shell."),
    "setopt": known("Sets options of this shell."),
    "dirs": known("Lists remembered folders."),
    "shift": known("Drops an argument."),
    "getopts": known("Reads options of a script."),
    "return": known("Ends a function."),
    "exit": known("Ends the shell."),
    "logout": known("Ends the shell."),
    "break": known("Ends a loop."),
    "continue": known("Goes on with a loop."),
    "caller": known("Says where a function was called."),
    "compgen": Spec(
        "Lists names that would fit.", "-abcdefgjksuv -A: -G: -W: -P: -S: -X: -o: -C: -F:", also=_completes
    ),
    "complete": Spec("Says how names are completed.", "* -A: -G: -W: -P: -S: -X: -o: -C: -F:", also=_completes),
    "history": Spec("Prints what was typed in this shell.", "-c -d: -a -n -r -w -p -s -#", also=_history),
    "fc": Spec("Lists or repeats what was typed.", "-lnrs -e:care -#", also=_again),
    "bind": Spec("Shows or sets what keys do.", "-lpsvPSVX -m: -q: -u: -r: -f: -x:", also=_keys),
}
