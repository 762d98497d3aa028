"""Lines with awk programs, and how much a yes to them could cost."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "awk '{print $1}' a",
        "awk -F'\\t' -v OFS=, '{$1=$1; print}' a",
        "awk 'BEGIN { x = 1 > 0; print x }'",
        "awk '{ if ($1 > 5) { print } else print \"no\" }' a",
        "awk '{ print ($1 > 5) }' a",
        "awk '/system/ {print \"system(x)\"}' a",
        "awk '{print length($0) > \"/dev/stderr\"}' a",
        "awk '{a[$1]++} END {for (k in a) print k, a[k]}' a",
        "awk 'a || b' a",
        "awk -vn=3 'NR==n' a",
        "awk 'BEGIN { print ENVIRON[\"HOME\"] }'",
        "awk '{print | \"sort -rn\"}' a",
        "awk 'BEGIN { \"date\" | getline d; print d }'",
        "awk --version",
        "awk 'NR==FNR{a[$1];next} $1 in a' a b",
        'awk \'BEGIN{FS=","} {sum+=$3} END{printf "%.2f\\n", sum/NR}\' a.csv',
        "awk '{gsub(/foo/,\"bar\"); print}' a",
        'awk \'length > 80 {print FILENAME": "FNR": "length}\' src/*.py',
        "awk -F: '$3 >= 1000 {print $1}' users.txt",
        "awk 'match($0, /[0-9]+/) {print substr($0, RSTART, RLENGTH)}' a",
        "awk '{ $3 = \"\"; print }' a",
        "awk 'function f(x) { return x*2 } { print f($1) }' a",
        "awk '{print $1 \"/\" $2}' a",
        "awk '{n=split($0, p, \"/\"); print p[n]}' a",
        'awk "{print \\$1}" a',
        "awk 'NF{print $NF}' a",
        "awk '/^## / {p=0} /^## Usage/ {p=1} p' README.md",
        "awk '$2 ~ /^a\\/b/ && !/x/ {c++} END {print c+0}' a",
        "awk 'BEGIN{printf \"%d\\n\", 10/3}'",
        "awk '{print ($1>$2)?$1:$2}' a",
        "awk '{s=s\",\"$1} END{print substr(s,2)}' a",
    ],
)
def test_program_that_prints_is_look(line: str) -> None:
    """Comparing, dividing and words in texts are neither redirections nor commands."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "awk '{print > \"out.txt\"}' a",
        "awk '{print $1, $2 >> \"out.txt\"}' a",
        "gawk -i inplace '{print}' a",
        "gawk -i inplace -v INPLACE_SUFFIX=.b '{print}' a",
    ],
)
def test_program_that_writes_in_the_project_is_change(line: str) -> None:
    """Files that it writes are written."""
    assert risk(line) == Risk.CHANGE


@pytest.mark.parametrize(
    "line",
    [
        "awk '{print > \"/etc/passwd\"}' a",
        'awk \'{printf "%s", $0 > "/home/me/.bashrc"}\' a',
        'awk \'{print $0 > "/home/me/" ".bashrc"}\' a',
        "awk 'BEGIN { system(\"rm -rf ~\") }'",
        "awk 'BEGIN { system (\"rm -rf ~\") }'",
        "awk 'BEGIN { cmd = \"rm -rf ~\"; system(cmd) }'",
        "awk 'BEGIN { \"rm -rf ~\" | getline x; print x }'",
        'awk \'BEGIN { print "x" | "sh" }\'',
        'awk \'BEGIN { c = "sh"; print "x" | c }\'',
        'awk \'BEGIN { print "x" |& "sh" }\'',
        "awk 'BEGIN { while ((getline line < \".env\") > 0) print line }'",
        "awk 'BEGIN { f=\".env\"; while ((getline line < f) > 0) print line }'",
        "awk 'BEGIN { getline < \"/etc/shadow\"; print }'",
        "awk 'BEGIN { print ENVIRON[\"GITHUB_TOKEN\"] }'",
        "awk 'BEGIN { for (k in ENVIRON) print ENVIRON[k] }'",
        "awk 1 .env",
        "awk -f .env",
        "gawk -o/etc/x 'BEGIN{}'",
        "gawk --dump-variables=/etc/x 'BEGIN{}'",
        "awk '{print | \"sort > /etc/passwd\"}' a",
        "awk '{print >> \".git/hooks/x\"}' a",
        'awk \'BEGIN{printf "x" > "/home/me/.bashrc"}\'',
        "awk -v f=/etc/passwd 'BEGIN{print \"x\" > f}'",
        "awk -v c='rm -rf ~' 'BEGIN{system(c)}'",
        'awk \'BEGIN{system("r" "m -rf ~")}\'',
        'awk \'BEGIN{system(sprintf("%s -rf ~","rm"))}\'',
        "awk 'BEGIN{c=\"rm -rf ~\"; c | getline}'",
        'awk "BEGIN{system(\\"rm -rf ~\\")}"',
        'awk \'BEGIN{printf("x") | "sh"}\'',
        'awk \'BEGIN{print "id" | "/bin/sh"}\'',
        'awk \'BEGIN { print "rm -rf ~" | "bash" }\'',
        "awk '{print $0 | \"xargs rm -rf\"}' a",
        "awk 'BEGIN{while((\"cat .env\" | getline l)>0) print l}'",
        "awk $'BEGIN{\\nsystem(\"rm -rf ~\")\\n}'",
        "awk '{ print $1 # x\n system(\"rm -rf ~\") }' a",
        'awk \'/"/ {system("rm -rf ~")}\' a',
        'awk \'BEGIN { x = "a\\"b"; system("rm -rf ~") }\'',
        "awk '{ y = x / 2; system(\"rm -rf ~\") / 2 }' a",
    ],
)
def test_program_that_runs_or_opens_is_danger(line: str) -> None:
    """Commands, pipes, files and variables with secrets are found in a program."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "awk '{print > $1}' a",
        "awk -f x.awk a",
        "gawk -l filefuncs 'BEGIN{}' a",
        "gawk '@load \"x\"; BEGIN{}' a",
        'gawk \'BEGIN { f = "system"; @f("id") }\'',
    ],
)
def test_program_out_of_sight_is_care(line: str) -> None:
    """What is loaded, or worked out only then, is not known."""
    assert risk(line) == Risk.CARE


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ('ENVIRON["HOME"]', Risk.LOOK),
        ('ENVIRON["GITHUB_TOKEN"]', Risk.DANGER),
        ("x = ENVIRON", Risk.DANGER),
        ("ENVIRON[k]", Risk.DANGER),
        ('x = ENVIRON "HOME"', Risk.DANGER),
        ("ENVIRON[", Risk.DANGER),
        ("ENVIRON", Risk.DANGER),
        ('ARGV[1] = "x"', Risk.CARE),
        ('ARGV[ARGV[1]] = "x"', Risk.CARE),
        ("x = ARGV[1]", Risk.LOOK),
        ("x = ARGV[1] == 2", Risk.LOOK),
        ("x = ARGV", Risk.LOOK),
        ('PROCINFO["x"] = 1', Risk.CARE),
        ('x = PROCINFO["x"]', Risk.LOOK),
        ('SYMTAB["x"]', Risk.CARE),
    ],
)
def test_arrays_of_the_language_are_told_by_what_is_done_to_them(program: str, expected: Risk) -> None:
    """One variable, all variables, a file name set."""
    assert risk(f"awk 'BEGIN {{ {program} }}'") == expected
    assert risk(f"awk '{program}'") == expected
