"""Commands that talk to the network at large: names, raw connections, captures, tunnels, mail.

Looking up a name and asking whether a machine is there is Care. Letting others in, carrying something out, or giving a
program to the other side is Danger."""

from collections.abc import Iterator

from assent.expressions import later
from assent.policy.commands._asking import told
from assent.policy.commands._either import either
from assent.policy.commands._web import is_near, looks_up, sends_file, shown, socket
from assent.policy.commands.spec import (
    Finding,
    Invocation,
    Run,
    RunsFile,
    SendsInput,
    Spec,
    Takes,
    dangerous,
    each,
    queries,
)
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

_ITSELF = "It only tells about itself."
_LETS_IN = "It listens for connections from other machines."
_GIVES = "It lets the other side use a program of this machine."

# --- names


def _looks_up(it: Invocation) -> Iterator[Finding]:
    yield from looks_up(it.operands)


def _pings(it: Invocation) -> Iterator[Finding]:
    if it.has("-V", "--version", "-h", "--help") and not it.operands:
        yield nothing(_ITSELF)
        return
    pattern = it.value("-p")
    if pattern is not None and not pattern.known:
        yield danger("send", "It carries text that is known only when it runs to another machine.", shown(pattern))
    yield from _looks_up(it)


# --- raw connections

_NC = (
    "-46bCDdFhklNnrStUuvZz -c: -e: -g: -G: -I: -i: -M: -m: -O: -o:write -P: -p: -q: -s: -T: -V: -W: -w: -X: -x:host"
    " -R:none -H:none --exec= --sh-exec= --lua-exec= --output=write --hex-dump=write --append-output --listen"
    " --keep-open"
    " --source-port= --source= --wait= --idle-timeout= --delay= --max-conns= --udp --sctp --vsock --verbose --ssl"
    " --ssl-cert=read --ssl-key=none --ssl-verify --ssl-trustfile= --ssl-ciphers= --ssl-servername= --ssl-alpn="
    " --proxy=host --proxy-type= --proxy-auth= --proxy-dns= --allow= --allowfile=read --deny= --denyfile=read"
    " --broker --chat --telnet --crlf --nodns --no-shutdown --recv-only --send-only --unixsock --zero --version --help"
)


def _nc(it: Invocation) -> Iterator[Finding]:
    target = " ".join(map(shown, it.operands))
    if it.has("-h", "--help", "--version") and not it.operands:
        yield nothing(_ITSELF)
        return
    for value in it.all_values("-e", "--exec", "--sh-exec", "-c"):
        # Some call -c what others call -e.
        yield danger("run", _GIVES, shown(value))
        yield Run(line=value)
    for value in it.all_values("--lua-exec"):
        yield danger("run", _GIVES, shown(value))
        yield RunsFile(value, "lua")
    if it.has("-l", "--listen", "-k", "--keep-open", "--broker", "--chat"):
        yield danger("fetch", _LETS_IN, target)
        return
    if it.has("-U", "--unixsock") and it.operands:
        yield socket(it, it.operands[0])
        return
    if it.has("-z", "--zero"):
        is_here = is_near(it.operands[:1]) and all(arg.known for arg in it.operands)
        yield Effect("fetch", Risk.LOOK if is_here else Risk.CARE, "It tries whether a port is open.", target)
    else:
        yield _connects(it.operands[:1], target)
    if not it.has("-z", "--zero", "--recv-only"):
        yield SendsInput(target, trusted=is_near(it.operands[:1]), obeys=told(target))


def _connects(hosts: list[Arg], target: str) -> Effect:
    where = "a server on this machine" if is_near(hosts) else "another machine"
    return care("fetch", f"It connects to {where}.", target)


def _telnet(it: Invocation) -> Iterator[Finding]:
    target = " ".join(map(shown, it.operands))
    yield _connects(it.operands[:1], target)
    yield SendsInput(target, trusted=is_near(it.operands[:1]), obeys=told(target))


