"""Commands that work on other machines or carry files there: ssh, scp, rsync, rclone and their kin.

What is started over there is walked like a line here, only that its files are not these. Files of the project may be
carried to a machine of the user's with care; secrets, and what lies outside the project, are Danger."""

import re
from collections.abc import Callable, Iterator

from assent.expressions import later
from assent.policy.commands._sed import pours
from assent.policy.commands._web import hands_over, is_remote, shown
from assent.policy.commands.spec import Finding, Invocation, Run, SendsInput, Spec, each, queries, starts
from assent.policy.commands.wrappers import command
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

_ITSELF = "It only tells about itself."
_CONNECTS = "It connects to another machine."
_SETTINGS = "Its settings come from a file, and may name programs to run here."

# --- ssh: options of all who speak it

_RUNS_HERE = frozenset({"proxycommand", "localcommand", "knownhostscommand"})
_LOADS = frozenset({"pkcs11provider", "securitykeyprovider", "xauthlocation"})
_SSH = (
    "-1246AaCfGgKkMNnqsTtVvXxYy -B: -b: -c: -D: -E:write -e: -F: -I: -i: -J: -L: -l: -m: -O: -o: -P: -p: -Q: -R: -S:"
    " -W: -w:"
)


def setting(value: Arg) -> Iterator[Finding]:
    """``-o ProxyCommand=…``"""
    key, _, text = value.text.strip().replace("\t", " ").partition("=" if "=" in value.text.partition(" ")[0] else " ")
    key, text = key.strip().lower(), text.strip()
    if not key or HOLE in key:
        yield danger("dynamic", "Which of its settings changes is known only when it runs.", shown(value))
    elif key in _RUNS_HERE and text.lower() != "none":
        yield Run(line=Arg(text))
        yield danger("run", "It runs a program here before it connects.", shown(value))
    elif key in _LOADS:
        yield danger("run", "It loads code from a library.", shown(value))
    elif key == "permitlocalcommand" and text.lower() != "no":
        yield care("run", "It may run a program here.", shown(value))
    elif key == "remotecommand":
        yield Run(line=Arg(text), elsewhere="another machine")
    elif key == "forwardagent" and text.lower() != "no":
        yield _LENDS
    elif key in ("remoteforward", "tunnel"):
        yield _OPENS
    elif key == "include":
        yield danger("run", _SETTINGS, shown(value))
    elif key in ("stricthostkeychecking", "userknownhostsfile", "globalknownhostsfile"):
        yield care("fetch", "It does not check which machine answers.", shown(value))


_LENDS = danger("secret", "It lends your keys to the other machine.")
_OPENS = danger("send", "It opens a connection from the other machine into this one.")


def _settings_file(it: Invocation, value: Arg) -> Iterator[Finding]:
    if value.text.lower() not in ("none", "/dev/null"):
        yield it.path("read", value) if it.place(value) != "secret" else nothing()
        is_mine = it.place(value) in ("secret", "project", "home")
        yield (care if is_mine else danger)("run", _SETTINGS, shown(value))


def _ssh_options(it: Invocation) -> Iterator[Finding]:
    for value in it.all_values("-o"):
        yield from setting(value)
    for value in it.all_values("-F"):
        yield from _settings_file(it, value)
    for value in it.all_values("-I"):
        yield danger("run", "It loads code from a library.", shown(value))
    if it.has("-A"):
        yield _LENDS
    if it.has("-R", "-w"):
        yield _OPENS
    if it.has("-L", "-D", "-W"):
        yield care("fetch", "It makes a tunnel to another network.")
    if it.has("-X", "-Y"):
        yield care("typing", "The other machine may see this screen and its keyboard.")


def _ssh(it: Invocation) -> Iterator[Finding]:
    if it.has("-V", "-Q") and not it.operands:
        yield nothing(_ITSELF)
        return
    yield from _ssh_options(it)
    words = list(it.operands)
    if not words:
        yield care("fetch", _CONNECTS)
        return
    host, *rest = words
    yield care("fetch", _CONNECTS, shown(host))
    # Options may follow the host; what follows them is the command.
    inner = Invocation(it.name, tuple(rest), it.spec, it.setting, it.cwd)
    yield from _ssh_options(inner)
    if inner.operands:
        yield Run(line=_line(inner.operands), elsewhere=shown(host))
    elif not inner.has("-N", "-W", "-O") and not it.has("-N", "-W", "-O", "-G"):
        yield _Remote(shown(host))


