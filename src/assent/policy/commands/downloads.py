"""Commands that ask servers for something, and can send them something: curl, wget, httpie and their kin.

Asking is Care: what comes in is not known. Asking this machine, or a well-known site for a page, is Look. Sending a
file or what comes in through a pipe is Danger, unless it goes to a server on this machine. What they write is judged
by its place."""

import re
from collections.abc import Iterator

from assent.expressions import later
from assent.policy.commands import _asking
from assent.policy.commands._sed import pours
from assent.policy.commands._web import address, is_near, reached, sends_file, sends_text, shown, socket
from assent.policy.commands.spec import Finding, Invocation, SendsInput, Spec, starts
from assent.policy.effects import care, danger, nothing
from assent.policy.shell.words import HOLE, Arg

_ITSELF = "It only tells about itself."
_DELETES = danger("remote", "It asks a server to delete something.")
_CHOSEN = care("write", "The server chooses which file it writes.")


def _saved(it: Invocation, url: Arg, folder: Arg | None) -> Finding:
    """The file that a downloader names after the address."""
    path = re.split(r"[?#]", address(url.text).path)[0]
    name = path.rstrip("/").rpartition("/")[2] or "index.html"
    return it.path("write", Arg(f"{folder.text.rstrip('/')}/{name}" if folder is not None else name, url.glob))


def _method(method: str) -> Iterator[Finding]:
    if method.upper() == "DELETE" or HOLE in method:
        yield _DELETES


# --- curl

