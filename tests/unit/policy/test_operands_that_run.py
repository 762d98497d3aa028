"""Operands and arguments that interpreters open in ways of their own."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "perl -ne 'print' 'rm -rf x|'",
        "perl -ne 'print' 'touch x |'",
        "perl -ane 'print' '| sh'",
        "perl -lne 'print' ' id| '",
    ],
)
def test_operand_that_perl_runs_is_danger(line: str) -> None:
    """Perl opens what it is given with its two-argument open."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    ("line", "least"),
    [
        ("perl -ne 'print' '>README.md'", Risk.CHANGE),
        ("perl -ne 'print' '+<README.md'", Risk.CHANGE),
        ("perl -ne 'print' *", Risk.CARE),
        ("perl -ne 'print' $(ls)", Risk.CARE),
        ("python3 -c 'import site; site.addsitedir(\"x\")'", Risk.CARE),
        ("python3 -c 'import configparser as c; p = c.ConfigParser(); p.read(\"/srv/x\")'", Risk.CARE),
        ("python3 -c 'import configparser as c; p = c.ConfigParser(); p.read([\"/srv/x\"])'", Risk.CARE),
        ("python3 -c 'import xml.etree.ElementTree as e; print(e.parse(\"/srv/x\").getroot())'", Risk.CARE),
        ("cloc --vcs=./x", Risk.CARE),
        ("brew info ./x.rb", Risk.CARE),
        ("brew deps https://example.com/x.rb", Risk.CARE),
        ("gpg --status-file x --list-keys", Risk.CHANGE),
        ("gpg --attribute-file x --list-keys", Risk.CHANGE),
    ],
)
def test_operand_that_writes_runs_or_reads_elsewhere_costs_what_it_does(line: str, least: Risk) -> None:
    """A file written, a name that may be a command, a file outside the project."""
    assert risk(line) >= least


@pytest.mark.parametrize(
    "line",
    [
        "perl -ne 'print if /x/' README.md",
        "perl -ne 'print' src/*.py",
        "python3 -c 'import sys; print(sys.stdin.read())'",
        "python3 -c 'print(open(\"README.md\").read(10))'",
        "cloc --vcs=git",
        "brew info wget",
    ],
)
def test_ordinary_operands_stay_looks(line: str) -> None:
    """Files of the project by plain names."""
    assert risk(line) == Risk.LOOK
