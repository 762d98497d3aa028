"""Addresses on the network: which machine they mean, and what reaching it or sending to it costs."""

import ipaddress
import re
from collections.abc import Iterator

from msgspec import Struct

from assent.policy.commands.spec import Finding, Invocation, SendsInput
from assent.policy.effects import Effect, care, danger
from assent.policy.words import HOLE, Arg
from assent.protocol.risk import Risk

_ADDRESS = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9+.-]*)://)?(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)(?::([^/?#]*))?(.*)", re.DOTALL
)
# Machines in a cloud ask here who they are, and get keys.
_METADATA_NAMES = frozenset(
    {"metadata.google.internal", "metadata.goog", "metadata", "instance-data", "instance-data.ec2.internal"}
)
_METADATA = frozenset(
    {"169.254.169.254", "169.254.170.2", "169.254.170.23", "100.100.100.200", "192.0.0.192", "fd00:ec2::254"}
)
# Whatever is sent here, somebody else picks up: request bins, paste bins, drop boxes, and messages to people.
_COLLECTORS = re.compile(
    r"(?:.*\.)?(?:requestbin\.(?:com|net)|webhook\.site|pipedream\.net|beeceptor\.com|requestcatcher\.com|hookbin\.com"
    r"|interact\.sh|oast\.\w+|burpcollaborator\.net|dnslog\.cn|canarytokens\.com|pastebin\.com|paste\.rs|ix\.io|dpaste\.com"
    r"|termbin\.com|transfer\.sh|file\.io|0x0\.st|bashupload\.com|gofile\.io|temp\.sh|catbox\.moe|hastebin\.com|sprunge\.us"
    r"|ngrok(?:-free)?\.(?:io|app|dev)|serveo\.net|trycloudflare\.com|loca\.lt|ntfy\.sh)"
)
_MESSENGERS = re.compile(
    r"hooks\.slack\.com|(?:.*\.)?discord(?:app)?\.com|api\.telegram\.org|(?:.*\.)?webhook\.office\.com|api\.twilio\.com"
)
# Who may talk to these may do anything here.
_ADMIN_SOCKET = re.compile(
    r"(?:docker|podman|containerd|crio|cri-dockerd|buildkitd|dockershim|incus|lxd|libvirt|systemd|dbus|snapd|unix)[\w.-]*\.socket?"
    r"|.*(?:docker|podman|containerd|crio|lxd|libvirt)[\w.-]*\.sock|system_bus_socket|private|agent\.\d+|.*ssh-agent.*|S\.gpg-agent.*"
)


# Names are looked up over the web as well.
_NAME_LOOKUP = re.compile(r"/(?:dns-query|resolve)\b")


_HUB_PORT = re.compile(r":0*8717(?!\d)")


class Address(Struct, frozen=True):
    scheme: str
    host: str
    path: str

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
    found = _ADDRESS.fullmatch(text)
    assert found is not None
    scheme, host, _, path = found.groups()
    return Address((scheme or "").lower(), host.strip("[]").rstrip(".").lower(), path)


def _number(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Every spelling that resolvers take for a number: ``127.1``, ``0x7f000001``, ``017700000001``."""
    try:
        found = ipaddress.ip_address(host)
        return getattr(found, "ipv4_mapped", None) or found
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
    """Whether a local address leads to Assent's hub, unless somebody chose another port."""
    return _HUB_PORT.search(text) is not None


def is_collector(host: str) -> bool:
    """Whatever is sent here, somebody else picks up."""
    return _COLLECTORS.fullmatch(host) is not None or _MESSENGERS.fullmatch(host) is not None


def shown(arg: Arg) -> str:
    return arg.text.replace(HOLE, "…")[:200]


def reached(it: Invocation, arg: Arg) -> Iterator[Finding]:
    """What asking for this address costs."""
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
        yield care("fetch", "It asks a server on this machine.", shown(arg))
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
        return danger("send", "It sends data to where anybody can pick it up.", target)
    if trusted:
        return care("send", "It sends text to a server on this machine.", target)
    if not text.known:
        return danger("send", "It sends text that is known only when it runs to another machine.", target)
    return care("send", "It sends the text on this line to another machine.", target)


def sends_file(it: Invocation, file: Arg, target: str, *, trusted: bool) -> Finding:
    """A file goes out."""
    if file.text in ("-", ".", "/dev/stdin", "/dev/fd/0"):
        return SendsInput(target, trusted=trusted)
    found = it.path("read", file, recursive=True)
    if found.risk is Risk.DANGER:
        return danger("send", "It sends a file of secrets to another machine.", found.target)
    if trusted:
        return care("send", "It sends a file to a server on this machine.", found.target)
    return danger("send", "It sends a file to another machine.", found.target)


def hands_over(it: Invocation, file: Arg, target: str) -> Effect:
    """A file is copied to a machine where the user has an account: what a person does with the project's own files."""
    found = it.path("read", file, recursive=True)
    if found.risk is Risk.DANGER:
        return danger("send", "It sends a file of secrets to another machine.", found.target)
    if it.place(file) in ("project", "temp"):
        return care("send", f"It copies files of the project to {target or 'another machine'}.", found.target)
    if it.place(file) == "whole" and it.is_project(file):
        return care("send", f"It copies the project to {target or 'another machine'}.", found.target)
    return danger("send", "It sends files from outside the project to another machine.", found.target)


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
_HIDDEN = re.compile(HOLE + r"[^\s/]*\.[A-Za-z]")


def looks_up(names: list[Arg]) -> Iterator[Finding]:
    """What asking the network about names costs."""
    for arg in names:
        if _HIDDEN.search(arg.text[:LONGEST_NAME]):
            # Whoever owns the rest of the name reads what stands before it.
            yield danger(
                "send", "It puts text that is known only when it runs into a name that others see.", shown(arg)
            )
        else:
            yield care("fetch", "It asks the network about a name.", shown(arg))
    if not names:
        yield care("fetch", "It asks the network about names.")
