"""Data streams between the commands of a line, and into files that the same line runs later."""

import re

from msgspec import Struct

from assent.policy import sensitive
from assent.policy.effects import Effect, Kind, danger
from assent.policy.shell import variables
from assent.policy.shell.words import Arg


class Stream(Struct, frozen=True):
    """What flows into a command."""

    text: str | None = None
    # "" nothing flows, "text", "file", "names" of files, "environment", "fetched", "decoded", "unknown"
    origin: str = ""
    # The file, or a pattern that all the names fit.
    path: Arg | None = None


# Sentences that other parts look for: what two commands mean together.
SHOWS_VARIABLES = "It shows all variables, and secrets may be among them."
DOWNLOADED = "It runs what it downloads, unseen."
LOADS_SECRETS = "It loads secrets of the project into the shell."

NOTHING = Stream("", "")
UNKNOWN = Stream(None, "unknown")

# What redirections do to the file they name.
REDIRECTS: dict[str, tuple[Kind, ...]] = {
    "<": ("read",),
    "<>": ("read", "write"),
    ">": ("write",),
    ">>": ("write",),
    ">|": ("write",),
    ">&": ("write",),
    "&>": ("write",),
    "&>>": ("write",),
}

# What they print was hidden before; run unseen, that is obfuscation.
DECODERS = frozenset(
    {"base64", "base32", "xxd", "openssl", "gunzip", "zcat", "gzip", "uudecode", "bzcat", "xzcat", "od", "basenc"}
    | {"gpg", "unxz", "bunzip2", "zstdcat", "unzstd", "lz4cat", "qprint", "steghide", "ascii85"}
)
_ENDLESS = frozenset({"/dev/zero", "/dev/urandom", "/dev/random"})
# They pass lines on as they are, or fewer of them.
_SIEVES = frozenset({"grep", "egrep", "fgrep", "head", "tail", "sort", "uniq", "tac", "shuf", "cat", "tee", "tr"})
_NAMES = re.compile(r"\w+")
# A name, or some of them: ``^NODE``, ``node|npm``, ``^(HOME|PATH)=``.
_ONE = r"\^?\w{2,}=?"
_SOUGHT = re.compile(rf"\^?\(?{_ONE}(?:\\?\|{_ONE})*\)?=?")


def is_endless(name: str, args: tuple[Arg, ...]) -> bool:
    """Whether what it prints never ends."""
    return name == "yes" or (name in ("cat", "tee", "cp") and any(arg.text in _ENDLESS for arg in args))


def names_printed(name: str, texts: list[str], stdin: Stream) -> Arg | None:
    """A pattern that fits every name of a file the command prints, where it prints nothing else."""
    if name in _SIEVES and stdin.origin == "names":
        return _sieved(name, texts, stdin.path)
    match name, texts:
        case "find", _:
            return _found(texts)
        case "fd" | "fdfind", _ if not any(text.startswith(("-x", "-X", "--exec", "/", "~", "..")) for text in texts):
            return Arg("**", glob=True)
        case "ls", _:
            return _listed(texts)
        case "git", ["ls-files" | "diff" | "grep", *rest] if _names_only(texts[0], rest):
            return Arg("**", glob=True)
        case "rg" | "grep" | "ag", _ if any(_lists_files(text) for text in texts):
            return _below(texts)
        case _:
            return None


def _listed(texts: list[str]) -> Arg | None:
    """Of ``ls``: names in a folder as they are, names of files as they were given."""
    options = [text for text in texts if text.startswith("-")]
    places = [text for text in texts if not text.startswith("-")]
    letters = "".join(text for text in options if not text.startswith("--"))
    if set(letters) & set("aAlsiogn") or any(text.startswith(("--a", "--f", "--i", "--s")) for text in options):
        # Hidden names, or more than names.
        return None
    if not places:
        return Arg("*", glob=True)
    if secret := next((place for place in places if sensitive.is_secret(place.replace("*", ""))), None):
        return Arg(secret, glob=True)
    if any(part.startswith(".") and part != "." for place in places for part in place.split("/")):
        return None
    if len(places) == 1 and any(mark in places[0] for mark in "*?["):
        is_near = not places[0].startswith(("/", "~")) or places[0].startswith("/tmp/")  # noqa: S108 - a place
        return Arg(places[0], glob=True) if is_near else None
    return Arg("**", glob=True) if not any(place.startswith(("/", "~")) for place in places) else None


def _sieved(name: str, texts: list[str], names: Arg | None) -> Arg | None:
    flags = "".join(text for text in texts if text.startswith("-") and not text.startswith("--"))
    if (name == "tr" and texts != ["\\n", "\\0"]) or any(letter in flags for letter in "oc"):
        return None
    if name.endswith("grep") and "v" not in flags:
        for text in texts:
            sought = text.replace("\\", "").strip("^$")
            if sensitive.is_secret(sought):
                return Arg(f"**/{sought}", glob=True)
    return names