_CURL = (
    "-#0123456aBfgGiIjJklLMnNOpqRsSvVZ -A: -b: -c:write -C: -d: -D:write -e: -E: -F: -h? -H: -K: -m: -o: -P: -Q: -r:"
    " -t:"
    " -T: -u: -U: -w: -x: -X: -y: -Y: -z:"
    " --abstract-unix-socket= --alt-svc=write --anyauth --append --aws-sigv4= --basic --ca-native --cacert= --capath="
    " --cert= --cert-status --cert-type= --ciphers= --compressed --compressed-ssh --config= --connect-timeout="
    " --connect-to= --continue-at= --cookie= --cookie-jar=write --create-dirs --create-file-mode= --crlf --crlfile="
    " --curves= --data= --data-ascii= --data-binary= --data-raw= --data-urlencode= --delegation= --digest --disable"
    " --disable-eprt --disable-epsv --disallow-username-in-url --dns-interface= --dns-ipv4-addr= --dns-ipv6-addr="
    " --dns-servers= --doh-cert-status --doh-insecure --doh-url= --dump-ca-embed --dump-header=write --ech= --egd-file="
    " --engine= --etag-compare=read --etag-save=write --expect100-timeout= --fail --fail-early --fail-with-body"
    " --false-start --form= --form-escape --form-string= --ftp-account= --ftp-alternative-to-user= --ftp-create-dirs"
    " --ftp-method= --ftp-pasv --ftp-port= --ftp-pret --ftp-skip-pasv-ip --ftp-ssl-ccc --ftp-ssl-ccc-mode="
    " --ftp-ssl-control --get --globoff --happy-eyeballs-timeout-ms= --haproxy-protocol --haproxy-clientip= --head"
    " --header= --help? --hostpubmd5= --hostpubsha256= --hsts=write --http0.9 --http1.0 --http1.1 --http2"
    " --http2-prior-knowledge --http3 --http3-only --ignore-content-length --include --insecure --interface= --ip-tos="
    " --ipfs-gateway= --ipv4 --ipv6 --json= --junk-session-cookies --keepalive-cnt= --keepalive-time= --key="
    " --key-type= --krb= --libcurl=write --limit-rate= --list-only --local-port= --location --location-trusted"
    " --login-options= --mail-auth= --mail-from= --mail-rcpt= --mail-rcpt-allowfails --manual --max-filesize="
    " --max-redirs= --max-time= --mptcp --negotiate --netrc --netrc-file=read --netrc-optional --next --no-alpn"
    " --no-buffer --no-clobber --no-keepalive --no-npn --no-progress-meter --no-sessionid --noproxy= --ntlm --ntlm-wb"
    " --oauth2-bearer= --out-null --output= --output-dir= --parallel --parallel-immediate --parallel-max="
    " --parallel-max-host= --pass= --path-as-is --pinnedpubkey= --post301 --post302 --post303 --preproxy="
    " --progress-bar --proto= --proto-default= --proto-redir= --proxy= --proxy-anyauth --proxy-basic --proxy-ca-native"
    " --proxy-cacert= --proxy-capath= --proxy-cert= --proxy-cert-type= --proxy-ciphers= --proxy-crlfile="
    " --proxy-digest --proxy-header= --proxy-http2 --proxy-insecure --proxy-key= --proxy-key-type= --proxy-negotiate"
    " --proxy-ntlm --proxy-pass= --proxy-pinnedpubkey= --proxy-service-name= --proxy-ssl-allow-beast"
    " --proxy-ssl-auto-client-cert --proxy-tls13-ciphers= --proxy-tlsauthtype= --proxy-tlspassword= --proxy-tlsuser="
    " --proxy-tlsv1 --proxy-user= --proxy1.0= --proxytunnel --pubkey= --quote= --random-file= --range= --rate= --raw"
    " --referer= --remote-header-name --remote-name --remote-name-all --remote-time --remove-on-error --request="
    " --request-target= --resolve= --retry= --retry-all-errors --retry-connrefused --retry-delay= --retry-max-time="
    " --sasl-authzid= --sasl-ir --service-name= --show-error --show-headers --sigalgs= --silent --skip-existing"
    " --socks4= --socks4a= --socks5= --socks5-basic --socks5-gssapi --socks5-gssapi-nec --socks5-gssapi-service="
    " --socks5-hostname= --speed-limit= --speed-time= --ssl --ssl-allow-beast --ssl-auto-client-cert --ssl-no-revoke"
    " --ssl-reqd --ssl-revoke-best-effort --ssl-sessions=write --sslv2 --sslv3 --stderr=write --styled-output"
    " --suppress-connect-headers --tcp-fastopen --tcp-nodelay --telnet-option= --tftp-blksize= --tftp-no-options"
    " --time-cond= --tls-earlydata --tls-max= --tls13-ciphers= --tlsauthtype= --tlspassword= --tlsuser= --tlsv1"
    " --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --tr-encoding --trace=write --trace-ascii=write --trace-config="
    " --trace-ids --trace-time --unix-socket= --upload-file= --upload-flags= --url= --url-query= --use-ascii --user="
    " --user-agent= --variable= --verbose --version --vlan-priority= --write-out= --xattr"
)
# Another machine stands between, or instead of, the one that is named.
_DETOURS = (
    *("-x", "--proxy", "--preproxy", "--socks4", "--socks4a", "--socks5", "--socks5-hostname", "--proxy1.0"),
    *("--connect-to", "--resolve", "--doh-url", "--dns-servers"),
)
_FORM_FILE = later(r"[^=]*=[@<](.*)", re.DOTALL)
_FORM_END = later(r";\s*(?:type|filename|headers|encoder)=.*", re.DOTALL)
_FTP_DELETES = later(r"[-+*]?\s*(?:dele|rmd|rm|rmdir|rename|rnfr|site|chmod|chown|ln|symlink)\b", re.IGNORECASE)


