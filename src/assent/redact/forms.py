"""Secrets that are known by what stands around them: private keys, headers, options of tools.

Each form has hints: substrings of the lower-cased text without which it cannot match. Group 1, where there is one, is
the secret; otherwise all of the match. Quantifiers are bounded, and no form can match the same text in two ways, so
that time stays linear whatever an agent sends.
"""

import re

from assent.redact.vendors import Form

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

_SCHEMES = r"(?:bearer|basic|token|digest|negotiate|apikey|api-key|bot|key|aws4-hmac-sha256)"
_HEADERS = (
    Form(
        "authorization",
        ("auth",),
        re.compile(
            rf"(?i:authorization){_QUOTED}\s{{0,3}}[:=,]\s{{0,3}}{_QUOTED}(?i:{_SCHEMES}\s{{1,3}})?"
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
_OPTIONS = (
    Form(
        "password",
        ("mysql", "mariadb"),
        re.compile(rf"""\b(?:mysql|mariadb)[a-z-]{{0,12}} {_REACH}(?<= )-p["']?([^\s"'`⟨⟩]{{1,200}})"""),
        may_be_reference=True,
    ),
    Form(
        "password",
        ("pass",),
        re.compile(rf"""\bsshpass {_REACH}-p ?["']?({_WORD})"""),
        may_be_reference=True,
    ),
    Form(
        "password",
        ("redis-cli",),
        re.compile(rf"""\bredis-cli {_REACH}(?<= )-a ["']?({_WORD})"""),
        may_be_reference=True,
    ),
    Form(
        "password",
        (" login ",),
        re.compile(rf"""\b(?:docker|podman|helm registry|az|oc) login {_REACH}(?<= )-p ["']?({_WORD})"""),
        may_be_reference=True,
    ),
    Form(
        "password",
        ("mongo",),
        re.compile(rf"""\bmongo[a-z]{{0,7}} {_REACH}(?<= )-p ["']?({_WORD})"""),
        may_be_reference=True,
    ),
    Form(
        "password",
        ("curl", "http "),
        re.compile(
            r"\b(?:curl|https?) "
            rf"""{_REACH}(?<= )(?:-u|--user|-a|--auth|--proxy-user)[ =]?["']?[^\s"':/]{{1,100}}:({_WORD})"""
        ),
        may_be_reference=True,
    ),
    Form(
        "password",
        ("zip", "7z"),
        re.compile(rf"""\b(?:(?:un)?zip {_REACH}(?<= )-P ?|7z {_REACH}(?<= )-p)["']?({_WORD})"""),
        may_be_reference=True,
    ),
    Form(
        "password",
        ("pass",),
        re.compile(rf"""\bhtpasswd -[a-zA-Z]{{0,4}}b[a-zA-Z]{{0,4}} \S{{1,200}} \S{{1,100}} ["']?({_WORD})"""),
    ),
    Form("password", ("pass",), re.compile(rf"""-pass(?:in|out)? ["']?pass:({_WORD})"""), may_be_reference=True),
    Form(
        "password",
        ("sudo -",),
        re.compile(rf"""\becho (?:-n )?["']?({_WORD})["']? ?\| ?sudo -[a-zA-Z]{{0,6}}S"""),
        may_be_reference=True,
    ),
    Form("password", ("identified by",), re.compile(r"""(?i:identified by) \\?['"]([^'"⟨⟩\\]{1,256})""")),
    Form("password", ("pass",), re.compile(r"""(?i:\bpassword) \\?'([^'"\s⟨⟩\\]{1,256})\\?'""")),
    Form("password", ("pass",), re.compile(rf"""\bmachine \S{{1,200}} login \S{{1,200}} password ({_WORD})""")),
)

OTHERS = (_PRIVATE_KEY, *_HEADERS, *_OPTIONS)
