"""One hook run: hand the event to the hub, do what the hub says, nothing else.

    <state>/shim/python -I -S <state>/shim/hook.py SOCKET HARNESS EVENT DEADLINE SILENCE

gate.c does the usual of it natively and starts this program for the rest; without it this one does all. The hub keeps
a copy of this file in <state>/shim. Every hook run pays for its start, so it imports only _socket and what the
interpreter has loaded anyway: no json, no os, no re, no module of Assent's. hook.py only starts it faster.
"""

import _socket
import posix
import sys
import time  # loaded before any script runs, so it is free; posix has no monotonic clock to keep a deadline with

# What is particular to each harness. The hub writes it into the copy it places: the variable with the session's id,
# the variables a hub wants to know, how the payload says that tools run unasked, and by event and situation the reply
# that is printed where no hub answers, as it goes over the wire.
HARNESSES: "dict[str, tuple[bytes, tuple[bytes, ...], tuple[bytes, bytes], dict[str, dict[str, bytes]]]]" = {}
# Clients that run hooks of another one's settings, by the variable that tells so. Written by the hub, too.
MARKERS: "dict[bytes, str]" = {}
SHIM_VERSION = 1

LARGEST_PAYLOAD = 16 << 20
LARGEST_REPLY = 4 << 20
LARGEST_GAPS = 1 << 20
# How long a hub may take to come up: on a busy machine a start takes many seconds.
REVIVAL_S = 30.0
POLL_S = 0.03
GRACE_S = 0.2
HANG_UPS = 3
HELD_S = 1.0
PAUSE_S = 0.001
STARTS_PER_MINUTE = 3
REGULAR = 0o100000
# Files in our folders are ours and regular: no link is followed, and no pipe waited for.
SAFE_OPEN = posix.O_NONBLOCK | posix.O_NOFOLLOW
# Who is at the other end: getsockopt's level, option and size of answer. The user's id are its bytes 4 to 8.
PEERS = {"linux": (_socket.SOL_SOCKET, getattr(_socket, "SO_PEERCRED", 0), 12), "darwin": (0, 1, 76)}
# Set by `assent exec` for a run that is never to go on unjudged.
RUN = b"ASSENT_RUN"

