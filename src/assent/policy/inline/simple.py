"""Whether a program in another language is one of the few shapes that surely only calculate and print."""

import re

from assent.policy.inline.languages import Language

LONGEST = 2_000


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')
_WORD = re.compile(r"[A-Za-z_$@%][\w:]*\??")

# --- Perl: substitutions, or lines chosen by a pattern. Between the marks is text as long as it holds no code.
_PERL_TEXT = r"(?:[^/\\{}@`$]|\\.|\$(?=/|$)|\$\d|\{\d*,?\d*\})*"
_PERL_ONE = (
    rf"(?:s/{_PERL_TEXT}/{_PERL_TEXT}/[gimsx]*|(?:tr|y)/{_PERL_TEXT}/{_PERL_TEXT}/[cdsr]*"
    r"|print(?:\s*\$_)?|chomp|next|last)"
)
_PERL_WHEN = rf"(?:\s*(?:if|unless)\s*(?:!?\s*m?/{_PERL_TEXT}/[imsx]*|\$\.\s*[<>=!]=?\s*\d+|eof))?"
_PERL = re.compile(rf"\s*(?:{_PERL_ONE}{_PERL_WHEN}\s*(?:;\s*|$))*")

# --- JavaScript: only these names stand free, and nothing is looked up that is put together first.
_JS_GLOBALS = _set(
    "console JSON Object Array Math Number String Boolean Date parseInt parseFloat Map Set RegExp const let"
    " var for of in"
    " if else return function new typeof true false null undefined NaN Infinity require process encodeURIComponent"
    " decodeURIComponent Buffer Intl BigInt isNaN isFinite structuredClone async await while break continue this"
)
_JS_PROCESS = re.compile(
    r"\bprocess\b(?!\.(?:version|versions|platform|arch|cwd|argv|uptime|memoryUsage|release|pid|stdout)\b)"
)
_JS_REQUIRE = re.compile(
    r"\brequire\b(?!\(\s*(['\"])(?:\.{1,2}/[\w./-]+\.json|(?:node:)?(?:path|url|util|os|querystring|assert|fs))\1\s*\))"
)
_JS_JSON = re.compile(r"\brequire\(\s*['\"](\.{1,2}/[\w./-]+\.json)['\"]")
_JS_DECLARED = re.compile(
    r"(?:const|let|var)\s+([\w$]+)|([\w$]+)\s*=>|\(([\w$,\s]*)\)\s*=>|function\s*[\w$]*\s*\(([\w$,\s]*)\)"
    r"|(?:const|let|var)\s*[\[{]([\w$,\s:]*)[\]}]"
)
_JS_FORBIDDEN = re.compile(
    r"`|\bconstructor\b|__proto__|\bprototype\b|\bcall\b|\bapply\b|\bbind\b|\)\s*\(|\]\s*\(|\\u|\\x|\bdelete\b"
    # What is looked up by a name that is put together could be anything.
    r"|[\w$\])]\s*\[\s*[^\d'\"\]]"
)
_JS_FILE_METHODS = _set(
    "readFileSync existsSync readdirSync statSync toString split trim map filter forEach join parse stringify log keys"
    " values entries slice sort includes startsWith endsWith match replace reduce some every find push test require"
    " isDirectory isFile error"
)


def is_simple(language: str, text: str, known: Language) -> bool:
    if len(text) > LONGEST:
        return False
    if language == "perl":
        return _PERL.fullmatch(text) is not None
    if language == "javascript":
        return _is_simple_javascript(text)
    if not known.harmless or any(mark in text for mark in ("`", "#{", "${", "$(", "%x", "<<", "@", "{$")):
        return False
    bare = _STRING.sub('""', text)
    return set(_WORD.findall(bare)) <= set(known.harmless.split())


def read_as_data(text: str) -> list[str]:
    """The files a JavaScript program loads as data."""
    return _JS_JSON.findall(text)


def _is_simple_javascript(text: str) -> bool:
    if _JS_FORBIDDEN.search(text) or _JS_PROCESS.search(text) or _JS_REQUIRE.search(text):
        return False
    bare = _STRING.sub('""', text)
    declared: set[str] = set()
    for found in _JS_DECLARED.findall(bare):
        declared |= {name.strip() for group in found for name in re.split(r"[,:\s]+", group)}
    free = set(re.findall(r"(?<![\w$.])[A-Za-z_$][\w$]*(?!\s*:(?!:))", bare))
    if not free <= _JS_GLOBALS | declared:
        return False
    if re.search(r"['\"](?:node:)?fs['\"]", text):
        return set(re.findall(r"\.([A-Za-z_$][\w$]*)\s*\(", bare)) <= _JS_FILE_METHODS
    return True
