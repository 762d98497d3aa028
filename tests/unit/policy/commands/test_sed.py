"""Lines with sed scripts, and how much a yes to them could cost."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "sed -n 1,10p a",
        "sed -e s/a/b/ -e '/x/d' a",
        "sed 's|/usr|/opt|g' a",
        "sed -E 's/(a|b)+/[\\1]/g;p' a",
        "sed '/^#/!s/x/y/' a",
        "sed '1!G;h;$!d' a",
        "sed -n '/a/,/b/{/x/!p;}' a",
        "sed 's/e/w/' a",
        "sed 's/a\\/e/b/' a",
        "sed '$a\\end' a",
        "sed 'y/abc/xyz/' a",
        "sed -n '$=' a",
        "sed 10q a",
        "sed '/x/i\\  text e' a",
        "sed --version",
        "sed -n '5{p;q}' a",
        "sed -n '/^## A/,/^## B/p' README.md",
        "sed 's/^[ \\t]*//;s/[ \\t]*$//' a",
        "sed -e :a -e '$!N;s/\\n//;ta' a",
        "sed 's#http://#https://#g' a",
        "sed '0~3d' a",
        "sed -n '1~2p' a",
        "sed 's/\\(.*\\)@\\(.*\\)/\\2 at \\1/' a",
        "sed '/^$/d;/^#/d' a",
        "sed G a",
        "sed -n l a",
        "sed 's/a/b/2;s/c/d/p' a",
        'sed "s/\'//g" a',
        "sed 's/[[:space:]]\\+/ /g' a",
        "sed 's/[^[:alnum:]]//g' a",
        "sed -E 's/^([^:]+):.*/\\1/' a",
        "sed '1i\\header' a",
        "sed '/foo/c\\bar' a",
        "sed '/x/{n;d}' a",
        "sed 's/x/\\n/g' a",
        "sed '1d;$d' a",
    ],
)
def test_script_that_edits_is_look(line: str) -> None:
    """Editing what flows through is looking, whatever letters are in patterns and texts."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "sed -i s/a/b/ a",
        "sed -i.bak s/a/b/ a",
        "sed -ni p a",
        "sed --in-place s/a/b/ src/*.py",
    ],
)
def test_in_place_in_the_project_is_change(line: str) -> None:
    """In place the files are written."""
    assert risk(line) == Risk.CHANGE


@pytest.mark.parametrize(
    "line",
    [
        "sed -i s/a/b/ ~/.zshrc",
        "sed -i.bak s/a/b/ .git/config",
        "sed -Ei s/a/b/ /etc/hosts",
        "sed --in-pl s/a/b/ /etc/hosts",
        "sed --expression='1e rm -rf ~' a",
        "sed -n -i.bak p ~/.bashrc",
        "sed -i'' s/x/y/ ~/.bashrc",
        "sed --in-place=x s/x/y/ ~/.bashrc",
        "sed -n --in-place p ~/.bashrc",
    ],
)
def test_in_place_elsewhere_is_danger(line: str) -> None:
    """In place the files are written, and these are obeyed."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "sed 's/a/b/w /etc/passwd' a",
        "sed 's/a/b/gw/home/me/.bashrc' a",
        "sed -n '/x/w ~/.bashrc' a",
        "sed 'r .env' a",
        "sed -n 'R ~/.ssh/id_rsa' a",
        "sed 's/.*/id/e' a",
        "sed 's/.*/id/ge' a",
        "sed e a",
        "sed '1e rm -rf ~' a",
        "sed -e p -e '$e rm -rf ~' a",
        "sed --express='1e rm -rf ~' a",
        "sed -e'1e rm -rf ~' a",
        "sed -ne '1e rm -rf ~' a",
        "sed $'p\\ne rm -rf ~' a",
        "sed ':a;N;ba;e rm -rf ~' a",
        "sed '/[/]e x/e rm -rf ~' a",
        "sed 's/[/]/x/e' a",
        "sed 's,a,b,e' a",
        "sed '{p;{e rm -rf ~\n}}' a",
        "sed p .env",
        "sed '' .env",
        "sed '1{e rm -rf ~\n}' a",
        "sed '1!e rm -rf ~' a",
        "sed '/x/Ie rm -rf ~' a",
        "sed '1,5e rm -rf ~' a",
        "sed '\\,x,e rm -rf ~' a",
        "sed '\\%x%w /etc/passwd' a",
        "sed 's/x/y/;w /etc/passwd' a",
        "sed 's/x/y/w/etc/passwd' a",
        "sed 's/x/y/Iw /etc/passwd' a",
        "sed -s -n -e 'W /etc/passwd' a",
        "sed '#x\ne rm -rf ~' a",
        "sed '#n\nw /etc/passwd' a",
        "sed 'a\\\ntext\ne rm -rf ~' a",
        "sed 's/a\\nb/c/;1e rm -rf ~' a",
        "sed 's/[]/]/x/e' a",
        "sed 's/[^]/]/x/e' a",
        "sed 'y/a\\/b/xyz/;e rm -rf ~' a",
        "sed 'ba;e rm -rf ~' a",
        "sed ': a;e rm -rf ~' a",
    ],
)
def test_script_that_runs_or_writes_is_danger(line: str) -> None:
    """Commands and flags that run, read or write files are found wherever they stand in a script."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        'sed "s/x/$UNKNOWN/" a',
        "sed -f x.sed a",
    ],
)
def test_script_out_of_sight_is_care(line: str) -> None:
    """A script that cannot be seen whole may do anything."""
    assert risk(line) == Risk.CARE
