"""Addresses on the network: which machine they mean, and what reaching it or sending to it costs."""

import ipaddress
import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from assent.expressions import later
from assent.policy.commands.spec import Finding, Invocation, SendsInput
from assent.policy.effects import Effect, care, danger
from assent.policy.paths import is_made_again, locate
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

# Another computer, an account for files in a cloud, or a container on this one.
Goal = Literal["machine", "store", "container"]
_ADDRESS = later(r"(?:([A-Za-z][A-Za-z0-9+.-]*)://)?(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)(?::([^/?#]*))?(.*)", re.DOTALL)
# Machines in a cloud ask here who they are, and get keys.
_METADATA_NAMES = frozenset(
    {"metadata.google.internal", "metadata.goog", "metadata", "instance-data", "instance-data.ec2.internal"}
)
_METADATA = frozenset(
    {"169.254.169.254", "169.254.170.2", "169.254.170.23", "100.100.100.200", "192.0.0.192", "fd00:ec2::254"}
)
# What is sent here can be read by others: request bins, paste bins, drop boxes, and messages to people.
_COLLECTORS = later(
    r"(?:.*\.)?(?:requestbin\.(?:com|net)|webhook\.site|pipedream\.net|beeceptor\.com|requestcatcher\.com|hookbin\.com"
    r"|interact\.sh|oast\.\w+|burpcollaborator\.net|dnslog\.cn|canarytokens\.com|pastebin\.com|paste\.rs|ix\.io|dpaste\.com"
    r"|termbin\.com|transfer\.sh|file\.io|0x0\.st|bashupload\.com|gofile\.io|temp\.sh|catbox\.moe|hastebin\.com|sprunge\.us"
    r"|ngrok(?:-free)?\.(?:io|app|dev)|serveo\.net|trycloudflare\.com|loca\.lt|ntfy\.sh)"
)
_MESSENGERS = later(
    r"hooks\.slack\.com|(?:.*\.)?discord(?:app)?\.com|api\.telegram\.org|(?:.*\.)?webhook\.office\.com|api\.twilio\.com"
)
# Who may talk to these may do anything here.
_ADMIN_SOCKET = later(
    r"(?:docker|podman|containerd|crio|cri-dockerd|buildkitd|dockershim|incus|lxd|libvirt|systemd|dbus|snapd|unix)[\w.-]*\.socket?"
    r"|.*(?:docker|podman|containerd|crio|lxd|libvirt)[\w.-]*\.sock|system_bus_socket|private|agent\.\d+|.*ssh-agent.*|S\.gpg-agent.*"
)


# Names are looked up over the web as well.
_NAME_LOOKUP = later(r"/(?:dns-query|resolve)\b")


_HUB_PORT = later(r":0*8717(?!\d)")


class Address(Struct, frozen=True):
    scheme: str
    host: str
    path: str
    port: str = ""

    @property
    def is_known(self) -> bool:
        return HOLE not in self.host and bool(self.host)

    @property
    def is_local(self) -> bool:
        """This machine, and nothing beyond it."""
        if self.host in ("localhost", "host.docker.internal") or self.host.endswith(".localhost"):
            return True
        number = _number(self.host)
        return number is not None and (number.is_loopback or number.is_unspecified)

    @property
    def is_metadata(self) -> bool:
        if self.host in _METADATA_NAMES or any(each in self.host for each in ("169.254.169.254", "169-254-169-254")):
            return True
        number = _number(self.host)
        return number is not None and str(number) in _METADATA


def address(text: str) -> Address:
    match = _ADDRESS.fullmatch(text)
    assert match is not None
    scheme, host, port, path = match.groups()
    return Address((scheme or "").lower(), host.strip("[]").rstrip(".").lower(), path, port or "")


# A letter that stands in no number, nor in the mark of its base.
_NO_DIGIT = later(r"[G-NP-WYZg-np-wyz]")


