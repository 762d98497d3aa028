"""Forms of tokens and keys, as their vendors publish them: a prefix, an alphabet, a length.

Each has a hint: a substring of the lower-cased text without which it cannot match. Nearly all are a short word with a
sign behind it (``ghp_``), which one look at the text finds for all forms together. Lengths are a little wider than
published, because vendors change them."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from assent.expressions import later


class Form(NamedTuple):
    kind: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    # Whether a placeholder or a variable in this place is to be kept.
    may_be_reference: bool = False
    # Whole words, one of which the lower-cased text must hold; in place of hints.
    words: tuple[str, ...] = ()


class Hints:
    """Which of many forms may be in a text, told by one look at its words."""

    # A word and a sign, as in ghp_: the hints of nearly all forms. Each sign of a text is looked at once.
    _HINT = re.compile(r"[a-z0-9]+[_.-]")
    _WORD = re.compile(r"[a-z0-9]+[_.-]?")

    def __init__(self, forms: Sequence[Form]) -> None:
        self._forms = forms
        self._words: dict[str, list[int]] = {}
        self._others: dict[str, list[int]] = {}
        for number, form in enumerate(forms):
            for hint in form.hints:
                (self._words if self._HINT.fullmatch(hint) else self._others).setdefault(hint, []).append(number)

    def likely(self, low: str) -> list[Form]:
        """The forms that may be in a text, which is given in lower case, in the order of their table."""
        numbers = {number for hint, group in self._others.items() if hint in low for number in group}
        for word in set(self._WORD.findall(low)):
            # The word may begin behind an escape: \\n, %20.
            for at in (0, 1, 2):
                numbers.update(self._words.get(word[at:], ()))
        return [self._forms[number] for number in sorted(numbers)]


# Not inside a longer word; behind an escape in a string or an address it begins a new one.
_BEGIN = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))"
_ALONE = r"(?:(?<![A-Za-z0-9_+/.-])|(?<=__))"
_END = r"(?![A-Za-z0-9])"
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"


def _token(hint: str, pattern: str, kind: str = "token") -> Form:
    return Form(kind, tuple(hint.split()), later(_BEGIN + pattern))


def _exact(hint: str, pattern: str) -> Form:
    """A form so short of its own signs that it must stand alone."""
    return Form("token", tuple(hint.split()), later(f"{_ALONE}{pattern}{_END}"))


# All of these hold a run of letters and digits, which most texts do not.
LONG_RUN = re.compile(r"[A-Za-z0-9_-]{16}")

# Told by their beginning alone.
PREFIXED = (
    # Places for code
    _token("ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{20,255}"),
    _token("github_", r"github_pat_[A-Za-z0-9_]{22,255}"),
    _token(
        "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glagent- glimt- gloas- glffct- glwt- glrtr-",
        r"gl(?:pat|dt|rtr?|cbt|ptt|ft|soat|agent|imt|oas|ffct|wt)-[A-Za-z0-9_-]{16,300}(?:\.[A-Za-z0-9_]{1,10}){0,3}",
    ),
    _token("gr1348941", r"GR1348941[A-Za-z0-9_-]{18,30}"),
    _token("atatt3 atctt3", r"AT(?:ATT|CTT)3[A-Za-z0-9_=.-]{40,300}"),
    _token("atbb", r"ATBB[A-Za-z0-9]{24,64}"),
    _token("sgp_", r"sgp_(?:[A-Za-z0-9]{16}_)?[A-Za-z0-9]{40,64}"),
    _token("azdo", r"[A-Za-z0-9]{70,80}AZDO[A-Za-z0-9]{4,6}"),
    # Clouds
    _token("akia asia abia acca", r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    _token("iqojb3jpz2lu", r"IQoJb3JpZ2lu[A-Za-z0-9+/=_%-]{40,4000}"),
    _token("fwogzxivyxdz fqogzxivyxdz", r"F[wQ]oGZXIvYXdz[A-Za-z0-9+/=_%-]{40,4000}"),
    _token("absk", r"ABSKQmVkcm9ja0FQSUtleS[A-Za-z0-9+/=]{40,300}"),
    _token("bedrock-", r"bedrock-api-key-[A-Za-z0-9+/=]{40,4000}"),
    _token("aiza", r"AIza[A-Za-z0-9_-]{30,45}"),
    _token("aq.", r"AQ\.Ab[A-Za-z0-9_-]{40,100}"),
    _token("ya29.", r"ya29\.[A-Za-z0-9_.-]{20,500}"),
    _token("gocspx-", r"GOCSPX-[A-Za-z0-9_-]{20,60}"),
    _token("1//", r"1//0[A-Za-z0-9_-]{30,120}"),
    _token(":apa91b", r"AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{80,180}"),
    _token("q~", r"[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{30,36}"),
    _token("dop_ doo_ dor_", r"do[por]_v1_[a-f0-9]{40,80}"),
    _token("ltai", r"LTAI[A-Za-z0-9]{12,26}(?![A-Za-z0-9])"),
    _token("akid", r"AKID[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    _token("aqvn", r"AQVN[A-Za-z0-9_-]{34,40}"),
    _token("t1.", r"t1\.[A-Za-z0-9_-]{20,200}={0,2}\.[A-Za-z0-9_-]{80,90}={0,2}"),
    _token("y0_", r"y0_[A-Za-z0-9_-]{50,70}"),
    _token("hrku-", r"HRKU-[A-Za-z0-9_-]{36,80}"),
    _token("fo1_", r"fo1_[A-Za-z0-9_-]{40,60}"),
    _token("fm1r_ fm1a_ fm2_", r"fm(?:1[ar]|2)_[A-Za-z0-9+/=_-]{60,4000}"),
    _token("flyv1", r"FlyV1 fm[12][ar]?_[A-Za-z0-9+/=_,-]{60,8000}"),
    _token("nfp_ nfc_ nfo_ nfu_ nfb_", r"nf[pcoub]_[A-Za-z0-9]{34,50}"),
    _token("cfk_ cfut_ cfat_", r"cf(?:k|ut|at)_[A-Za-z0-9_-]{40,64}"),
    _token("v1.", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{100,160}"),
    _token("rnd_", r"rnd_[A-Za-z0-9]{24,48}(?![A-Za-z0-9])"),
    _token("vercel_", r"vercel_[a-z_]{0,20}[A-Za-z0-9_]{24,80}"),
    _token("vck_ vcp_ vci_ vca_ vcr_", r"vc[kpiar]_[A-Za-z0-9]{40,70}"),
    _token("tk-", r"tk-us-[A-Za-z0-9_-]{40,60}"),
    _token("sha256~", r"sha256~[A-Za-z0-9_-]{40,46}"),
    _token("scw", r"SCW[A-Z0-9]{17}(?![A-Za-z0-9])"),
    _token("ocid1.", r"ocid1\.credential\.[A-Za-z0-9._-]{40,200}"),
    # Builds, packages, infrastructure
    _token("npm_", r"npm_[A-Za-z0-9]{30,60}"),
    _token("pypi-", r"pypi-[A-Za-z0-9_-]{32,500}"),
    _token("rubygems_", r"rubygems_[a-f0-9]{40,64}"),
    _token("clojars_", r"(?i:clojars)_[a-f0-9]{50,70}"),
    _token("akcp", r"AKCp[A-Za-z0-9]{50,90}"),
    _token("cmvmdgtuo", r"cmVmdGtuO[A-Za-z0-9]{40,100}"),
    _token("dckr_", r"dckr_[po]at_[A-Za-z0-9_-]{24,60}"),
    _token("ccipat_ cciprj_", r"CCIP(?:AT|RJ)_[A-Za-z0-9]{10,40}_[a-f0-9]{40}"),
    _token("bkua_ bkat_ bkct_", r"bk(?:ua|at|ct)_[a-f0-9]{36,64}"),
    _token(".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{50,80}"),
    _token("pul-", r"pul-[a-f0-9]{40}"),
    _token("hvs. hvb. hvr.", r"hv[sbr]\.[A-Za-z0-9_-]{20,400}"),
    _token("dp.", r"dp\.(?:pt|ct|st|sa|said|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,48}"),
    _token("st.", r"st\.[a-f0-9]{24}\.[a-f0-9]{32}\.[a-f0-9]{32}"),
    _token("ico-", r"ico-[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    _token("pnu_ pnb_", r"pn[ub]_[A-Za-z0-9]{36}"),
    _token("pat. sat.", r"[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}"),
    _token("squ_ sqp_ sqa_", r"sq[upa]_[a-f0-9]{40}"),
    _token("snyk_", r"snyk_[a-z]{2,4}\.[A-Za-z0-9._-]{30,120}"),
    _token(
        "tskey-", r"tskey-[a-z]{2,12}-[A-Za-z0-9]{6,32}-[A-Za-z0-9]{16,64}|tskey-[A-Za-z0-9]{12,24}-[A-Za-z0-9]{20,40}"
    ),
    _token("ops_", r"ops_eyJ[A-Za-z0-9_=-]{100,2000}"),
    _token("a3-", r"A3-[A-Z0-9]{6}(?:-[A-Z0-9]{5,11}){1,5}", "key"),
    _token("age-", r"(?i:age-secret-key-1[a-z0-9]{20,80})", "private-key"),
    _token("api-", r"API-[A-Z0-9]{25,34}(?![A-Za-z0-9])"),
    _token("p8e-", r"p8e-[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    _token("dnkey-", r"dnkey-[A-Za-z0-9_=-]{26}-[A-Za-z0-9_=-]{40,60}"),
    _token("ngrok_", r"ngrok_[A-Za-z0-9_]{24,80}"),
    _token("rw_", r"rw_[A-Za-z0-9]{40,70}(?![A-Za-z0-9])"),
    _token("teleport-", r"teleport-[a-z]{2,10}-[A-Za-z0-9]{24,64}"),
    # Models
    _token("sk-", r"sk-[A-Za-z0-9_-]{20,250}"),
    _token("sess-", r"sess-[A-Za-z0-9]{32,60}(?![A-Za-z0-9])"),
    _token("gsk_", r"gsk_[A-Za-z0-9]{40,64}"),
    _token("xai-", r"xai-[A-Za-z0-9]{60,100}"),
    _token("pplx-", r"pplx-[A-Za-z0-9]{36,64}"),
    _token("r8_", r"r8_[A-Za-z0-9]{34,44}"),
    _token("hf_", r"hf_[A-Za-z0-9]{30,60}"),
    _token("api_", r"api_org_[A-Za-z0-9]{30,40}"),
    _token("nvapi-", r"nvapi-[A-Za-z0-9_-]{48,80}"),
    _token("fw_", r"fw_[A-Za-z0-9]{22,40}(?![A-Za-z0-9])"),
    _token("pcsk_", r"pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{50,80}"),
    _token("lsv2_ ls__", r"(?:lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}|ls__[a-f0-9]{32})"),
    _token("tvly-", r"tvly-(?:dev-|prod-)?[A-Za-z0-9_-]{24,64}"),
    _token("fc-", r"fc-[a-f0-9]{32}(?![A-Za-z0-9-])"),
    _token("e2b_", r"e2b_[a-f0-9]{36,64}"),
    _token("csk-", r"csk-[a-z0-9]{40,60}"),
    _token("jina_", r"jina_[A-Za-z0-9_-]{40,80}"),
    _token("tgp_", r"tgp_v1_[A-Za-z0-9_-]{36,60}"),
    _token("esecret_", r"esecret_[A-Za-z0-9]{20,50}"),
    _token("bb_", r"bb_(?:live|test)_[A-Za-z0-9_-]{20,60}"),
    _token("wandb_", r"wandb_v1_[A-Za-z0-9_]{40,100}"),
    # Chats and mail
    _token(
        "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.",
        r"xox[a-eoprs](?:\.xox[bp])?-[A-Za-z0-9%/+-]{12,400}",
    ),
    _token("xapp-", r"xapp-[A-Za-z0-9-]{12,250}"),
    _token(".", r"[MNO][A-Za-z0-9_-]{22,29}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}"),
    _token("mfa.", r"mfa\.[A-Za-z0-9_-]{80,90}"),
    _token(":aa", r"(?<!\d)(?:bot)?(\d{8,10}:AA[A-Za-z0-9_-]{32,34})"),
    _token("bot", r"bot(\d{8,10}:AA[A-Za-z0-9_-]{32,34})"),
    _token("syt_", r"syt_[A-Za-z0-9_=-]{1,120}_[A-Za-z0-9]{20}_[A-Za-z0-9]{6}"),
    _token("sg.", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,60}"),
    _token("xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{14,20}"),
    _token("re_", r"re_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,30}(?![A-Za-z0-9])"),
    _token("-us", r"[a-f0-9]{32}-us\d{1,2}(?![A-Za-z0-9])"),
    _token("key-", r"key-[a-f0-9]{32}(?![A-Za-z0-9])"),
    _token("md-", r"md-[A-Za-z0-9_-]{22}(?![A-Za-z0-9_-])"),
    # Money and shops
    _token("sk_ rk_", r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,250}"),
    _token("sk_", r"sk_[a-f0-9]{40,64}(?![A-Za-z0-9])"),
    _token("whsec_", r"whsec_[A-Za-z0-9+/=]{20,100}"),
    _token("eaaa", r"EAAA[A-Za-z0-9_-]{56,64}(?![A-Za-z0-9])"),
    _token("sq0", r"sq0[a-z]{3}-[A-Za-z0-9_-]{20,60}"),
    _token("shpat_ shpca_ shppa_ shpss_ shptka_ shpua_", r"shp(?:at|ca|pa|ss|tka|ua)_[A-Fa-f0-9]{32}"),
    _token("rzp_", r"rzp_(?:live|test)_[A-Za-z0-9]{14,30}"),
    _token("access_", r"access_token\$(?:production|sandbox)\$[a-z0-9]{12,20}\$[a-f0-9]{28,40}"),
    _token("flwseck", r"FLWSECK(?:_TEST)?-[a-z0-9]{12,40}-X"),
    _token("access-", rf"access-(?:production|development|sandbox)-{_UUID}"),
    _token("ezak ezt", r"EZ[AT]K[A-Za-z0-9]{54}"),
    _token("shippo_", r"shippo_(?:live|test)_[a-f0-9]{40}"),
    _token("pdl_", r"pdl_(?:live|sdbx)_[a-z]{3,12}_[A-Za-z0-9]{20,30}_[A-Za-z0-9]{16,30}(?:_[A-Za-z0-9]{2,4})?"),
    _token("duffel_", r"duffel_(?:live|test)_[A-Za-z0-9_=-]{40,50}"),
    _token("polar_", r"polar_[a-z]{2,4}_[A-Za-z0-9]{30,60}"),
    _token("lob_", r"lob_(?:live|test)_[a-f0-9]{30,40}"),
    # Watching and data
    _token("nrak- nrjs- nrii- nrra- nriq- nrsp-", r"NR(?:AK|JS|II|RA|IQ|SP)-[A-Za-z0-9_-]{19,42}"),
    _token("nral", r"[a-f0-9]{36}NRAL"),
    _token("glc_", r"glc_[A-Za-z0-9+/=_-]{32,400}"),
    _token("glsa_", r"glsa_[A-Za-z0-9_]{20,100}"),
    _token("sntrys_ sntryu_ sntrya_ sntryi_", r"sntry[suai]_[A-Za-z0-9_+/=-]{30,400}"),
    _token("dt0c01. dt0s01. dt0s16.", r"dt0[a-z]\d{2}\.[A-Z0-9]{8,24}\.[A-Z0-9]{60,70}"),
    _token("phx_ phs_", r"ph[xs]_[A-Za-z0-9_-]{36,60}"),
    _token("hcaik_ hcalk_ hcbik_ hcblk_ hcxik_", r"hc[a-z][il]k_[A-Za-z0-9]{40,70}"),
    _token("pscale_", r"pscale_(?:pw|tkn|oauth)_[A-Za-z0-9_.=-]{30,70}"),
    _token("dapi dkea dose dsap", r"d(?:api|kea|ose|sap)[a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])"),
    _token("sbp_", r"sbp_(?:v\d_)?[a-f0-9]{40}"),
    _token("sb_", r"sb_secret_[A-Za-z0-9_-]{20,60}"),
    _token("napi_", r"napi_[a-z0-9]{40,80}"),
    _token("sk. tk.", r"[st]k\.eyJ[A-Za-z0-9_-]{20,400}\.[A-Za-z0-9_-]{18,40}"),
    _token("_mmk", r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"),
    _token("avns_", r"AVNS_[A-Za-z0-9_-]{16,40}"),
    _token("eyj", r"eyJ[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{4,8192}(?:\.[A-Za-z0-9_-]{0,1024})?"),
    _token("eyjrijoi", r"eyJrIjoi[A-Za-z0-9+/=_-]{60,400}"),
    _token("ingest.", r"(?<=://)([a-f0-9]{32}(?::[a-f0-9]{32})?)(?=@[\w.-]{1,80}ingest\.)"),
    # Work
    _token("lin_", r"lin_(?:api|oauth|wh)_[A-Za-z0-9]{30,70}"),
    _token("ntn_", r"ntn_[A-Za-z0-9]{40,60}"),
    _token("secret_", r"secret_[A-Za-z0-9]{40,46}(?![A-Za-z0-9])"),
    _token("pat", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    _token("pk_", r"pk_\d{6,12}_[A-Z0-9]{32}(?![A-Za-z0-9])"),
    _token("pat-", rf"pat-(?:na|eu|ap)\d-{_UUID}"),
    _token("figd_ figo_ figoh_ figu_ figor_", r"fig(?:d|o|oh|u|or)_[A-Za-z0-9_-]{30,60}"),
    _token("pmak- pmat-", r"PMA[KT]-[A-Za-z0-9]{20,30}(?:-[A-Za-z0-9]{30,40})?"),
    _token("cfpat-", r"CFPAT-[A-Za-z0-9_-]{40,46}"),
    _token("tfp_", r"tfp_[A-Za-z0-9_.=-]{40,70}"),
    _token("sl.", r"sl\.(?:u\.)?[A-Za-z0-9_-]{120,1400}"),
    _token("eaac eaam eaab eaag eaad eaaj", r"EAA[A-Z][A-Za-z0-9]{90,400}"),
    _token("rdme_", r"rdme_[a-z0-9]{60,80}"),
    _token("aio_", r"aio_[A-Za-z0-9]{26,32}(?![A-Za-z0-9])"),
    _token("fio-", r"fio-u-[A-Za-z0-9_=-]{60,68}"),
    _token("dg9r", r"dG9rO[A-Za-z0-9+/]{40,80}={0,2}"),
    _token("sm_", r"sm_(?:aat|pat|sat)_[A-Za-z0-9]{16,40}"),
    _token("zpka_", r"zpka_[A-Za-z0-9_]{30,60}"),
    _token("s-s4t2ud-", r"s-s4t2ud-[a-f0-9]{60,68}"),
    _token("apify_", r"apify_api_[A-Za-z0-9]{30,50}"),
    _token("apikey-", r"apikey-[A-Za-z0-9_-]{24,80}"),
    _token("c1_", r"c1_[A-Za-z0-9]{40,80}(?![A-Za-z0-9])"),
)

# Told by their form as a whole: too little of their own for the policy to act on.
ALONE = (
    _exact("00", r"00(?=[A-Za-z0-9_-]{0,39}[A-Z])(?=[A-Za-z0-9_-]{0,39}[a-z])[A-Za-z0-9_-]{40}(?!-|_(?!_))"),
    _exact("cio", r"cio(?=[A-Za-z0-9]{0,31}[A-Z])(?=[A-Za-z0-9]{0,31}[0-9])[A-Za-z0-9]{32}"),
    _exact("oy2", r"oy2[a-z0-9]{43}"),
    _token("sk", r"SK[a-f0-9]{32}(?![A-Za-z0-9])"),
    _exact("-", r"[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}(?!-)"),
    _exact("sdk- api- mob-", rf"(?:sdk|api|mob)-{_UUID}"),
    _exact("/", r"[12]/\d{10,20}(?:/\d{10,20})?:[a-f0-9]{32}"),
    _token("oauth:", r"oauth:([a-z0-9]{30})(?![A-Za-z0-9])"),
    _exact("2 3 4 5 6 7", r"(?=[a-z]{0,51}[2-7])[a-z2-7]{52}"),
    _exact("s.", r"s\.(?=[A-Za-z0-9]{0,23}[A-Z])(?=[A-Za-z0-9]{0,23}[0-9])[A-Za-z0-9]{24}"),
)

# Addresses that are secrets themselves; what of them is secret comes last.
WEBHOOKS = (
    _token("hook", r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{20,200})"),
    _token("hook", r"discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/(\d{5,25}/[A-Za-z0-9_-]{20,120})"),
    _token(
        "hook",
        rf"webhook\.office\.com/webhookb2/({_UUID}@{_UUID}/[A-Za-z]{{1,40}}/[a-f0-9]{{32}}/[\w/-]{{1,120}})",
    ),
    _token("hook", r"hooks\.zapier\.com/hooks/[a-z]{4,10}/(\d{1,12}/[A-Za-z0-9/]{5,40})"),
    Form(
        "token",
        (),
        re.compile(r"maker\.ifttt\.com/trigger/[\w-]{1,80}/(?:json/)?with/key/([A-Za-z0-9_-]{16,80})"),
        words=("ifttt",),
    ),
    Form(
        "token",
        (),
        re.compile(r"chat\.googleapis\.com/v1/spaces/[\w-]{1,40}/messages\?(key=[\w&=%-]{20,300})"),
        words=("googleapis",),
    ),
    _token("hook", r"hook\.[a-z]{2}\d?\.make\.com/([a-z0-9]{24,40})"),
    Form(
        "token",
        (),
        re.compile(r"logic\.azure\.com(?::443)?/workflows/([a-f0-9]{32}/[\w/?=.&%-]{20,400})"),
        words=("azure",),
    ),
)
