"""Find the secrets in a text, and put marks in their place."""

import re
from collections.abc import Callable, Mapping, Sequence

from assent.expressions import later
from assent.redact import addresses, named
from assent.redact.vendors import ALONE, LONG_RUN, PREFIXED, WEBHOOKS, Form, Hints

_QUOTED = r"""\\?["']?"""
_WORD = r"""[^\s"'`⟨⟩\\]{1,512}"""

_PRIVATE_KEY = Form(
    "private-key",
    ("key",),
    later(
        r"-----BEGIN[A-Z0-9 ]{0,30} PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?!-----END)[A-Za-z0-9+/=\s\\,:.()\-]){0,20000}(?:-----END[A-Z0-9 ]{0,40}-----)?"
    ),
)

_HEADERS = (
    Form(
        "authorization",
        ("auth",),
        later(
            rf"(?i:authorization){_QUOTED}\s{{0,3}}[:=,]\s{{0,3}}{_QUOTED}(?:[A-Za-z][A-Za-z0-9-]{{1,24}}\s{{1,3}})?"
            r"""((?!(?i:bearer|basic|token)\b)(?=[^\s"'`]{0,80}[0-9=]|[^\s"'`]{20})[^\s"'`⟨⟩\\]{6,2048})"""
        ),
        may_be_reference=True,
    ),
    Form(
        "authorization",
        ("bearer",),
        later(r"(?<![A-Za-z])(?i:bearer) {1,3}((?=[^\s]{0,80}\d)[A-Za-z0-9_.~+/=-]{12,2048})"),
        may_be_reference=True,
    ),
    Form(
        "cookie",
        ("cookie",),
        later(
            rf"(?i:cookie){_QUOTED}(?:\s{{0,3}}[:=,]\s{{0,3}}|[ ]{{1,3}}){_QUOTED}"
            r"""([A-Za-z0-9_.-]{1,80}=(?![$<{])[^\s"'`;⟨⟩\\]{4,2048}(?:; ?[^\s"'`;⟨⟩\\]{1,2048}){0,40})"""
        ),
    ),
    Form(
        "cookie",
        ("curl",),
        later(
            r"""curl [^|;&\n]{0,300}?(?<= )-b ?\\?["']?"""
            r"""([A-Za-z0-9_.-]{1,80}=(?![$<{])[^\s"'`;⟨⟩\\]{4,2048}(?:; ?[^\s"'`;⟨⟩\\]{1,2048}){0,40})"""
        ),
    ),
)

# A short option is a password only behind the tool that says so.
_REACH = r"[^|;&\n]{0,200}?"


def _option(words: str, tools: str, option: str, *, may_be_reference: bool = True) -> Form:
    """The value of an option of some tools."""
    pattern = later(rf"""\b(?:{tools}) {_REACH}(?<= )(?:{option})\\?["']?({_WORD})""")
    return Form("password", (), pattern, may_be_reference, tuple(words.split()))


def _words(hints: str, pattern: str, kind: str = "password", *, may_be_reference: bool = True) -> Form:
    """Hints are substrings; behind an @ they are whole words."""
    if hints.startswith("@"):
        return Form(kind, (), later(pattern), may_be_reference, tuple(hints[1:].split()))
    return Form(kind, (hints,), later(pattern), may_be_reference)