_HOME_ENDS = frozenset({"-", "STDIO", "STDIN", "STDOUT", "STDERR", "FD", "READLINE"})
_FILE_ENDS = frozenset({"OPEN", "GOPEN", "FILE", "CREATE", "CREAT", "PIPE", "FIFO"})
_PROGRAM_ENDS = frozenset({"EXEC", "SYSTEM", "SHELL"})
_SOCKET_ENDS = later(r"(?:UNIX|ABSTRACT|GOPEN|LOCAL)(?:-CONNECT|-CLIENT|-SENDTO|-SEND)?")
_OPEN_ENDS = later(r".*(?:-L|-LISTEN|-RECV|-RECVFROM|-BIND|ACCEPT-FD|-DATAGRAM)|TUN|INTERFACE")


def _socat(it: Invocation) -> Iterator[Finding]:
    ends = [end for arg in it.operands for end in arg.text.split("!!")]
    if not ends:
        yield nothing(_ITSELF)
        return
    kinds = []
    for end in ends:
        kind, _, rest = end.partition(":")
        kind = kind.partition(",")[0].upper()
        kinds.append(kind)
        yield from _socat_end(it, kind, rest)
    if any(_is_far(kind) for kind in kinds):
        files = [end for end, kind in zip(ends, kinds, strict=True) if kind in _FILE_ENDS]
        for end in files:
            yield sends_file(it, _name(end.partition(":")[2]), " ".join(ends), trusted=False)
        if any(kind in _HOME_ENDS for kind in kinds):
            far = next(end for end, kind in zip(ends, kinds, strict=True) if _is_far(kind))
            yield SendsInput(" ".join(ends), obeys=told(far.partition(",")[0]))
    elif any(_SOCKET_ENDS.fullmatch(kind) for kind in kinds) and any(kind in _HOME_ENDS for kind in kinds):
        yield Takes(told(" ".join(ends)), only_known=True)


def _is_far(kind: str) -> bool:
    return not (kind in _HOME_ENDS or kind in _FILE_ENDS or kind in _PROGRAM_ENDS or _SOCKET_ENDS.fullmatch(kind))


def _name(text: str) -> Arg:
    return Arg(text.partition(",")[0].strip("'\""))


def _socat_end(it: Invocation, kind: str, rest: str) -> Iterator[Finding]:
    if kind in _PROGRAM_ENDS:
        yield danger("run", _GIVES, rest)
        if rest:
            yield Run(line=_name(rest))
    elif HOLE in kind:
        yield danger("dynamic", "What it connects is known only when it runs.")
    elif _OPEN_ENDS.fullmatch(kind):
        yield danger("fetch", _LETS_IN, rest)
    elif kind in _FILE_ENDS:
        yield it.path("write" if kind.startswith("CREAT") else "read", _name(rest))
    elif _SOCKET_ENDS.fullmatch(kind):
        yield socket(it, _name(rest))
    elif kind not in _HOME_ENDS:
        yield care("fetch", "It connects to another machine.", rest)


# --- captures


def _captures(it: Invocation) -> Iterator[Finding]:
    is_version = [option for option, _ in it.values] in (["-v"], ["-h"]) and not it.operands and it.name != "tcpdump"
    if is_version or (it.has("-D", "--list-interfaces", "--version", "--help") and not it.has("-i", "-r", "-w")):
        yield nothing("It lists where it could listen.")
    elif it.has("-r", "--read-file"):
        yield care("secret", "It shows what was captured, and passwords may be among it.")
    else:
        yield danger("secret", "It listens to what goes over the network, passwords included.")


# --- mail and messages


def _mails(it: Invocation) -> Iterator[Finding]:
    if it.has("--version", "-V", "--help"):
        yield nothing(_ITSELF)
        return
    for value in it.all_values("-a", "-A", "--attach", "--attach-data", "--body", "-i", "--header", "-q"):
        name = value.text.lstrip("@")
        if name and not name.startswith("-"):
            yield it.path("read", Arg(name, value.glob, value.splits))
    yield danger("publish", "It sends mail under your name.", " ".join(map(shown, it.operands)))


