"""Commands for keys and certificates. Certificates are public; what holds a private key is not."""

import re
from collections.abc import Iterator

from assent.policy.commands._either import either
from assent.policy.commands._web import address, reached, shown
from assent.policy.commands.spec import Finding, Invocation, SendsInput, Spec, dangerous, each
from assent.policy.effects import care, danger, nothing
from assent.policy.words import Arg

_TELLS = frozenset({"version", "list", "help", "ciphers", "errstr", "speed", "prime", "info", "rand", "passwd"})
_CERTIFICATES = frozenset({"x509", "verify", "crl", "ocsp", "crl2pkcs7", "pkcs7"})
_HASHES = frozenset({"dgst", "md5", "sha1", "sha224", "sha256", "sha384", "sha512", "rmd160", "sm3", "mac"})
_MAKES = frozenset({"genrsa", "genpkey", "req", "ca", "dhparam", "ecparam", "gendsa"})
_PRIVATE = frozenset({"rsa", "dsa", "ec", "pkey", "pkcs8", "pkcs12", "pkeyutl", "rsautl", "cms", "smime"})
_SPELLINGS = re.compile(r"enc|base64|zlib|asn1parse|storeutl|(?:aes|des|bf|rc\d|cast|camellia|aria|sm4|chacha)[\w-]*")
_LOADS = ("-engine", "-config", "-provider", "-provider-path", "-keygen_engine")
_WRITES = ("-out", "-keyout", "-writerand", "-sess_out", "-CAserial", "-keylogfile", "-msgfile")
_SIGNS = care("secret", "It makes a key, or signs with one.")


def _openssl(it: Invocation) -> Iterator[Finding]:
    words = list(it.args)
    if not words:
        yield care("run", "It waits for commands.")
        return
    verb = words[0].text
    # Its options are words with a single dash, which may have two.
    values = {words[n].text.replace("--", "-"): words[n + 1] for n in range(1, len(words) - 1)}
    flags = {word.text.replace("--", "-") for word in words[1:]}
    for option in _LOADS:
        if option in values:
            yield danger("run", "It loads code, or settings that name code.", shown(values[option]))
    for option in _WRITES:
        if option in values:
            yield it.path("write", values[option])
    if verb in _TELLS:
        yield nothing("It tells about itself or calculates.")
    elif verb in _CERTIFICATES:
        # They are public, though they go by names that keys go by.
        yield nothing("It shows certificates, which are public.")
        if {"-signkey", "-CAkey", "-key", "-req"} & flags:
            yield _SIGNS
        if "-url" in values:
            yield from reached(it, values["-url"])
    elif verb in _MAKES:
        yield _SIGNS
    elif verb in _HASHES:
        yield nothing("It calculates a checksum.")
        if {"-sign", "-hmac", "-macopt"} & flags:
            yield _SIGNS
        last = words[-1]
        for file in [values["-in"]] if "-in" in values else [last] if not last.text.startswith("-") else []:
            yield it.path("read", file)
    elif verb in _PRIVATE:
        is_public = "-pubin" in flags and verb in ("rsa", "ec", "pkey", "dsa")
        yield nothing("It shows a public key.") if is_public else danger("secret", "It reads private keys or secrets.")
    elif _SPELLINGS.fullmatch(verb):
        yield nothing("It writes a text in another spelling.")
        for file in [values["-in"]] if "-in" in values else words[1:] if verb == "storeutl" else []:
            yield it.path("read", file)
    elif verb in ("s_client", "s_time"):
        target = values.get("-connect", values.get("-host", Arg("")))
        yield care("fetch", "It connects to another machine.", shown(target))
        yield SendsInput(shown(target), trusted=address(target.text).is_local)
    elif verb in ("s_server", "s_www"):
        yield danger("fetch", "It lets other machines in.")
    else:
        yield care("unknown", f"Assent does not know “openssl {shown(words[0])}”.")


def _keytool(it: Invocation) -> Iterator[Finding]:
    words = {arg.text for arg in it.args}
    if words & {"-list", "-printcert", "-printcertreq", "-showinfo"} and "-providerpath" not in words:
        yield care("secret", "It lists what a store of keys holds.")
    elif words & {"-help", "--help"} or not words:
        yield nothing("It only tells about itself.")
    else:
        yield danger("secret", "It changes or exports what a store of keys holds.")


COMMANDS: dict[str, Spec] = {
    "openssl": Spec("Works with keys and certificates.", "*", "none*", also=_openssl),
    "keytool": Spec("Works with stores of keys.", "*", "none*", also=_keytool),
    "jarsigner": Spec("Signs programs.", "*", does=(danger("secret", "It signs with a key of yours."),)),
    "mkcert": Spec(
        "Makes certificates.",
        "* -cert-file:write -key-file:write -p12-file:write",
        does=(_SIGNS,),
        also=lambda it: iter(
            (danger("persist", "It changes whom this machine trusts."),)
            if {arg.text for arg in it.args} & {"-install", "-uninstall"}
            else ()
        ),
    ),
    **each("certbot acme.sh lego", dangerous("remote", "It orders or revokes certificates for a site.")),
    **each(
        "update-ca-certificates update-ca-trust certutil pk12util modutil",
        dangerous("persist", "It changes whom this machine trusts, or exports keys."),
    ),
    "codesign": either(
        r"(?:-d|-dv+|--display|-v+|--verify)(?: .*)?",
        "It tells who signed a program.",
        danger("publish", "It signs something in your name."),
    ),
    **each("step cfssl easyrsa minica", Spec("Makes certificates.", "*", does=(_SIGNS,))),
    **each("cosign signify minisign notation signtool", dangerous("publish", "It signs something in your name.")),
}