# Options that change nothing about a question: how it is shown, how long it may take, where the answer goes. The files
# they write are judged by their place.
_CURL_HARMLESS = _asking.words(
    "-s -S -f -i -I -v -L -g -N -m -o -O -D -c -A -r -w -# -0 -1 -2 -3 -4 -6 -q -R -C -y -Y -Z --silent --show-error"
    " --fail"
    " --fail-early --fail-with-body --include --head --verbose --location --globoff --no-buffer --max-time --output"
    " --output-dir --create-dirs --remote-name --remote-name-all --dump-header --cookie-jar --user-agent --range"
    " --write-out --progress-bar --no-progress-meter --http1.0 --http1.1 --http2 --http2-prior-knowledge --http3"
    " --ipv4 --ipv6 --disable --remote-time --compressed --connect-timeout --retry --retry-all-errors"
    " --retry-connrefused --retry-delay --retry-max-time --max-redirs --max-filesize --limit-rate --speed-limit"
    " --speed-time --raw --styled-output --show-headers --suppress-connect-headers --tlsv1.2 --tlsv1.3 --stderr --url"
    " --path-as-is --parallel --no-keepalive --noproxy --continue-at"
)
_CURL_CHECKS = {
    **dict.fromkeys(("-X", "--request"), _asking.is_asking_method),
    **dict.fromkeys(("-H", "--header"), _asking.is_plain_header),
    **dict.fromkeys(("-k", "--insecure", "-b", "--cookie", "-u", "--user"), _asking.only_near),
    **dict.fromkeys(("-e", "--referer"), _asking.only_near),
}


_CURL_BODIES = (
    "-d",
    "--data",
    "--data-ascii",
    "--data-binary",
    "--json",
    "--data-raw",
    "--data-urlencode",
    "-F",
    "--form",
)


def _curl_method(it: Invocation) -> str:
    if (asked := it.value("-X", "--request")) is not None:
        return asked.text
    if it.has("-G", "--get", "-I", "--head"):
        return "GET"
    if it.has("-T", "--upload-file"):
        return "PUT"
    return "POST" if it.has(*_CURL_BODIES, "--form-string") else "GET"


def _requests(it: Invocation, urls: list[Arg], method: str, bodies: tuple[str, ...]) -> Iterator[Finding]:
    yield from _asking.requests(urls, method, it.all_values(*bodies))


def _addresses(it: Invocation) -> list[Arg]:
    return [*it.operands, *it.all_values("--url")]


def _curl(it: Invocation) -> Iterator[Finding]:
    urls = _addresses(it)
    if it.has("-V", "--version", "-h", "--help", "-M", "--manual") and not urls:
        yield nothing(_ITSELF)
        return
    only_asks = _asking.is_plain(it, urls, _CURL_HARMLESS, _CURL_CHECKS) and _asking.is_question(
        urls, follows=it.has("-L", "--location")
    )
    for url in urls:
        yield from reached(it, url, only_asks=only_asks)
    trusted = is_near(urls) and not it.has(*_DETOURS)
    target = ", ".join(map(shown, urls))
    for finding in _curl_sends(it, urls, target, trusted=trusted):
        is_read = isinstance(finding, SendsInput) and finding.obeys is None
        yield SendsInput(target, trusted=trusted, obeys=_asking.told(target)) if is_read else finding
    yield from _curl_asks(it)
    yield from _requests(it, urls, _curl_method(it), _CURL_BODIES)
    yield from _curl_keeps(it, urls)
    if not urls and not it.has("-K", "--config"):
        yield care("fetch", "It brings something in from the network.")