_SENDS_MAIL = Spec(
    "Sends mail.",
    "* -a: -A: -s: -c: -b: -r: -S: -i:none --attach= --attach-data= --body= --header= --to= -t: --server= -H:none"
    " -F:config -q:"
    " -C:config",
    "none*",
    also=_mails,
)

# --- networks and tunnels

_TAILSCALE: dict[str, Spec] = {
    **each("status ip netcheck version whois licenses", queries("It tells about the private network.")),
    "ping": Spec("It asks whether a machine is there.", "*", "host*"),
    "ssh": Spec("It works on another machine.", "*", does=(danger("remote", "It works on another machine."),)),
    **each(
        "up down login logout set serve funnel file cert lock switch exit-node web drive configure update nc",
        dangerous("send", "It changes who can reach this machine, or carries files."),
    ),
}
_TUNNEL = "It makes this machine reachable from anywhere."


def _wireguard(it: Invocation) -> Iterator[Finding]:
    words = [arg.text for arg in it.operands]
    if words[:1] in ([], ["show"]) and not {"private-key", "preshared-keys", "dump"} & set(words):
        yield care("query", "It tells about private networks.")
    elif words[:1] in (["genkey"], ["genpsk"], ["pubkey"]):
        yield care("secret", "It makes or reads a key.")
    else:
        yield danger("secret", "It shows or changes the keys of private networks.")


def _nmap(it: Invocation) -> Iterator[Finding]:
    if it.has("-V", "--version", "-h", "--help") and not it.operands:
        yield nothing(_ITSELF)
        return
    for option, _ in it.values:
        if option.startswith(("--script", "--interactive", "--datadir", "-sC", "-A")):
            yield danger("run", "It runs scripts against other machines.", option)
    yield care("fetch", "It scans other machines for open ports.", " ".join(map(shown, it.operands)))


_ATTACKS = "It attacks machines or passwords."