def _line(words: list[Arg]) -> Arg:
    return Arg(" ".join(word.text for word in words))


def _Remote(host: str) -> Finding:  # noqa: N802 - reads like the findings it stands among
    """A shell over there: what comes in is its program."""
    return SendsInput(host, obeys=lambda text: iter((Run(line=Arg(text), elsewhere=host),)))


def _mosh(it: Invocation) -> Iterator[Finding]:
    yield care("fetch", _CONNECTS, shown(it.operands[0]) if it.operands else "")
    for value in it.all_values("--ssh"):
        yield from starts(value)
        yield danger("run", "It runs a program here to connect.", shown(value))
    rest = it.operands[1:]
    rest = rest[1:] if rest and rest[0].text == "--" else rest
    if rest:
        yield Run(args=tuple(rest), elsewhere=shown(it.operands[0]))


# --- sftp, ftp: commands come in

_PUTS = later(r"\s*-?@?(?:put|mput|reput|send|mirror\s+-R|mirror\s+--reverse|append)\s+(?:-\S+\s+)*(.*)", re.IGNORECASE)
_REMOVES = later(r"\s*-?@?(?:rm|mrm|rmdir|rename|del|delete|mdelete|dele|site|quote)\b", re.IGNORECASE)
_ESCAPES = later(r"\s*-?@?(?:!|shell\s)(.*)", re.IGNORECASE | re.DOTALL)


def _obeys(it: Invocation, host: str) -> Callable[[str], Iterator[Finding]]:
    """What a file-transfer program does with the lines it gets."""

    def obeys(text: str) -> Iterator[Finding]:
        for line in re.split(r"[\n;]", text):
            if match := _PUTS.fullmatch(line):
                for name in match[1].split()[:1] or [""]:
                    yield hands_over(it, Arg(name.strip("'\"")), host)
            elif match := _ESCAPES.fullmatch(line):
                yield Run(line=Arg(match[1]))
            elif _REMOVES.match(line):
                yield danger("remote", "It deletes or changes files on another machine.", host)

    return obeys


def _transfers(it: Invocation) -> Iterator[Finding]:
    if it.name == "sftp":
        yield from _ssh_options(it)
    host = shown(it.operands[0]) if it.operands else ""
    yield care("fetch", _CONNECTS, host)
    for value in it.all_values("-b", "-f"):
        if value.text != "-":
            yield it.path("read", value)
            yield care("send", "A file tells it which files to carry.", shown(value))
    for value in it.all_values("-S"):
        yield from starts(value)
        yield danger("run", "It runs a program here to connect.", shown(value))
    for value in it.all_values("-e", "-c"):
        if it.name == "lftp":
            yield from _obeys(it, host)(value.text)
            if not value.known:
                yield danger("dynamic", "What it does is known only when it runs.", host)
    if len(it.operands) > 1 and it.name == "sftp":
        yield it.path("write", it.operands[1])
    yield SendsInput(host, obeys=_obeys(it, host))


# --- scp, rsync: files there and back

_STORES = frozenset({"rclone", "s3cmd", "s4cmd", "s5cmd"})


def _scp(it: Invocation) -> Iterator[Finding]:
    yield from _ssh_options(it)
    for value in it.all_values("-S"):
        yield from starts(value)
        yield danger("run", "It runs a program here to connect.", shown(value))
    yield from _carried(it, it.operands, recursive=it.has("-r"))


def _carried(it: Invocation, words: list[Arg], *, recursive: bool) -> Iterator[Finding]:
    if len(words) < 2:
        yield care("fetch", _CONNECTS)
        return
    *sources, goal = words
    there = is_remote(goal.text)
    for source in sources:
        if is_remote(source.text):
            yield care("fetch", "It brings files in from another machine.", shown(source))
        elif there:
            is_store = it.name.partition(" ")[0] in _STORES
            yield hands_over(it, source, shown(goal).partition(":")[0], to="store" if is_store else "machine")
        else:
            yield it.path("read", source, recursive=recursive)
    if there:
        yield care("remote", "It writes files on another machine.", shown(goal))
    elif len(sources) == 1 and not recursive and not goal.text.endswith(("/", ".")):
        yield it.path("write", goal)
    else:
        yield pours(it, goal)