def _curl_sends(it: Invocation, urls: list[Arg], target: str, *, trusted: bool) -> Iterator[Finding]:
    for value in it.all_values("-d", "--data", "--data-ascii", "--data-binary", "--json"):
        if value.text.startswith("@"):
            yield sends_file(it, _after(value, 1), target, trusted=trusted)
        else:
            yield sends_text(urls, value, trusted=trusted)
    for value in it.all_values("--data-raw", "--form-string"):
        yield sends_text(urls, value, trusted=trusted)
    for value in it.all_values("--data-urlencode", "--url-query"):
        at, equals = value.text.find("@"), value.text.find("=")
        if at >= 0 and (equals < 0 or at < equals):
            yield sends_file(it, _after(value, at + 1), target, trusted=trusted)
        else:
            yield sends_text(urls, value, trusted=trusted)
    for value in it.all_values("-F", "--form"):
        match = _FORM_FILE.fullmatch(value.text)
        if match is None:
            yield sends_text(urls, value, trusted=trusted)
            continue
        for name in _FORM_END.sub("", match[1]).split(","):
            yield sends_file(it, Arg(name.strip('"'), value.glob, value.splits), target, trusted=trusted)
    for value in it.all_values("-T", "--upload-file"):
        for name in value.text.strip("{}").split(",") if value.text.startswith("{") else [value.text]:
            yield sends_file(it, Arg(name, value.glob, value.splits), target, trusted=trusted)
    for value in it.all_values("-H", "--header", "--proxy-header"):
        if value.text.startswith("@"):
            yield sends_file(it, _after(value, 1), target, trusted=trusted)
    for value in it.all_values("-b", "--cookie"):
        if "=" not in value.text and value.text:
            yield it.path("read", value)
    for value in it.all_values("--variable"):
        name, sign, file = value.text.partition("@")
        if sign and "=" not in name:
            yield sends_file(it, Arg(file), target, trusted=trusted)
        elif name.startswith("%"):
            yield danger("send", "It puts a variable of the environment into the request.", name)
    if it.has("--mail-from", "--mail-rcpt"):
        yield danger("publish", "It sends mail.", target)
    if any(address(url.text).scheme in ("telnet", "gopher", "tftp", "ldap", "dict") for url in urls):
        yield SendsInput(target, trusted=trusted, obeys=_asking.told(target.rstrip("/")))


def _curl_asks(it: Invocation) -> Iterator[Finding]:
    for value in it.all_values("-X", "--request"):
        yield from _method(value.text)
    for value in it.all_values("-Q", "--quote"):
        if _FTP_DELETES.match(value.text) or not value.known:
            yield danger("remote", "It gives commands to a server that change files there.", shown(value))
    for value in it.all_values("--unix-socket", "--abstract-unix-socket"):
        yield socket(it, value)
    if it.has(*_DETOURS):
        yield care("fetch", "It goes through another machine than the one that is named.")
    if it.has("-k", "--insecure", "--proxy-insecure", "--doh-insecure") and not is_near(_addresses(it)):
        yield care("fetch", "It does not check whom it talks to.")
    if it.has("-n", "--netrc", "--netrc-file", "--netrc-optional", "-E", "--cert", "--key", "--proxy-key"):
        yield care("secret", "It logs in with a key or password of yours.")
    for value in it.all_values("--engine"):
        if value.text != "list":
            yield danger("run", "It loads code from a library.", shown(value))
    for value in it.all_values("-K", "--config"):
        if value.text in ("-", "/dev/stdin") or not value.known or value.text.startswith("/dev/fd/"):
            yield danger("dynamic", "Its options are known only when it runs.", shown(value))
        else:
            yield it.path("read", value)
            is_mine = it.place(value) in ("project", "home", "obeyed")
            yield (care if is_mine else danger)(
                "run", "Its options come from a file: they may send and write anything.", shown(value)
            )
    for value in it.all_values("-w", "--write-out", "-z", "--time-cond"):
        if value.text.startswith("@"):
            yield it.path("read", _after(value, 1))
        elif "%output{" in value.text:
            for name in re.findall(r"%output\{(?:>>)?([^}]{0,1000})\}", value.text):
                yield it.path("write", Arg(name))


def _curl_keeps(it: Invocation, urls: list[Arg]) -> Iterator[Finding]:
    folder = it.value("--output-dir")
    for value in it.all_values("-o", "--output"):
        if value.text != "-":
            name = f"{folder.text.rstrip('/')}/{value.text}" if folder is not None else value.text
            # ``#1`` is filled in from the address.
            yield it.path("write", Arg(re.sub(r"#\d", "*", name), value.glob or "#" in name, value.splits))
    if it.has("-O", "--remote-name", "--remote-name-all"):
        for url in urls:
            yield _saved(it, url, folder)
        if it.has("-J", "--remote-header-name"):
            yield _CHOSEN


def _after(arg: Arg, start: int) -> Arg:
    return Arg(arg.text[start:], arg.glob, arg.splits)


# --- wget

