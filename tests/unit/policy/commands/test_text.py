"""Lines with tools that print text changed, and how much a yes to them could cost."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import effects, risk


@pytest.mark.parametrize(
    "line",
    [
        "sort -k 2 -t, -n a",
        "sort -u -T /tmp a",
        "uniq -c a",
        "cut -d: -f1 a",
        "cut -c1-10 a",
        "tr a-z A-Z < a",
        "diff -u a b",
        "diff -ru src lib",
        "comm -23 <(sort a) <(sort b)",
        "column -t -s, a",
        "xxd a",
        "xxd -l 64 a",
        "iconv -f latin1 -t utf8 a",
        "strings -n 8 a",
        "less a",
        "less +G a",
        "less -R a",
        "more a",
        "man ls",
        "bat -p a",
        "jq . a.json",
        "jq -r '.a[] | .b' a.json",
        "jq --arg x 1 '.a == $x' a.json",
        "jq '.a as $x | env.HOME' a",
        "yq .a.b c.yml",
        "yq -o=json . c.yml",
        "xmllint --xpath //a x.xml",
        "patch --dry-run -p1 < a.patch",
        "sort --version",
        "less --version",
        "yq --version",
        "bat --version",
        "xxd -p a.bin",
        "xxd -ps a.bin",
        "xxd -r a.hex",
        "xxd -r -p a.hex",
        "hexdump -n 32 -e '16/1 \"%02x\"' a",
        "diff --color=always a b",
        "diff -y --suppress-common-lines a b",
        "diff <(ls a) <(ls b)",
        "diff -q a b && echo same",
        "jq '.scripts' package.json",
        "jq -c '.[]' a.json | head",
        "jq 'keys' a.json",
        "jq -r '.dependencies | to_entries[] | \"\\(.key)@\\(.value)\"' package.json",
        "jq -s 'add' a.json b.json",
        "jq -e .a a.json > /dev/null",
        "jq --tab . a.json",
        "jq --indent 4 . a.json",
        "jq -n '1+1'",
        "jq '.environment' a.json",
        "jq '.a.env.b' a.json",
        "jq '.services[].env' a.json",
        "yq e '.a' x.yaml",
        "yq -r '.jobs | keys | .[]' .github/workflows/ci.yml",
        "yq '.spec.template.spec.containers[0].image' d.yaml",
        "column -t a",
        "paste -sd, a",
        "paste -d' ' a b",
        "comm -3 a b",
        "join -t, -1 1 -2 2 a b",
        "fold -s -w 80 a",
        "expand -t 4 a",
        "tr -s ' ' < a | cut -d' ' -f3",
        "man 5 crontab",
        "man -k network",
        "man -f ls",
        "pr -t a",
        "shuf -i 1-10 -n 1",
        "strings -a bin | grep -i version",
        "look foo",
        "cmp -s a b || echo differ",
        "sdiff a b",
        "colordiff a b",
        "bat -n src/a.py --line-range 10:20",
        "zless a.gz",
    ],
)
def test_looking_is_look(line: str) -> None:
    """Printing text changed is looking."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "sort --files0-from=.env",
        "sort --random-source=.env a",
        "diff a ~/.ssh/id_rsa",
        "diff --to-file=.env a",
        "jq -n '$ENV'",
        "jq -n 'env.AWS_SECRET_ACCESS_KEY'",
        "jq -n --rawfile x .env '$x'",
        "jq -Rs . .env",
        "jq . .env",
        "jq -f .env a",
        "yq '.a = load(\".env\")' c.yml",
        "yq -n 'env(GITHUB_TOKEN)'",
        "yq -n 'strenv(API_KEY)'",
        "cut -d= -f2 .env.local",
        "paste .env",
        "less .env",
        "comm a .env",
        "column -t .env",
        "fold .env",
        "uniq .env",
        "xxd .env",
        "strings .env",
        "iconv .env",
        "diff /dev/null .env",
        "cmp a .env",
        "jq -R . .env",
        "bat .env",
        "fmt .env",
        "pr .env",
        "expand .env",
        "shuf .env",
        "join a .env",
        "ptx .env",
        "tsort .env",
        "look x .env",
    ],
)
def test_secret_is_danger(line: str) -> None:
    """Reading a secret is Danger through operands, options and programs."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "sort -uo ~/.profile a",
        "sort a -o /etc/passwd",
        "uniq a ~/.bashrc",
        "xxd a ~/.bashrc",
        "xxd -r a /etc/passwd",
        "iconv -f latin1 -t utf8 -o /etc/x a",
        "less '+!id' a",
        "less -o ~/.bashrc a",
        "man --pager='rm -rf ~' ls",
        "man -H'rm -rf ~' ls",
        "bat --pager 'rm -rf ~' a",
        "yq -i '.a = 1' .github/workflows/x.yml",
        "xmllint --output /etc/x a.xml",
        "sort x -o.git/config",
        "sort -k1 --output .git/hooks/x x",
        "man -Psh ls",
        "less -k x '+!id' y",
        "sort --compress-program ./x y",
        "LESSOPEN='|rm -rf ~' less x",
    ],
)
def test_running_and_writing_is_danger(line: str) -> None:
    """Options and second files that write or run are known in every spelling."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "sort -o a a",
        "uniq a b",
        "yq -i '.a = 1' c.yml",
    ],
)
def test_writing_in_the_project_is_change(line: str) -> None:
    """Output files in the project are changes."""
    assert risk(line) == Risk.CHANGE


@pytest.mark.parametrize(
    "line",
    [
        "jq 'import \"x\" as y; .' a",
        "xmllint --noent a.xml",
        "xmllint http://x/y.xml",
        "patch -p1 < a.patch",
    ],
)
def test_uncertain_is_care(line: str) -> None:
    """What comes from elsewhere, or is not known, needs care."""
    assert risk(line) == Risk.CARE


@pytest.mark.parametrize(
    ("line", "targets"),
    [
        # Elsewhere than on Linux the suffix is a word of its own, where a script follows or is given.
        ("sed -i '' -e s/a/b/ a", ["a"]),
        ("sed -i '' s/a/b/ a", ["a"]),
        ("sed -i '' s/a/b/ a b", ["a", "b"]),
        # With a suffix in its own word, what is empty is a file.
        ("sed -i.bak '' -e s/a/b/ a", ["", "a"]),
        ("sed -i.bak s/a/b/ a", ["a"]),
        # With one word behind it, it is the script.
        ("sed -i '' a", ["a"]),
    ],
)
def test_files_edited_in_place_are_told_from_the_suffix(line: str, targets: list[str]) -> None:
    """On each system as it reads the line."""
    assert [effect.target for effect in effects(line) if effect.kind == "write"] == targets
