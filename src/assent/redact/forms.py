"""Secrets that are known by their form: tokens with a prefix, private keys, headers, addresses, options of tools.

Each form has hints: substrings of the lower-cased text without which it cannot match. Group 1, where there is one, is
the secret; otherwise all of the match. Quantifiers are bounded, and no form can match the same text in two ways, so
that time stays linear whatever an agent sends.
"""

import re
from typing import NamedTuple


class Form(NamedTuple):
    kind: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    # Whether a placeholder or a variable in this place is to be kept.
    may_be_reference: bool = False


def _token(hint: str, pattern: str, kind: str = "token") -> Form:
    return Form(kind, (hint,), re.compile(rf"(?<![A-Za-z0-9]){pattern}"))


_QUOTED = r"""\\?["']?"""
_WORD = r"""[^\s"'`⟨⟩\\]{1,512}"""

# All of these hold a long run of letters and digits, which most texts do not.
LONG_RUN = re.compile(r"[A-Za-z0-9_-]{16}")
PREFIXED = (
    _token("gh", r"gh[pousr]_[A-Za-z0-9]{20,255}"),
    _token("github_pat_", r"github_pat_[A-Za-z0-9_]{22,255}"),
    _token("gl", r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt)-[A-Za-z0-9_.-]{16,300}"),
    _token("glsa_", r"glsa_[A-Za-z0-9_]{20,100}"),
    _token("xox", r"xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{12,250}"),
    _token("xapp-", r"xapp-[A-Za-z0-9-]{12,250}"),
    _token("akia", r"AKIA[A-Z0-9]{16}(?![A-Za-z0-9])"),
    _token("asia", r"ASIA[A-Z0-9]{16}(?![A-Za-z0-9])"),
    _token("aiza", r"AIza[A-Za-z0-9_-]{30,45}"),
    _token("ya29.", r"ya29\.[A-Za-z0-9_.-]{20,500}"),
    _token("gocspx-", r"GOCSPX-[A-Za-z0-9_-]{20,60}"),
    _token("_live_", r"[sr]k_live_[A-Za-z0-9]{10,250}"),
    _token("_test_", r"[sr]k_test_[A-Za-z0-9]{10,250}"),
    _token("whsec_", r"whsec_[A-Za-z0-9+/=]{20,100}"),
    _token("sk-", r"sk-[A-Za-z0-9_-]{20,250}"),
    _token("npm_", r"npm_[A-Za-z0-9]{30,60}"),
    _token("pypi-", r"pypi-[A-Za-z0-9_-]{32,500}"),
    _token("hf_", r"hf_[A-Za-z0-9]{30,60}"),
    _token("dop_v1_", r"dop_v1_[a-f0-9]{40,80}"),
    _token("shp", r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}"),
    _token("sg.", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,60}"),
    _token("hvs.", r"hvs\.[A-Za-z0-9_-]{20,250}"),
    _token("lin_api_", r"lin_api_[A-Za-z0-9]{30,60}"),
    _token("ntn_", r"ntn_[A-Za-z0-9]{40,60}"),
    _token("dapi", r"dapi[a-f0-9]{32}(?:-\d)?"),
    _token("figd_", r"figd_[A-Za-z0-9_-]{30,60}"),
    _token("sntry", r"sntry[su]_[A-Za-z0-9_+/=-]{30,300}"),
    _token("sbp_", r"sbp_[a-f0-9]{40}"),
    _token("eyj", r"eyJ[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{4,8192}(?:\.[A-Za-z0-9_-]{0,1024})?"),
    _token(":aa", r"(?<!\d)(?:bot)?(\d{8,10}:AA[A-Za-z0-9_-]{33})"),
    _token("bot", r"bot(\d{8,10}:AA[A-Za-z0-9_-]{33})"),
    _token("hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{20,200})"),
    _token("/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/(\d{5,25}/[A-Za-z0-9_-]{20,120})"),
    _token("age-secret-key-", r"(?i:age-secret-key-1[a-z0-9]{20,80})", "private-key"),
)

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
