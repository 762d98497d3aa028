"""What is known about Python's own functions and modules: which only calculate, and which do something."""

import ast
import re
from collections.abc import Callable, Iterable

from assent.policy.inline.python_values import Values

_LOOKS = frozenset(
    {"print", "len", "str", "repr", "sorted", "list", "tuple", "enumerate", "json.dumps", "pprint.pprint", "pprint.pp"}
)


def changes_search_path(nodes: Iterable[ast.AST], dotted: Callable[[ast.expr], str]) -> bool:
    """Assignments to parts of ``sys``, its methods, and calls that get the list itself."""
    return any(_changes(node, dotted) for node in nodes)


def _changes(node: ast.AST, dotted: Callable[[ast.expr], str]) -> bool:
    match node:
        case ast.Attribute(ctx=ast.Store() | ast.Del()):
            return _is_of_sys(dotted(node))
        case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
            return _is_of_sys(dotted(value))
        case ast.AugAssign(target=target):
            return _is_of_sys(dotted(target))
        case ast.Call(func=function, args=args):
            name = dotted(function)
            if name.startswith(("sys.path.", "sys.meta_path.", "sys.path_hooks.")):
                return not name.endswith((".index", ".count", ".copy"))
            is_joined = isinstance(function, ast.Attribute) and function.attr == "join"
            return not is_joined and name not in _LOOKS and any(dotted(arg) == "sys.path" for arg in args)
    return False


def _is_of_sys(name: str) -> bool:
    return name.startswith("sys.") and name not in ("sys.argv", "sys.stdout", "sys.stderr", "sys.stdin")


# It keeps to files of one kind, so that those with secrets in them are not among them by the way.
_OF_A_KIND = re.compile(r"[^\0]*\.[A-Za-z]\w*\*?")
_AS_THEY_ARE = frozenset({"sorted", "list", "set", "tuple", "reversed"})
_GLOBS = frozenset({"glob.glob", "glob.iglob"})


class Loops:
    """What the variables of loops go through. A variable with more than one loop or value is not followed."""

    def __init__(self, values: Values, dotted: Callable[[ast.expr], str]) -> None:
        self._values = values
        self._dotted = dotted
        self._sources: dict[str, ast.expr | None] = {}

    def bind(self, node: ast.AST) -> None:
        if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension) and isinstance(node.target, ast.Name):
            name = node.target.id
            self._sources[name] = node.iter if name not in self._sources else None

    def files(self, node: ast.expr | None, stores: Callable[[str], int]) -> list[str]:
        """The files, or patterns for them, that a variable stands for; none where that is not known."""
        if not isinstance(node, ast.Name) or stores(node.id) != 1:
            return []
        return self._gone_through(self._sources.get(node.id))

    def _gone_through(self, source: ast.expr | None) -> list[str]:
        if isinstance(source, ast.List | ast.Tuple):
            texts = [self._values.text(item) for item in source.elts]
            return [text for text in texts if text is not None] if None not in texts else []
        if not isinstance(source, ast.Call) or not source.args:
            return []
        if isinstance(source.func, ast.Name) and source.func.id in _AS_THEY_ARE and len(source.args) == 1:
            return self._gone_through(source.args[0])
        pattern = self._values.text(source.args[0])
        if pattern is None or not _OF_A_KIND.fullmatch(pattern) or len(source.args) > 1:
            return []
        if self._dotted(source.func) in _GLOBS:
            return [pattern] if all(keyword.arg == "recursive" for keyword in source.keywords) else []
        if not isinstance(source.func, ast.Attribute) or source.func.attr not in ("glob", "rglob") or source.keywords:
            return []
        folder = self._values.text(source.func.value)
        if folder is None or pattern.startswith("/"):
            return []
        return [f"{folder}/**/{pattern}" if source.func.attr == "rglob" else f"{folder}/{pattern}"]


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