def _names_only(verb: str, rest: list[str]) -> bool:
    if verb == "ls-files":
        return not any(text.startswith(("-s", "--stage", "-t", "-v", "--format")) for text in rest)
    return "--name-only" in rest or (verb == "grep" and any(_lists_files(text) for text in rest))


def _lists_files(text: str) -> bool:
    if text.startswith("--"):
        return text in ("--files", "--files-with-matches", "--files-without-match")
    return text.startswith("-") and ("l" in text or "L" in text) and text[1:].isalpha()


def _found(texts: list[str]) -> Arg | None:
    folders: list[str] = []
    for text in texts:
        if text.startswith(("-", "(", "!")):
            break
        folders.append(text)
    folder = folders[0].rstrip("/") if folders else "."
    names = [texts[at + 1] for at, text in enumerate(texts[:-1]) if text in ("-name", "-iname", "-path", "-wholename")]
    if secret := next((name for name in names if sensitive.is_secret(name)), None):
        return Arg(f"{folder}/**/{secret}", glob=True)
    if any(text in ("-printf", "-ls", "-exec", "-execdir", "-ok", "-okdir") for text in texts):
        return None
    if len(folders) > 1 or any(text in ("-o", "-or", "-not", "!", ",") for text in texts):
        return Arg("**", glob=True) if all(not text.startswith(("/", "~", "..")) for text in folders) else None
    names = [texts[at + 1] for at, text in enumerate(texts[:-1]) if text in ("-name", "-iname")]
    if len(names) == 1 and (folder.startswith("/") or "/." in f"/{folder}".removesuffix("/.")):
        # Outside of the project it matters that it looks into all folders.
        return Arg(f"{folder}/**/{names[0]}", glob=True)
    return Arg(f"{folder}/{names[0]}" if len(names) == 1 else f"{folder}/**", glob=True)


def _below(texts: list[str]) -> Arg | None:
    """Of a search: names below the last operand, if that can be told from here."""
    operands = [text for text in texts if not text.startswith("-")]
    places = operands if "--files" in texts else operands[1:]
    if len(places) == 1:
        return Arg(f"{places[0].rstrip('/')}/**", glob=True)
    return Arg("**", glob=True) if not any(place.startswith(("/", "~", "..")) for place in places) else None


_ENVIRONMENT = Stream(None, "environment")
_SEARCHES = frozenset({"grep", "egrep", "fgrep", "rg", "ag"})


# Letters that stand in names of secrets, and in hardly any other.
_TELLING = re.compile(
    r"(?i)key|secret|pass|pwd|auth|cred|tok|private|^api$|_api|^(?:AWS|OPENAI|ANTHROPIC|STRIPE|GITHUB|DATABASE)_?$"
)
_NAMES_ALONE = re.compile(r"s(.)=\.\*\1\1g?|\{\s*print\s+\$1;?\s*\}")
_SHOW_ALL = frozenset({"export", "declare", "typeset", "readonly"})


def shows_variables(name: str, texts: list[str]) -> bool:
    """Whether a word of the shell prints every variable: without names, these do."""
    if name == "set":
        return not texts
    if name not in _SHOW_ALL:
        return False
    flags = set("".join(texts)) if all(text.startswith("-") for text in texts) else set("f")
    return not flags & set("fFaAnil+")


def of_environment(name: str, texts: list[str], effects: list[Effect]) -> Stream:
    """What is left of all variables behind a command."""
    if name == "wc" or (name == "cut" and {"-d=", "-f1"} <= set(texts)):
        return UNKNOWN
    if name in ("sed", "awk", "gawk") and any(_NAMES_ALONE.fullmatch(text) for text in texts):
        # Only the names are left.
        return UNKNOWN if name == "sed" or "-F=" in texts else _ENVIRONMENT
    if name not in _SEARCHES:
        return _ENVIRONMENT
    if any(text in ("-c", "-q", "--count", "--quiet") for text in texts):
        return UNKNOWN
    sought = [text for text in texts if not text.startswith("-")]
    names = [part for text in sought for part in _NAMES.findall(text)]
    if any(variables.is_secret(part) or _TELLING.search(part) for part in names):
        effects.append(danger("secret", "It looks for secrets among the variables."))
    is_inverse = any(text.startswith("-") and "v" in text for text in texts)
    is_plain = len(sought) == 1 and _SOUGHT.fullmatch(sought[0]) is not None
    return UNKNOWN if is_plain and not is_inverse else _ENVIRONMENT