_QUOTE = r"""\\?["']?"""
_PRINTED = rf"""\b(?:echo|printf)(?: -[neE]{{1,3}})?(?: {_QUOTE}%s(?:\\n)?{_QUOTE})? {_QUOTE}"""
_OPTIONS = (
    _option(
        "mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlsh mysqlpump mariadb",
        r"(?:mysql|mariadb)[a-z-]{0,12}",
        "-p",
    ),
    _option("sshpass", "sshpass", "-p ?"),
    _option("redis valkey", "redis-cli|valkey-cli", "-a |--pass "),
    _option(
        "login", r"(?:docker|podman|nerdctl|helm registry|buildah|skopeo|crane auth|oras|az|oc|cf|aws) login", "-p "
    ),
    _option("mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat", "mongo[a-z]{0,7}", "-p "),
    _option("twine cqlsh", "twine upload|cqlsh", "-p "),
    _option("sqlcmd bcp osql", "sqlcmd|bcp|osql", "-P ?"),
    _option(
        "ldapsearch ldapmodify ldapadd ldapdelete ldappasswd ldapwhoami ldapcompare ldapmodrdn",
        "ldap[a-z]{3,10}",
        "-w ?",
    ),
    _option("smbclient rpcclient", "smbclient|rpcclient", "-U ?[^\\s%\"']{1,80}%"),
    _option("lftp ncftp ncftpput ncftpget", "lftp|ncftp[a-z]{0,4}", "-u ?[^\\s,\"']{1,80},"),
    _option("keygen", "ssh-keygen", "-[NP] ?"),
    _option("generic internet", "add-(?:generic|internet)-password", "-w "),
    _option("secret secrets variable", r"gh secret set|gh variable set|gh secrets set", "-b |--body[ =]"),
    _option("parameter", "put-parameter", "--value[ =]"),
    _option("secret secrets variable", "secret set|secrets create|secret create", "--value[ =]"),
    _option("freerdp xfreerdp wfreerdp xfreerdp3 rdesktop", r"[wx]?freerdp[0-9]?|rdesktop", "/p:|-p "),
    _option(
        "curl http https xh",
        r"curl|https?|xh",
        r"""(?:-u|--user|-a|--auth|--proxy-user|-U)[ =]?["']?[^\s"':/]{1,100}:""",
    ),
    _option("zip unzip", "(?:un)?zip", "-P ?"),
    _option("7z 7za 7zr rar unrar", r"7z[a-z]{0,2}|(?:un)?rar", "-h?p(?!=)"),
    _option("nmcli", "nmcli", "password "),
    _words(
        "pass",
        rf"""-(?:src|dest|new)?(?:store|key)pass(?:word)?[ =]{_QUOTE}({_WORD})""",
    ),
    _words("pass", rf"""\bhtpasswd -[a-zA-Z]{{0,4}}b[a-zA-Z]{{0,4}} \S{{1,200}} \S{{1,100}} {_QUOTE}({_WORD})"""),
    _words("pass", rf"""-pass(?:in|out)? {_QUOTE}pass:({_WORD})"""),
    _words(
        "@rabbitmqctl",
        rf"""\brabbitmqctl (?:add_user|change_password|authenticate_user) \S{{1,80}} {_QUOTE}({_WORD})""",
    ),
    _words(
        "@login auth authtoken",
        rf"""\b(?:cargo|vault|wandb|flyctl auth|railway|snyk|doppler|netlify|ngrok|ngrok config) """
        rf"""(?:login|auth|authtoken|add-authtoken) {_QUOTE}((?=[^\s"']{{0,80}}\d)[^\s"'`⟨⟩\\-]"""
        r"""[^\s"'`⟨⟩\\]{11,511})""",
        "token",
    ),
    # Settings by name and value: npm config set //host/:_authToken X, aws configure set aws_secret_access_key X.
    _words(
        "@config configure secret secrets",
        r"""\b(?:config|configure|secrets?)(?: (?:set|add|put|--?[a-z-]{1,20})){0,4} """
        r"""\\?["']?[^\s"'=]{0,120}(?i:token|passw\w{0,6}|secret|api_?key|access_key|_auth)[^\s"'=]{0,40}["']? """
        rf"""{_QUOTE}((?=[^\s"']{{0,80}}\d)(?![-/.~]){_WORD})""",
        "secret",
    ),
    _words("@sudo", rf"""{_PRINTED}({_WORD})["']? ?\| ?sudo -[a-zA-Z]{{0,6}}S"""),
    _words("@chpasswd", rf"""{_PRINTED}[\w.-]{{1,40}}:({_WORD}?)["']? ?\| ?(?:sudo )?chpasswd"""),
    _words("@chpasswd", rf"""chpasswd ?<<< ?{_QUOTE}[\w.-]{{1,40}}:({_WORD})"""),
    _words(
        "@stdin token secret secrets passwd cryptsetup env data",
        rf"""{_PRINTED}({_WORD}?)["']? ?\| ?(?:sudo )?[^|;&\n]{{1,120}}?"""
        r"""(?:--[a-z-]{0,20}stdin|--with-token|secrets? (?:put|set|create|add|versions)"""
        r"""|--data-file=-|luksOpen|luksFormat|env add)""",
    ),
    _words(
        "@stdin token sudo",
        rf"""(?:--password-stdin|--with-token|sudo -S)[^|;&\n<]{{0,100}}<<< ?{_QUOTE}({_WORD})""",
    ),
    _words("@identified", r"""(?i:identified by) \\?['"]([^'"⟨⟩\\]{1,256})""", may_be_reference=False),
    _words("pass", r"""(?i:\bpassword) \\?'([^'"\s⟨⟩\\]{1,256})\\?'""", may_be_reference=False),
    _words("@machine", rf"""\bmachine \S{{1,200}} login \S{{1,200}} password ({_WORD})""", may_be_reference=False),
    _option("az", "az", r"-u \S{1,80} -p "),
    _words("@bundle", rf"""\bbundle config (?:set )?(?:--[a-z]{{1,12}} ){{0,2}}\S{{1,120}} [\w.-]{{1,60}}:({_WORD})"""),
    _words("@secrets", rf"""\buser-secrets set {_QUOTE}\S{{1,120}} {_QUOTE}({_WORD})"""),
    _words("@bearer", rf"""--oauth2-bearer[ =]{_QUOTE}({_WORD})""", "token"),
    _words(
        "<<<",
        r"""(?i:secret|token|passw|login|auth)[^|;&\n<]{0,120}<<< ?["']?((?=[^\s"']{0,80}\d)[^\s"'`⟨⟩\\$(]{8,512})""",
    ),
    _words("pass", r"""(?i:set password)[^;=\n]{0,80}= ?(?i:password\()?'([^'\s⟨⟩]{1,256})'""", may_be_reference=False),
    _words("pass", r"""name=["'][\w.-]{0,60}(?i:password|passwd)["'] value=["']([^"'\s⟨⟩]{1,256})["']"""),
    _words("@pgpass", rf"""[\w.*-]{{1,100}}:(?:\d{{2,5}}|\*):[\w*-]{{1,60}}:[\w*.-]{{1,60}}:({_WORD})"""),
    _words("key", r"""client-key-data["']?: ?["']?([A-Za-z0-9+/=]{40,20000})""", "private-key"),
    _words("key", r"""(?i:PrivateKey|PresharedKey) ?= ?([A-Za-z0-9+/]{43}=)""", "private-key"),
    _words("@sqlplus", rf"""\bsqlplus (?:-[a-zA-Z] ){{0,3}}[\w.]{{1,60}}/({_WORD}?)@"""),
    _words("@lines", r"""Private-Lines: \d{1,3}\s{1,2}([A-Za-z0-9+/=\s]{40,8000}?)(?=Private-MAC|$)""", "private-key"),
)