# Calculate or print, whatever they are given.
BUILTINS = _set(
    "print len range sorted set list dict tuple str int float bool bytes bytearray sum min max abs round zip map filter"
    " enumerate reversed any all repr ascii chr ord hex bin oct isinstance issubclass type id hash iter next divmod pow"
    " complex format slice frozenset hasattr callable dir input super object memoryview exit quit property staticmethod"
    " classmethod True False None NotImplemented Ellipsis __name__ __file__ __doc__ Exception BaseException ValueError"
    " KeyError IndexError TypeError OSError IOError RuntimeError StopIteration AttributeError ImportError SystemExit"
    " ModuleNotFoundError FileNotFoundError KeyboardInterrupt ZeroDivisionError AssertionError UnicodeDecodeError"
    " PermissionError NameError NotImplementedError ArithmeticError LookupError OverflowError TimeoutError"
)
# Modules all of whose functions calculate, or read what they are given. What they import themselves is not theirs.
PURE = _set(
    "json re math cmath datetime time itertools functools collections string textwrap statistics decimal"
    " fractions random"
    " hashlib base64 binascii struct uuid typing enum operator calendar difflib unicodedata html csv pprint platform"
    " fnmatch tomllib keyword sysconfig site locale zlib dataclasses heapq bisect copy colorsys"
    " ipaddress secrets zoneinfo"
    " numbers abc array graphlib reprlib stringprep quopri hmac codecs shlex argparse contextlib warnings errno"
    " urllib.parse collections.abc os.path importlib.metadata xml.etree.ElementTree html.parser"
    " email.utils json.decoder"
    " http concurrent this __future__ types configparser ast inspect tokenize token io"
)
# Functions of otherwise harmless modules that are not.
IMPURE = _set(
    "types.FunctionType types.CodeType types.MethodType functools.partial codecs.open io.open io.open_code io.FileIO"
    " argparse.FileType inspect.getmembers types.ModuleType contextlib.chdir time.clock_settime operator.attrgetter"
    " operator.methodcaller io.BufferedWriter shlex.os platform.popen"
)
SYS = _set(
    "argv stdin stdout stderr version version_info path platform executable maxsize exit byteorder getsizeof prefix"
    " base_prefix implementation getrecursionlimit getdefaultencoding builtin_module_names stdlib_module_names flags"
    " hexversion modules float_info int_info hash_info exc_info getrefcount maxunicode api_version copyright"
)
OS = _set(
    "getcwd sep linesep path name cpu_count getpid getppid uname getuid geteuid getgid getlogin"
    " get_terminal_size curdir"
    " pardir extsep pathsep devnull fspath PathLike strerror getloadavg urandom times error R_OK F_OK W_OK X_OK"
    " sched_getaffinity isatty fsencode fsdecode fsdecode O_RDONLY"
)

# --- those that do something: by what their first argument is

