"""Texts that stand in programs of other languages: literals, and the arguments of calls made of them."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from assent.policy import sensitive
from assent.policy.shell.words import HOLE

LONGEST = 20_000
# Where a program gets any number of names from.
_FINDS = re.compile(
    r"\b(?:i?glob|rglob|globSync|globby|fast-glob|listdir|scandir|iterdir|os\.walk|walk|fwalk|readdir(?:Sync)?|opendir"
    r"|File::Find|find_each|ls-files|Dir\.(?:each_child|children|entries|glob)|Dir\s*\[|RecursiveDirectoryIterator"
    r"|list\.files|argv|Path\.walk)"
)
_READS = re.compile(
    r"\.read(?:_text|_bytes|lines|line)?\s*\(|\bread(?:File|FileSync|lines|Lines|TextFile\w*)\s*\(|\b(?:File|IO)\.(?:read|readlines|foreach)"
    r"|file_get_contents|\bfile\s*\(|json\.load|yaml\.\w*load|tomllib|<\$?\w+>|\bopen\(\s*[\w.]+\s*\)|['\"]r[b+]?['\"]"
    r"|fileinput|shutil|copyFile|\.sub\(|\.replace\("
)
# What goes through the names: the variable of a loop, of a comprehension, of a function that is called for each.
_EACH = re.compile(
    r"\bfor(?:each)?\s*\(?\s*(?:my\s+|const\s+|let\s+|var\s+)?([\w$,\s()]+?)\s+(?:in|of|as)\b|\bforeach\s*\(.{0,200}?\bas\s+(\$\w+)"
    r"|\(?\s*([\w$]+)\s*\)?\s*=>|function\s*\w*\s*\(\s*([\w$]+)|\|\s*(\w+)\s*\||\b(\$_)\b|\blambda\s+(\w+)|\bforeach\s+(?:my\s+)?(\$\w+)"
    r"|\bfor\s+(?:my\s+)?(\$\w+)"
)
_WRITES = re.compile(
    r"\bopen\s*\((?P<opened>[^'\"]*(?:(?:f?['\"][^'\"]*['\"])[^'\",]*)*?),\s*(?:mode\s*=\s*)?['\"]w[^'\"]*['\"]"
    r"|(?<![\w.$)])(?P<method>(?!os\b)[\w$]+|\([^()]*\))\.(?:write_text|write_bytes|truncate)\s*\("
    r"|\b(?:writeFile|writeFileSync|truncate|truncateSync|createWriteStream|File\.write|IO\.write|File\.truncate"
    r"|file_put_contents|os\.truncate)\s*\(?\s*(?P<first>[^,)]+)"
    r"|\bFile\.open\s*\(?\s*(?P<ruby>[^,]+),\s*['\"]w"
    r"|\bopen\b[^;]{0,40},\s*['\"]\+?>['\"]\s*,\s*(?P<perl>[^;)]+)"
)
_NAME = re.compile(r"[$\w]+")


def overwrites_many(text: str) -> bool:
    """Whether it writes over names that it goes through, and reads none of them before."""
    if len(text) > LONGEST or _FINDS.search(text) is None or _READS.search(text) is not None:
        return False
    each = {
        name for match in _EACH.finditer(text) for group in match.groups() if group for name in _NAME.findall(group)
    }
    for written in _WRITES.finditer(text):
        path = next((group for group in written.groups() if group), "")
        names = _NAME.findall(path)
        # ``f + ".out"`` is another file.
        if names and names[-1] in each and path.rstrip(" )}'\"`").endswith(names[-1]):
            return True
    return False


MOST = 30
LONGEST_NAME = 200

LITERAL = re.compile(r"""\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\$]|\\.)*)`)\s*""")
# Also those with values in them, and the quotes of Perl and Ruby: ``q(…)``, ``%w[…]``.
_ANY = re.compile(
    r"""(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`|(?:%[qQwWiI]?|\bq[qw]?\s*)([\[({<|!/][^\])}>|!/]*)[\])}>|!/])"""
)
_VALUE = re.compile(r"[#$]\{[^{}]*\}")
_NEXT = re.compile(r"\s*,[\s\[]*")
_JOINS = re.compile(r"[\s+.\[\]]+")
_OTHER = re.compile(r"[^\s+.,;)\"'`\n]+")
_BARE = re.compile(r"[^\s\"'`;|&(){},=]+")


class Called(NamedTuple):
    """A call: the function, the texts it is given (holes where something else stands), and where it stands."""

    function: str
    arguments: list[str]
    start: int
    end: int
    # What it is given first is a list, which may be put together before it is used.
    is_list: bool = False


@lru_cache(maxsize=128)
def calls_of(functions: str) -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in functions.split())
    # Not part of another word, and followed by something it is given.
    return re.compile(rf"(?<![\w$%@-])({names})(?![\w?=:-])\s*(?=[\s(\"'`\[{{$@<]|q\W)\(?")


def called(functions: str, text: str) -> Iterator[Called]:
    """Every call of these functions. What stands behind the first argument that is no text is not looked at."""
    for call in list(calls_of(functions).finditer(text))[:MOST] if functions else ():
        place, words, word, ended = call.end(), [], "", -1
        while place < len(text):
            if match := LITERAL.match(text, place):
                if place == ended:
                    # Texts side by side are words in languages that part them by blanks.
                    words.append(word)
                    word = ""
                ended = match.end()
                word += unescaped(next(group for group in match.groups() if group is not None))
            elif match := _NEXT.match(text, place):
                words.append(word)
                word = ""
                if not LITERAL.match(text, match.end()):
                    break
            elif match := _JOINS.match(text, place):
                pass
            elif match := _OTHER.match(text, place):
                word += HOLE
            else:
                break
            place = match.end()
        is_list = text[call.end() :][:20].lstrip().startswith("[")
        yield Called(call[1], [*words, word] if word else words, call.start(), place, is_list)


def texts(text: str) -> Iterator[tuple[str, int]]:
    """Every literal of a program with holes for the values in it, and where it stands; lists of words one by one."""
    for match in list(_ANY.finditer(text))[: MOST * 10]:
        group = next(place for place in range(1, 5) if match[place] is not None)
        literal = _VALUE.sub(HOLE, unescaped(match[group] if group < 4 else match[group][1:]))
        for each in literal.split() if group == 4 else (literal,):
            yield each, match.start()


def names(text: str, *, bare: bool = False) -> Iterator[tuple[str, int]]:
    """Texts in the program that may be names of files, and where they stand; bare words where the language has them."""
    for name, start in texts(text):
        if 1 < len(name) < LONGEST_NAME and ("/" in name or not re.search(r"\s", name)):
            yield name, start
    for match in list(_BARE.finditer(text))[: MOST * 10] if bare else ():
        if 1 < len(match[0]) < LONGEST_NAME:
            yield match[0], match.start()


def secrets(text: str, *, bare: bool = False) -> Iterator[tuple[str, int]]:
    """Those of the names that secrets go by."""
    for name, start in names(text, bare=bare):
        if sensitive.is_secret(name.replace(HOLE, "x")):
            yield name, start


def unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    return _ESCAPE.sub(_character, text)


_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u\{?([0-9A-Fa-f]{2,5})\}?|(.))", re.DOTALL)


def _character(match: re.Match[str]) -> str:
    if number := match[1] or match[2]:
        return chr(int(number, 16))
    return {"n": "\n", "t": "\t"}.get(match[3], match[3])