OTHERS = (*WEBHOOKS, _PRIVATE_KEY, *_HEADERS, *_OPTIONS)


Fingerprint = Callable[[bytes], str]
Span = tuple[int, int, str]

SHORTEST = 8
FINGERPRINT = 8
MARK = re.compile(r"⟨[a-z_]+:([0-9a-f]{8})⟩")
# A secret may begin before a cut and end after it: look this much further.
BEYOND = 4_096


def _by_hint(forms: Sequence[Form], names: Sequence[str] = ()) -> tuple[tuple[str, tuple[Form, ...]], ...]:
    hints = dict.fromkeys([*names, *(hint for form in forms for hint in form.hints)])
    return tuple((hint, tuple(form for form in forms if hint in form.hints)) for hint in hints)


def _by_word(forms: Sequence[Form]) -> dict[str, list[Form]]:
    words: dict[str, list[Form]] = {}
    for form in forms:
        for word in form.words:
            words.setdefault(word, []).append(form)
    return words


# Folders, modes and our own sentences come with every event: texts without a secret are known again. Never one with.
LONGEST_REMEMBERED = 300
MOST_REMEMBERED = 4_096
harmless: dict[str, None] = {}

_TOKENS = Hints((*PREFIXED, *ALONE))
_OTHERS = _by_hint(OTHERS, named.HINTS)
_ALNUM = re.compile(r"[a-z0-9]+")
_BY_WORD = _by_word(OTHERS)
_NAMES = frozenset(named.HINTS)