RUN_LINE = _set(
    "os.system os.popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput commands.getstatusoutput"
    " asyncio.create_subprocess_shell popen2.popen2 platform.popen"
)
RUN_ARGS = _set(
    "subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen pty.spawn"
    " asyncio.create_subprocess_exec os.execv os.execve os.execvp os.execvpe os.posix_spawn os.posix_spawnp"
)
RUN_WORDS = _set("os.execl os.execle os.execlp os.execlpe os.spawnl os.spawnlp os.spawnv os.spawnvp os.startfile")
READ = _set(
    "os.listdir os.scandir os.walk os.stat os.lstat os.access os.readlink os.path.exists os.path.isfile os.path.isdir"
    " os.path.getsize os.path.getmtime glob.glob glob.iglob linecache.getline linecache.getlines fileinput.input"
    " tokenize.open pkgutil.get_data"
)
WRITE = _set(
    "os.mkdir os.makedirs os.truncate os.mknod os.mkfifo shelve.open dbm.open sqlite3.connect shutil.unpack_archive"
    " tempfile.mkstemp tempfile.mkdtemp os.utime os.setxattr"
)
MODE = _set("os.chmod os.chown os.lchown os.lchmod shutil.chown os.chflags")
DELETE = _set("os.remove os.unlink os.rmdir os.removedirs shutil.rmtree")
# The first is read (or taken away), the second written.
COPY = _set(
    "shutil.copy shutil.copy2 shutil.copyfile shutil.copytree shutil.copymode shutil.copystat os.link os.symlink"
)
MOVE = _set("shutil.move os.rename os.renames os.replace")
OPEN = _set(
    "open io.open codecs.open gzip.open bz2.open lzma.open zipfile.ZipFile tarfile.open tarfile.TarFile os.open"
)
EVALUATE = _set("exec eval compile code.interact code.InteractiveInterpreter runpy.run_path runpy.run_module execfile")
DANGEROUS = _set(
    "os.setuid os.setgid os.seteuid os.setegid os.setreuid os.setresuid os.setgroups os.chroot os.dup2"
    " os.fork os.forkpty"
    " os.reboot pty.fork os.putenv sys.settrace sys.setprofile os.memfd_create os.pwrite os.killpg"
)
# Methods of parsers; given a text, it is the name of a file.
TAKE_FILES = _set("read parse iterparse read_mime_types")
CAREFUL = _set("os.kill signal.pidfd_send_signal os.write os.chdir os.fchdir os.umask os.nice os.abort os._exit")
# To import one is enough.
DANGEROUS_MODULES = _set(
    "ctypes cffi pickle cPickle marshal dill cloudpickle _posixsubprocess _ctypes imp bdb gc mmap"
    " pyautogui pynput keyboard"
    " keyring paramiko fabric smtplib ftplib telnetlib nntplib imaplib poplib secretstorage win32crypt"
    " scapy impacket pwn"
)
NETWORK = _set(
    "socket ssl requests httpx aiohttp urllib3 urllib.request http.client http.server socketserver websockets websocket"
    " xmlrpc.client xmlrpc.server pycurl boto3 botocore dns openai anthropic webbrowser asyncio.streams"
    " grpc kafka redis"
    " pymongo psycopg psycopg2 mysql urllib2 httplib"
)
SENDING = re.compile(r"(?:post|put|patch|delete|send\w*|sendall|upload\w*|request|publish)$", re.IGNORECASE)
# Methods of files and paths, on any object.
METHODS = {
    **dict.fromkeys(
        ("read_text", "read_bytes", "iterdir", "glob", "rglob", "exists", "is_file", "is_dir", "stat"), "read"
    ),
    **dict.fromkeys(("write_text", "write_bytes", "touch", "mkdir", "symlink_to", "hardlink_to"), "write"),
    **dict.fromkeys(("writestr", "truncate"), "write"),
    **dict.fromkeys(("unlink", "rmdir"), "delete"),
    **dict.fromkeys(("chmod", "lchmod"), "mode"),
}
# Names with two underscores on both sides that only tell.
TELLING = _set(
    "__version__ __file__ __name__ __doc__ __path__ __all__ __author__ __version_info__ __init__"
    " __main__ __len__ __str__"
    " __repr__ __eq__ __lt__ __hash__ __iter__ __next__ __enter__ __exit__ __annotations__ __qualname__ __package__"
)
# Through these, everything can be reached.
INSIDES = _set(
    "__globals__ __subclasses__ __builtins__ __getattribute__ __code__ __loader__ __spec__ __bases__ __mro__ __base__"
    " __reduce__ __reduce_ex__ __import__ __closure__ __func__ __self__"
)
# What a path can tell without looking at the disk.
PATH_TEXT = _set(
    "home cwd joinpath expanduser resolve absolute as_posix with_suffix with_name with_stem relative_to"
    " is_absolute match"
    " as_uri is_relative_to"
)
# What makes plain text of hidden text.
DECODERS = _set(
    "base64.b64decode base64.urlsafe_b64decode base64.b32decode base64.b16decode base64.b85decode base64.a85decode"
    " base64.decodebytes bytes.fromhex bytearray.fromhex binascii.unhexlify binascii.a2b_base64 binascii.a2b_hex"
    " codecs.decode zlib.decompress chr bz2.decompress lzma.decompress gzip.decompress"
)