_RSYNC = (
    "* -e:none --rsh=none --rsync-path= -f: --filter= --exclude= --include= --exclude-from=read --include-from=read"
    " --files-from=read --password-file= --log-file=write --partial-dir= --backup-dir=write --suffix= -T:write"
    " --temp-dir=write --compare-dest=names --copy-dest=names --link-dest=names -B: --block-size= --bwlimit= --timeout="
    " --contimeout= --port= --sockopts= --address= -M: --remote-option= --write-batch=write --only-write-batch=write"
    " --read-batch=read --early-input=read --out-format= --log-file-format= --chmod= --chown= --usermap= --groupmap="
    " --max-size= --min-size= --max-delete= --compress-level= --skip-compress= --compress-choice= --checksum-choice="
    " --checksum-seed= --modify-window= --info= --debug= --stop-after= --stop-at= --max-alloc= --iconv= --protocol="
    " --config=config --daemon --delete --del --delete-before --delete-during --delete-delay --delete-after"
    " --delete-excluded --delete-missing-args --remove-source-files --dry-run --list-only --version --help -n -h -V"
    " -@: --dparam="
)


def _rsync(it: Invocation) -> Iterator[Finding]:
    if it.has("--version", "--help", "-V") and not it.operands:
        yield nothing(_ITSELF)
        return
    if it.has("--daemon"):
        yield danger("fetch", "It listens for connections from other machines.")
    for value in it.all_values("-e", "--rsh"):
        is_ssh = value.text.split(" ")[0].rpartition("/")[2] == "ssh"
        yield from (Run(line=Arg(f"{value.text} remote.invalid true")),) if is_ssh else starts(value)
    for value in it.all_values("--rsync-path"):
        yield Run(line=Arg(f"{value.text} --server . ."), elsewhere="another machine")
    words = it.operands
    is_trial = it.has("-n", "--dry-run", "--list-only") or len(words) < 2
    if is_trial:
        for word in words:
            if is_remote(word.text):
                yield care("fetch", _CONNECTS, shown(word))
            else:
                yield Effect("read", Risk.LOOK, "It only says what it would copy.", shown(word))
        return
    yield from _carried(it, words, recursive=True)
    if any(option.startswith("--del") for option, _ in it.values):
        goal = words[-1]
        yield (
            danger("remote", "It deletes files on another machine that are not here.", shown(goal))
            if is_remote(goal.text)
            else it.path("delete", goal, recursive=True)
        )
    if it.has("--remove-source-files"):
        for source in words[:-1]:
            yield (
                danger("remote", "It takes files away from another machine.", shown(source))
                if is_remote(source.text)
                else it.path("delete", source, recursive=True)
            )


# --- rclone: clouds as folders


def _cloud_copy(*, deletes: bool = False, moves: bool = False) -> Callable[[Invocation], Iterator[Finding]]:
    def found(it: Invocation) -> Iterator[Finding]:
        yield from _carried(it, it.operands, recursive=True)
        if deletes:
            yield danger(
                "remote", "It deletes what is there and not here.", shown(it.operands[-1]) if it.operands else ""
            )
        if moves:
            yield danger("delete", "It takes away what it copies.", shown(it.operands[0]) if it.operands else "")

    return found


def _lists(why: str) -> Spec:
    return queries(why)


def _gone(why: str) -> Spec:
    return Spec(why, "*", does=(danger("remote", why),))


