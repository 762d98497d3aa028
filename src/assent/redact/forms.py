"""Secrets that are known by what stands around them: private keys, headers, options of tools.

Each form has hints: substrings of the lower-cased text without which it cannot match. Group 1, where there is one, is
the secret; otherwise all of the match. Quantifiers are bounded, and no form can match the same text in two ways, so
that time stays linear whatever an agent sends.
"""

import re

from assent.redact.vendors import WEBHOOKS, Form

_QUOTED = r"""\\?["']?"""
_WORD = r"""[^\s"'`⟨⟩\\]{1,512}"""

_PRIVATE_KEY = Form(
    "private-key",
    ("key",),
    re.compile(
        r"-----BEGIN[A-Z0-9 ]{0,30} PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?!-----END)[A-Za-z0-9+/=\s\\,:.()\-]){0,20000}(?:-----END[A-Z0-9 ]{0,40}-----)?"
    ),
)

_HEADERS = (
    Form(
        "authorization",
        ("auth",),
        re.compile(
            rf"(?i:authorization){_QUOTED}\s{{0,3}}[:=,]\s{{0,3}}{_QUOTED}(?:[A-Za-z][A-Za-z0-9-]{{1,24}}\s{{1,3}})?"
            r"""((?!(?i:bearer|basic|token)\b)(?=[^\s"'`]{0,80}[0-9=]|[^\s"'`]{20})[^\s"'`⟨⟩\\]{6,2048})"""
        ),
        may_be_reference=True,
    ),
    Form(
        "authorization",
        ("bearer",),
        re.compile(r"(?<![A-Za-z])(?i:bearer) {1,3}((?=[^\s]{0,80}\d)[A-Za-z0-9_.~+/=-]{12,2048})"),
        may_be_reference=True,
    ),
    Form(
        "cookie",
        ("cookie",),
        re.compile(
            rf"(?i:cookie){_QUOTED}(?:\s{{0,3}}[:=,]\s{{0,3}}|[ ]{{1,3}}){_QUOTED}"
            r"""([A-Za-z0-9_.-]{1,80}=(?![$<{])[^\s"'`;⟨⟩\\]{4,2048}(?:; ?[^\s"'`;⟨⟩\\]{1,2048}){0,40})"""
        ),
    ),
    Form(
        "cookie",
        ("curl",),
        re.compile(
            r"""curl [^|;&\n]{0,300}?(?<= )-b ?\\?["']?"""
            r"""([A-Za-z0-9_.-]{1,80}=(?![$<{])[^\s"'`;⟨⟩\\]{4,2048}(?:; ?[^\s"'`;⟨⟩\\]{1,2048}){0,40})"""
        ),
    ),
)

# A short option is a password only behind the tool that says so.
_REACH = r"[^|;&\n]{0,200}?"


def _option(words: str, tools: str, option: str, *, may_be_reference: bool = True) -> Form:
    """The value of an option of some tools."""
    pattern = re.compile(rf"""\b(?:{tools}) {_REACH}(?<= )(?:{option})\\?["']?({_WORD})""")
    return Form("password", (), pattern, may_be_reference, tuple(words.split()))


def _words(hints: str, pattern: str, kind: str = "password", *, may_be_reference: bool = True) -> Form:
    """Hints are substrings; behind an @ they are whole words."""
    if hints.startswith("@"):
        return Form(kind, (), re.compile(pattern), may_be_reference, tuple(hints[1:].split()))
    return Form(kind, (hints,), re.compile(pattern), may_be_reference)


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
