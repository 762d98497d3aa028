"""Executable parts of a command line: text that something else in the same line could run.

Quotes are not told apart: a separator inside a quote splits as well, because the quoted text may be a script. All
answers err on the side of "may run". What may run is never hidden from a person who decides on it."""

import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

# Programs that take their input or an argument as code.
INTERPRETERS = frozenset(
    """sh bash zsh dash ksh mksh ash fish csh tcsh busybox pwsh powershell cmd python python2 python3 pypy pypy3 perl
    ruby node nodejs deno bun php lua luajit tclsh wish expect osascript Rscript R julia irb ipython ipython3 ssh at
    batch crontab m4 dc ed ex vi vim nvim emacs gdb lldb psql sqlite3 mysql parallel xargs make gmake just""".split()  # noqa: SIM905
)
# Builtins and programs that run words of theirs which no table of positions tells.
_RUNNERS = frozenset(
    """eval xargs parallel trap alias watch at batch crontab expect printenv coproc fc bind complete compgen mapfile
    readarray envsubst script tmux screen systemd-run socat entr hash enable""".split()  # noqa: SIM905
)
# Programs that start another one, which stands somewhere behind them.
WRAPPERS = frozenset(
    """sudo doas su env nohup time nice ionice timeout setsid stdbuf exec command builtin unbuffer strace ltrace unshare
    chroot flock chrt taskset caffeinate npx pnpx bunx uvx pipx runuser pkexec nsenter firejail bwrap direnv dotenv
    aws-vault""".split()  # noqa: SIM905
)
# Those that name a machine, a container or an environment before what they start.
ELSEWHERE = frozenset(
    """ssh docker podman kubectl nerdctl lxc oc uv poetry pipenv mise vagrant tsh gcloud op
    doppler""".split()  # noqa: SIM905
)
_TAKES_VALUE = frozenset("-e --env --build-arg -p --password --token -u --user -H --header".split())  # noqa: SIM905
_STARTING = frozenset("run exec x ssh tool shell debug -- -it -ti -i".split())  # noqa: SIM905
# Programs that run what stands in files of the folder.
_BUILDERS = frozenset(
    """make gmake just task mise npm yarn pnpm git cargo go gradle mvn pytest tox nox docker podman rake ant cmake
    ninja bazel crontab systemctl source .""".split()  # noqa: SIM905
)
_KEYWORDS = frozenset("then do else elif if while until ! { } time in [[ ( ((".split())  # noqa: SIM905
_SEPARATOR = re.compile(r"\$\(|[<>]\(|[;&|()\n\r`]")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:\[[^\]\s]{0,40}\])?\+?=")
_REDIRECT = re.compile(r"\d{0,2}(?:>>?\|?|<{1,3}-?|&>>?|>&)(?P<rest>.*)", re.DOTALL)
_QUOTES = "\"'"
# Of a simple command no more words are looked at.
_MOST_WORDS = 60

_INDIRECT = re.compile(
    r"\$\{!|@[PEA]\}|\b(?:declare|typeset|local) -\w*n|(?<![\w./-])(?:eval|-execdir|-exec|-ok|-okdir)(?![\w/-])"
    r"|\b(?:system|popen|exec\w{0,3}|spawn\w{0,4}|eval|shell_exec|passthru|proc_open|Function|__import__|call_user_func)\s?\("
    r"|\b(?:subprocess|child_process|Invoke-Expression|b64decode|atob|execSync|/proc/self/environ)\b|\b-S\s?[\"']"
    r"|(?i:\b(?:iex)\b)"
)
_CODE = re.compile(r"\s-[A-Za-z]{0,6}[ceErpn]{1,3}\s{0,3}[\"']{0,2}\s{0,3}[\"'\\]{0,2}[$`]")
_CALLS = re.compile(r"\b(?:system|exec|open|popen|qx|ENV|ENVIRON|getline)\b|\|\s?[\"&]|`")
_SED_RUNS = re.compile(r"(?:/[gimp0-9]{0,4}e[gimp0-9]{0,4}|\d{0,4}e)[\"']?(?:\s|$)")
_WRITTEN = re.compile(r"(?:>>?\|?\s{0,3}|\btee\s{1,3}(?:-a\s{1,3})?|\bof=)[\"']?(?P<file>[^\s;&|()<>\"'`]{1,200})")
_USED = re.compile(
    r"\$\{?[#!]?(?P<read>[A-Za-z_]\w*)|(?<![\w/.$-])(?P<bare>[A-Za-z_]\w*)(?![\w/.:-]|\+?=)"
    r"|\b(?:env|environ)[.:](?P<member>[A-Za-z_]\w*)|%(?P<percent>[A-Za-z_]\w*)%"
)