_RCLONE: dict[str, Spec] = {
    **each(
        "ls lsd lsf lsl lsjson size about tree check checksum hashsum md5sum sha1sum listremotes cat",
        _lists("It lists what lies in a cloud."),
    ),
    **dict.fromkeys(("version", "help", "genautocomplete", "completion"), Spec(_ITSELF, "*")),
    **dict.fromkeys(("copy", "copyto", "copyurl"), Spec("It copies files.", "*", "none*", also=_cloud_copy())),
    **dict.fromkeys(
        ("sync", "bisync"), Spec("It makes both sides alike.", "*", "none*", also=_cloud_copy(deletes=True))
    ),
    **dict.fromkeys(("move", "moveto"), Spec("It moves files.", "*", "none*", also=_cloud_copy(moves=True))),
    **each(
        "delete deletefile purge rmdir rmdirs cleanup dedupe settier backend",
        _gone("It deletes or changes what lies in a cloud."),
    ),
    **dict.fromkeys(
        ("mkdir", "touch"), Spec("It makes a folder.", "*", does=(care("remote", "It writes into a cloud."),))
    ),
    "rcat": Spec("It sends what comes in.", "*", "none*", also=lambda _: iter((SendsInput("a cloud"),))),
    **dict.fromkeys(
        ("config", "reveal", "obscure", "authorize"),
        Spec(
            "It shows or changes passwords.", "*", does=(danger("secret", "It shows or changes passwords of clouds."),)
        ),
    ),
    "link": Spec("It makes a file public.", "*", does=(danger("publish", "It makes a link that anyone can open."),)),
    **dict.fromkeys(
        ("serve", "rcd", "rc", "mount", "nfsmount", "selfupdate"),
        Spec(
            "It serves files.", "*", does=(danger("send", "It serves files to others, or takes commands from them."),)
        ),
    ),
}
_S3: dict[str, Spec] = {
    **dict.fromkeys(("ls", "la", "info", "du", "accesslog"), _lists("It lists what lies in a cloud.")),
    "get": Spec("It downloads.", "*", "fetch write", does=(care("fetch", "It brings files in from a cloud."),)),
    "put": Spec("It uploads.", "*", "none*", also=_cloud_copy()),
    "mb": Spec("It makes a bucket.", "*", does=(care("remote", "It makes a place in a cloud."),)),
    "cp": Spec("It copies.", "*", does=(care("remote", "It copies files in a cloud."),)),
    **each(
        "del rm rb mv sync setacl setpolicy delpolicy expire setlifecycle dellifecycle modify signurl",
        _gone("It deletes, moves or opens up what lies in a cloud."),
    ),
}

# --- keys


def _keygen(it: Invocation) -> Iterator[Finding]:
    if it.has("-D"):
        yield danger("run", "It loads code from a library.")
    elif it.has("-l", "-L", "-B", "-F", "-H", "-Q"):
        yield Effect("read", Risk.LOOK, "It shows fingerprints of keys.")
    elif it.has("-y", "-e"):
        yield care("secret", "It reads a private key and prints its public part.")
    elif it.has("-s"):
        yield danger("secret", "It signs with a key.")
    else:
        yield care("secret", "It makes a key, or changes one.")
    for value in it.all_values("-f"):
        if not it.has("-l", "-L", "-B", "-F", "-y", "-e", "-R", "-i"):
            yield it.path("write", value)


def _add(it: Invocation) -> Iterator[Finding]:
    if it.has("-s", "-S"):
        yield danger("run", "It loads code from a library.")
    elif it.has("-l") and not it.operands:
        yield Effect("query", Risk.LOOK, "It lists fingerprints of keys.")
    elif it.has("-D", "-d", "-x", "-e"):
        yield danger("secret", "It removes keys from the agent that keeps them.")
    else:
        yield care("secret", "It shows, adds or changes keys that the agent keeps.")


def _agent(it: Invocation) -> Iterator[Finding]:
    if it.has("-k"):
        yield care("process", "It ends the agent that keeps keys.")
    elif it.operands:
        yield from command(it.operands)
    else:
        yield care("process", "It starts an agent that keeps keys.")
    if it.has("-P"):
        yield danger("run", "It lets libraries be loaded.")


def _sshpass(it: Invocation) -> Iterator[Finding]:
    yield care("secret", "It types a password for a person.")
    if (value := it.value("-f")) is not None:
        yield it.path("read", value)
    if it.operands:
        yield from command(it.operands)