_WGET = (
    "* -O:none -o:write -a:write -P:none -i:read -B: -e: -t: -T: -w: -Q: -l: -A: -R: -D: -I: -X: -U: --output-document="
    " --output-file=write --append-output=write --directory-prefix= --input-file=read --base= --execute="
    " --config=config"
    " --use-askpass=danger --post-file= --body-file= --post-data= --body-data= --method= --header= --user-agent="
    " --load-cookies=read --save-cookies=write --rejected-log=write --warc-file=write --warc-tempdir=write --tries="
    " --timeout= --wait= --quota= --level= --accept= --reject= --domains= --user= --password= --http-user="
    " --http-password= --ftp-user= --ftp-password= --proxy-user= --proxy-password= --ca-certificate= --ca-directory="
    " --certificate= --private-key= --crl-file= --hsts-file=write --input-metalink=read --referer= --limit-rate="
    " --bind-address= --dns-servers= --max-redirect= --cut-dirs= --secure-protocol= --random-file= --egd-file="
    " --default-page= --start-pos= --waitretry= --include-directories= --exclude-directories= --follow-tags="
    " --ignore-tags= --exclude-domains= --accept-regex= --reject-regex= --regex-type= --connect-timeout="
    " --read-timeout= --dns-timeout= --local-encoding= --remote-encoding= --compression= --progress= --prefer-family="
    " --restrict-file-names= --report-speed= --ciphers= --pinnedpubkey= --version --help -V -h --spider --no-clobber"
)
_HARMLESS_SETTINGS = later(
    r"\s*(?:robots|timeout|tries|wait|verbose|quiet|continue|recursive|check_certificate)\s*=.*", re.IGNORECASE
)


_WGET_HARMLESS = _asking.words(
    "-q -v -n -d -S -O -o -a -P -T -t -w -U -c -4 -6 --quiet --verbose --no-verbose --server-response --spider"
    " --timeout --connect-timeout --read-timeout --dns-timeout --tries --waitretry --retry-connrefused --wait"
    " --output-document --output-file --append-output --directory-prefix --user-agent --max-redirect --progress"
    " --show-progress --no-clobber --no-cache --compression --content-on-error --inet4-only --inet6-only --no-hsts"
    " --no-cookies"
)
_WGET_CHECKS = {
    "--method": _asking.is_asking_method,
    "--header": _asking.is_plain_header,
    **dict.fromkeys(("--no-check-certificate", "--user", "--password", "--http-user"), _asking.only_near),
}


def _wget(it: Invocation) -> Iterator[Finding]:
    urls = it.operands
    if it.has("-V", "--version", "-h", "--help") and not urls:
        yield nothing(_ITSELF)
        return
    only_asks = _asking.is_plain(it, urls, _WGET_HARMLESS, _WGET_CHECKS) and _asking.is_question(urls, follows=True)
    for url in urls:
        yield from reached(it, url, only_asks=only_asks)
    if not urls:
        yield care("fetch", "It brings something in from the network.")
    target, trusted = ", ".join(map(shown, urls)), is_near(urls)
    for value in it.all_values("--post-file", "--body-file"):
        yield sends_file(it, value, target, trusted=trusted)
    for value in it.all_values("--post-data", "--body-data"):
        if value.text == "-":
            yield SendsInput(target, trusted=trusted)
        yield sends_text(urls, value, trusted=trusted)
    for value in it.all_values("--method"):
        yield from _method(value.text)
    sent = ("--post-data", "--body-data")
    asked = it.value("--method") or Arg("POST" if it.has(*sent, "--post-file") else "GET")
    yield from _requests(it, urls, asked.text, sent)
    for value in it.all_values("-e", "--execute"):
        if not _HARMLESS_SETTINGS.fullmatch(value.text):
            yield danger("run", "It changes a setting that may send files, write files or run a program.", shown(value))
    written = it.value("-O", "--output-document")
    if written is not None:
        if written.text != "-":
            yield it.path("write", written)
    elif not it.has("--spider"):
        folder = it.value("-P", "--directory-prefix")
        if it.has("-r", "--recursive", "-m", "--mirror", "-p", "--page-requisites", "-i", "--input-file"):
            yield pours(it, folder if folder is not None else Arg("."))
        for url in urls:
            yield _saved(it, url, folder)
        if it.has("--content-disposition", "--trust-server-names"):
            yield _CHOSEN


