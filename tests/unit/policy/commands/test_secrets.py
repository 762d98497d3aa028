"""Where secrets are kept."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "pass show mail",
        "pass mail",
        "gopass show -o x",
        "op read op://a/b/c",
        "op item get x --reveal",
        "bw get password x",
        "lpass show x",
        "gpg -d x.gpg",
        "gpg --decrypt x",
        "gpg --export-secret-keys",
        "gpg --export-secret-k me",
        "gpg x.gpg",
        "gpg --batch --yes -o out.txt -d x",
        "gpg --homedir x --edit-key me",
        "age -d -i key x",
        "sops -d x.yaml",
        "sops exec-env x.yaml env",
        "secret-tool lookup a b",
        "keyring get a b",
        "security find-generic-password -w -s x",
        "security dump-keychain",
        "keyctl read 1",
        "doppler secrets download",
        "chamber read a b",
        "aws-vault export prod",
        "kinit -k -t /etc/krb5.keytab x",
        "ssh-keygen -s ca x",
        "docker-credential-desktop get",
    ],
)
def test_secrets_that_are_shown_are_danger(line: str) -> None:
    """What is printed, the model sees."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "op run -- ls",
        "doppler run -- ls",
        "aws-vault exec dev -- ls",
        "gpg -e -r you README.md",
        "age -r x README.md",
        "gpg --recv-keys ABCD",
        "gpg --import key.pub",
        "gpg --armor --export me",
        "pwgen 20",
    ],
)
def test_secrets_that_are_handed_on_take_care(line: str) -> None:
    """The program gets them, as it does every day; its own danger counts."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "op run -- rm -rf /",
        "doppler run --command 'rm -rf /'",
        "aws-vault exec dev rm -rf /",
        "chamber exec x -- sh -c 'rm -rf /'",
    ],
)
def test_secrets_handed_to_danger_are_danger(line: str) -> None:
    """What is started is walked."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "gpg --list-keys",
        "gpg --verify x.sig x",
        "gpg --version",
        "pass version",
        "op --version",
        "security list-keychains",
        "uuidgen",
        "klist",
    ],
)
def test_secrets_that_stay_look(line: str) -> None:
    """Public keys, signatures, versions."""
    assert risk(line) == Risk.LOOK
