"""A program that is started gets operands and input of the one that starts it, and is judged with them."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "git grep -Orm TODO",
        "git grep -O'rm -f' TODO",
        "git grep -nOrm TODO",
        "git grep --open-files-in-pager=rm TODO",
        "git grep --open-files-in-p=rm TODO",
        "git grep -Osh TODO",
        "fd . ~/docs -xrm",
        "fd . ~/docs -Xrm",
        "fd . ~/docs -Hxrm",
        "fd . ~/docs -uXrm",
        "fd . ~/docs -x=rm",
        "fd . ~/docs --exec-b=rm",
        "fdfind . ~/docs -xrm",
        "fd . -x echo {} ';' -Xrm",
        "man -Prm ls",
        "zip -qTTrm a.zip b",
        "tar xfI a.tar rm",
        "git -c core.pager=rm log",
        "mapfile -tC rm lines",
        "mapfile -tCrm lines",
        "hash -rp ./x ls",
        "exec -cafoo rm -rf ~",
    ],
)
def test_program_that_deletes_or_runs_what_it_is_given_is_danger(line: str) -> None:
    """Alone on a line it would do nothing."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "git help -w log",
        "git for-each-repo --config=x status",
        "systemctl -Hx status",
        "more +!rm a",
        "git help --web log",
    ],
)
def test_program_that_settings_name_or_another_machine_is_not_looked_over(line: str) -> None:
    """A browser, another repository's settings, a shell of the pager, another machine."""
    assert risk(line) >= Risk.CARE


@pytest.mark.parametrize("line", ["timeout 5 rm", "nice tee", "sh -c rm", "watch rm", "env -i shred"])
def test_program_started_without_operands_is_not_harmless_because_of_that(line: str) -> None:
    """What starts it may hand on words or input of its own."""
    assert risk(line) >= Risk.CARE


@pytest.mark.parametrize(
    "line",
    [
        "git grep -Oless TODO",
        "bat --pager 'less -R' README.md",
        "man -P cat ls",
        "sort --compress-program=gzip a.txt",
        "tar -I zstd -tf a.tar.zst",
        "fd -e py -x wc -l",
        "fd -tx",
        "timeout 5 ls",
        "sh -c pwd",
        "time date",
    ],
)
def test_program_that_only_shows_what_it_is_given_looks(line: str) -> None:
    """Pagers, counters and packers of temporary files do no more with operands than without."""
    assert risk(line) == Risk.LOOK