def redacted(
    text: str,
    fingerprint: Fingerprint,
    extra: Sequence[re.Pattern[str]] = (),
    longest: int | None = None,
    *,
    hidable: Callable[[str, list[Span]], list[Span]] | None = None,
) -> str:
    """The text with a mark for each secret; of a text longer than ``longest`` only the beginning. Where a person
    decides on it, ``hidable`` picks what of the secrets a mark may hide."""
    if len(text) < SHORTEST and not extra:
        return text
    window = text if longest is None or len(text) <= longest else text[: longest + BEYOND]
    spans = _found(window)
    for pattern in extra:
        spans += [(m.start(), m.end(), "extra") for m in pattern.finditer(window) if m.end() > m.start()]
    if not spans:
        return text if window is text else text[:longest]
    merged = _merged(spans)
    if hidable is not None:
        merged = hidable(window, merged)
    return _marked(window, merged, fingerprint, len(window) if longest is None else longest)


def mark(kind: str, secret: str, fingerprint: Fingerprint) -> str:
    """Equal secrets have equal marks."""
    return f"⟨{kind}:{fingerprint(secret.encode('utf-8', 'surrogatepass'))[:FINGERPRINT]}⟩"


def unmarked(text: str, by_mark: Mapping[str, str]) -> str:
    """The text with what each known mark stands for."""
    return MARK.sub(lambda match: by_mark.get(match[1], match[0]), text)


def _found(text: str) -> list[Span]:
    if text in harmless:
        return []
    spans = _searched(text)
    if not spans and len(text) <= LONGEST_REMEMBERED:
        if len(harmless) >= MOST_REMEMBERED:
            harmless.clear()
        harmless[text] = None
    return spans


def secrets(text: str, *, is_strict: bool = False) -> list[Span]:
    """Where secrets stand, sorted, no two of them overlapping; if strict, without those told only by a sentence."""
    return _merged(_searched(text, is_strict=is_strict))


def _searched(text: str, *, is_strict: bool = False) -> list[Span]:
    """In the order of the tables: where two kinds begin together, the earlier one names the mark."""
    low = text.lower()
    hinted = [rule for rule in _OTHERS if rule[0] in low]
    forms = [form for _, group in hinted for form in group]
    for word in _BY_WORD.keys() & set(_ALNUM.findall(low)):
        forms += _BY_WORD[word]
    if LONG_RUN.search(text):
        forms = [*_TOKENS.likely(low), *forms]
    has_addresses = "://" in low
    if not hinted and not forms and "@" not in text and not has_addresses:
        return []
    spans: list[Span] = []
    for form in forms:
        group = 1 if form.pattern.groups else 0
        spans += [
            (match.start(group), match.end(group), form.kind)
            for match in form.pattern.finditer(text)
            if not (form.may_be_reference and named.is_reference(match[group]))
        ]
    if has_addresses:
        spans.extend(addresses.found(text))
    if "@" in text:
        spans.extend(addresses.loose(text))
    if hinted and not _NAMES.isdisjoint(hint for hint, _ in hinted):
        spans.extend(named.found(text, addresses.spans_of(text) if has_addresses else (), is_strict=is_strict))
    return spans


def _merged(spans: list[Span]) -> list[Span]:
    """Sorted, and no two of them overlapping."""
    merged: list[Span] = []
    for start, end, kind in sorted(spans, key=lambda span: span[0]):
        if merged and start < merged[-1][1]:
            first, until, first_kind = merged[-1]
            merged[-1] = (first, max(until, end), first_kind)
        else:
            merged.append((start, end, kind))
    return merged


def _marked(text: str, spans: list[Span], fingerprint: Fingerprint, longest: int) -> str:
    pieces: list[str] = []
    at = 0
    for start, end, kind in spans:
        if start >= longest:
            break
        pieces += (text[at:start], mark(kind, text[start:end], fingerprint))
        at = end
    pieces.append(text[at:longest])
    return "".join(pieces)
