"""The small tools every system has that look and print: names, files as they are, numbers, the machine."""

from collections.abc import Iterator

from assent.policy.commands._sed import veiled_reads
from assent.policy.commands.spec import Finding, Flows, Invocation, Spec, known, reads, starts
from assent.policy.effects import care, danger
from assent.policy.shell import variables
from assent.policy.shell.words import HOLE


def _history(it: Invocation) -> Iterator[Finding]:
    if it.has("-c", "-d"):
        yield danger("delete", "It deletes the history of this shell.")
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


_SHELL_WORDS: dict[str, Spec] = {
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


def _prints_variables(it: Invocation) -> Iterator[Finding]:
    if not it.operands:
        yield Flows("environment")
    for arg in it.operands:
        if variables.is_secret(arg.text):
            yield danger("secret", f"It prints the secret in ${arg.text}.", arg.text)
        elif HOLE in arg.text:
            yield care("secret", "Which variable it prints is known only when it runs.")


def _sets_name(it: Invocation) -> Iterator[Finding]:
    if it.operands or it.has("-F", "--file", "-b", "--boot"):
        yield danger("process", "It renames the machine.")


def _sets_clock(it: Invocation) -> Iterator[Finding]:
    if it.has("-s", "--set"):
        yield danger("process", "It sets the clock of the machine.")
    for arg in it.operands:
        if not arg.text.startswith("+") and HOLE not in arg.text:
            yield danger("process", "It sets the clock of the machine.", arg.text)


def _lists(why: str, options: str = "*") -> Spec:
    """Names, sizes, dates and kinds of files, never what is in them."""
    return Spec(why, options, "names*")


_DIGEST = reads(
    "Works out checksums. With -c it reads the files a list names and says only whether they are unchanged.", "*"
)
_ENCODES = reads(
    "Prints a file in another spelling.",
    "* -w: --wrap= -b: --break= -i:read --input=read -o:write --output=write",
)

COMMANDS: dict[str, Spec] = {
    **_SHELL_WORDS,
    # --- names
    "ls": _lists(
        "Lists names. No option of it writes or runs anything.",
        "* -I: -w: -T: --ignore= --hide= --width= --tabsize= --block-size= --time-style= --sort= --time= --format=",
    ),
    "dir": _lists("Lists names, as ls does."),
    "vdir": _lists("Lists names, as ls does."),
    "lsd": _lists("Lists names.", "* --config-file=read -I: --ignore-glob="),
    "exa": _lists("Lists names.", "* -I: --ignore-glob= -L: --level= -s: --sort= -t: --time="),
    "eza": _lists("Lists names.", "* -I: --ignore-glob= -L: --level= -s: --sort= -t: --time= -w: --width="),
    "stat": _lists("Tells what kind of file it is, how large and how old.", "* -c: -f --format= --printf= -t"),
    "du": _lists(
        "Sums up sizes.",
        "* -d: --max-depth= -t: --threshold= -B: --block-size= -X:read --exclude-from=read --exclude="
        " --files0-from=read"
        " --time-style=",
    ),
    "df": _lists("Tells how full the disks are.", "* -t: --type= -x: --exclude-type= -B: --block-size="),
    "basename": known("Cuts a name out of a path; it looks at no file.", "* -s: --suffix="),
    "dirname": known("Cuts a folder out of a path; it looks at no file."),
    "realpath": _lists("Tells where a path leads.", "* --relative-to= --relative-base="),
    "readlink": _lists("Tells where a link leads."),
    "pathchk": known("Checks whether a name is possible."),
    "namei": _lists("Tells where each part of a path leads."),
    "getfacl": _lists("Tells who may read and write."),
    "lsattr": _lists("Tells attributes of files."),
    "pwd": known("Prints the working folder."),
    "file": Spec(
        "Tells the kind of a file by its first bytes. Only -C writes, the compiled table of kinds.",
        "-bdehiklLNnprsSvzZ0 -C:care --compile?care -m:read --magic-file=read -f:read --files-from=read -F:"
        " --separator="
        " -P: --parameter= -e: --exclude= --exclude-quiet= --brief --mime --mime-type --mime-encoding --dereference"
        " --no-dereference --uncompress --uncompress-noreport --special-files --raw --keep-going --extension --apple"
        " --version --help --print0 --no-buffer --no-pad --preserve-date --debug --list --no-sandbox"
        " --checking-printout",
        "names*",
    ),
    # --- files as they are
    "cat": reads("Prints files. No option of it writes or runs anything."),
    "tac": reads("Prints files backwards.", "* -s: --separator="),
    "rev": reads("Prints lines backwards."),
    "nl": reads("Numbers lines.", "* -b: -d: -f: -h: -i: -l: -n: -s: -v: -w:"),
    "wc": Spec("Counts.", "* --files0-from=read", "none*", also=veiled_reads),
    "head": reads("Prints the beginning.", "* -n: -c: --lines= --bytes= -#"),
    "tail": reads(
        "Prints the end, and goes on with what is added.",
        "* -n: -c: --lines= --bytes= -s: --sleep-interval= --pid= --max-unchanged-stats= -#",
    ),
    "od": reads(
        "Prints bytes as numbers.",
        "* -A: -j: -N: -S? -t: -w? --address-radix= --skip-bytes= --read-bytes= --format= --strings? --width?",
    ),
    "sum": _DIGEST,
    "cksum": reads("Works out checksums.", "* -a: --algorithm= -l: --length="),
    "md5sum": _DIGEST,
    "md5": _DIGEST,
    "sha1sum": _DIGEST,
    "sha224sum": _DIGEST,
    "sha256sum": _DIGEST,
    "sha384sum": _DIGEST,
    "sha512sum": _DIGEST,
    "b2sum": reads("Works out checksums.", "* -l: --length="),
    "b3sum": reads("Works out checksums.", "* -l: --length= --num-threads="),
    "shasum": reads("Works out checksums.", "* -a: --algorithm="),
    "base64": _ENCODES,
    "base32": _ENCODES,
    "basenc": _ENCODES,
    # --- words and numbers
    "echo": known("Prints its words."),
    "printf": known("Prints its words."),
    "true": known("Does nothing."),
    "false": known("Does nothing and says so."),
    "test": known("Compares, and looks whether files are there."),
    "[": known("Compares, and looks whether files are there."),
    "yes": known("Prints the same line until it is stopped."),
    "seq": known("Prints numbers.", "* -f: -s: --format= --separator="),
    "jot": known("Prints numbers.", "*"),
    "expr": known("Calculates."),
    "factor": known("Calculates."),
    "primes": known("Prints prime numbers."),
    "numfmt": known("Writes numbers another way.", "* -d: --delimiter= --field= --format= --from= --to= --suffix="),
    "units": reads("Converts measures.", "* -f:read --file=read -L:write --log=write", "text*"),
    "sleep": known("Waits."),
    "usleep": known("Waits."),
    "cal": known("Prints a calendar."),
    "ncal": known("Prints a calendar."),
    "bc": reads("Calculates. Its language has no way to write files or to run programs.", "*"),
    # --- the machine and the user
    "date": Spec(
        "Prints the time.",
        "-uR -I? -d: -f:read -r:names -s: -j -n -v: --date= --file=read --reference=names --set= --iso-8601?"
        " --rfc-3339="
        " --rfc-2822 --rfc-email --utc --universal --debug --resolution --help --version",
        also=_sets_clock,
    ),
    "printenv": Spec("Prints variables.", "-0 --null --help --version", also=_prints_variables),
    "hostname": Spec(
        "Prints the name of the machine.",
        "-aAdfiIsyvV -F: -b --alias --all-fqdns --all-ip-addresses --domain --fqdn --long --ip-address --short --yp"
        " --nis --file= --boot --help --version",
        also=_sets_name,
    ),
    "uname": known("Prints the name of the system."),
    "uptime": known("Tells how long the machine has been up."),
    "nproc": known("Counts processors."),
    "getconf": known("Prints limits of the system."),
    "locale": known("Prints languages and their settings."),
    "id": known("Tells who the user is."),
    "whoami": known("Tells who the user is."),
    "logname": known("Tells who logged in."),
    "groups": known("Tells which groups a user is in."),
    "users": known("Tells who is logged in."),
    "who": known("Tells who is logged in."),
    "w": known("Tells who is logged in, and with what."),
    "hostid": known("Prints a number of the machine."),
    "tty": known("Prints the name of the terminal."),
    "tput": known("Moves the cursor and sets colours of the terminal.", "* -T: -S"),
    "clear": known("Clears the screen."),
    "reset": known("Sets the terminal right."),
    "stty": reads("Shows or sets how the terminal behaves.", "* -F:read --file=read", "text*"),
    "dircolors": reads("Prints colours for ls."),
    "sync": Spec("Makes the disk keep what has been written.", "-df --data --file-system --help --version"),
}