COMMANDS: dict[str, Spec] = {
    "ssh": Spec("Works on another machine.", _SSH, "none*", also=_ssh, wraps=True),
    "slogin": Spec("Works on another machine.", _SSH, "none*", also=_ssh, wraps=True),
    "autossh": Spec("Works on another machine.", f"{_SSH} -M:", "none*", also=_ssh, wraps=True),
    **dict.fromkeys(
        (
            "rsh",
            "rlogin",
            "rexec",
            "pssh",
            "pdsh",
            "clush",
            "dsh",
            "parallel-ssh",
            "parallel-nuke",
            "gsh",
            "cssh",
            "clusterssh",
        ),
        Spec("Works on other machines.", "*", does=(danger("remote", "It runs a command on other machines."),)),
    ),
    "mosh": Spec("Works on another machine.", "* --ssh= --server= -p: --port=", "none*", also=_mosh, wraps=True),
    "et": Spec("Works on another machine.", "* -c:danger --command=danger", "host*"),
    "sftp": Spec(
        "Carries files.",
        "-46AaCfNpqrv -B: -b: -c: -D: -F: -i: -J: -l: -o: -P: -R: -S: -s: -X:",
        "none*",
        also=_transfers,
    ),
    **dict.fromkeys(
        ("ftp", "lftp", "tftp", "ncftp"), Spec("Carries files.", "* -e: -c: -u: -p: -f:", "none*", also=_transfers)
    ),
    **dict.fromkeys(
        ("ncftpput", "ftp-upload", "curlftpfs"),
        Spec("Sends files.", "*", does=(danger("send", "It sends files to another machine."),)),
    ),
    "scp": Spec("Carries files.", "-12346ABCOpqRrTsv -c: -D: -F: -i: -J: -l: -o: -P: -S: -X:", "none*", also=_scp),
    "rcp": Spec("Carries files.", "-prx", "none*", also=_scp),
    **each("pscp pscp.exe", Spec("Carries files.", "-46CNpqrv -i: -l: -P: -pw: -batch", "none*", also=_scp)),
    **each("plink plink.exe", Spec("Works on another machine.", f"{_SSH} -pw: -batch", "none*", also=_ssh, wraps=True)),
    "rsync": Spec("Copies files, here or to another machine.", _RSYNC, "none*", also=_rsync),
    "unison": Spec(
        "Makes two folders alike.", "*", does=(danger("send", "It carries and deletes files on both sides."),)
    ),
    "rclone": Spec("Works with files in clouds.", "* --config=config", verbs=_RCLONE),
    "s3cmd": Spec("Works with files in a cloud.", "* -c:config --config=config", verbs=_S3),
    "s4cmd": Spec("Works with files in a cloud.", "*", verbs=_S3),
    "s5cmd": Spec("Works with files in a cloud.", "*", verbs=_S3),
    "ssh-keygen": Spec(
        "Makes and shows keys.",
        "-ABcegHhiKkLlmMpqQTUuvy -a: -b: -C: -D: -E: -F: -f: -I: -J: -j: -M: -N: -n: -O: -P: -R: -r: -s: -t: -V: -w:"
        " -W:"
        " -Y: -Z: -z:",
        also=_keygen,
    ),
    "ssh-copy-id": Spec(
        "Lets a key into another machine.", "*", does=(danger("persist", "It lets a key into another machine."),)
    ),
    "ssh-add": Spec(
        "Works with the agent that keeps keys.", "-cCDdKkLlqvXxA -E: -e: -H: -h: -S: -s: -T: -t:", also=_add
    ),
    "ssh-agent": Spec("Keeps keys.", "-cDdks -a: -E: -O: -P: -t:", "none*", also=_agent, wraps=True),
    "ssh-keyscan": Spec("Asks machines for their keys.", "* -f:read -p: -T: -t: -O:", "host*"),
    "sshpass": Spec("Types a password.", "-ehvV -f: -d: -p: -P:", "none*", also=_sshpass, wraps=True),
    "sshfs": Spec("Shows files of another machine.", "* -o:care -F:config", "host write"),
    "sshuttle": Spec(
        "Sends connections through another machine.",
        "*",
        does=(danger("privilege", "It sends all connections through another machine."),),
    ),
}
