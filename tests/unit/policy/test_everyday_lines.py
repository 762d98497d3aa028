"""Lines as agents write them all day, and the same with a catch in them."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        'for f in *.py; do cat "$f"; done',
        "jq '.[] | select(.name == \"env\")' a.json",
        "jq '.[] | \"\\(.a) env \\(.b)\"' a.json",
        "comm -12 <(ls a | sort) <(ls b | sort)",
        "find . -name '*.py' -newer setup.py -exec head -1 {} \\; | sort | uniq -c",
        "find . -type f -name '*.ts' -exec grep -l 'useState' {} + | wc -l",
        'ls -1 src | while read -r d; do echo "$d"; done',
        'cat a.txt | while IFS= read -r line; do echo "$line"; done',
        'head -n "$N" README.md',
        'tail -n "${LINES_TO_SHOW:-20}" README.md',
        'grep -n "$PATTERN" src/a.py',
        'rg "$PATTERN" src',
        "sed -n '10,20p' src/a.py | cat -A",
        "awk -v start=10 'NR>=start' src/a.py",
        "diff <(sort a) <(sort b)",
        'test "$(wc -l < a)" -gt 5 && echo big',
        'if [ "$(ls -A src)" ]; then echo full; fi',
        "cat << EOF | wc -c\nhello $USER\nEOF",
        "tr ',' '\\n' <<< \"a,b,c\"",
        "seq 3 | xargs -I{} echo item {}",
        'x=$(cat VERSION); echo "$x"',
        'echo "$((1+2))"',
        "ls -la src/ && wc -l src/*.py && head -5 README.md",
        "du -sh */ | sort -h",
        "find . -maxdepth 1 -mindepth 1 -type d -exec du -sh {} \\;",
        "stat --format='%n %s' src/*",
        "file $(find . -name '*.bin')",
        "basename -s .py src/a.py",
        "cat src/{a,b}.py",
        "cat src/a.py | grep -v '^\\s*#' | grep -v '^\\s*$' | wc -l",
        "cut -f1,3 -d$'\\t' a.tsv | sort -u",
        "strings bin/app | grep -E 'v[0-9]+\\.[0-9]+'",
        "xxd -s 16 -l 32 bin/app",
        "od -c a | head -3",
        "md5sum a b | awk '{print $1}' | uniq | wc -l",
        "date -d '2 days ago' '+%Y-%m-%d'",
        "date --iso-8601=seconds",
        "TZ=UTC date",
        "LC_ALL=C sort -u a",
        "ls --color=never -1t | head -1",
        "tree -d -L 3 --noreport src",
        "tree -I 'node_modules|dist' -L 2",
        "less -N src/a.py",
        "zcat logs/*.gz | grep ERROR | tail",
        "tar -tzf dist/a.tgz --wildcards '*.js' | sort",
        "unzip -l dist/a.whl | grep METADATA",
        "unzip -p dist/a.whl '*/METADATA' | head",
        "jq -r '.version' package.json",
        "jq '.scripts | keys[]' package.json | sort",
        "jq -r 'to_entries[] | \"\\(.key)=\\(.value)\"' a.json",
        "jq --arg n foo '.[] | select(.name==$n)' a.json",
        "yq '.version' pubspec.yaml",
        "yq -o=json '.' a.yaml | jq .",
        "column -s, -t < a.csv | head",
        "nl -w2 -s'. ' a",
        "paste <(cut -f1 a) <(cut -f2 b)",
        "printf '%s\\n' \"${PATH//:/\\n}\"",
        "echo \"$PATH\" | tr ':' '\\n'",
        "man git-log | head -40",
        "which node npm",
        "command -v rg >/dev/null && rg --version",
        "type -a python3",
        "pwd && ls",
        "cd src && rg TODO | wc -l",
        "(cd src; find . -name '*.py' | wc -l)",
        "ls src || true",
        "grep -c . a || echo 0",
        "! grep -q foo a",
        "find . -type f -not -path './.git/*' | head -50",
        "rg --no-heading -n 'foo|bar' -g '!*.min.js' | cut -d: -f1 | sort | uniq -c",
        "fd -t f -e ts . src | xargs wc -l | sort -n | tail",
    ],
)
def test_everyday_line_only_looks(line: str) -> None:
    """These are not asked about."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('for f in .e*; do cat "$f"; done', Risk.DANGER),
        ("jq -n '\"\\(env)\"'", Risk.DANGER),
        ("jq -n '$ENV[\"API_KEY\"]'", Risk.DANGER),
        ("cat /proc/$$/environ", Risk.DANGER),
        ("grep -r token ~/.config", Risk.DANGER),
        ("tar cf x.tar ~/.claude", Risk.DANGER),
        ('t=$(mktemp -d); cp a "$t/"; rm -rf "$t"', Risk.CHANGE),
        ('rm -rf "$(basename /)"', Risk.DANGER),
        ('rm -rf "$(dirname /home/me)"', Risk.DANGER),
        ("cp .env.local .env", Risk.DANGER),
        ("cp .env.example .env", Risk.CARE),
        ("cp config/.env.sample .env", Risk.CARE),
    ],
)
def test_line_with_a_catch_costs_more(line: str, expected: Risk) -> None:
    """A pattern, a variable or a substitution carries the risk of what it stands for."""
    assert risk(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "for f in $(ls src/*.py); do echo $f; head -3 $f; done",
        "ls *.json | xargs -I{} jq '.name' {}",
        "ls src/*.py | head -3 | xargs cat",
        'ls -t src/components/*.tsx | head -5 | while read f; do echo "## $f"; head -15 "$f"; done',
        "ls -1 logs | tail -1 | xargs -I{} tail -5 logs/{}",
        "ls -t /tmp/*.log | head -1 | xargs tail -20",
        "ls src | while read d; do wc -l src/$d; done",
    ],
)
def test_names_that_ls_prints_stay_where_it_looks(line: str) -> None:
    """A loop over them reads what lies there."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "ls -a | xargs cat",
        "ls -l | xargs cat",
        "ls ~ | xargs cat",
        "ls /etc/* | xargs cat",
        "ls .cla* | xargs cat",
        'ls src | while read f; do rm "src/$f"; done',
        "ls src | xargs -I{} sh -c 'cat {}'",
    ],
)
def test_names_that_ls_prints_elsewhere_are_not_look(line: str) -> None:
    """Hidden names, other folders, and more than reading."""
    assert risk(line) >= Risk.CARE
