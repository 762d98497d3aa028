"""A small reader of git's objects: which commit a name stands for, and what its tree holds. It starts no program.

Loose objects and packs with an index of version 2, both of SHA-1. Whatever else there is, and whatever is larger or
deeper than a settings file needs, is not known: None."""

import hashlib
import re
import struct
import zlib

from assent.policy import world
from assent.policy.memo import question

LARGEST = 1 << 20
MOST_PACKS = 40
DEEPEST_DELTA = 60
MOST_STEPS = 50
_TAIL = 64 << 10
_LARGEST_CACHED = 64 << 10
_MOST_CACHED = 200
_LARGEST_REFS = 4 << 20
_SHA = re.compile(r"[0-9a-f]{40}")
_SHORT = re.compile(r"[0-9a-f]{7,40}")
_STEPS = re.compile(r"([~^]\d*)")
_MOVED = re.compile(r"checkout: moving from (\S+) to ")
_IDX = b"\xfftOc\0\0\0\x02"
_KINDS = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}

Object = tuple[str, bytes]


class Repository:
    """``git`` is its own folder, ``common`` the one it shares with its worktrees."""

    def __init__(self, git: str) -> None:
        self.git = git
        shared = world.read_small(f"{git}/commondir")
        self.common = world.whole(shared.strip(), git) if shared else git

    # --- names

    def commit(self, name: str) -> str | None:
        """The commit that a revision stands for."""
        base, *steps = _STEPS.split(name)
        sha = self._named(base or "HEAD")
        for step in [step for step in steps if step][:MOST_STEPS]:
            if sha is None:
                return None
            count = int(step[1:] or 1) if len(step) < 5 else MOST_STEPS + 1
            if step[0] == "^":
                parents = self.parents(sha)
                sha = (parents[count - 1] if count <= len(parents) else None) if count else sha
            else:
                for _ in range(min(count, MOST_STEPS)):
                    parents = self.parents(sha) if sha else []
                    sha = parents[0] if parents else None
        return None if sha is None else self._peeled(sha)

    def _named(self, name: str) -> str | None:
        if name in ("-", "@{-1}"):
            return self._before()
        if name in ("@{u}", "@{upstream}"):
            return self.upstream()
        if (entry := re.fullmatch(r"(?:refs/)?stash(?:@\{(\d{1,3})\})?", name)) and entry[1] not in (None, "0"):
            return self._stashed(int(entry[1]))
        name = "HEAD" if name == "@" else name.removesuffix("@{0}")
        for pattern in ("{}", "refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}", "refs/remotes/{}/HEAD"):
            if sha := self.ref(pattern.format(name)):
                return sha
        return self._abbreviated(name) if _SHORT.fullmatch(name) else None

    def ref(self, name: str, left: int = 5) -> str | None:
        if ".." in name or name.startswith("/") or not left:
            return None
        for folder in dict.fromkeys((self.git, self.common)):
            text = (world.read_small(f"{folder}/{name}") or "").strip()
            if text.startswith("ref: "):
                return self.ref(text[5:], left - 1)
            if _SHA.match(text):
                # FETCH_HEAD has more behind it.
                return text[:40]
        for line in (world.read_small(f"{self.common}/packed-refs", _LARGEST_REFS) or "").splitlines():
            if line.endswith(f" {name}") and _SHA.match(line):
                return line[:40]
        return None

    def upstream(self) -> str | None:
        """What is known here of the branch that the present one follows."""
        head = (world.read_small(f"{self.git}/HEAD") or "").strip().removeprefix("ref: refs/heads/")
        settings = world.read_small(f"{self.common}/config", 256 << 10) or ""
        section = re.search(rf'^\[branch "{re.escape(head)}"\]\n((?:[^\[].*\n?)*)', settings, re.MULTILINE)
        branch_config = dict(re.findall(r"^\s*(remote|merge)\s*=\s*(\S+)", section[1], re.MULTILINE)) if section else {}
        branch = branch_config.get("merge", "").removeprefix("refs/heads/")
        if not branch:
            return None
        remote = branch_config.get("remote", "")
        return self.ref(f"refs/heads/{branch}" if remote == "." else f"refs/remotes/{remote}/{branch}")

    def _before(self) -> str | None:
        lines = (_tail(f"{self.git}/logs/HEAD") or "").splitlines()
        moved = next((match[1] for line in reversed(lines) if (match := _MOVED.search(line))), None)
        return self._named(moved) if moved not in (None, "-", "@{-1}") else None

    def _stashed(self, number: int) -> str | None:
        lines = (_tail(f"{self.common}/logs/refs/stash") or "").splitlines()
        words = lines[-1 - number].split() if number < len(lines) else []
        return words[1] if len(words) > 1 and _SHA.fullmatch(words[1]) else None

    def _abbreviated(self, name: str) -> str | None:
        if len(name) == 40:
            return name
        loose = [name[:2] + each for each, _ in world.names_in(f"{self.common}/objects/{name[:2]}", 2_000)]
        matches = [each for each in loose if each.startswith(name)]
        for idx in self._packs():
            matches += [each for each in _of_prefix(idx, name) if each not in matches]
        return matches[0] if len(matches) == 1 else None

    def _peeled(self, sha: str) -> str | None:
        for _ in range(5):
            content = self.object(sha)
            if content is None or content[0] not in ("commit", "tag"):
                return None
            if content[0] == "commit":
                return sha
            sha = content[1][7:47].decode("ascii", "replace")
        return None

    # --- commits and trees

    def parents(self, commit: str) -> list[str]:
        content = self.object(commit)
        head = content[1].partition(b"\n\n")[0].decode("utf-8", "replace") if content and content[0] == "commit" else ""
        return re.findall(r"^parent ([0-9a-f]{40})$", head, re.MULTILINE)

    def tree_of(self, commit: str) -> str | None:
        content = self.object(commit)
        match = re.match(rb"tree ([0-9a-f]{40})\n", content[1]) if content and content[0] == "commit" else None
        return match[1].decode() if match else None

    def tree(self, sha: str) -> dict[str, tuple[str, bool]]:
        """Names, with the object of each and whether it is a folder."""
        entry_object = self.object(sha)
        entries: dict[str, tuple[str, bool]] = {}
        content = entry_object[1] if entry_object and entry_object[0] == "tree" else b""
        at = 0
        while (end := content.find(b"\0", at)) >= 0 and end + 21 <= len(content):
            mode, _, name = content[at:end].partition(b" ")
            entries[name.decode("utf-8", "replace")] = content[end + 1 : end + 21].hex(), mode == b"40000"
            at = end + 21
        return entries

    def blob(self, sha: str) -> bytes | None:
        content = self.object(sha)
        return content[1] if content and content[0] == "blob" else None

    # --- objects

    def object(self, sha: str) -> Object | None:
        return _object(self.common, sha)

    def _packs(self) -> list[str]:
        return [idx for folder in _stores(self.common) for idx in _packs(folder)]