COMMANDS: dict[str, Spec] = {
    **each(
        "dig drill kdig delv dog doggo",
        Spec("Looks up names.", "* -f:read -k:read -b: -c: -p: -q: -t: -x: -y:", "none*", also=_looks_up),
    ),
    "host": Spec("Looks up names.", "* -c: -N: -R: -t: -W: -m:", "none*", also=_looks_up),
    **each("nslookup whois dscacheutil", Spec("Looks up names.", "*", "none*", also=_looks_up)),
    **each(
        "resolvectl systemd-resolve",
        either(
            r"(?:|status|--status|statistics|dns|domain)(?: \w+)?",
            "It tells how names are looked up.",
            danger("privilege", "It changes how names are looked up."),
            less=(r"query .*", care("fetch", "It asks the network about a name.")),
        ),
    ),
    **each(
        "ldapsearch snmpwalk snmpget rpcinfo showmount ntpq sntp dns-sd avahi-browse avahi-resolve networkQuality",
        Spec("Asks a server.", "* -f:read", does=(care("fetch", "It asks another machine."),)),
    ),
    **each(
        "smbclient ldapmodify ldapadd ldapdelete snmpset exportfs smbmap enum4linux",
        dangerous("remote", "It changes or carries files on another machine."),
    ),
    "nsupdate": dangerous("remote", "It changes names that others rely on."),
    **each(
        "ping ping6 fping arping hping3 nping",
        Spec(
            "Asks whether a machine is there.",
            "* -p: -c: -i: -I: -s: -t: -w: -W: -M: -m: -Q: -S: -l: -f: --file=read",
            "none*",
            also=_pings,
        ),
    ),
    **each(
        "traceroute traceroute6 tracepath mtr tcptraceroute",
        Spec(
            "Shows the way to a machine.", "* -m: -q: -w: -p: -f: -i: -s: --file=read -F:read", "none*", also=_looks_up
        ),
    ),
    **each("nc ncat netcat nc.traditional nc.openbsd", Spec("Makes raw connections.", _NC, "none*", also=_nc)),
    **each("telnet rpcclient", Spec("Talks to another machine.", "* -l: -e:", "none*", also=_telnet)),
    "socat": Spec(
        "Connects anything with anything.",
        "* -b: -t: -T: -L:write -lf:write -lp: -r:write -R:write -lm:",
        "none*",
        also=_socat,
    ),
    **each("ztcp zsocket", dangerous("send", "It opens a connection through the shell.")),
    **each(
        "cryptcat pwncat sbd gs-netcat powercat rustcat rcat villain hoaxshell weevely",
        dangerous("run", "It is made to control a machine from outside."),
    ),
    **each(
        "tcpdump tshark dumpcap ngrep wireshark ettercap bettercap dsniff tcpflow termshark",
        Spec(
            "Listens to the network.",
            "* -i: -r:read --read-file=read -w:write -z:run -c: -s: -f: -Y: -F: -C: -G: -W: -Z: -D -X:care",
            "none*",
            also=_captures,
        ),
    ),
    "nmap": Spec(
        "Scans other machines for open ports.",
        "* -oN:write -oX:write -oG:write -oA:write -oS:write -iL:read --excludefile=read --script=none"
        " --script-args=none"
        " --script-args-file=read --script-help= --datadir=none --servicedb=read --versiondb=read --stylesheet=care"
        " --resume=read -sC?none -p: --exclude= -e: -S: -g: --source-port= -D: --top-ports= -T: --proxies=host"
        " --dns-servers=host --max-rate= --min-rate= --host-timeout= --max-retries= --data= --data-string=",
        "none*",
        also=_nmap,
    ),
    **each("masscan zmap rustscan naabu", dangerous("fetch", "It scans many machines for open ports.")),
    **each(
        "hydra medusa sqlmap nikto msfconsole msfvenom metasploit john hashcat aircrack-ng responder crackmapexec nxc"
        " impacket-secretsdump evil-winrm mimikatz gobuster ffuf wfuzz dirb nuclei beef patator linpeas linpeas.sh",
        dangerous("remote", _ATTACKS),
    ),
    **each(
        "iperf iperf3 speedtest speedtest-cli",
        Spec("Measures a connection.", "* -c:host", "host*", does=(care("fetch", "It measures a connection."),)),
    ),
    **each(
        "mail mailx s-nail mutt neomutt sendmail msmtp ssmtp swaks mpack mutt-ng exim exim4 postfix himalaya aerc",
        _SENDS_MAIL,
    ),
    **each(
        "ntfy apprise slackcat telegram-send signal-cli twurl toot",
        dangerous("publish", "It sends a message under your name."),
    ),
    **each(
        "wormhole croc ffsend onionshare onionshare-cli dcp",
        Spec(
            "Carries files to another person.",
            verbs={
                **each(
                    "receive help --version version",
                    Spec("It receives files.", "*", does=(care("fetch", "It brings files in from another person."),)),
                ),
                "*": dangerous("send", "It carries files to another person."),
                "": dangerous("send", "It carries files to another person."),
            },
        ),
    ),
    **each(
        "ngrok cloudflared localtunnel lt bore zrok frpc frps chisel inlets pagekite telebit localhost.run serveo",
        Spec(
            "Makes a tunnel.",
            verbs={
                **each("version help --version --help -v -h", Spec(_ITSELF, "*")),
                "*": dangerous("send", _TUNNEL),
                "": dangerous("send", _TUNNEL),
            },
        ),
    ),
    **each(
        "tmate upterm teleport tsh sshx ttyd gotty wetty code-server",
        dangerous("typing", "It lets others type into this machine."),
    ),
    "tailscale": Spec("Works with a private network.", "* --socket=", verbs=_TAILSCALE),
    **each(
        "tailscaled zerotier-cli zerotier-one openvpn wg-quick nebula",
        dangerous("privilege", "It changes which networks this machine is in."),
    ),
    "wg": Spec("Works with private networks.", "", "none*", also=_wireguard),
    **each("proxychains proxychains4 torsocks torify tor", dangerous("send", "It hides where connections come from.")),
}