PASSTHROUGH = b'{"action":"passthrough"}}'
JSON_OUTPUT = b'{"action":"json_output","stdout_json":'
BLOCK = b'{"action":"block_with_stderr","stderr":"'
ESCAPED = {"n": "\n", '"': '"', "\\": "\\", "/": "/", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class GiveUpError(Exception):
    """No reply can be had; the text says why."""


class StoppedError(Exception):
    """The person ran `assent down`: stay out of the way."""


class Request:
    """One hook run: what is sent, and how long it may take."""

    def __init__(self, argv: "list[str]") -> None:
        self.state = argv[0].rpartition("/")[0].rpartition("/")[0]
        self.socket, self.harness, self.event = argv[1:4]
        self.waits = float(argv[4])
        self.deadline = time.monotonic() + self.waits
        self.silence = float(argv[5])
        self.id = posix.urandom(8).hex().encode()
        self.ts = self.held = self.hung_up = 0
        self.why = ""
        name, self.variables, self.bypass, self.replies = HARNESSES.get(self.harness, (b"", (), (b"-", b"-"), {}))
        self.session_id = posix.environ.get(name, b"")
        if name and not self.session_id:
            self.answer_its_sender()
        self.session = quoted(self.session_id)
        self.payload = b""
        self.is_continued = len(argv) == 11
        if self.is_continued:
            self.go_on(*argv[6:])

    def go_on(self, name: str, ts: str, spent: str, held: str, why: str) -> None:
        """From where gate.c, which read stdin and asked a hub, handed over: that hub hung up, or ``why`` it gave up."""
        self.id, self.ts, self.why, self.hung_up = bytes.fromhex(name).hex().encode(), int(ts), why, 1
        self.deadline -= int(spent) / 1000
        # How often a hub said that it keeps us waiting: it was asking a person, and promised more than silence.
        self.held = int(held)

    def answer_its_sender(self) -> None:
        """Where no hub answers, another client that runs this hook is told what it honours."""
        for marker in MARKERS:
            _, _, bypass, replies = HARNESSES[MARKERS[marker]]
            if marker in posix.environ and self.event in replies:
                self.bypass, self.replies = bypass, replies

    def patience(self) -> float:
        """How long the next step may stay silent."""
        left = min(self.silence, self.deadline - time.monotonic())
        if left <= 0:
            raise GiveUpError("the hub did not answer in time")
        return left

    def line(self) -> bytes:
        names = [name for name in (*self.variables, RUN) if name in posix.environ]
        env = b",".join([quoted(name) + b":" + quoted(posix.environ[name]) for name in names])
        head = b'{"request_id":"%s","ts":%d,"session_id":%s,"hook_event_name":%s,"v":%d,"harness":%s,' % (
            self.id, self.ts or now_ms(), self.session, quoted(raw(self.event)), SHIM_VERSION,
            quoted(raw(self.harness)),
        )  # fmt: skip
        head += b'"waits":%d,"env":{%s},' % (self.waits, env)
        if len(self.payload) > LARGEST_PAYLOAD:
            return head + b'"too_large":%d,"payload":null}\n' % len(self.payload)
        # Raw line ends can stand only between the tokens of JSON; as spaces they keep one line one message.
        payload = self.payload.replace(b"\n", b" ").replace(b"\r", b" ")
        return head + b'"payload":' + (payload if payload.strip() else b"null") + b"}\n"


def named_session(payload: bytes) -> bytes:
    """The session that a payload names at its top, before any object in it; empty where that is not plain to see."""
    for key in (b'"session_id"', b'"sessionId"'):
        before, found, after = payload[:65536].partition(key)
        colon, _, rest = after.lstrip().partition(b'"')
        name, closed, _ = rest.partition(b'"')
        plain = name.replace(b"-", b"").replace(b"_", b"")
        at_the_top = bool(found and closed) and colon.strip() == b":" and before.count(b"{") == 1
        if at_the_top and plain.isalnum() and len(name) <= 128:
            return name
    return b""


def now_ms() -> int:
    return int(time.time() * 1000)


def raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def quoted(value: bytes) -> bytes:
    """A JSON string; what is not UTF-8 is replaced."""
    text = value.decode("utf-8", "replace").replace("\\", "\\\\").replace('"', '\\"')
    return ('"' + "".join([c if c >= " " else "\\u" + format(ord(c), "04x") for c in text]) + '"').encode()


def unquoted(inner: bytes) -> bytes:
    """What stands between the quotes of a JSON string; raises where it is not exactly that."""
    text, out, at = inner.decode(), "", 0
    while True:
        cut = text.find("\\", at)
        literal = text[at:] if cut < 0 else text[at:cut]
        if '"' in literal:
            raise ValueError
        out += literal
        if cut < 0:
            return out.encode("utf-8", "replace")
        if text[cut + 1] == "u":
            high, low = bytes.fromhex(text[cut + 2 : cut + 6])
            out += chr(high << 8 | low)
            at = cut + 6
        else:
            out += ESCAPED[text[cut + 1]]
            at = cut + 2


def read_payload(request: Request) -> None:
    """Everything on stdin, or a little more than we carry. What was read before giving up stays with the request."""
    # What is handed over comes from a pipe of our own, and ends soon.
    if not request.is_continued and not posix.isatty(0):
        posix.set_blocking(0, False)
    chunks, size = [], 0
    try:
        while size <= LARGEST_PAYLOAD:
            try:
                chunk = posix.read(0, 65536)
            except BlockingIOError:
                if time.monotonic() > request.deadline:
                    raise GiveUpError("the client did not finish its input in time") from None
                time.sleep(PAUSE_S)
                continue
            if not chunk:
                break
            chunks.append(chunk)
            size += len(chunk)
    finally:
        request.payload = b"".join(chunks)
    if not request.session_id:
        request.session_id = named_session(request.payload)
        request.session = quoted(request.session_id)


def write(fd: int, data: bytes) -> None:
    """Only with the socket closed: where the client gave us no stdout, the socket has its number."""
    try:
        while data:
            try:
                data = data[posix.write(fd, data) :]
            except BlockingIOError:
                posix.set_blocking(fd, True)
    except OSError:
        pass  # the reader is gone


def connect(request: Request) -> _socket.socket:
    """Raises FileNotFoundError or ConnectionRefusedError where no hub listens."""
    until = time.monotonic() + request.silence
    while True:
        sock = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        try:
            sock.settimeout(request.patience())
            sock.connect(request.socket)
            check_owner(sock, request)
            return sock
        except BlockingIOError:
            # The hub's queue is full: it lives, and one more hub would not help.
            sock.close()
            if time.monotonic() > until:
                raise GiveUpError("the hub is too busy") from None
            time.sleep(POLL_S)
        except BaseException:
            sock.close()
            raise


def check_owner(sock: _socket.socket, request: Request) -> None:
    """Where the socket lies in a shared temporary folder, another user may have put theirs in its place."""
    if sys.platform in PEERS:
        uid = int.from_bytes(sock.getsockopt(*PEERS[sys.platform])[4:8], sys.byteorder)
        if uid != posix.stat(request.state + "/shim").st_uid:
            raise GiveUpError("the hub's socket belongs to another user")


def reach(request: Request) -> _socket.socket:
    """A connection to the hub. Where there is none, one is started, or waited for while another process starts it."""
    try:
        return connect(request)
    except (FileNotFoundError, ConnectionRefusedError):
        check_stopped(request.state)
    until = time.monotonic() + REVIVAL_S
    make_folder(request.state + "/run")
    # Nothing the client left open may live on in the hub.
    posix.closerange(3, 4096)
    # A lock and not the file's existence: it ends with its holder, however that ends, so it is never stale. A shim
    # holds it while it starts a hub, `assent restart` from before the old hub stops until the new one answers.
    lock = posix.open(request.state + "/run/starting", posix.O_RDWR | posix.O_CREAT | SAFE_OPEN, 0o600)
    may_start = has_started = False
    child = 0
    try:
        while True:
            may_start = may_start or is_locked(lock)
            try:
                # Before starting one, too: the last holder's hub may have come up since we found none.
                return connect(request)
            except (FileNotFoundError, ConnectionRefusedError):
                check_stopped(request.state)
                if time.monotonic() > until:
                    raise GiveUpError("the hub is not running and did not start") from None
            if may_start and not has_started:
                child = start_hub(request.state)
                has_started = True
            elif child and posix.waitpid(child, posix.WNOHANG)[0]:
                # It ended, so there is nothing to wait for, unless it ended because another hub was faster.
                child, until = 0, min(until, time.monotonic() + GRACE_S)
            time.sleep(POLL_S)
    finally:
        posix.close(lock)


def is_locked(lock: int) -> bool:
    """Whether the lock is ours now."""
    try:
        posix.lockf(lock, posix.F_TLOCK, 0)
        return True
    except OSError:
        return False


def check_stopped(state: str) -> None:
    """Raise where the person ran `assent down`: the mark is the secret whose digest the last hub left at its start. A
    file of that name with anything else in it, or from before that start, is none."""
    secret = small_file(state + "/run/stopped")
    if secret:
        from hashlib import sha256  # 10 ms, and only here

        if sha256(secret).hexdigest().encode() == small_file(state + "/keys/stop.digest"):
            raise StoppedError


def start_hub(state: str) -> int:
    """Its process id. The hub removes `starts` once it listens, so what is left in it are starts that failed."""
    now = now_ms()
    log = posix.open(state + "/run/starts", posix.O_RDWR | posix.O_CREAT | SAFE_OPEN, 0o600)
    try:
        starts = [at for at in posix.read(log, 4096).split() if at.isdigit() and 0 <= now - int(at) < 60_000]
        if len(starts) >= STARTS_PER_MINUTE:
            raise GiveUpError("the hub did not start three times within a minute; the next try is a minute later")
        posix.ftruncate(log, 0)
        posix.pwrite(log, b"".join([at + b"\n" for at in [*starts, b"%d" % now]]), 0)
    finally:
        posix.close(log)
    posix.chdir("/")
    # A child that keeps our stdout open makes the client distrust what we print.
    streams = [
        (posix.POSIX_SPAWN_OPEN, 0, "/dev/null", posix.O_RDWR, 0),
        (posix.POSIX_SPAWN_DUP2, 0, 1),
        (posix.POSIX_SPAWN_DUP2, 0, 2),
    ]
    program = state + "/shim/start-hub"
    return posix.posix_spawn(program, [program], {}, file_actions=streams, setsid=True)


def exchange(sock: _socket.socket, line: bytes, request: Request) -> "bytes | None":
    """The first line that is not blank (blank ones are heartbeats), or None where the hub hung up before it."""
    try:
        sock.settimeout(request.patience())
        sock.sendall(line)
        held = b""
        while len(held) <= LARGEST_REPLY:
            sock.settimeout(request.patience())
            chunk = sock.recv(65536)
            if not chunk:
                return None
            held += chunk
            while b"\n" in held:
                reply, _, held = held.partition(b"\n")
                if reply.strip():
                    return reply
                request.held += 1
        raise GiveUpError("the hub's reply is too long")
    except TimeoutError:
        raise GiveUpError("the hub went silent") from None
    except ConnectionError:
        return None
    finally:
        sock.close()


def obey(reply: bytes, request: Request) -> int:
    """Do what the reply says and return the exit code. Only exactly what the hub writes counts as understood."""
    start = b'{"request_id":"' + request.id + b'",'
    _, separator, body = reply.partition(b'"payload":')
    if reply.startswith(start) and separator:
        if body == PASSTHROUGH:
            return 0
        if body.startswith(JSON_OUTPUT + b"{") and body.endswith(b"}}}"):
            write(1, body[len(JSON_OUTPUT) : -2])
            return 0
        if body.startswith(BLOCK) and body.endswith(b'"}}', len(BLOCK)):
            try:
                text = unquoted(body[len(BLOCK) : -3])
            except (ValueError, LookupError):
                raise GiveUpError("the hub's reply cannot be read") from None
            write(2, text)
            return 2
    raise GiveUpError("the hub's reply cannot be read")


def ask_hub(request: Request) -> int:
    if request.why:
        raise GiveUpError(request.why)
    line = request.line()
    hung_up = request.hung_up
    # Again after a hang-up: a hub that restarted knows the same request by its id. One that is being killed may take a
    # second connection along, and one that held us for a while may well restart a second time.
    while hung_up < HANG_UPS:
        if hung_up:
            time.sleep(GRACE_S)
        since, held = time.monotonic(), request.held
        reply = exchange(reach(request), line, request)
        if reply is not None:
            return obey(reply, request)
        hung_up = 1 if request.held > held or time.monotonic() - since > HELD_S else hung_up + 1
    raise GiveUpError("the hub hung up three times")


def says(payload: bytes, key: bytes, value: bytes) -> bool:
    return any(after[:64].lstrip().lstrip(b":").lstrip().startswith(value) for after in payload.split(key)[1:])


def own_reply(request: Request, situation: str) -> bytes:
    """What the client is told instead of the hub's answer."""
    if says(request.payload, *request.bypass):
        # In this mode silence would run the tool unjudged.
        situation += "_bypass"
    return request.replies.get(request.event, {}).get(situation, b"")


def last_word(request: Request) -> bytes:
    return own_reply(request, "run" if RUN in posix.environ else "held" if request.held else "unreachable")


def stopped_reply(request: Request) -> bytes:
    """Silence, and once per session the sentence that nothing is judged."""
    if RUN in posix.environ or request.held:
        return last_word(request)
    reply = own_reply(request, "stopped")
    session = request.session_id.decode("ascii", "replace")
    if not reply or not session.replace("-", "").isalnum() or len(session) > 64:
        return b""
    try:
        make_folder(request.state + "/run/told")
        mark = request.state + "/run/told/" + session
        posix.close(posix.open(mark, posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL, 0o600))
    except OSError:
        return b""
    return reply


def spool_gap(request: Request) -> None:
    """Leave for the hub that something went by unjudged: never what."""
    try:
        make_folder(request.state + "/spool")
        flags = posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND | SAFE_OPEN
        spool = posix.open(request.state + "/spool/gaps.ndjson", flags, 0o600)
        status = posix.fstat(spool)
        if status.st_mode & 0o170000 == REGULAR and status.st_size < LARGEST_GAPS:
            gap = b'{"at":%d,"event":%s,"session":%s,"size":%d,"request_id":"%s"}\n' % (
                now_ms(), quoted(raw(request.event)), request.session, len(request.payload), request.id,
            )  # fmt: skip
            posix.write(spool, gap)
        posix.close(spool)
    except OSError:
        pass  # a full disk must not cost the client its answer


def small_file(path: str) -> bytes:
    """What stands in it, or nothing."""
    try:
        fd = posix.open(path, posix.O_RDONLY | SAFE_OPEN)
    except OSError:
        return b""
    try:
        return posix.read(fd, 256)
    except OSError:
        return b""
    finally:
        posix.close(fd)


def make_folder(path: str) -> None:
    try:
        posix.mkdir(path, 0o700)
    except FileExistsError:
        pass


def main(argv: "list[str]") -> int:
    try:
        request = Request(argv)
    except (ValueError, IndexError):
        write(2, b"assent: this hook was started with wrong arguments and decided nothing; run: assent install\n")
        return 0
    try:
        try:
            read_payload(request)
        except OSError:
            pass  # no stdin at all: the hub treats it as any other payload it cannot read
        return ask_hub(request)
    except StoppedError:
        write(1, stopped_reply(request))
        spool_gap(request)
        return 0
    except BaseException as error:
        why = str(error) if isinstance(error, GiveUpError) else type(error).__name__ + " " + str(error)
        # First of all: in bypass mode the client runs the tool unless it reads this.
        write(1, last_word(request))
        spool_gap(request)
        write(2, b"assent: " + raw(why).replace(b"\n", b" ") + b"; this event was not judged. Run: assent doctor\n")
        return 0


if __name__ == "__main__":
    code = 0
    try:
        code = main(sys.argv)
    finally:
        # Not sys.exit: taking the interpreter down in order costs a seventh of the whole run.
        posix._exit(code)  # noqa: SLF001