# --- httpie and those who speak its language

_HTTP = (
    "* -o:write --output=write --session=care --session-read-only=read -a: --auth= -A: --auth-type= --proxy=host"
    " --cert="
    " --cert-key= --verify= --raw= --boundary= --style= -s: --print= -p: --pretty= --timeout= --max-redirects="
    " --format-options= --ssl= --ciphers= --default-scheme= --response-charset= --response-mime= --version --help"
    " -d --download -c --continue -f --form -j --json --multipart --ignore-stdin -I --offline"
)
_ITEM = later(r"((?:[^\\:=@]|\\.)*?)(:=@|=@|==@|:@|:=|==|=|@|:)(.*)", re.DOTALL)
_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})


_HTTP_HARMLESS = _asking.words(
    "-b -h -v -p -s -F -I --body --headers --verbose --print --pretty --style --timeout --follow --ignore-stdin"
    " --check-status --max-redirects --quiet -q -o --output -j --json"
)


def _is_question(item: str) -> bool:
    """A header or a part of the query, not a body."""
    match = _ITEM.fullmatch(item)
    return match is not None and match[2] in (":", "==")


def _http(it: Invocation) -> Iterator[Finding]:
    words = list(it.operands)
    if it.has("--version", "--help") and not words:
        yield nothing(_ITSELF)
        return
    method = words.pop(0).text if words and words[0].text.upper() in _METHODS else "GET"
    yield from _method(method)
    if not words:
        yield care("fetch", "It brings something in from the network.")
        return
    url, *items = words
    if url.text.startswith(":"):
        url = Arg(f"localhost{url.text}", url.glob, url.splits)
    only_asks = (
        method.upper() in ("GET", "HEAD", "OPTIONS")
        and _asking.is_plain(it, [url], _HTTP_HARMLESS, {})
        and all(item.known and _is_question(item.text) for item in items)
        and _asking.is_local_question(url)
    )
    yield from reached(it, url, only_asks=only_asks)
    yield from _asking.requests([url], method, items)
    target, trusted = shown(url), is_near([url]) and not it.has("--proxy")
    for item in items:
        match = _ITEM.fullmatch(item.text)
        if match is None:
            continue
        if match[2].endswith("@"):
            yield sends_file(it, Arg(match[3], item.glob, item.splits), target, trusted=trusted)
        elif match[2] in ("=", ":="):
            yield sends_text([url], Arg(match[3]), trusted=trusted)
    for value in it.all_values("--raw"):
        yield sends_text([url], value, trusted=trusted)
    if not it.has("--ignore-stdin", "-I", "--offline"):
        yield SendsInput(target, trusted=trusted)
    if it.has("-d", "--download") and not it.has("-o", "--output"):
        yield _saved(it, url, None)


# --- the rest


def _aria(it: Invocation) -> Iterator[Finding]:
    if it.has("-v", "--version", "-h", "--help"):
        yield nothing(_ITSELF)
        return
    for url in it.operands:
        yield from reached(it, url)
    yield care("fetch", "It brings something in from the network.")
    for option, value in it.values:
        if option.startswith("--on-"):
            yield from starts(value)
            yield danger("run", "It runs a program when a download ends.", shown(value))
    if it.has("--enable-rpc", "--rpc-listen-all"):
        yield danger("fetch", "It takes commands over the network.")
    folder, name = it.value("-d", "--dir"), it.value("-o", "--out")
    if name is not None:
        yield it.path("write", Arg(f"{folder.text.rstrip('/')}/{name.text}" if folder is not None else name.text))
    elif folder is not None:
        yield it.path("write", folder)


