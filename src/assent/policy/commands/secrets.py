"""Commands that keep secrets: password stores, key rings, encrypted files.

Printing, exporting or decrypting is Danger: what is shown, the model sees. Handing secrets to a program
that a person runs anyway is Care."""

from collections.abc import Iterator

from assent.policy.commands._either import either
from assent.policy.commands._web import shown
from assent.policy.commands.spec import Finding, Invocation, Run, Spec, each
from assent.policy.effects import Effect, care, danger, nothing
from assent.protocol.decision import Risk

_SHOWS = danger("secret", "It shows, changes or exports secrets of a password store.")
_TELLS = "It tells about itself, not about secrets."
_GIVES = care("secret", "It gives secrets from a safe to the program it starts.")

# --- gpg

_GPG_SECRET = frozenset(
    {"--export-secret-keys", "--export-secret-subkeys", "--decrypt", "-d", "--decrypt-files", "--delete-secret-keys"}
    | {
        "--delete-keys",
        "--delete-secret-and-public-key",
        "--edit-key",
        "--passwd",
        "--generate-key",
        "--gen-key",
        "--sign",
    }
    | {
        "--export-ssh-key",
        "--full-generate-key",
        "--quick-generate-key",
        "--export-ownertrust",
        "--clear-sign",
        "--clearsign",
    }
    | {
        "--detach-sign",
        "-s",
        "-b",
        "--sign-key",
        "--quick-sign-key",
        "--lsign-key",
        "--import-ownertrust",
        "--card-edit",
    }
)
_GPG_LOOKS = frozenset(
    {
        "--list-keys",
        "-k",
        "--list-public-keys",
        "--list-secret-keys",
        "-K",
        "--list-sigs",
        "--list-signatures",
        "--check-sigs",
    }
    | {
        "--fingerprint",
        "--verify",
        "--version",
        "--help",
        "-h",
        "--list-packets",
        "--show-keys",
        "--list-config",
        "--dump-options",
    }
)


# Whole words, not the beginnings of others.
_GPG_PLAIN = frozenset(
    {"--export", "--import", "--list-keys", "--edit", "--verify", "--encrypt", "--armor", "--output"}
)


def _gpg(it: Invocation) -> Iterator[Finding]:
    words = {option for option, _ in it.values}
    for value in it.all_values(
        "--agent-program", "--dirmngr-program", "--pinentry-program", "--keyboxd-program", "--photo-viewer", "--options"
    ):
        yield danger("run", "It runs another program than gpg's own, or takes settings that do.", shown(value))
    is_secret = bool(words & _GPG_SECRET) or any(
        len(option) > 6 and any(secret.startswith(option) for secret in _GPG_SECRET)
        for option in words - _GPG_PLAIN
        if option.startswith("--")
    )
    if is_secret:
        yield danger("secret", "It decrypts, signs, or exports a private key.")
    elif words & _GPG_LOOKS:
        yield Effect("read", Risk.LOOK, "It shows public keys, or checks a signature.")
    elif words & {"--encrypt", "-e", "--symmetric", "-c", "--recipient", "-r", "--armor", "--enarmor", "--dearmor"}:
        yield care("secret", "It encrypts.")
        for arg in it.operands:
            yield it.path("read", arg)
    elif words & {"--recv-keys", "--search-keys", "--refresh-keys", "--locate-keys", "--fetch-keys", "--send-keys"}:
        yield care("fetch", "It asks a server for keys.")
    elif words & {"--import", "--export", "-a"}:
        yield care("secret", "It changes whose signatures are known.")
    else:
        # Without a command it does what the file asks for: decrypting, mostly.
        yield danger("secret", "It decrypts a file.")


# --- files


def _age(it: Invocation) -> Iterator[Finding]:
    if it.has("-d", "--decrypt"):
        yield danger("secret", "It decrypts a file.")
    elif it.has("--version", "--help"):
        yield nothing(_TELLS)
    else:
        yield care("secret", "It encrypts.")
        for arg in it.operands:
            yield it.path("read", arg)


def _safe(looks: str) -> Spec:
    return either(looks, _TELLS, _SHOWS)


def _giver(why: str) -> Spec:
    """A safe with a verb that starts a program."""
    return Spec(
        why,
        "*",
        verbs={
            **each("run exec", Spec(why, "* --command=line", "none*", does=(_GIVES,), also=_runs, wraps=True)),
            **each("help --version version --help", Spec(_TELLS, "*")),
            "": Spec(_TELLS, "*"),
            "*": Spec(why, "*", does=(_SHOWS,)),
        },
    )


