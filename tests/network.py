"""Hosts on one machine: network namespaces joined by a switch of ours that takes its time and loses frames.

The kernel's own ``netem`` is a module that many machines lack. The switch is one process that holds the end of each
host's cable (a TAP device); when it ends, the cables are gone. Files and Unix sockets are shared: a test can speak to a
hub in any namespace over its desk socket."""

import contextlib
import ctypes
import fcntl
import functools
import heapq
import os
import random
import secrets
import select
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from tests import waiting

TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x0002, 0x1000
CLONE_NEWNET = 0x40000000
MTU = 1500
DEVICE = "wire0"


@functools.cache
def missing() -> str:
    """Why there can be no such network here; "" where there can."""
    if not sys.platform.startswith("linux"):
        return "network namespaces are Linux's"
    if os.geteuid() != 0:
        return "only root makes network namespaces"
    if shutil.which("ip") is None:
        return "`ip` is not installed (Debian: iproute2)"
    name = f"assent-try-{secrets.token_hex(3)}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True)
    if made.returncode:
        return f"no network namespace can be made here: {made.stderr.strip()}"
    try:
        os.close(_cable(name))
    except OSError as error:
        return f"no TAP device can be made here: {error}"
    finally:
        subprocess.run(["ip", "netns", "delete", name], check=False, capture_output=True)
    return ""


def needed() -> None:
    """Skip a test where there can be no such network, and say why; where CI is set it fails."""
    if why := missing():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"hosts on a network were not tested: {why}")


@dataclass(frozen=True, slots=True)
class Host:
    name: str
    namespace: str
    address: str

    def command(self, *command: str) -> list[str]:
        """The same command, run on this host."""
        return ["ip", "netns", "exec", self.namespace, *command]


@dataclass(slots=True)
class Network:
    hosts: dict[str, Host]
    _switch: subprocess.Popen[bytes] = field(repr=False)

    def __getitem__(self, name: str) -> Host:
        return self.hosts[name]

    def pull(self, name: str) -> None:
        """Take the host's cable out."""
        _ip("-n", self.hosts[name].namespace, "link", "set", DEVICE, "down")

    def plug(self, name: str) -> None:
        _ip("-n", self.hosts[name].namespace, "link", "set", DEVICE, "up")

    def is_whole(self) -> bool:
        return self._switch.poll() is None


@contextlib.contextmanager
def network(names: Sequence[str], *, delay: float = 0.0, loss: float = 0.0, seed: int = 1) -> Iterator[Network]:
    """Hosts of these names. Each frame takes ``delay`` seconds, and the share ``loss`` of them never arrives."""
    mark = secrets.token_hex(3)
    hosts = {name: Host(name, f"assent-{mark}-{name}", f"10.77.0.{place}") for place, name in enumerate(names, 1)}
    switch: subprocess.Popen[bytes] | None = None
    try:
        for host in hosts.values():
            _ip("netns", "add", host.namespace)
        command = [sys.executable, "-m", "tests.network", str(delay), str(loss), str(seed)]
        switch = subprocess.Popen([*command, *(host.namespace for host in hosts.values())], stdin=subprocess.PIPE)
        for host in hosts.values():
            _cabled(host, switch)
            _ip("-n", host.namespace, "link", "set", "lo", "up")
            _ip("-n", host.namespace, "address", "add", f"{host.address}/24", "dev", DEVICE)
            _ip("-n", host.namespace, "link", "set", DEVICE, "up")
        yield Network(hosts, switch)
    finally:
        if switch is not None:
            switch.send_signal(signal.SIGKILL)
            switch.wait()
            assert switch.stdin is not None
            switch.stdin.close()
        for host in hosts.values():
            subprocess.run(["ip", "netns", "delete", host.namespace], check=False, capture_output=True)


def _cabled(host: Host, switch: subprocess.Popen[bytes]) -> None:
    def is_there() -> bool:
        assert switch.poll() is None, "the switch ended"
        return subprocess.run(["ip", "-n", host.namespace, "link", "show", DEVICE], capture_output=True).returncode == 0

    waiting.until(is_there, f"the cable of {host.name}")


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)


def _cable(namespace: str) -> int:
    """A TAP device in this namespace. The calling process stays where it was."""
    libc = ctypes.CDLL(None, use_errno=True)
    home = os.open("/proc/self/ns/net", os.O_RDONLY)
    there = os.open(f"/run/netns/{namespace}", os.O_RDONLY)
    try:
        _enter(libc, there)
        try:
            device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
            fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", DEVICE.encode(), IFF_TAP | IFF_NO_PI))
            return device
        finally:
            _enter(libc, home)
    finally:
        os.close(home)
        os.close(there)


def _enter(libc: ctypes.CDLL, namespace: int) -> None:
    if libc.setns(namespace, CLONE_NEWNET):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


def switch(delay: float, loss: float, seed: int, namespaces: Sequence[str]) -> None:
    """Carry frames until killed, or until who started it is gone."""
    cables = [_cable(namespace) for namespace in namespaces]
    chance = random.Random(seed)
    # Which cable leads to an address, as learned from what came over it.
    places: dict[bytes, int] = {}
    underway: list[tuple[float, int, int, bytes]] = []
    number = 0
    parent = sys.stdin.fileno()
    while True:
        now = time.monotonic()
        while underway and underway[0][0] <= now:
            _, _, cable, frame = heapq.heappop(underway)
            # A cable that is out, or full: the frame is lost, as on a real one.
            with contextlib.suppress(OSError):
                os.write(cable, frame)
        patience = max(0.0, underway[0][0] - now) if underway else None
        ready, _, _ = select.select([*cables, parent], [], [], patience)
        if parent in ready:
            return
        for cable in ready:
            for frame in _frames(cable):
                places[frame[6:12]] = cable
                goal = places.get(frame[:6])
                for other in [goal] if goal is not None else [each for each in cables if each != cable]:
                    if chance.random() >= loss:
                        number += 1
                        heapq.heappush(underway, (time.monotonic() + delay, number, other, frame))


def _frames(cable: int) -> Iterator[bytes]:
    """All that wait; more may come while they are carried."""
    with contextlib.suppress(OSError):
        while frame := os.read(cable, MTU + 64):
            yield frame


if __name__ == "__main__":
    _delay, _loss, _seed, *_namespaces = sys.argv[1:]
    switch(float(_delay), float(_loss), int(_seed), _namespaces)