def _number(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Every spelling that resolvers take for a number: ``127.1``, ``0x7f000001``, ``017700000001``."""
    if ":" not in host and _NO_DIGIT.search(host):
        # As nearly every name of a host.
        return None
    try:
        address = ipaddress.ip_address(host)
        return getattr(address, "ipv4_mapped", None) or address
    except ValueError:
        pass
    parts = host.split(".")
    if not 1 <= len(parts) <= 4:
        return None
    try:
        numbers = [int(part, 16 if part[:2] == "0x" else 8 if part[:1] == "0" else 10) for part in parts]
    except ValueError:
        return None
    *first, last = numbers
    if any(not 0 <= each <= 255 for each in first) or not 0 <= last < 256 ** (4 - len(first)):
        return None
    return ipaddress.IPv4Address(sum(each << 8 * (3 - place) for place, each in enumerate(first)) + last)


def is_private(host: str) -> bool:
    """A machine that only this network knows."""
    number = _number(host)
    if number is not None:
        return not number.is_global
    return "." not in host or host.endswith((".local", ".internal", ".lan", ".home", ".corp", ".intranet", ".test"))


def is_hub(text: str) -> bool:
    """Whether a local address leads to Assent's hub, unless another port is configured."""
    return _HUB_PORT.search(text) is not None


def is_collector(host: str) -> bool:
    """Whether what is sent to this host can be read by others."""
    return _COLLECTORS.fullmatch(host) is not None or _MESSENGERS.fullmatch(host) is not None


def shown(arg: Arg) -> str:
    return arg.text.replace(HOLE, "…")[:200]


def reached(it: Invocation, arg: Arg, *, only_asks: bool = False) -> Iterator[Finding]:
    """What asking for this address costs. ``only_asks``: both address and options are known to ask and nothing else."""
    to = address(arg.text)
    if to.scheme == "file":
        yield it.path("read", Arg(to.path or "/", arg.glob))
    elif to.is_metadata:
        yield danger("secret", "It asks the cloud for this machine's own keys.", shown(arg))
    elif to.scheme in ("smtp", "smtps"):
        yield danger("publish", "It sends mail.", shown(arg))
    elif HOLE in to.path and _NAME_LOOKUP.match(to.path):
        yield danger("send", "It puts text that is known only when it runs into a name that others see.", shown(arg))
    elif to.is_local and is_hub(arg.text):
        yield danger("tamper", "It talks to Assent's own port.", shown(arg))
    elif to.is_local:
        yield Effect("fetch", Risk.LOOK if only_asks else Risk.CARE, "It asks a server on this machine.", shown(arg))
    elif only_asks:
        yield Effect("fetch", Risk.LOOK, "It reads a page of a well-known site.", shown(arg))
    else:
        yield care("fetch", "It brings something in from the network.", shown(arg))


def is_near(addresses: list[Arg]) -> bool:
    return bool(addresses) and all(address(arg.text).is_local for arg in addresses)


def sends_text(addresses: list[Arg], text: Arg, *, trusted: bool) -> Effect:
    """A text on the line goes out. ``trusted``: to this machine only."""
    target = ", ".join(map(shown, addresses))
    hosts = [address(arg.text).host for arg in addresses]
    if any(_MESSENGERS.fullmatch(host) for host in hosts):
        return danger("publish", "It sends a message to people.", target)
    if any(_COLLECTORS.fullmatch(host) for host in hosts):
        return danger("send", "It sends data to where anyone can pick it up.", target)
    if trusted:
        return care("send", "It sends text to a server on this machine.", target)
    if not text.known:
        return danger("send", "It sends text that is known only when it runs to another machine.", target)
    return care("send", "It sends the text on this line to another machine.", target)


def sends_file(it: Invocation, file: Arg, target: str, *, trusted: bool) -> Finding:
    """A file goes out."""
    if file.text in ("-", ".", "/dev/stdin", "/dev/fd/0"):
        return SendsInput(target, trusted=trusted)
    effect = it.path("read", file, recursive=True)
    if effect.risk is Risk.DANGER:
        return danger("send", "It sends a file of secrets to another machine.", effect.target)
    if trusted:
        return care("send", "It sends a file to a server on this machine.", effect.target)
    return danger("send", "It sends a file to another machine.", effect.target)


def hands_over(it: Invocation, file: Arg, target: str, *, to: Goal = "machine") -> Effect:
    """A file is copied to where the user has an account. What a build made is there to be carried away; the project
    itself is not, nor is a part of it, and a store gets single files every day."""
    effect = it.path("read", file, recursive=True)
    if effect.risk is Risk.DANGER:
        return danger("send", "It sends a file of secrets to another machine.", effect.target)
    is_whole = it.place(file) == "whole" and it.is_project(file)
    if it.place(file) not in ("project", "temp") and not is_whole:
        return danger("send", "It sends files from outside the project to another machine.", effect.target)
    cargo = "the project" if is_whole else "files of the project"
    is_made = not is_whole and is_made_again(locate(file, it.setting, it.cwd).path, it.setting.project)
    is_one = not is_whole and not file.glob and "." in file.text.rpartition("/")[2]
    is_daily = to == "container" or is_made or (to == "store" and is_one)
    return (care if is_daily else danger)("send", f"It copies {cargo} to {target or 'another machine'}.", effect.target)


def socket(it: Invocation, arg: Arg) -> Effect:
    """A socket in the file system: who listens there decides what can be asked."""
    if it.place(arg) == "assent" or "assent" in arg.text.lower():
        return danger("tamper", "It talks to Assent's own socket.", shown(arg))
    name = arg.text.rpartition("/")[2][:200]
    if not arg.known or _ADMIN_SOCKET.fullmatch(name):
        return danger("privilege", "Who talks to this socket rules the machine.", shown(arg))
    return care("fetch", "It talks to a server on this machine through a socket.", shown(arg))


def is_remote(text: str) -> bool:
    """``host:path``, ``user@host:path``, ``rsync://host/path``: not a file here. Windows drives do not count."""
    head, colon, _ = text.partition(":")
    return bool(colon) and "/" not in head and len(head) > 0


# No name is longer; what is, is none.
LONGEST_NAME = 1_000
_HIDDEN = later(HOLE + r"[^\s/]*\.[A-Za-z]")


def looks_up(names: list[Arg]) -> Iterator[Finding]:
    """What asking the network about names costs."""
    for arg in names:
        if _HIDDEN.search(arg.text[:LONGEST_NAME]):
            # The owner of the rest of the name reads what stands before it.
            yield danger(
                "send", "It puts text that is known only when it runs into a name that others see.", shown(arg)
            )
        elif arg.known and address(arg.text).is_local:
            yield Effect("fetch", Risk.LOOK, "It asks about this machine.", shown(arg))
        else:
            yield care("fetch", "It asks the network about a name.", shown(arg))
    if not names:
        yield care("fetch", "It asks the network about names.")


_HOSTS = later(r"(?:.*\.)?(?:github|gitlab)\.com|(?:.*\.)?ghe\.com")
# Changing one of these decides who may do what, what runs later, or what is left of the history.
_GRAVE = later(
    r"protection|ruleset|protected_|collaborators|members|memberships|invitations|(?:deploy_?)?keys|hooks|secrets|variables"
    r"|permissions|environments|transfer|access_tokens|runners|git/refs|dispatches|deployments|security|admin|applications"
    r"|visibility|archive|vulnerability|branches/.*/rename|impersonat|push_rule|approval",
)
_REVEALS = later(r"(?:^|/)(?:variables|access_tokens|runners_token|secure_files)(?:/|$|\?)|registration-token|/token")
_GRAVE_MUTATION = later(
    r"\b(?:delete|remove|archive|transfer|revoke|unlink|ban|block|lock|dismiss|disable|update(?:Branch|Repository|Enterprise|Ip|Ref)"
    r"|create(?:Branch|Deploy|Repository|Ref)|add(?:Enterprise|Verifiable)|grant|set(?:Enterprise|Organization))\w*",
    re.IGNORECASE,
)
_MUTATION = later(r"\b(?:mutation|subscription)\b")
_BARE_REPOSITORY = later(r"/?(?:repos/[^/]+/[^/]+|projects/[^/]+|orgs/[^/]+|groups/[^/]+|user)/?")

OPTIONS = (
    "-X: --method= -f:none --raw-field=none -F:none --field=none --input=none -H: --header= --hostname= -q: --jq= -t:"
    " --template= --cache= -p: --preview= --output="
)


def request(it: Invocation, words: list[Arg], *, reveals: bool = False) -> Iterator[Finding]:
    """``words`` begin with the address. ``reveals``: this host shows the values of variables to who asks."""
    if it.may_hide_options:
        yield care("dynamic", "Part of the request is known only when it runs.")
    endpoint = words[0] if words else Arg("")
    fields = it.all_values("-f", "--raw-field", "-F", "--field")
    body = it.value("--input")
    asked = it.value("-X", "--method")
    method = asked.text.upper() if asked is not None else "POST" if fields or body is not None else "GET"
    yield from _handed_over(it, body)
    yield from _elsewhere(it, endpoint)
    if any("method-override" in arg.text.lower() for arg in it.all_values("-H", "--header")):
        method = "DELETE"
    if endpoint.text.strip("/").endswith("graphql") and method == "POST":
        yield from _graphql(fields, body)
    elif method in ("GET", "HEAD", "OPTIONS"):
        if reveals and _REVEALS.search(endpoint.text):
            yield danger("secret", "It shows secrets that are kept with the project.", shown(endpoint))
        else:
            yield Effect("query", Risk.LOOK, "It asks a service you are logged in to.", shown(endpoint))
    elif HOLE in method:
        yield care("dynamic", "Whether it asks or changes something is known only when it runs.", shown(endpoint))
    elif method == "DELETE":
        yield danger("remote", "It deletes something there.", shown(endpoint))
    elif _GRAVE.search(endpoint.text) or _BARE_REPOSITORY.fullmatch(endpoint.text):
        yield danger("remote", "It changes settings or rights there.", shown(endpoint))
    else:
        yield care("publish", "It changes something there under your name.", shown(endpoint))


def _graphql(fields: list[Arg], body: Arg | None) -> Iterator[Finding]:
    """Everything is a POST here; the text says whether it only asks."""
    queries = [field.text.partition("=")[2] for field in fields if field.text.startswith("query=")]
    text = "\n".join(queries)
    if _GRAVE_MUTATION.search(text) and _MUTATION.search(text):
        yield danger("remote", "It deletes something there, or changes rights.")
    elif _MUTATION.search(text):
        yield care("publish", "It changes something there under your name.")
    elif not queries or HOLE in text or body is not None or any(query.startswith("@") for query in queries):
        yield care("dynamic", "Whether it asks or changes something stands elsewhere.")
    else:
        yield Effect("query", Risk.LOOK, "It asks a service you are logged in to.")


def _handed_over(it: Invocation, body: Arg | None) -> Iterator[Finding]:
    files = [
        Arg(field.text.partition("=")[2][1:], field.glob, field.splits)
        for field in it.all_values("-F", "--field")
        if field.text.partition("=")[2].startswith("@")
    ]
    for file in [*files, *([body] if body is not None else [])]:
        if file.text == "-":
            yield SendsInput("the code host", trusted=True)
        else:
            yield it.path("read", file)


def _elsewhere(it: Invocation, endpoint: Arg) -> Iterator[Finding]:
    host = it.value("--hostname")
    if "://" in endpoint.text and not _HOSTS.fullmatch(address(endpoint.text).host):
        yield care("fetch", "It asks another server than the code host.", shown(endpoint))
    elif host is not None and not _HOSTS.fullmatch(host.text):
        yield care("fetch", "It asks a server of this name.", shown(host))
