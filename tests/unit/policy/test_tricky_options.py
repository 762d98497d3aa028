"""Options by which harmless commands write, run, load or disclose."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk

RC = "/home/me/.bashrc"
KEY = "/home/me/.ssh/id_rsa"


@pytest.mark.parametrize(
    "line",
    [
        f"units -L {RC} 1m ft",
        f"gpgv --output {RC} x.sig",
        f"iptables-save -f {RC}",
        f"info --output={RC} ls",
        f"less -o {RC} x",
        f"sort --outp={RC} a",
        f"uniq a {RC}",
        f"xxd a {RC}",
        f"git show --outp={RC}",
        f"gawk -d{RC} 'BEGIN {{}}'",
        f"pg_restore -f {RC} dump",
        f"python3 -m json.tool a {RC}",
        f"openssl x509 -in a -out {RC}",
        f"openssl x509 -in a -out={RC}",
        f"openssl x509 -in a --out {RC}",
        f"7z x a.7z -O{RC}",
        f"nmap -oN{RC} localhost",
        f"git shortlog -n --output={RC}",
        f"git log --grep --output={RC}",
        f"terraform plan --out={RC}",
        f"find . -fprint {RC}",
        f"sed -n '$w{RC}' a",
        f"time -o {RC} ls; /usr/bin/time -o {RC} ls",
    ],
)
def test_option_that_writes_where_a_shell_begins_is_danger(line: str) -> None:
    """However it is spelled."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "ar --plugin=/tmp/x.so t a.a",
        "nm --plugin /tmp/x.so a.o",
        "man -H./evil ls",
        "git grep -O./evil x",
        "git ls-remote --upload-pack=./evil x",
        "sort --compress-prog=./evil a",
        "go vet -vettool=./evil ./...",
        "cargo metadata --config 'build.rustc-wrapper=\"./evil\"'",
        "kubectl get pods --kubeconfig=/tmp/x",
        "javap -J-javaagent:/tmp/x.jar A",
        "ssh-keygen -D /tmp/x.so",
        "awk -l /tmp/x.so 'x'",
        "zip -T -TT ./evil a b",
        "node -r ./evil -v",
        "ldd ./evil",
        "gpg --agent-prog ./evil --list-keys",
        "nm @options",
        "objdump -d @options a.o",
        "ar t @options",
        "ld --error-handling-script=./evil a.o",
        f"node --log --logfile={RC} --check a.js",
        f"node --redirect_code_traces_to={RC} --check a.js",
        "gpg --list-keys --photo-v=./evil",
        "emacsclient -ne '(f)'",
        "emacsclient -a./evil a",
        "ip -ba ./evil addr show",
        "jq -L./evil . a",
        "screen -x mine -X stuff a",
    ],
)
def test_option_that_runs_or_loads_something_is_never_harmless(line: str) -> None:
    """What is loaded is not in sight."""
    assert risk(line) >= Risk.CARE


@pytest.mark.parametrize(
    "line",
    [
        f"wc --files0-from={KEY}",
        f"grep --file={KEY} -v a",
        f"jq --rawfile x {KEY} -n '$x'",
        f"diff --to-file={KEY} a",
        f"git diff --no-index a {KEY}",
        f"git blame --contents {KEY} a",
        "git blame -n .env",
        "git blame -l .env",
        "git annotate -nl .env",
        f"sqlite3 x.db \"select readfile('{KEY}')\"",
        f"xargs --arg-file={KEY} echo",
        f"curl -s file://{KEY}",
        f"file -f {KEY}",
    ],
)
def test_option_that_reads_a_secret_is_danger(line: str) -> None:
    """A file is read by whatever names it."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize("line", ["pkill -n claude", "killall -r claude", "killall -g claude", "pkill -o assent"])
def test_flag_does_not_swallow_the_name_of_the_guard(line: str) -> None:
    """What follows an option without a value is what it ends."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "node --no-warnings -e 'console.log(1)'",
        "node --max-old-space-size=4096 --check a.js",
        "git blame -L 1,5 a.py",
        "git shortlog -sn",
        "git log -n 5 --oneline",
        "nm -D a.so",
        "man -s 3 printf",
    ],
)
def test_everyday_option_still_looks(line: str) -> None:
    """Nothing of this runs, writes or sends."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize("line", ["codespell -c -w src", "pigz -M a.txt", "zip -s 10m a.zip src"])
def test_flag_does_not_swallow_what_is_written(line: str) -> None:
    """What follows an option without a value is an option or a file."""
    assert risk(line) == Risk.CHANGE