def _runs(it: Invocation) -> Iterator[Finding]:
    words = it.operands
    if it.name.startswith(("aws-vault", "chamber", "aws-okta")):
        # The first word is the name of what is opened.
        words = words[1:]
    words = words[1:] if words and words[0].text == "--" else words
    if words:
        yield Run(args=tuple(words))


COMMANDS: dict[str, Spec] = {
    **each(
        "gpg gpg2 gpg1 gpgsm",
        Spec(
            "Encrypts, decrypts and signs.",
            "* -o:write --output=write -u: -r: -R: --recipient= --homedir=config --agent-program=run"
            " --dirmngr-program=run"
            " --pinentry-program=run --keyboxd-program=run --photo-viewer=run --options=config --log-file=write"
            " --logger-file=write --status-file=write --attribute-file=write --exec-path=config",
            "none*",
            also=_gpg,
        ),
    ),
    **each(
        "gpgconf gpg-connect-agent gpg-agent gpg-preset-passphrase gpgtar gpg-zip",
        Spec("Works with keys.", "*", does=(_SHOWS,)),
    ),
    **each(
        "gpgv gpgv2", Spec("Checks signatures.", "* -o:write --output=write --log-file=write --keyring=read", "read*")
    ),
    **each(
        "pass gopass passage prs kpcli keepassxc-cli keepassxc.cli",
        either(r"(?:version|--version|help|git status|git log)", _TELLS, _SHOWS),
    ),
    "age": Spec("Encrypts files.", "* -o:write --output=write -i:none --identity=none -r: -R:read", "none*", also=_age),
    "age-keygen": Spec("Makes a key.", "* -o:write -y", does=(care("secret", "It makes a key, or prints one."),)),
    "rage": Spec("Encrypts files.", "* -o:write --output=write -i:none -r: -R:read", "none*", also=_age),
    "sops": _safe(r"(?:--version|filestatus .*|--help)"),
    **each(
        "git-crypt transcrypt blackbox_cat blackbox_edit blackbox_decrypt_all_files eyaml ejson",
        _safe(r"(?:status.*|version)"),
    ),
    **each("ccrypt ccat mcrypt scrypt bcrypt encfs gocryptfs cryfs", _safe(r"--version")),
    "op": _giver("It keeps passwords."),
    **each("bw bws rbw lpass dashlane-cli dcli enpass-cli nordpass protonpass-cli", _giver("It keeps passwords.")),
    **each(
        "doppler infisical chamber aws-vault aws-okta envchain teller dotenv-vault phase summon berglas",
        _giver("It keeps secrets."),
    ),
    **each(
        "secret-tool keyring kwallet-query kwalletcli gnome-keyring-daemon lssecret keyctl pass-otp oathtool",
        _safe(r"(?:--list-backends|--version)"),
    ),
    "security": either(
        r"(?:list-keychains|default-keychain|login-keychain|show-keychain-info.*|find-identity.*|verify-cert.*|help.*)",
        _TELLS,
        _SHOWS,
    ),
    **each(
        "atuin mcfly hstr",
        either(
            r"(?:--version|status|info|doctor|stats.*|--help)",
            _TELLS,
            danger("secret", "It shows what was typed on this machine, and secrets may be in it."),
        ),
    ),
    **each(
        "chainbreak mimipenguin laZagne lazagne keychain-dumper secretsdump.py firefox_decrypt",
        Spec("Steals passwords.", "*", does=(_SHOWS,)),
    ),
    **each(
        "systemd-creds systemd-ask-password systemd-cryptenroll clevis tang ssh-askpass pinentry",
        Spec("Works with secrets.", "*", does=(_SHOWS,)),
    ),
    **each(
        "kinit klist kdestroy kswitch ktutil kvno",
        either(
            r"(?:|-[les]+)",
            "It lists tickets.",
            danger("secret", "It gets, shows or changes tickets that open other machines."),
        ),
    ),
    **each(
        "docker-credential",
        Spec("Gives out passwords that are kept.", "*", does=(_SHOWS,)),
    ),
    **each(
        "htpasswd mkpasswd pwgen apg xkcdpass diceware makepasswd",
        Spec("Makes passwords.", "* -c:write", does=(care("secret", "It makes a password."),)),
    ),
    **each("uuidgen uuid", Spec("Makes a unique number.", "*")),
    **each("vaultwarden bitwarden 1password", Spec("Keeps passwords.", "*", does=(_SHOWS,))),
}