def blob_id(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


# Objects never change, so what was read once need not be read again.
_read: dict[tuple[str, str], Object] = {}


@question
def _object(common: str, sha: str) -> Object | None:
    content = _read.get((common, sha)) or _fresh(common, sha)
    if content is not None and len(content[1]) <= _LARGEST_CACHED:
        if len(_read) >= _MOST_CACHED:
            _read.clear()
        _read[common, sha] = content
    return content


def _fresh(common: str, sha: str) -> Object | None:
    for folder in _stores(common):
        loose = world.read_bytes(f"{folder}/{sha[:2]}/{sha[2:]}", LARGEST)
        if loose is not None:
            return _loose(loose)
    for folder in _stores(common):
        for idx in _packs(folder):
            if (offset := _offset(idx, sha)) is not None:
                with world.Opened.at(idx.removesuffix("idx") + "pack") or _Nothing() as pack:
                    return _packed(common, pack, offset)
    return None


class _Nothing(world.Opened):
    def __init__(self) -> None:
        super().__init__(-1)

    def part(self, start: int, size: int) -> bytes:  # noqa: ARG002 - there is nothing to read
        return b""

    def __exit__(self, *_: object) -> None:
        pass


def _stores(common: str) -> list[str]:
    """The objects of the repository, and of others that it borrows from."""
    own = f"{common}/objects"
    others = (world.read_small(f"{own}/info/alternates") or "").splitlines()[:5]
    return [own, *(world.whole(other, own) for other in others if other)]


def _packs(folder: str) -> list[str]:
    entries = world.names_in(f"{folder}/pack", 500)
    return [f"{folder}/pack/{name}" for name, _ in entries if name.endswith(".idx")][:MOST_PACKS]


def _loose(data: bytes) -> Object | None:
    try:
        content = zlib.decompressobj().decompress(data, LARGEST + 64)
    except zlib.error:
        return None
    head, separator, body = content.partition(b"\0")
    kind, _, size = head.decode("ascii", "replace").partition(" ")
    return (kind, body) if separator and size == str(len(body)) else None


def _bucket(idx: world.Opened, first: int) -> tuple[int, int, int] | None:
    """Between which numbers the objects that begin with this byte stand, and how many there are in all."""
    head = idx.part(0, 1032)
    if len(head) < 1032 or head[:8] != _IDX:
        return None
    fanout = struct.unpack(">256I", head[8:])
    return (fanout[first - 1] if first else 0), fanout[first], fanout[255]


def _offset(path: str, sha: str) -> int | None:
    wanted = bytes.fromhex(sha)
    with world.Opened.at(path) or _Nothing() as idx:
        bucket = _bucket(idx, wanted[0])
        if bucket is None:
            return None
        low, high, count = bucket
        while low < high:
            middle = (low + high) // 2
            name = idx.part(1032 + middle * 20, 20)
            if len(name) < 20:
                return None
            if name == wanted:
                (offset,) = struct.unpack(">I", idx.part(1032 + count * 24 + middle * 4, 4))
                if offset & 0x80000000:
                    (offset,) = struct.unpack(">Q", idx.part(1032 + count * 28 + (offset & 0x7FFFFFFF) * 8, 8))
                return int(offset)
            low, high = (middle + 1, high) if name < wanted else (low, middle)
    return None


@question
def _of_prefix(path: str, prefix: str) -> list[str]:
    with world.Opened.at(path) or _Nothing() as idx:
        bucket = _bucket(idx, int(prefix[:2], 16))
        if bucket is None or (bucket[1] - bucket[0]) * 20 > LARGEST:
            return []
        names = idx.part(1032 + bucket[0] * 20, (bucket[1] - bucket[0]) * 20)
        whole = [names[at : at + 20].hex() for at in range(0, len(names), 20)]
        return [name for name in whole if name.startswith(prefix)]


def _packed(common: str, pack: world.Opened, offset: int, left: int = DEEPEST_DELTA) -> Object | None:
    head = pack.part(offset, 32)
    if not head or not left:
        return None
    kind, size, at, shift = (head[0] >> 4) & 7, head[0] & 15, 1, 4
    while head[at - 1] & 0x80:
        if at >= 10:
            return None
        size |= (head[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
    if size > LARGEST:
        return None
    if kind in _KINDS:
        body = _inflated(pack, offset + at, size)
        return None if body is None else (_KINDS[kind], body)
    base: Object | None = None
    if kind == 6:
        back = head[at] & 0x7F
        while head[at] & 0x80:
            at += 1
            if at >= 30:
                return None
            back = ((back + 1) << 7) | (head[at] & 0x7F)
        at += 1
        base = _packed(common, pack, offset - back, left - 1) if 0 < back <= offset else None
    elif kind == 7:
        base = _object(common, head[at : at + 20].hex()) if len(head) >= at + 20 else None
        at += 20
    delta = _inflated(pack, offset + at, size) if base else None
    body = _applied(base[1], delta) if base and delta is not None else None
    return (base[0], body) if base and body is not None else None


def _inflated(pack: world.Opened, at: int, size: int) -> bytes | None:
    try:
        body = zlib.decompressobj().decompress(pack.part(at, size + size // 100 + 1_024), size + 1)
    except zlib.error:
        return None
    return body if len(body) == size else None


def _applied(base: bytes, delta: bytes) -> bytes | None:
    """What becomes of the base: copied and inserted parts."""
    try:
        at = _skip_number(delta, _skip_number(delta, 0))
        out = bytearray()
        while at < len(delta):
            order = delta[at]
            at += 1
            if order & 0x80:
                start = size = 0
                for bit in range(4):
                    if order & (1 << bit):
                        start |= delta[at] << (8 * bit)
                        at += 1
                for bit in range(3):
                    if order & (0x10 << bit):
                        size |= delta[at] << (8 * bit)
                        at += 1
                out += base[start : start + (size or 0x10000)]
            else:
                out += delta[at : at + order]
                at += order
            if not order or len(out) > LARGEST:
                return None
    except IndexError:
        return None
    return bytes(out)


def _skip_number(data: bytes, at: int) -> int:
    while data[at] & 0x80:
        at += 1
    return at + 1


@question
def _tail(path: str) -> str | None:
    with world.Opened.at(path) or _Nothing() as log:
        size = log.size if not isinstance(log, _Nothing) else 0
        return log.part(max(0, size - _TAIL), _TAIL).decode("utf-8", "replace")