class Piece(NamedTuple):
    """A stretch of a line between two separators."""

    before: str
    text: str
    after: str
    start: int


def pieces(line: str) -> Iterator[Piece]:
    before, at = "", 0
    for match in _SEPARATOR.finditer(line):
        yield Piece(before, line[at : match.start()], match[0], at)
        before, at = match[0], match.end()
    yield Piece(before, line[at:], "", at)


def words_of(text: str) -> list[str]:
    """The words of a simple command, from its command word on: without keywords, assignments and redirections."""
    words = text.split(None, _MOST_WORDS)[:_MOST_WORDS]
    at = 0
    while at < len(words):
        word = words[at].lstrip(_QUOTES)
        if word in _KEYWORDS or not word or _ASSIGNMENT.match(word):
            at += 1 + _continues(words, at)
        elif redirect := _REDIRECT.match(word):
            at += 1 if redirect["rest"] else 2
        else:
            break
    return words[at:]


def _continues(words: list[str], at: int) -> int:
    """How many more words the quoted value of an assignment takes."""
    word = words[at]
    for quote in _QUOTES:
        if word.count(quote) % 2:
            for more, following in enumerate(words[at + 1 :], 1):
                if following.count(quote) % 2:
                    return more
    return 0


def base(word: str) -> str:
    return word.strip(_QUOTES + "\\").rpartition("/")[2]


def awaits_command(words: list[str]) -> bool:
    """Whether the word after these, the beginning of a simple command, is what it starts."""
    if not words:
        return True
    name = base(words[0])
    if name in ELSEWHERE:
        return (name == "ssh" or not _STARTING.isdisjoint(words)) and words[-1] not in _TAKES_VALUE
    if name not in WRAPPERS:
        return False
    for before, word in itertools.pairwise(words):
        follows_option = before.startswith("-") and before != "--"
        if word.startswith("-") or follows_option or _ASSIGNMENT.match(word) or word[0].isdigit():
            continue
        return awaits_command(words[words.index(word) :])
    return True


def runs_data(line: str) -> bool:
    """Whether something in the line could run a text that stands elsewhere in the line as a mere word."""
    if _INDIRECT.search(line):
        return True
    writes = False
    for piece in pieces(line):
        words = words_of(piece.text)
        if not words:
            # An expansion where a command is expected.
            if piece.after in ("$(", "`") and piece.before != "`" and _is_open(piece.text):
                return True
            continue
        if _runs(piece, words) or (writes and base(words[0]) in _BUILDERS | INTERPRETERS):
            return True
        writes = writes or _WRITTEN.search(piece.text) is not None
    return _is_read_back(line)


def _is_open(text: str) -> bool:
    return not text or text[-1].isspace() or text[-1] in _QUOTES or not _ASSIGNMENT.match(text.lstrip())


def _runs(piece: Piece, words: list[str]) -> bool:
    first = words[0]
    if "$" in first or (
        len(words) == 1 and piece.after in ("$(", "`") and piece.before != "`" and piece.text[-1:].strip()
    ):
        return True
    name = base(first)
    is_wrapper = name in WRAPPERS or name in ELSEWHERE
    names = {base(word) for word in words[1:8]} if is_wrapper else set()
    if name in _RUNNERS or not names.isdisjoint(_RUNNERS):
        return True
    if name in (".", "source") and (piece.after == "<(" or "/dev/" in piece.text):
        return True
    if is_wrapper and any(word.lstrip(_QUOTES)[:1] in ("$", "`") for word in words[1:]):
        return True
    is_interpreter = name in INTERPRETERS or not names.isdisjoint(INTERPRETERS)
    if piece.before == "|" and (is_interpreter or "/" in first):
        return True
    if is_interpreter and ("<<<" in piece.text or piece.after == "<(" or _CODE.search(piece.text + piece.after)):
        return True
    if name in ("awk", "gawk", "mawk", "perl", "ruby", "php", "lua") and _CALLS.search(piece.text + piece.after):
        return True
    return name == "sed" and _SED_RUNS.search(piece.text) is not None


def _is_read_back(line: str) -> bool:
    """Whether a file that the line writes is named in it again."""
    for match in _WRITTEN.finditer(line):
        name = match["file"].rpartition("/")[2]
        if len(name) > 1 and not match["file"].startswith(("/dev/", "&")) and line.count(name) > 1:
            return True
    return False


def used_names(text: str) -> frozenset[str]:
    """Names of variables that the text reads, or could read."""
    return frozenset(match[match.lastgroup or 0] for match in _USED.finditer(text))


def read_names(text: str) -> frozenset[str]:
    """Names of variables that the text reads as a shell would."""
    return frozenset(match["read"] for match in _USED.finditer(text) if match["read"])
