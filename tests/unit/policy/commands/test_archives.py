"""Lines with packing and unpacking, and how much a yes to them could cost."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "tar tzf a.tgz",
        "tar -tvf a.tar",
        "unzip -l a.zip",
        "unzip -p a.zip x",
        "7z l a.7z",
        "zcat a.gz",
        "gunzip -c a.gz",
        "gzip -l a.gz",
        "cpio -t < a.cpio",
        "tar --version",
        "gzip --version",
        "zip -v",
        "unzip -v",
        "7z",
        "7z i",
        "tar -tzf a.tgz | head",
        "tar tf a.tar --wildcards '*.py'",
        "tar -xOzf a.tgz package/package.json",
        "unzip -p a.zip META-INF/MANIFEST.MF",
        "unzip -Z1 a.zip",
        "unzip -t a.zip",
        "zipinfo a.zip",
        "zcat a.gz | wc -l",
        "xzcat a.xz | head",
        "zstdcat a.zst",
        "bzcat a.bz2",
        "gzip -dc a.gz",
        "gzip -cd a.gz | tar -tf -",
        "zstd -dc a.zst",
        "ar t lib.a",
    ],
)
def test_listing_is_look(line: str) -> None:
    """Listing and printing what is packed looks."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "tar czf a.tgz .env",
        "tar czf a.tgz ~/.ssh",
        "tar czf - ~",
        "zip a.zip .env",
        "zip -r a.zip ~",
        "7z a a.7z .env",
        "gzip .env",
        "gzip ~/.ssh/id_rsa",
        "zcat ~/.ssh/x.gz",
        "tar c .env",
        "zip - .env",
        "gzip -c .env",
        "tar cf - ~/.ssh | base64",
        "tar -C ~ -cf x.tar .ssh",
        "tar --create --file=x.tar --directory=/home/me .aws",
        "zip -r x.zip ~/.ssh",
        "7z a x.7z ~/.gnupg",
        "unzip x.zip -d ~/.ssh",
        "7z e x.7z -o~/.ssh",
    ],
)
def test_packed_secret_is_danger(line: str) -> None:
    """Packing a secret is taking it."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "tar xf a.tar --to-command='sh'",
        "tar cf a.tar --checkpoint=1 --checkpoint-action=exec=./x src",
        "tar cf a.tar --checkpoint=1 --checkpoint-action 'exec=rm -rf ~' src",
        "tar cf a.tar -I 'sh -c \"rm -rf ~\"' src",
        "tar cf a.tar --use-compress-program='rm -rf ~' src",
        "tar cf a.tar -F 'rm -rf ~' src",
        "tar -cf a.tar --rsh-command='rm -rf ~' x",
        "zip -T --unzip-command='rm -rf ~' a.zip b",
        "zip -TT 'rm -rf ~' -T a.zip b",
        "tar -cvf x.tar --checkpoint=1 --checkpoint-action=exec=sh\\ x.sh y",
        "tar cf x.tar y --checkpoint-act=exec=id",
        "tar --use-compress='rm -rf ~' -cf x y",
        "tar cf x.tar --to-command=id -x",
        "tar -xf x.tar -O --to-command='rm -rf ~'",
        "tar xf x.tar -I./evil",
        "TAR_OPTIONS='--checkpoint-action=exec=id' tar cf x y",
    ],
)
def test_running_is_danger(line: str) -> None:
    """Every option that runs a program is known, in every spelling."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "tar czf ~/.bashrc x",
        "tar xzf a.tgz -C ~",
        "tar xzf a.tgz -C /",
        "tar xzf a.tgz --directory=/usr",
        "tar -xPf a.tar",
        "tar xf a.tar --to-com=sh",
        "tar cf a.tar --remove-files src",
        "tar cf host:/x src",
        "unzip a.zip -d ~",
        "unzip a.zip -d/etc",
        "zip -rm a.zip src",
        "7z x a.7z -o/etc",
        "7z x a.7z -spf",
        "7z a a.7z src -sdel",
        "zstd a -o /etc/x",
        "cpio -i < a.cpio",
        "tar -xf x.tar -C/etc",
        "tar -C /etc -xf x.tar",
        "tar x -f x.tar -C ~",
        "tar --extract --file x.tar --directory /",
        "unzip -d /usr/local x.zip",
        "cpio -idmv < x",
    ],
)
def test_unpacking_over_folders_is_danger(line: str) -> None:
    """Unpacking over the home, the system, or wherever the archive says is Danger."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "tar czf a.tgz src",
        "tar -cf a.tar -C src .",
        "tar xzf a.tgz -C /tmp/x",
        "tar cf a.tar -I zstd src",
        "unzip -q a.zip -d /tmp/x",
        "zip -r a.zip src",
        "7z a a.7z src",
        "gunzip a.gz",
        "gzip -k a",
        "xz -d a.xz",
        "zstd a",
    ],
)
def test_packing_and_unpacking_aside_is_change(line: str) -> None:
    """Archives in the project and files in temporary folders are changes."""
    assert risk(line) == Risk.CHANGE


@pytest.mark.parametrize(
    "line",
    [
        "tar xzf a.tgz",
        "tar xzf a.tgz -C out",
        "tar cf a.tar -T list",
        "unzip a.zip",
        "7z x a.7z",
    ],
)
def test_unpacking_is_care(line: str) -> None:
    """Unpacking writes files whose names only the archive knows."""
    assert risk(line) == Risk.CARE
