"""Commands for keys and certificates. Certificates are public; what holds a private key is not."""

from collections.abc import Iterator

from assent.expressions import later
from assent.policy.commands._either import either
from assent.policy.commands._web import address, reached, shown
from assent.policy.commands.spec import Finding, Invocation, SendsInput, Spec, dangerous, each
from assent.policy.effects import care, danger, nothing
from assent.policy.shell.words import HOLE, Arg

_TELLS = frozenset({"version", "list", "help", "ciphers", "errstr", "speed", "prime", "info", "rand", "passwd"})
_CERTIFICATES = frozenset({"x509", "verify", "crl", "ocsp", "crl2pkcs7", "pkcs7"})
_HASHES = frozenset({"dgst", "md5", "sha1", "sha224", "sha256", "sha384", "sha512", "rmd160", "sm3", "mac"})
_MAKES = frozenset({"genrsa", "genpkey", "req", "ca", "dhparam", "ecparam", "gendsa"})
_PRIVATE = frozenset({"rsa", "dsa", "ec", "pkey", "pkcs8", "pkcs12", "pkeyutl", "rsautl", "cms", "smime"})
_SPELLINGS = later(r"enc|base64|zlib|asn1parse|storeutl|(?:aes|des|bf|rc\d|cast|camellia|aria|sm4|chacha)[\w-]*")
_LOADS = ("-engine", "-config", "-provider", "-provider-path", "-keygen_engine")
_OPTIONS = (
    "- * -engine=none -config=none -provider=none -provider-path=none -keygen_engine=none -propquery= -out=write"
    " -keyout=write -writerand=write -sess_out=write -CAserial=write -keylogfile=write -msgfile=write -crl_out=write"
    " -certsout=write -respout=write -reqout=write -outdir=write -in=none -url=none -connect=none -host=none -inform="
    " -outform= -days= -subj= -nameopt= -certopt= -CA= -CAkey=none -CAfile=read -CApath=names -key=none -signkey=none"
    " -sign=none -hmac=none -mac= -macopt=none -verify= -prverify= -signature=read -passin= -passout= -pass= -k="
    " -kfile=read -K= -iv= -S= -md= -iter= -bufsize= -addext= -extfile=read -extensions= -set_serial= -servername="
    " -starttls= -port= -cert=read -certform= -keyform= -purpose= -name= -rand= -strparse= -offset= -length= -cipher="
    " -ciphersuites= -alpn= -sess_in=read -proxy=host -newkey= -pkeyopt= -algorithm= -paramfile=read -untrusted=read"
    " -trusted=read -CRLfile=read -issuer= -ext= -checkhost= -checkemail= -checkip= -attime= -policy= -sigopt= -vfyopt="
    " -bind= -xmpphost= -tlsextdebug -pubin -req"
)
_SIGNS = care("secret", "It makes a key, or signs with one.")


def _openssl(it: Invocation) -> Iterator[Finding]:
    if it.is_bare:
        yield care("run", "It waits for commands.")
        return
    verb, files = (it.operands[0].text, it.operands[1:]) if it.operands else ("", [])
    for value in it.all_values(*_LOADS):
        yield danger("run", "It loads code, or settings that name code.", shown(value))
    if verb in _TELLS:
        yield nothing("It tells about itself or calculates.")
    elif verb in _CERTIFICATES:
        # They are public, though they go by names that keys go by.
        yield nothing("It shows certificates, which are public.")
        if it.has("-signkey", "-CAkey", "-key", "-req"):
            yield _SIGNS
        for url in it.all_values("-url"):
            yield from reached(it, url)
    elif verb in _MAKES:
        yield _SIGNS
    elif verb in _HASHES:
        yield nothing("It calculates a checksum.")
        if it.has("-sign", "-hmac", "-macopt"):
            yield _SIGNS
        for file in [*it.all_values("-in"), *files]:
            yield it.path("read", file)
    elif verb in _PRIVATE:
        is_public = it.has("-pubin") and verb in ("rsa", "ec", "pkey", "dsa")
        yield nothing("It shows a public key.") if is_public else danger("secret", "It reads private keys or secrets.")
    elif _SPELLINGS.fullmatch(verb):
        yield nothing("It writes a text in another spelling.")
        for file in [*it.all_values("-in"), *(files if verb == "storeutl" else [])]:
            yield it.path("read", file)
    elif verb in ("s_client", "s_time"):
        target = it.value("-connect", "-host") or Arg("")
        yield care("fetch", "It connects to another machine.", shown(target))
        yield SendsInput(shown(target), trusted=address(target.text).is_local)
    elif verb in ("s_server", "s_www"):
        yield danger("fetch", "It listens for connections from other machines.")
    else:
        yield care("unknown", f"Assent does not know “openssl {verb.replace(HOLE, '…')}”.")


def _keytool(it: Invocation) -> Iterator[Finding]:
    if it.has("-list", "-printcert", "-printcertreq", "-showinfo") and not it.has("-providerpath"):
        yield care("secret", "It lists what a store of keys holds.")
    elif it.has("-help") or it.is_bare:
        yield nothing("It only tells about itself.")
    else:
        yield danger("secret", "It changes or exports what a store of keys holds.")


COMMANDS: dict[str, Spec] = {
    "openssl": Spec("Works with keys and certificates.", _OPTIONS, "none*", also=_openssl),
    "keytool": Spec("Works with stores of keys.", "- * -providerpath= -file=write", "none*", also=_keytool),
    "jarsigner": Spec("Signs programs.", "*", does=(danger("secret", "It signs with a key of yours."),)),
    "mkcert": Spec(
        "Makes certificates.",
        "- * -cert-file:write -key-file:write -p12-file:write",
        does=(_SIGNS,),
        also=lambda it: iter(
            (danger("persist", "It changes whom this machine trusts."),) if it.has("-install", "-uninstall") else ()
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