def _grpc(it: Invocation) -> Iterator[Finding]:
    target = next((arg for arg in it.operands), Arg(""))
    yield care("fetch", "It asks a server.", shown(target))
    yield from _asking.called(it.operands)
    for data in it.all_values("-d", "-data"):
        if data.text == "@":
            yield SendsInput(shown(target))
        else:
            yield sends_text([target], data, trusted=address(target.text).is_local)


def _websocket(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands:
        text = arg.text.lower()
        if text.startswith(("exec:", "cmd:", "sh-c:")) or "exec:" in text:
            yield danger("run", "It gives a program to the other side.", shown(arg))
        elif text.startswith(("ws-l:", "l-ws:", "ws-listen:", "tcp-l:", "listen")):
            yield danger("fetch", "It listens for connections from other machines.", shown(arg))
        else:
            yield from reached(it, arg)
    if it.has("-s", "--server-mode", "-e", "--set-environment"):
        yield danger("fetch", "It listens for connections from other machines.")
    yield SendsInput(", ".join(map(shown, it.operands)), trusted=is_near(it.operands))


COMMANDS: dict[str, Spec] = {
    "curl": Spec("Asks servers.", _CURL, "none*", also=_curl),
    "curlie": Spec("Asks servers.", f"* {_CURL}", "none*", also=_curl),
    "wget": Spec("Downloads files.", _WGET, "none*", also=_wget),
    "wget2": Spec("Downloads files.", _WGET, "none*", also=_wget),
    **dict.fromkeys(("http", "https", "xh", "xhs", "httpie"), Spec("Asks servers.", _HTTP, "none*", also=_http)),
    "aria2c": Spec(
        "Downloads files.",
        "* -d: --dir= -o: --out= -i:read --input-file=read -l:write --log=write --conf-path=config --load-cookies=read"
        " --save-cookies=write --save-session=write -j: -x: -s: -k: -t: -m: -T:read -M:read --on-download-complete="
        " --on-download-start= --on-download-error= --on-download-pause= --on-download-stop= --on-bt-download-complete="
        " -v --version -h --help --enable-rpc --rpc-listen-all",
        "none*",
        also=_aria,
    ),
    "fetch": Spec("Downloads files.", "* -o:write -B: -S: -T: -w:", "fetch*"),
    "axel": Spec("Downloads files.", "* -o:write -n: -s: -H: -U: -T:", "fetch*"),
    "grpcurl": Spec(
        "Asks servers.",
        "- * -d=none -data=none -H= -rpc-header= -reflect-header= -import-path=read -proto=read -protoset=read"
        " -protoset-out=write -proto-out-dir=write -cacert=read -cert=read -key=read -authority= -servername="
        " -user-agent= -max-time= -connect-timeout= -keepalive-time= -max-msg-sz= -format=",
        "none*",
        also=_grpc,
    ),
    "grpc_cli": Spec("Asks servers.", "*", "fetch*"),
    "websocat": Spec("Talks to servers.", "*", "none*", also=_websocket),
    "wscat": Spec("Talks to servers.", "* -c: --connect= -x:", "none*", also=_websocket),
    **dict.fromkeys(
        ("ab", "wrk", "wrk2", "hey", "vegeta", "siege", "k6", "oha", "bombardier"),
        Spec("Puts load on a server.", "*", does=(care("fetch", "It puts load on a server."),)),
    ),
    **dict.fromkeys(
        ("yt-dlp", "youtube-dl"),
        Spec(
            "Downloads films.",
            "* -o:none -P:write --exec=run --exec-before-download=run --config-location=config"
            " --config-locations=config"
            " --cookies=read --cookies-from-browser=danger --downloader=run --external-downloader=run"
            " --plugin-dirs=danger --batch-file=read -a:read --load-info-json=read --netrc-cmd=run",
            "fetch*",
        ),
    ),
    **dict.fromkeys(
        ("lynx", "w3m", "links", "elinks", "links2", "browsh"),
        Spec(
            "Shows pages from the network.",
            "* -cfg:config -lss:config -o:text -post_data? -cmd_script:config -editor:run -accept_all_cookies",
            "fetch*",
        ),
    ),
}
